import { formatCompactDay, formatDayFirst } from '../kit/calendar.ts';
import { checksumOf } from './checksum-of.ts';
import { decoded, signedBody, signedQuery, type Member, type Parameter, type Plan } from './hostile-bodies.ts';
import { doorRequests } from './hostile-doors.ts';
import { inChunks, oddHeaders } from './hostile-http.ts';
import { networkRequests, signatureLines, type HostileNetworks, type Target } from './hostile-network.ts';
import { ODD_TEXTS, oddComponent, oddToken } from './hostile-values.ts';
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
export type Victim = HostileNetworks & {
  readonly merchantId: string;
  readonly fixedHash: string;
  /** The merchant may sign. */
  readonly signingSecret: string;
  /** Orders with a checkout page, and cashouts, for those who prove nothing. */
  readonly open: readonly Target[];
};

const ORDERS = '/api/v3/porders';
const REFUNDS = '/api/v3/refunds';
const REFUND_CASHOUT = '/cashout/v1/refund';
const FUND = '/cashout/v1/fund';
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
      const members: Member[] = [
        ...proof,
        ['renewal', '"otp.1"'],
        ...some(random, [['otpLength', random.pick(['4', '"12"', '13', '""'])]]),
      ];
      return {
        method: 'POST',
        path: `${path}/otp`,
        body: signedBody(random, members, (valueOf) => sign(aim, valueOf('document'), id, merchantId, valueOf('renewal'))),
      };
    },
  ])();
}

/** A part of what was collected, to the fund. */
function moveToFund(aim: Aim): Plan {
  const { random, merchantId } = aim;
  const members: Member[] = [
    ['merchant', JSON.stringify(merchantId)],
    ['reference', random.pick([`"fund.${random.below(40)}"`, '"fund."', '"W-1"'])],
    ['amount', random.pick(['"1.00"', '2', '"0"', '9999999999999.99', '1e3'])],
    ['currency', random.pick(['"COP"', '"COP"', '"USD"', '"EUR"'])],
  ];
  const signed = ['merchant', 'currency', 'amount', 'reference'];
  return { method: 'POST', path: FUND, body: signedBody(random, members, (valueOf) => sign(aim, ...signed.map(valueOf))) };
}

