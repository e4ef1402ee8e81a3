import { createHash } from 'node:crypto';
import { html, NO_HTML, trustedHtml, type Html } from '../kit/html.ts';
import type { HttpServer } from '../kit/http.ts';
import { redeliverNotice, showNotice } from '../notices/index.ts';
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
  'content-security-policy': `default-src 'none'; img-src data:; frame-src 'self'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
};
/** A mail has inline styles, because mail programs need them. As in a mail program, scripts and loading are off. The console shows it in a frame. */
const MAIL_HEADERS = {
  ...SHARED_HEADERS,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};
const NOTICE_PATH = '/sandbox/inbox/notices/:id';
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
        .send(page(undefined, clock.now(), html`<p>This mail does not exist, or is no longer kept.</p>`));
    return reply.headers(MAIL_HEADERS).send(mail.html);
  });

  app.post(NOTICE_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const found = MESSAGE_ID.test(id) ? await showNotice(room.db, BigInt(id)) : undefined;
    if (found === undefined)
      return reply
        .code(404)
        .headers(PAGE_HEADERS)
        .send(page(undefined, clock.now(), html`<p>This notice does not exist.</p>`));
    // One that waits already is sent anyway.
    await redeliverNotice(room, BigInt(id));
    return reply.redirect(`${PATH}?channel=notice&merchant=${encodeURIComponent(found.notice.merchantId)}`, 303);
  });
}

const NAMES: Readonly<Record<InboxEntry['channel'], string>> = { mail: 'Mail', sms: 'SMS', notice: 'Notice' };

/** What a state means, for people. A state without a line says it itself. */
const STATES: Readonly<Record<string, string>> = {
  kept: 'kept here: no mail or SMS server is set',
  pending: 'waits to be sent',
  waiting: 'waits to be sent',
  given_up: 'given up',
};

function page(filter: InboxFilter | undefined, now: Temporal.Instant, body: Html): string {
  const { merchantId = '', about = '', channel } = filter ?? {};
  const choices = (['mail', 'sms', 'notice'] as const).map((one) =>
    one === channel ? html`<option value="${one}" selected>${NAMES[one]}</option>` : html`<option value="${one}">${NAMES[one]}</option>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Caudal – sandbox inbox</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <p><a href="/">Home</a></p>
          <h1>Inbox</h1>
          <p class="quiet">What this sandbox sent, or would have sent. Its clock says ${when(now)}.</p>
          <form method="get" action="${PATH}">
            <label>Merchant <input name="merchant" maxlength="50" value="${merchantId}" autocomplete="off" spellcheck="false" /></label>
            <label>Order or cashout <input name="about" maxlength="50" value="${about}" autocomplete="off" spellcheck="false" /></label>
            <label
              >Channel
              <select name="channel">
                <option value="">All</option>
                ${choices}
              </select></label
            >
            <button>Show</button>
          </form>
        </header>
        <main>${body}</main>
      </body>
    </html> `.markup;
}

function renderEntries(entries: readonly InboxEntry[], { merchantId, about, channel }: InboxFilter): Html {
  if (entries.length > 0) return html`${entries.map(renderEntry)}`;
  if (merchantId !== undefined || about !== undefined || channel !== undefined) return html`<p class="quiet">Nothing like this.</p>`;
  return html`<p class="quiet">
    Nothing yet. Create an order with an e-mail address, pay it, or register a cashout with <code>"sms": true</code>.
  </p>`;
}

/** One line, which opens to what was sent. */
function renderEntry(entry: InboxEntry): Html {
  const { channel, merchantId, subjectId, kind, at, state, problem, to, subject } = entry;
  const how = STATES[state] ?? state;
  return html`<details>
    <summary>
      <span class="channel">${NAMES[channel]}</span> <b>${subject ?? kind.replaceAll('_', ' ')}</b>
      <span class="quiet">${merchantId} / ${subjectId} · ${when(at)}</span>
    </summary>
    <div>
      <dl>
        <dt>State</dt>
        <dd>${problem === null ? how : `${how}: ${problem}`}</dd>
        <dt>To</dt>
        <dd>${to ?? (channel === 'notice' ? 'nobody: the merchant has no notice URL' : 'not kept')}</dd>
        ${renderFields(entry)}
      </dl>
      ${renderContent(entry)} ${channel === 'notice' ? renderResend(entry) : NO_HTML}
    </div>
  </details> `;
}

function renderFields({ otp, headers, answer }: InboxEntry): readonly Html[] {
  const fields: (readonly [name: string, value: Html])[] = [];
  if (otp !== null) fields.push(['otp', html`<span class="otp">${otp}</span>`]);
  for (const [name, value] of Object.entries(headers ?? {})) fields.push([name, html`<code>${value}</code>`]);
  if (answer !== null) fields.push(['Answer', html`HTTP ${answer.status} <code>${answer.text}</code>`]);
  return fields.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  );
}

/** A mail is shown as a mail program shows it: in a frame that may do nothing. */
function renderContent({ id, text, html: mail, subject }: InboxEntry): Html {
  if (text === null) return html`<p class="quiet">What it said is not kept.</p>`;
  if (mail === null) return html`<pre tabindex="0">${text}</pre>`;
  const path = `/sandbox/inbox/mail/${id.toString()}`;
  return html`<iframe src="${path}" title="${subject ?? 'Mail'}" sandbox loading="lazy"></iframe>
    <p><a href="${path}" target="_blank" rel="noopener">As a mail program shows it</a></p>
    <pre tabindex="0">${text}</pre>`;
}

/** One that waits is sent anyway. */
function renderResend({ id, state }: InboxEntry): Html {
  if (state === 'waiting') return NO_HTML;
  return html`<form method="post" action="/sandbox/inbox/notices/${id.toString()}"><button class="plain">Send again</button></form>`;
}

const when = (instant: Temporal.Instant): Html => {
  const text = instant.toString({ smallestUnit: 'second' });
  return html`<time datetime="${text}">${text.replace('T', ' ').replace('Z', ' UTC')}</time>`;
};
