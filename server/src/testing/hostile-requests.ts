import { formatCompactDay, formatDayFirst } from '../kit/calendar.ts';
import { checksumOf } from './checksum-of.ts';
import { decoded, queryOf, signedBody, signedQuery, writeBody, type Member, type Parameter, type Plan } from './hostile-bodies.ts';
import { networkRequests, type HostileNetworks } from './hostile-network.ts';
import { damaged, ODD_TEXTS, oddComponent, oddToken } from './hostile-values.ts';
import type { Random } from './seed.ts';

export type HostileRequest = {
  /** What is sent, one character a byte. */
  readonly bytes: string;
  readonly method: string;
  readonly path: string;
  /** Its X-Request-Id: an answer with another one is somebody else's. */
  readonly id: string;
  readonly operation?: string | undefined;
};

/** Whose secrets are known: the requests that are nearly right have right checksums, and are decided. */
export type Victim = HostileNetworks & { readonly merchantId: string; readonly fixedHash: string };

const ORDERS = '/api/v3/porders';
const CASHOUTS = ['/cashout/v1/operation', '/v1/operation'] as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'M-SEARCH'];
/** So many others are made before the next id is named instead of the oldest. */
const REQUESTS_OF_EACH = 250;
const STRANGE_PATHS = [
  [
    '/',
    '//',
    '/api',
    '/api/v3',
    '/api/v3/porders/',
    '/api/v3/porders//',
    '/api/v3/porders/a/b/c',
    '/cashout',
    '/cashout/v1',
    '/v1',
    '/healthz/x',
  ],
  [
    '/cashout/v1/operation/available',
    '/cashout/v1/walletmovements/demo',
    '/admin',
    '/.env',
    '/.git/config',
    '/metrics',
    '/sandbox/v1/clock',
  ],
  [
    '/%2e%2e/%2e%2e/etc/passwd',
    '/__proto__',
    '/constructor/prototype',
    '*',
    'http://example.com/',
    '/api/v3/porders%2F',
    '/%61pi/v3/porders',
  ],
].flat();

/** `drift` grows with the requests, so that they name new ids: most orders and cashouts are cancelled soon. */
type Aim = Victim & { readonly random: Random; readonly today: Temporal.PlainDate; readonly drift: () => number };

const sign = ({ fixedHash }: Aim, ...values: readonly string[]): string => checksumOf(values, fixedHash);
const orderId = ({ random, drift }: Aim): string => `A-${drift() + random.below(40)}`;
/** An operation and, mostly, its document. */
const cashoutKey = ({ random, drift }: Aim): { operation: string; document: string } => {
  const at = drift() + random.below(40);
  return { operation: `W-${at}`, document: `10203${at + (random.oneIn(8) ? 1 : 0)}` };
};
const some = (random: Random, members: readonly Member[]): Member[] => members.filter(() => random.oneIn(3));

function orderBody(aim: Aim): string {
  const { random, today } = aim;
  const day = (days: number): string => JSON.stringify(formatDayFirst(today.add({ days })));
  const required: Member[] = [
    ['merchant', JSON.stringify(aim.merchantId)],
    ['email', '"ana@example.com"'],
    ['country', random.pick(['"343"', '343', '"170"'])],
    ['order', JSON.stringify(orderId(aim))],
    ['money', random.pick(['"COP"', '"COP"', '"USD"', '"EUR"'])],
    ['amount', random.pick(['45000', '"45000.0"', '1', '"0.01"', '9999999999999.99', '52000.50'])],
  ];
  const optional = some(random, [
    ['reference', random.pick(['""', `"9001${random.below(30)}"`, '123456789012345678901234'])],
    ['description', '"Books"'],
    ['method', '""'],
    ['language', random.pick(['"es"', '"en"', '"pt"', '""'])],
    ['recurrent', random.pick(['true', 'false', '0', '"true"'])],
    ['expiration', random.pick(['""', day(5), day(30), day(31), day(-1), '"31/12/9999"'])],
    ['iva', random.pick(['19', '"19.5"', '""', '100.0001'])],
    ['user_di', '"1020"'],
    ['redirect_timeout', '"300000"'],
  ]);
  return signedBody(random, [...required, ...optional], (valueOf) =>
    sign(aim, ...['email', 'country', 'order', 'money', 'amount'].map(valueOf)),
  );
}

/** The references are those that updates give. */
function byReference(aim: Aim): Plan {
  const { random, merchantId } = aim;
  const reference = random.oneIn(4) ? random.pick(ODD_TEXTS).slice(0, 100) : `9001${random.below(30)}`;
  const query = signedQuery(
    random,
    [
      ['reference', reference],
      ['merchant', merchantId],
    ],
    (valueOf) => sign(aim, valueOf('reference'), valueOf('merchant')),
  );
  return { method: random.pick(['GET', 'HEAD']), path: ORDERS + query };
}

