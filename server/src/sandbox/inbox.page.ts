import { createHash } from 'node:crypto';
import { html, NO_HTML, trustedHtml, type Html } from '../kit/html.ts';
import type { HttpRequest, HttpServer } from '../kit/http.ts';
import { preferredLanguage, type Language } from '../kit/language.ts';
import { localizedInstant } from '../kit/localized.ts';
import { cellOfNumber } from '../kit/per-cell.ts';
import { isCell, type CellsOf } from '../manage/index.ts';
import type { TimeZoneOf } from '../merchants/index.ts';
import { redeliverNotice, showNotice } from '../notices/index.ts';
import { readInboxes, type InboxEntry, type InboxFilter, type InboxRoom } from './inbox.ts';
import { PAGE_STYLE } from './page-style.ts';
import { readInboxFilter } from './inbox.wire.ts';
import { INBOX_WORDS } from './inbox-words.ts';
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

type InboxPage = { readonly inboxes: CellsOf<InboxRoom>; readonly timeZoneOf: TimeZoneOf; readonly clock: SandboxClock };

/**
 * Adds the inbox for people: a page without scripts or external parts, in the language of the browser and the zone of the merchants.
 * Shows each mail as a mail program does.
 * Source: contract §7.6.
 */
export function addInboxPage(app: HttpServer, { inboxes, timeZoneOf, clock }: InboxPage): void {
  /** How the reader of a request reads words and times. */
  const readerOf = async (request: HttpRequest, merchantId?: string): Promise<Reader> => ({
    language: preferredLanguage(request.headers['accept-language']),
    zone: (await timeZoneOf(merchantId)) ?? 'UTC',
    now: clock.now(),
  });
  /** The cell of a message or a notice, which its id says. Undefined: there is no such id. */
  const roomOf = async (id: string): Promise<InboxRoom | undefined> => {
    if (!MESSAGE_ID.test(id)) return undefined;
    const cell = cellOfNumber(id);
    return (await isCell(inboxes, cell)) ? inboxes.deps.of(cell) : undefined;
  };

  app.get(PATH, { schema: { hide: true } }, async (request, reply) => {
    const filter = readInboxFilter(request.raw.url as string);
    const reader = await readerOf(request, filter?.merchantId);
    void reply.headers(PAGE_HEADERS);
    if (filter === undefined) return reply.code(404).send(page(undefined, reader, saying(reader, 'noAddress')));
    const { entries, missing } = await readInboxes(inboxes, filter);
    return reply.send(page(filter, reader, html`${renderMissing(missing, reader)}${renderEntries(entries, filter, reader)}`));
  });

  app.get(MAIL_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const room = await roomOf(id);
    const [message] = room === undefined ? [] : await room.messages.list({ limit: 1, messageId: BigInt(id) });
    const mail = message?.content?.mail;
    if (mail !== undefined) return reply.headers(MAIL_HEADERS).send(mail.html);
    const reader = await readerOf(request);
    return reply
      .code(404)
      .headers(PAGE_HEADERS)
      .send(page(undefined, reader, saying(reader, 'noMail')));
  });

  app.post(NOTICE_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const room = await roomOf(id);
    const found = room && (await showNotice(room.db, BigInt(id)));
    if (room === undefined || found === undefined) {
      const reader = await readerOf(request);
      return reply
        .code(404)
        .headers(PAGE_HEADERS)
        .send(page(undefined, reader, saying(reader, 'noNotice')));
    }
    // One that waits already is sent anyway.
    await redeliverNotice(room, BigInt(id));
    return reply.redirect(`${PATH}?channel=notice&merchant=${encodeURIComponent(found.notice.merchantId)}`, 303);
  });
}

type Reader = { readonly language: Language; readonly zone: string; readonly now: Temporal.Instant };

const saying = ({ language }: Reader, word: 'noAddress' | 'noMail' | 'noNotice'): Html => html`<p>${INBOX_WORDS[language][word]}</p>`;

