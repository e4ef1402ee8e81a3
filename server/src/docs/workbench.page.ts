import { createHmac, hash } from 'node:crypto';
import { html, NO_HTML, type Html } from '../kit/html.ts';
import type { HttpRequest } from '../kit/http.ts';
import { parseQuery } from '../kit/query-string.ts';
import type { ApiDocument } from './api-document.ts';
import { routesOf, type Route } from './operation-page.ts';

/** Where the workbench is. Only a sandbox has it: nobody types a secret of production into a page. */
export const WORKBENCH_PATH = '/docs/workbench';
export const WORKBENCH_TITLE = 'Workbench';

type Form = ReadonlyMap<string, string>;

/** Reads what the page was asked: the operation from the address, and the values that were typed from the body. */
export function readWorkbench(request: HttpRequest): Form {
  const parts = [parseQuery(request.url), parseQuery(`?${(request.body as Buffer | undefined)?.toString('latin1') ?? ''}`)];
  return new Map(parts.flatMap((part) => (part instanceof Map ? [...part] : [])));
}

/** Renders the workbench: how a checksum and a signature are made of one's own values, and why one's own differ. */
export function renderWorkbench(document: ApiDocument, form: Form): Html {
  const routes = routesOf(document).filter(({ operation }) => operation['x-checksum'].length > 0);
  const chosen = routes.find(({ operation }) => operation.operationId === form.get('operation')) ?? routes[0];
  return html`<h1>${WORKBENCH_TITLE}</h1>
    <p>
      It makes a checksum or a signature of your own values, step by step. Where yours differs, it looks for the common mistakes. What you
      type goes to this sandbox alone, and is not kept. Never type a secret of production.
    </p>
    ${chosen === undefined ? NO_HTML : renderChecksum(routes, chosen, form)} ${renderSignature(form)}`;
}

const field = (form: Form, name: string, label: string, value = form.get(name) ?? ''): Html =>
  html`<label>${label} <input name="${name}" value="${value}" autocomplete="off" spellcheck="false" /></label>`;

function renderChecksum(routes: readonly Route[], { operation }: Route, form: Form): Html {
  const names = operation['x-checksum'];
  const isSent = form.get('make') === 'checksum';
  return html`<h2 id="checksum">A checksum</h2>
    <form class="form" action="${WORKBENCH_PATH}">
      <label
        >Operation
        <select name="operation">
          ${routes.map(
            ({ operation: { operationId, summary } }) =>
              html`<option value="${operationId}" ${operationId === operation.operationId ? html`selected` : NO_HTML}>${summary}</option>`,
          )}
        </select></label
      >
      <button>Choose</button>
    </form>
    <form class="form" method="post" action="${WORKBENCH_PATH}?operation=${operation.operationId}#made">
      <input type="hidden" name="make" value="checksum" />
      ${names.map((name) => field(form, `value-${name}`, name))} ${field(form, 'secret', 'Fixed hash, or the secret of a network')}
      ${field(form, 'sent', 'The checksum that you made (optional)')}
      <button>Make the checksum</button>
    </form>
    ${
      isSent
        ? showChecksum(
            names.map((name) => form.get(`value-${name}`) ?? ''),
            form,
          )
        : NO_HTML
    }`;
}

const result = (title: string, text: string): Html =>
  html`<h3>${title}</h3>
    <pre class="long" tabindex="0"><code>${text}</code></pre>`;

function showChecksum(values: readonly string[], form: Form): Html {
  const secret = form.get('secret') ?? '';
  const right = hash('sha512', values.join('') + secret, 'hex');
  const sent = (form.get('sent') ?? '').trim().toLowerCase();
  return html`<div id="made">
    ${result('The text', `${values.join('')}${'•'.repeat(secret.length)}`)} ${result('Its SHA-512', right)}
    ${sent === '' ? NO_HTML : judge(sent === right ? undefined : (findMistake(values, secret, sent) ?? UNKNOWN))}
  </div>`;
}

const UNKNOWN = 'It differs, and none of the common mistakes explains it. Compare the text above with the one that your program hashes.';

/** `why`: why it differs; undefined where it is right. */
const judge = (why: string | undefined): Html => html`<p role="status"><strong>${why ?? 'Yours is right.'}</strong></p>`;