function registerBody(aim: Aim): string {
  const { random, today } = aim;
  const { operation, document } = cashoutKey(aim);
  const required: Member[] = [
    ['merchant', JSON.stringify(aim.merchantId)],
    ['operation', JSON.stringify(operation)],
    ['amount', random.pick(['45000', '"45000.00"', '"0.01"', '9999999999999'])],
    ['currency', random.pick(['"COP"', '"USD"', '"EUR"'])],
    ['document', `"${document}"`],
  ];
  const optional = some(random, [
    ['description', '"Prize"'],
    ['cellphone', '"3001234567"'],
    ['sms', random.pick(['true', 'false', '"false"', '1'])],
    ['transactionCost', random.pick(['0', '"1200.5"'])],
    ['expire', JSON.stringify(today.add({ days: random.pick([0, 30, 365, 366, -1]) }).toString())],
    ['otpLength', random.pick(['4', '12', '"6"', '13'])],
  ]);
  return signedBody(random, [...required, ...optional], (valueOf) =>
    sign(aim, ...['merchant', 'operation', 'amount', 'currency', 'document'].map(valueOf)),
  );
}

function oneOrder(aim: Aim): Plan {
  const { random, merchantId } = aim;
  const order = random.oneIn(4) ? oddComponent(random) : orderId(aim);
  const isHistory = random.oneIn(3);
  const after: Parameter[] = isHistory && random.oneIn(2) ? [['after', random.pick(['', '0', '1', '2147483648', '9'.repeat(20)])]] : [];
  const query = signedQuery(random, [['merchant', merchantId], ...after], (valueOf) => sign(aim, decoded(order), valueOf('merchant')));
  const path = `${ORDERS}/${order}${isHistory ? '/history' : ''}`;
  return { method: random.pick(['GET', 'HEAD', 'GET', 'DELETE']), path: path + query };
}

/** The merchant's cashouts, the movements of its fund, or what it holds. */
function list(aim: Aim): Plan {
  const { random, today } = aim;
  const merchant = random.oneIn(10) ? oddComponent(random) : aim.merchantId;
  const day = (days: number): string => formatCompactDay(today.add({ days }));
  const [start, end] = random.pick([
    [day(-20), day(0)],
    ['', ''],
    [day(0), day(-1)],
    ['20260231', '20260301'],
    ['19700101', '99991231'],
    ['00000101', '00010101'],
  ] as const);
  const filters = some(random, [
    ['status', random.pick(['0', '', 'pendiente', 'APROBADA,VENCIDA', 'x'])],
    ['document', cashoutKey(aim).document],
    ['page', random.pick(['1', '2', '9999', '0'])],
    ['limit', random.pick(['10', '100', '9', '23'])],
    ['cursor', random.pick(['', 'AQIAAAACATTtaQE07X0', 'x'.repeat(200)])],
  ]);
  const places = some(random, [
    ['limit', random.pick(['10', '100', '9', '23'])],
    ['cursor', random.pick(['0-0', '1795273200000000-1', `${'9'.repeat(17)}-${'9'.repeat(9)}`])],
  ]);
  const [path, parameters] = random.pick([
    [random.pick(CASHOUTS), [['start', start], ['end', end], ...filters]],
    [random.pick(CASHOUTS), [['start', start], ['end', end], ...filters]],
    ['/cashout/v1/walletmovements', [['start', start], ['end', end], ...places]],
    ['/cashout/v1/operation/available', []],
  ] as const satisfies readonly (readonly [string, readonly Parameter[]])[]);
  const query = signedQuery(random, parameters, (valueOf) => sign(aim, decoded(merchant), valueOf('start'), valueOf('end')));
  return { method: random.pick(['GET', 'GET', 'HEAD']), path: `${path}/${merchant}${query}` };
}

/** Asks for a cashout, cancels it, or gives it another password. */
function oneCashout(aim: Aim): Plan {
  const { random, merchantId } = aim;
  const { operation: known, document } = cashoutKey(aim);
  const operation = random.oneIn(5) ? oddComponent(random) : known;
  const path = `${random.pick(CASHOUTS)}/${merchantId}/${operation}`;
  const id = decoded(operation);
  const proof: Member[] = [['document', `"${document}"`]];
  return random.pick<() => Plan>([
    () => ({
      method: 'GET',
      path: path + signedQuery(random, [['document', document]], (valueOf) => sign(aim, merchantId, id, valueOf('document'))),
    }),
    () => ({ method: 'DELETE', path, body: signedBody(random, proof, () => sign(aim, merchantId, id)) }),
    () => {
      const members: Member[] = [...proof, ...some(random, [['otpLength', random.pick(['4', '"12"', '13', '""'])]])];
      return {
        method: 'POST',
        path: `${path}/otp`,
        body: signedBody(random, members, (valueOf) => sign(aim, valueOf('document'), id, merchantId)),
      };
    },
  ])();
}