/** Asks for a refund, gives it a cashout, queries it, lists them, or withdraws one. Most orders are not paid. */
function refunds(aim: Aim): Plan {
  const { random, merchantId, today } = aim;
  const id = random.oneIn(4) ? oddComponent(random) : `R-${random.below(40)}`;
  const day = (days: number): string => formatCompactDay(today.add({ days }));
  const [start, end] = random.pick([
    [day(-20), day(0)],
    [day(0), day(-1)],
    ['00010101', '99991231'],
    ['', '20260231'],
  ] as const);
  const own = (type: string): Parameter[] => [
    ['merchant', merchantId],
    ['type', type],
  ];
  return random.pick<() => Plan>([
    () => {
      const members: Member[] = [
        ['merchant', JSON.stringify(merchantId)],
        ['type', '"refund.request"'],
        ['order', JSON.stringify(orderId(aim))],
        ['refund', JSON.stringify(`R-${random.below(40)}`)],
        ['refunded_by', random.pick(['"operator"', '"network"', '"cashout"', '"bank"', 'null'])],
        ['money', random.pick(['"COP"', '"EUR"'])],
        ['amount', random.pick(['45000', '"0.01"', '9999999999999.99', '1e3', '"-1"'])],
        ['reason', random.pick(['"returned"', '" "'])],
        ...some(random, [['payment', random.pick(['1', '"2"', '0', '999999999', '1E5'])]]),
      ];
      const signed = ['order', 'type', 'refund', 'refunded_by', 'money', 'amount'];
      return { method: 'POST', path: REFUNDS, body: signedBody(random, members, (valueOf) => sign(aim, ...signed.map(valueOf))) };
    },
    () => {
      const { operation, document } = cashoutKey(aim);
      const members: Member[] = [
        ['merchant', JSON.stringify(merchantId)],
        ['type', '"refund.cashout"'],
        ['operation', JSON.stringify(operation)],
        ['document', JSON.stringify(document)],
        ...some(random, [
          ['sms', random.pick(['true', '"x"', 'null'])],
          ['expire', random.pick(['"2026-02-31"', '20261231'])],
        ]),
      ];
      const signed = ['type', 'operation', 'type', 'document'];
      const body = signedBody(random, members, (valueOf) => sign(aim, decoded(id), ...signed.map(valueOf)));
      return { method: 'POST', path: `${REFUND_CASHOUT}/${id}`, body };
    },
    ...(['refund.query', 'refund.cancel'] as const).map((type) => () => {
      const query = signedQuery(random, own(type), (valueOf) => sign(aim, valueOf('type'), decoded(id), valueOf('merchant')));
      return { method: type === 'refund.query' ? 'GET' : 'DELETE', path: `${REFUNDS}/${id}${query}` };
    }),
    () => {
      const filters = some(random, [
        ['state', random.pick(['', 'pagado', 'PAGADO,FALLIDO', 'x', ','])],
        ['order', orderId(aim)],
        ['page', random.pick(['1', '9999', '0', '10000'])],
        ['limit', random.pick(['10', '100', '9'])],
        ['cursor', random.pick(['', 'AQIAAAACATTtaQE07X0', 'x'.repeat(700)])],
      ]);
      const parameters: Parameter[] = [...own('refund.list'), ['start', start], ['end', end], ...filters];
      const query = signedQuery(random, parameters, (valueOf) => sign(aim, ...['type', 'merchant', 'start', 'end'].map(valueOf)));
      return { method: random.pick(['GET', 'HEAD']), path: REFUNDS + query };
    },
  ])();
}

function strange({ random }: Aim): Plan {
  const method = random.pick(METHODS);
  const path = random.pick([ORDERS, `${ORDERS}/A-1`, ...CASHOUTS, ...STRANGE_PATHS]);
  return random.oneIn(2) ? { method, path } : { method, path, body: oddToken(random) };
}

const PLANS: readonly ((aim: Aim) => Plan)[] = [
  (aim) => ({ method: 'PATCH', path: ORDERS, body: orderBody(aim) }),
  (aim) => ({ method: 'PATCH', path: ORDERS, body: orderBody(aim) }),
  (aim) => ({ method: 'POST', path: ORDERS, body: orderBody(aim) }),
  (aim) => ({ method: 'POST', path: aim.random.pick(CASHOUTS), body: registerBody(aim) }),
  refunds,
  moveToFund,
  oneOrder,
  byReference,
  list,
  oneCashout,
  strange,
  ({ random }) => ({ method: random.pick(['POST', 'PATCH']), path: random.pick([ORDERS, CASHOUTS[0]]), body: oddToken(random) }),
];

const tooLarge = ({ random }: Aim): Plan => ({
  method: random.pick(['POST', 'PATCH']),
  path: random.pick([ORDERS, CASHOUTS[0]]),
  body: 'x'.repeat(60_000 + random.below(20_000)),
});

/** Makes requests of everybody, from nonsense to nearly right ones with right checksums and signatures. As HTTP they are well-formed. */
export function hostileRequests(random: Random, victim: Victim, today: Temporal.PlainDate): () => HostileRequest {
  let count = 0;
  const aim: Aim = { ...victim, random, today, drift: () => Math.floor(count / REQUESTS_OF_EACH) };
  const network = networkRequests(random, victim);
  const door = doorRequests(random, victim.open);
  const merchants = (): Plan => {
    const plan = random.pick(PLANS)(aim);
    return random.oneIn(10) ? { ...plan, headers: signatureLines(plan, victim.signingSecret, victim.now()) } : plan;
  };
  const plan = (): Plan => (random.oneIn(200) ? tooLarge(aim) : random.oneIn(8) ? network() : random.oneIn(10) ? door() : merchants());
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