function page(filter: InboxFilter | undefined, reader: Reader, body: Html): string {
  const { merchantId = '', about = '', channel } = filter ?? {};
  const words = INBOX_WORDS[reader.language];
  const choices = (['mail', 'sms', 'notice'] as const).map((one) =>
    one === channel
      ? html`<option value="${one}" selected>${words.channels[one]}</option>`
      : html`<option value="${one}">${words.channels[one]}</option>`,
  );
  return html`<!doctype html>
    <html lang="${reader.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${words.title}</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <p><a href="/">${words.home}</a></p>
          <h1>${words.inbox}</h1>
          <p class="quiet">${words.what} ${words.clock(timeOf(reader.now, reader))}</p>
          <form method="get" action="${PATH}">
            <label
              >${words.merchant} <input name="merchant" maxlength="50" value="${merchantId}" autocomplete="off" spellcheck="false"
            /></label>
            <label>${words.about} <input name="about" maxlength="50" value="${about}" autocomplete="off" spellcheck="false" /></label>
            <label
              >${words.channel}
              <select name="channel">
                <option value="">${words.all}</option>
                ${choices}
              </select></label
            >
            <button>${words.show}</button>
          </form>
        </header>
        <main>${body}</main>
      </body>
    </html> `.markup;
}

const renderMissing = (cells: readonly string[], { language }: Reader): Html =>
  cells.length === 0 ? NO_HTML : html`<p role="note">${INBOX_WORDS[language].missing(cells.join(', '))}</p>`;

function renderEntries(entries: readonly InboxEntry[], { merchantId, about, channel }: InboxFilter, reader: Reader): Html {
  const words = INBOX_WORDS[reader.language];
  if (entries.length > 0) return html`${entries.map((entry) => renderEntry(entry, reader))}`;
  if (merchantId !== undefined || about !== undefined || channel !== undefined) return html`<p class="quiet">${words.nothingLikeThis}</p>`;
  return html`<p class="quiet">${words.none} <code>"sms": true</code>.</p>`;
}

/** One line, which opens to what was sent. */
function renderEntry(entry: InboxEntry, reader: Reader): Html {
  const { channel, merchantId, subjectId, kind, at, state, problem, to, subject } = entry;
  const words = INBOX_WORDS[reader.language];
  const how = words.states[state] ?? state;
  return html`<details>
    <summary>
      <span class="channel">${words.channels[channel]}</span> <b>${subject ?? words.kinds[kind] ?? kind.replaceAll('_', ' ')}</b>
      <span class="quiet"
        >${merchantId} / ${subjectId} · <time datetime="${at.toString({ smallestUnit: 'second' })}">${timeOf(at, reader)}</time></span
      >
    </summary>
    <div>
      <dl>
        <dt>${words.state}</dt>
        <dd>${problem === null ? how : `${how}: ${problem}`}</dd>
        <dt>${words.to}</dt>
        <dd>${to ?? (channel === 'notice' ? words.noUrl : words.notKept)}</dd>
        ${renderFields(entry, reader)}
      </dl>
      ${renderContent(entry, reader)} ${channel === 'notice' ? renderResend(entry, reader) : NO_HTML}
    </div>
  </details> `;
}

function renderFields({ otp, headers, answer }: InboxEntry, { language }: Reader): readonly Html[] {
  const words = INBOX_WORDS[language];
  const fields: (readonly [name: string, value: Html])[] = [];
  if (otp !== null) fields.push([words.password, html`<span class="otp">${otp}</span>`]);
  for (const [name, value] of Object.entries(headers ?? {})) fields.push([name, html`<code>${value}</code>`]);
  if (answer !== null) fields.push([words.answer, html`HTTP ${answer.status} <code>${answer.text}</code>`]);
  return fields.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  );
}

/** A mail is shown as a mail program shows it: in a frame that may do nothing. */
function renderContent({ id, text, html: mail, subject, channel }: InboxEntry, { language }: Reader): Html {
  const words = INBOX_WORDS[language];
  if (text === null) return html`<p class="quiet">${words.textNotKept}</p>`;
  if (mail === null) return html`<pre tabindex="0">${text}</pre>`;
  const path = `/sandbox/inbox/mail/${id.toString()}`;
  return html`<iframe src="${path}" title="${subject ?? words.channels[channel]}" sandbox loading="lazy"></iframe>
    <p><a href="${path}" target="_blank" rel="noopener">${words.asMail}</a></p>
    <pre tabindex="0">${text}</pre>`;
}

/** One that waits is sent anyway. */
function renderResend({ id, state }: InboxEntry, { language }: Reader): Html {
  if (state === 'waiting') return NO_HTML;
  return html`<form method="post" action="/sandbox/inbox/notices/${id.toString()}">
    <button class="plain">${INBOX_WORDS[language].again}</button>
  </form>`;
}

/** As the clocks of the merchants show it, with the zone where they are in several. */
const timeOf = (instant: Temporal.Instant, { language, zone }: Reader): string =>
  `${localizedInstant(instant, zone, language)}${zone === 'UTC' ? ' UTC' : ''}`;
