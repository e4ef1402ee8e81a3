import { damaged } from './hostile-values.ts';
import type { Random } from './seed.ts';

const ORDERS = '/api/v3/porders';
const CASHOUTS = '/cashout/v1/operation';

/** A body in chunks of one size, some with extensions and a trailer. */
export function inChunks(random: Random, content: string): string {
  const size = 1 + random.below(Math.min(content.length, 5_000));
  let sent = '';
  for (let at = 0; at < content.length; at += size) {
    const chunk = content.slice(at, at + size);
    sent += `${chunk.length.toString(16)}${random.oneIn(5) ? ';extension=x' : ''}\r\n${chunk}\r\n`;
  }
  return `${sent}0\r\n${random.oneIn(5) ? 'trailer: x\r\n' : ''}\r\n`;
}

const ODD_HEADERS: readonly string[] = [
  'content-type: application/json',
  'content-type: application/x-www-form-urlencoded',
  'content-type: ;;;',
  'content-type: multipart/form-data; boundary=',
  'content-encoding: gzip',
  'accept: text/html',
  'accept-encoding: br, gzip',
  'expect: 100-continue',
  'expect: nothing',
  'if-match: "1"',
  'if-match: *',
  'if-match: W/"1", "2"',
  `if-match: "${'9'.repeat(400)}"`,
  'if-match: 1',
  'if-match: \xff',
  'x-http-method-override: DELETE',
  'x-forwarded-for: 127.0.0.1',
  'origin: null',
  `cookie: ${'a=b; '.repeat(200)}`,
  'authorization: Basic Og==',
  'accept-version: 2',
  '__proto__: x',
  'constructor: x',
  `x-long: ${'\xe9'.repeat(5_000)}`,
  'idempotency-key: k',
  'range: bytes=0-1',
  'if-none-match: *',
  'host: other',
  'x-sandbox-fault: 503',
  'x-sandbox-fault: 504',
  'x-sandbox-fault: \xff',
];
/** Each is read only of callers that may sign, or must. */
const ODD_SIGNATURES: readonly string[] = [
  'webhook-id: msg',
  'webhook-id: a.b',
  `webhook-id: ${'i'.repeat(200)}`,
  'webhook-timestamp: 0',
  'webhook-timestamp: 1e9',
  'webhook-timestamp: 999999999999',
  'webhook-signature: ',
  'webhook-signature: v2,AAAA',
  `webhook-signature: ${'v1,AAAA '.repeat(500)}`,
  'webhook-signature: v1,\xff%%%',
];

export function oddHeaders(random: Random): string[] {
  const headers = random.oneIn(2) ? [] : Array.from({ length: 1 + random.below(3) }, () => random.pick(ODD_HEADERS));
  return random.oneIn(12) ? [...headers, random.pick(ODD_SIGNATURES)] : headers;
}

/** Requests that break the rules of HTTP itself; each needs a connection of its own. */
export function brokenRequest(random: Random): string {
  const host = 'host: localhost\r\n';
  const start = `${random.pick(['PATCH', 'POST', 'DELETE'])} ${random.pick([ORDERS, CASHOUTS])} HTTP/1.1\r\n${host}`;
  const whole = `${start}content-length: 2\r\n\r\n{}`;
  return random.pick<() => string>([
    () => damaged(random, whole),
    () => damaged(random, damaged(random, whole)),
    () => whole.slice(0, random.below(whole.length)),
    () => `${start}content-length: ${random.pick(['-1', '+2', '0x2', '2, 2', '2 2', '9'.repeat(30), '', '1e1', '\xb2'])}\r\n\r\n{}`,
    () => `${start}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    () => `${start}content-length: 1\r\n\r\n{}`,
    () => `${start}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    () =>
      `${start}transfer-encoding: ${random.pick(['gzip', 'identity', 'chunked, chunked', 'chunked, gzip', 'xchunked', ' chunked', 'CHUNKED', ''])}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    () =>
      `${start}transfer-encoding: chunked\r\n\r\n${random.pick(['zz', '-2', '0x2', 'f'.repeat(17), '2;', `2;${'x'.repeat(20_000)}`, '2 '])}\r\n{}\r\n0\r\n\r\n`,
    () =>
      `${start}${random.pick(['no colon', ': empty', 'sp ace: x', 'nul\0: x', 'x: nul\0', ' folded: x', 'x: \x7f', 'x:\ny: z'])}\r\ncontent-length: 2\r\n\r\n{}`,
    () => `${start}${'x: y\r\n'.repeat(3_000)}\r\n`,
    () => `${start}${'x-request-id: a\r\nwebhook-id: a\r\nidempotency-key: a\r\nif-match: *\r\n'.repeat(2 + random.below(100))}\r\n`,
    () => `${start}${random.pick(['content-length: 2', 'host: localhost', 'transfer-encoding: chunked'])}\r\n`.repeat(2),
    () => `${start}x: ${'y'.repeat(30_000)}\r\n\r\n`,
    () => `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`,
    () => `GET ${random.pick(['', ' ', '/a b', '/\0', '/\xff\xfe', '\\', '/a\tb', '#', '?'])} HTTP/1.1\r\n${host}\r\n`,
    () => `GET /api/v3/nothing HTTP/${random.pick(['0.9', '1.0', '1.2', '2.0', '9.9', '1', ''])}\r\n\r\n`,
    () => `GET /api/v3/nothing ${random.pick(['HTTPS/1.1', 'ICE/1.0', 'http/1.1', 'RTSP/1.0'])}\r\n${host}\r\n`,
    () => `GET /api/v3/nothing HTTP/1.1\n${host.replace('\r', '')}\n`,
    () => 'GET /api/v3/nothing HTTP/1.1\r\n\r\n',
    // Node goes on without the protocol, and forgets what came behind in the same packet: nothing may follow.
    () => `GET /api/v3/nothing HTTP/1.1\r\n${host}connection: upgrade\r\nupgrade: ${random.pick(['websocket', 'h2c', 'TLS/1.0'])}\r\n\r\n`,
    () => `CONNECT localhost:22 HTTP/1.1\r\n${host}\r\n`,
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    () => Array.from({ length: 1 + random.below(300) }, () => String.fromCharCode(random.below(256))).join(''),
    () => `${random.pick(['EHLO x', 'FOO / HTTP/1.1', 'get / HTTP/1.1', 'SSH-2.0-x'])}\r\n${host}\r\n`,
    () => `GET /api/v3/nothing HTTP/1.1\r\n${host}\r\n${damaged(random, whole)}`,
  ])();
}