/** What programs do wrong, and the text that they hash then. */
const MISTAKES: readonly (readonly [why: string, text: (values: readonly string[], secret: string) => string])[] = [
  ['Yours is made without the secret.', (values) => values.join('')],
  ['Yours has the secret in front. It belongs at the end.', (values, secret) => secret + values.join('')],
  ['Yours has a line feed at the end.', (values, secret) => `${values.join('')}${secret}\n`],
  ['The secret above has spaces around it.', (values, secret) => values.join('') + secret.trim()],
  ['Values above have spaces around them. Yours is made without.', (values, secret) => values.map((one) => one.trim()).join('') + secret],
  ...[' ', ',', '|', '-', ':', '\n'].map(
    (separator) =>
      [
        `Yours has ${JSON.stringify(separator)} between the values. There is nothing between them.`,
        (values: readonly string[], secret: string) => [...values, secret].join(separator),
      ] as const,
  ),
  [
    'Yours has another form of the amount.',
    (values, secret) => changed(values, secret, (one) => (/^\d+\.\d{0,20}$/.test(one) ? one.replace(/\.?0*$/, '') : one)),
  ],
  [
    'Yours has the amount with one decimal.',
    (values, secret) => changed(values, secret, (one) => (/^\d{4,}$/.test(one) ? `${one}.0` : one)),
  ],
  [
    'Yours has the amount with two decimals.',
    (values, secret) => changed(values, secret, (one) => (/^\d{4,}$/.test(one) ? `${one}.00` : one)),
  ],
  ['Yours lost zeros at the start of a value.', (values, secret) => changed(values, secret, (one) => one.replace(/^0+(?=\d)/, ''))],
  ['Yours is made of small letters.', (values, secret) => changed(values, secret, (one) => one.toLowerCase())],
  ['Yours has the values in the opposite order.', (values, secret) => values.toReversed().join('') + secret],
];

const changed = (values: readonly string[], secret: string, change: (value: string) => string): string =>
  values.map(change).join('') + secret;

function findMistake(values: readonly string[], secret: string, sent: string): string | undefined {
  const text = values.join('') + secret;
  if (sent === hash('sha256', text, 'hex')) return 'Yours is SHA-256. Requests take SHA-512.';
  if (sent === createHmac('sha512', secret).update(values.join('')).digest('hex'))
    return 'Yours is an HMAC. Append the secret to the text instead.';
  if (sent === hash('sha512', Buffer.from(text, 'latin1'), 'hex')) return 'Yours is made of Latin-1. The text is UTF-8.';
  return MISTAKES.find(([, mistaken]) => hash('sha512', mistaken(values, secret), 'hex') === sent)?.[0];
}

function renderSignature(form: Form): Html {
  return html`<h2 id="signature">A signature</h2>
    <p>Of a notice, without method and path; or of a request, with both.</p>
    <form class="form" method="post" action="${WORKBENCH_PATH}#made">
      <input type="hidden" name="make" value="signature" />
      ${field(form, 'id', 'webhook-id')} ${field(form, 'timestamp', 'webhook-timestamp')} ${field(form, 'method', 'Method (of a request)')}
      ${field(form, 'path', 'Path with its query (of a request)')}
      <label>Body, byte for byte <textarea name="body" spellcheck="false">${form.get('body') ?? ''}</textarea></label>
      ${field(form, 'key', 'Notice hash, or signing secret (whsec_…)')}
      ${field(form, 'signature', 'The webhook-signature that you have (optional)')}
      <button>Make the signature</button>
    </form>
    ${form.get('make') === 'signature' ? showSignature(form) : NO_HTML}`;
}

function showSignature(form: Form): Html {
  const get = (name: string): string => form.get(name) ?? '';
  // A browser sends the lines of a field with CRLF.
  const body = get('body').replaceAll('\r\n', '\n');
  const content = get('method') === '' ? body : `${get('method').toUpperCase()}\n${get('path')}\n${body}`;
  const text = `${get('id')}.${get('timestamp')}.${content}`;
  const key = get('key').trim();
  const sign = (secret: Buffer, signed = text): string => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice('whsec_'.length), 'base64') : Buffer.from(key);
  const right = sign(bytes);
  const given = get('signature').trim().split(' ');
  const mistakes: readonly (readonly [string, string])[] = [
    ['Yours has the notice hash decoded from hexadecimal. Its characters are the key.', sign(Buffer.from(key, 'hex'))],
    ['Yours has the notice hash decoded from base64. Its characters are the key.', sign(Buffer.from(key, 'base64'))],
    ['Yours has the characters of whsec_… as the key. Decode the base64 after it.', sign(Buffer.from(key))],
    ['Yours has a line feed at the end of the body.', sign(bytes, `${text}\n`)],
    ['Yours is made of the body alone. The id and the time come before it.', sign(bytes, content)],
  ];
  const why = given.includes(right) ? undefined : (mistakes.find(([, one]) => given.includes(one))?.[0] ?? UNKNOWN);
  return html`<div id="made">
    ${result('The signed text', text)} ${result('webhook-signature', right)} ${given[0] === '' ? NO_HTML : judge(why)}
  </div>`;
}
