import { createHash } from 'node:crypto';
import { html, NO_HTML, trustedHtml, type Html } from '../kit/html.ts';
import type { HttpServer } from '../kit/http.ts';
import { readInbox, type InboxEntry, type InboxFilter, type InboxRoom } from './inbox.ts';
import { PAGE_STYLE } from './page-style.ts';
import { readInboxFilter } from './inbox.wire.ts';
import type { SandboxClock } from './sandbox-clock.ts';

const PATH = '/sandbox/inbox';
const MAIL_PATH = '/sandbox/inbox/mail/:id';

const SHARED_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
/** Made without indents of the page: the policy allows exactly these bytes. */
const STYLE_ELEMENT = trustedHtml(`<style>${PAGE_STYLE}</style>`);
/** Allows the page's own style and its form, and nothing else. The page has no script. */
const PAGE_HEADERS = {
  ...SHARED_HEADERS,
  'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
};
/** A mail has inline styles, because mail programs need them. As in a mail program, scripts and loading are off. The console shows it in a frame. */
const MAIL_HEADERS = {
  ...SHARED_HEADERS,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};
/** Eighteen digits fit PostgreSQL's bigint. */
const MESSAGE_ID = /^[1-9][0-9]{0,17}$/;

/**
 * Adds the inbox for people: a page without scripts or external parts. Shows each mail as a mail program does.
 * Source: contract §7.6.
 */
export function addInboxPage(app: HttpServer, room: InboxRoom, clock: SandboxClock): void {
  app.get(PATH, { schema: { hide: true } }, async (request, reply) => {
    const filter = readInboxFilter(request.raw.url as string);
    void reply.headers(PAGE_HEADERS);
    if (filter === undefined) return reply.code(404).send(page(undefined, clock.now(), html`<p>There is nothing under this address.</p>`));
    const entries = await readInbox(room, filter);
    return reply.send(page(filter, clock.now(), renderEntries(entries, filter)));
  });

  app.get(MAIL_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const [message] = MESSAGE_ID.test(id) ? await room.messages.list({ limit: 1, messageId: BigInt(id) }) : [];
    const mail = message?.content?.mail;
    if (mail === undefined)
      return reply
        .code(404)
        .headers(PAGE_HEADERS)
        .send(page(undefined, clock.now(), html`<p>There is no such mail, or it is not kept any more.</p>`));
    return reply.headers(MAIL_HEADERS).send(mail.html);
  });
}

const NAMES: Readonly<Record<InboxEntry['channel'], string>> = { mail: 'Mail', sms: 'SMS', notice: 'Notice' };

function page(filter: InboxFilter | undefined, now: Temporal.Instant, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Caudal – sandbox inbox</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <h1>Inbox</h1>
          <p>What this sandbox sent, or would have sent. Its clock says ${when(now)}.</p>
          <form method="get" action="${PATH}">
            <label for="merchant">Merchant</label>
            <input id="merchant" name="merchant" maxlength="50" value="${filter?.merchantId ?? ''}" autocomplete="off" spellcheck="false" />
            <button>Show</button>
          </form>
        </header>
        <main>${body}</main>
      </body>
    </html> `.markup;
}

function renderEntries(entries: readonly InboxEntry[], { merchantId }: InboxFilter): Html {
  if (entries.length > 0) return html`${entries.map(renderEntry)}`;
  const whose = merchantId === undefined ? NO_HTML : html` for <b>${merchantId}</b>`;
  return html`<p class="quiet">
    Nothing${whose} yet. Create an order with an e-mail address, pay it, or register a cashout with <code>"sms": true</code>.
  </p>`;
}

function renderEntry({
  channel,
  id,
  merchantId,
  subjectId,
  kind,
  at,
  state,
  problem,
  to,
  subject,
  text,
  html: mail,
  answer,
}: InboxEntry): Html {
  const how = problem === null ? state.replace('_', ' ') : `${state.replace('_', ' ')}: ${problem}`;
  return html`<article>
    <h2><span class="channel ${channel}">${NAMES[channel]}</span> ${subject ?? kind.replaceAll('_', ' ')}</h2>
    <p class="quiet">${when(at)} · ${merchantId} / ${subjectId} · ${how}</p>
    ${to === null && channel !== 'notice' ? NO_HTML : html`<p class="quiet">To ${to ?? 'nobody: the merchant has no notice URL'}</p>`}
    ${text === null ? html`<p class="quiet">What it said is not kept.</p>` : html`<pre tabindex="0">${text}</pre>`}
    ${mail === null ? NO_HTML : html`<p><a href="/sandbox/inbox/mail/${id.toString()}" target="_blank" rel="noopener">As a mail program shows it</a></p>`}
    ${answer === null ? NO_HTML : html`<p>Answered with HTTP ${answer.status}${answer.text === '' ? NO_HTML : html`: <code>${answer.text}</code>`}</p>`}
  </article> `;
}

const when = (instant: Temporal.Instant): Html => {
  const text = instant.toString({ smallestUnit: 'second' });
  return html`<time datetime="${text}">${text.replace('T', ' ').replace('Z', ' UTC')}</time>`;
};