function strange({ random }: Aim): Plan {
  const method = random.pick(METHODS);
  const path = random.pick([ORDERS, `${ORDERS}/A-1`, ...CASHOUTS, ...STRANGE_PATHS]);
  return random.oneIn(2) ? { method, path } : { method, path, body: oddToken(random) };
}

/** Forged links and forms: no hostile caller has a token of ours. */
const checkout = ({ random }: Aim): Plan => {
  const path = `/checkout${queryOf(random, [
    ['token', random.pick(ODD_TEXTS).slice(0, 500)],
    ['seen', random.pick(ODD_TEXTS).slice(0, 100)],
  ])}`;
  return random.oneIn(2) ? { method: 'GET', path } : { method: 'POST', path, body: oddToken(random) };
};

/** Of the sandbox: payments and collections of unknown ids, odd queries of the inbox, and clocks without a time. */
const sandbox = ({ random }: Aim): Plan => {
  const body = writeBody(random, [[random.pick(['reference', 'otp', 'document', 'now', 'advance']), oddToken(random)]]);
  const odd = encodeURIComponent(random.pick(ODD_TEXTS).slice(0, 200));
  const inbox = queryOf(random, [
    ['merchant', random.pick(ODD_TEXTS).slice(0, 100)],
    ['limit', String(random.below(3))],
  ]);
  return random.pick<Plan>([
    { method: 'POST', path: `/sandbox/v1/${random.pick(['payments', 'collections', 'clock'])}`, body },
    { method: 'PATCH', path: `/sandbox/v1/${random.pick(['payments', 'collections'])}/${odd}`, body },
    { method: 'GET', path: `/sandbox/v1/inbox${inbox}` },
    { method: 'GET', path: random.pick([`/sandbox/inbox${inbox}`, `/sandbox/inbox/mail/${odd}`]) },
  ]);
};

const PLANS: readonly ((aim: Aim) => Plan)[] = [
  (aim) => ({ method: 'PATCH', path: ORDERS, body: orderBody(aim) }),
  (aim) => ({ method: 'PATCH', path: ORDERS, body: orderBody(aim) }),
  (aim) => ({ method: 'POST', path: ORDERS, body: orderBody(aim) }),
  (aim) => ({ method: 'POST', path: aim.random.pick(CASHOUTS), body: registerBody(aim) }),
  oneOrder,
  byReference,
  list,
  oneCashout,
  // A simulation is several requests in one.
  (aim) => (aim.random.oneIn(5) ? sandbox(aim) : strange(aim)),
  checkout,
  ({ random }) => ({ method: random.pick(['POST', 'PATCH']), path: random.pick([ORDERS, CASHOUTS[0]]), body: oddToken(random) }),
];

const tooLarge = ({ random }: Aim): Plan => ({
  method: random.pick(['POST', 'PATCH']),
  path: random.pick([ORDERS, CASHOUTS[0]]),
  body: 'x'.repeat(60_000 + random.below(20_000)),
});

/** Makes requests of a merchant and of networks, from nonsense to nearly right ones with a right checksum. As HTTP they are well-formed. */
export function hostileRequests(random: Random, victim: Victim, today: Temporal.PlainDate): () => HostileRequest {
  let count = 0;
  const aim: Aim = { ...victim, random, today, drift: () => Math.floor(count / REQUESTS_OF_EACH) };
  const network = networkRequests(random, victim);
  const plan = (): Plan => (random.oneIn(200) ? tooLarge(aim) : random.oneIn(10) ? network() : random.pick(PLANS)(aim));
  return () => {
    const id = `h-${++count}`;
    const { method, path, body, operation, headers = [] } = plan();
    const head = [`${method} ${path} HTTP/1.1`, 'host: localhost', `x-request-id: ${id}`, ...headers, ...oddHeaders(random)];
    if (body === undefined) return { method, path, id, operation, bytes: `${head.join('\r\n')}\r\n\r\n` };
    const isChunked = random.oneIn(10) && body.length > 0;
    const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
    return { method, path, id, operation, bytes: `${[...head, framing].join('\r\n')}\r\n\r\n${isChunked ? inChunks(random, body) : body}` };
  };
}

function inChunks(random: Random, content: string): string {
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
];

function oddHeaders(random: Random): string[] {
  return random.oneIn(2) ? [] : Array.from({ length: 1 + random.below(3) }, () => random.pick(ODD_HEADERS));
}

/** Requests that break the rules of HTTP itself; each needs a connection of its own. */
export function brokenRequest(random: Random): string {
  const host = 'host: localhost\r\n';
  const start = `${random.pick(['PATCH', 'POST', 'DELETE'])} ${random.pick([ORDERS, CASHOUTS[0]])} HTTP/1.1\r\n${host}`;
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
