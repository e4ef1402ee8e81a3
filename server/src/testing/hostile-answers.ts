import type { Sent } from './hostile-connections.ts';
import type { RawAnswer } from './raw-http.ts';

const FAULTS: Readonly<Record<number, readonly string[]>> = {
  400: ['0011'],
  404: ['0940'],
  405: ['0940'],
  408: ['0011'],
  409: ['0909'],
  413: ['0913'],
  422: ['0922'],
  431: ['0913'],
};
/** By status: what a page is. */
const PAGES: Readonly<Record<number, string>> = { 200: 'text/html', 404: 'text/html', 409: 'text/html', 429: 'text/html' };
/** The codes that hostile requests always earn. */
export const ORDER_CODES: readonly string[] = '0000 0001 0011 0017 0018 0020 0021 0022 0023 0025 0026 0027 0031 0032 0041 0042 0043'.split(
  ' ',
);
export const CASHOUT_CODES: readonly string[] = '0000 0001 0004 0009 0014 0019 0021 0023 0024 0026 0028 0036 0037 0042'.split(' ');
/** Codes of networks, of long processing, and of a fund that is too small. */
const RARE_CASHOUT_CODES = '0002 0010 0013 0016 0018 0025'.split(' ');
const RARE_ORDER_CODES = '0010 0016 0905 0906 0907'.split(' ');
/** By operation of networks: the refusals of a malformed request, and every decision behind a right checksum. */
export const NETWORK_CODES: Readonly<Record<string, string>> = {
  'order look-up': '0010 0011 0025 0000 0001',
  'order payment': '0010 0011 0021 0023 0025 0000 0001 0016 0041 0905 0906',
  'order reversal': '0010 0011 0025 0000 0001',
  'cashout look-up': '0009 0010 0019 0000 0002 0013',
  'cashout payment': '0009 0010 0019 0000 0013 0014 0016 0021',
  'cashout reversal': '0009 0010 0019 0000 0001',
};

const CHECKOUT = /^\/checkout\/?(\?|$)/;
const SANDBOX_PAGES = /^\/sandbox\/inbox(\/mail\/[^/?]+)?\/?(\?|$)/;
/** A browser that asks for the root. The router takes `*` and `//` for it. */
const HOME = /^(?:GET|HEAD) (?:https?:\/\/[^/ ]*)?(?:\*|\/*)(?:\?\S*)? HTTP[^]*\r\naccept: text\/html\r\n/i;
/** What anybody may read. Their answers have no envelope. */
const DOCUMENTS = /^\/(docs|openapi\.json|openapi\/networks\.json|healthz|readyz)\/?(\?|$)/;
const ASKS_FOR_A_FAULT = /^x-sandbox-fault: 503\r$/m;

/** Texts of our libraries, of the database, and of stack traces. */
const INTERNALS =
  /node_modules|FST_|HPE_|SQLSTATE|syntax error|\bselect\b.*\bfrom\b|(Type|Syntax|Range|Database)Error\b|\\n\s+at |"(statusCode|stack|error)":/;
/** A signed token: header, claims, and 32 bytes of HMAC. */
const TOKEN = /eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]{43}(?![\w-])/g;
/** A list cursor of 30 or 50 bytes, the last 16 of HMAC. */
const CURSOR = /\bcursor=AQ(?:[\w-]{38}|[\w-]{65})(?![\w-])/g;

/**
 * True where a body shows what no client may see.
 * Random characters of a signature may spell any short word, so signatures are left out and claims are judged decoded.
 */
export function showsInternals(body: string): boolean {
  const readable = body
    .replace(TOKEN, (_, claims: string) => Buffer.from(claims, 'base64url').toString('latin1'))
    .replace(CURSOR, 'cursor=');
  return INTERNALS.test(readable);
}

/** Says what is wrong with an answer, or undefined. Without a path the request was unreadable: then either envelope is right. */
export function faultOf({ path, method, bytes }: Sent, answer: RawAnswer): string | undefined {
  const { status, headers, body } = answer;
  if (!headers.get('x-request-id') || headers.get('cache-control') !== 'no-store' || headers.get('x-content-type-options') !== 'nosniff')
    return 'a header of every answer is missing';
  if (showsInternals(body)) return 'it shows internals';
  if (status === 405 && !headers.get('allow')) return 'no Allow';
  if ([429, 503].includes(status) && !headers.get('retry-after')) return 'no Retry-After';
  if (path !== undefined) {
    const isPage = DOCUMENTS.test(path) ? path.startsWith('/docs') : CHECKOUT.test(path) || SANDBOX_PAGES.test(path);
    if (isPage && status in PAGES) return headers.get('content-type')?.startsWith(PAGES[status] ?? '') ? undefined : 'no page';
    if (status === 303 || status === 304) return CHECKOUT.test(path) ? undefined : 'nothing where an answer was due';
  }
  if (status === 200 && HOME.test(bytes)) return headers.get('content-type') === 'text/html; charset=utf-8' ? undefined : 'no page';
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'another Content-Type';
  const faults = ASKS_FOR_A_FAULT.test(bytes) ? { ...FAULTS, 503: ['0953'] } : FAULTS;
  if (method === 'HEAD') return status === 200 || status in faults ? undefined : 'an unexpected status';
  const read = JSON.parse(body) as Record<string, unknown>;
  if (path !== undefined && status === 200 && DOCUMENTS.test(path)) return undefined;
  // A simulation answers in the envelope of the operation that it simulates.
  const isEither = path === undefined || path.startsWith('/sandbox/');
  const isCashouts = isEither ? 'code' in read : /^\/(cashout|v1)\//.test(path);
  const [code, text, data] = isCashouts ? [read['code'], read['text'], read['data']] : [read['CODE'], read['DESC'], read['DATA']];
  if (typeof text !== 'string' || text === '' || typeof data !== 'object') return 'another envelope';
  const business = isCashouts ? [...CASHOUT_CODES, ...RARE_CASHOUT_CODES] : [...ORDER_CODES, ...RARE_ORDER_CODES];
  const ofStatus = { ...faults, 200: business, 412: ['0910'] }[status] ?? [];
  return ofStatus.includes(code as string) ? undefined : 'an unexpected status or code';
}
