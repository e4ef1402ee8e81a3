import type { CreatedNetwork } from '../networks/index.ts';
import { signatureHeaders } from '../requests/index.ts';
import { checksumOf } from './checksum-of.ts';
import { decoded, signedBody, type Member, type Plan } from './hostile-bodies.ts';
import { bytesOf, oddComponent } from './hostile-values.ts';
import type { Random } from './seed.ts';

/** An order and a cashout that networks look up, pay and reverse, in the texts of the answers. */
export type Target = {
  readonly idorder: string;
  /** Of the link to the order's checkout page. */
  readonly token: string;
  readonly reference: string;
  readonly idoperation: string;
  readonly otp: string;
  readonly document: string;
};
export type HostileNetworks = {
  readonly networks: readonly CreatedNetwork[];
  readonly targets: readonly Target[];
  /** The server's time: hostile requests move its clock, and what is signed by another time is refused before it is decided. */
  readonly now: () => Temporal.Instant;
};

const AT_ONCE = 8;
/** So many at a time are looked up, paid and reversed; after REQUESTS_OF_EACH others, the next one instead of the oldest. */
const WINDOW = 8;
const REQUESTS_OF_EACH = 60;

/** Makes orders and cashouts to be hostile about, by requests of a merchant. Ids and references count from `first`. Throws: where one is refused. */
export async function prepareTargets(
  origin: string,
  merchant: { merchantId: string; fixedHash: string },
  first: number,
  count: number,
): Promise<readonly Target[]> {
  const { merchantId, fixedHash } = merchant;
  const send = async (path: string, signed: Readonly<Record<string, string>>, others: object): Promise<Record<string, string>> => {
    const body = JSON.stringify({ ...signed, ...others, checksum: checksumOf(Object.values(signed), fixedHash) });
    const answer = await (await fetch(origin + path, { method: 'POST', body })).text();
    const { DATA, data } = JSON.parse(answer) as Record<'DATA' | 'data', Record<string, string> | undefined>;
    if (!answer.includes('"0000"')) throw new Error(`no target: ${answer}`);
    return (DATA ?? data) as Record<string, string>;
  };
  const prepare = async (at: number): Promise<Target> => {
    const reference = String(first + at);
    const order = { email: 'ana@example.com', country: '343', order: `N-${reference}`, money: 'COP', amount: '45000' };
    const { SVordenID = '', checkout = '' } = await send('/api/v3/porders', order, {
      merchant: merchantId,
      reference,
      recurrent: at % 4 === 0,
    });
    const document = `5${reference}`;
    const operation = { merchant: merchantId, operation: `N-${reference}`, amount: '20000', currency: 'COP', document };
    const { svCode = '', otp = '' } = await send('/cashout/v1/operation', operation, { description: 'Prize' });
    return { idorder: SVordenID, token: new URL(checkout).searchParams.get('token') ?? '', reference, idoperation: svCode, otp, document };
  };
  const targets: Target[] = [];
  const some = async (_: unknown, from: number): Promise<void> => {
    for (let at = from; at < count; at += AT_ONCE) targets[at] = await prepare(at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  return targets;
}

type NetworkOperation = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Whether its path ends with the transaction. */
  readonly ofTransaction?: true;
  /** What its checksum covers, after the netname. */
  readonly signed: readonly string[];
  readonly members: (target: Target, transaction: string) => readonly Member[];
};

const OPERATIONS: readonly NetworkOperation[] = [
  {
    operation: 'order look-up',
    method: 'POST',
    path: '/api/v3/references',
    signed: ['reference'],
    members: ({ reference }) => [['reference', `"${reference}"`]],
  },
  {
    operation: 'order payment',
    method: 'POST',
    path: '/api/v3/payments',
    signed: ['transaction', 'amount', 'money', 'idorder'],
    members: ({ idorder }, transaction) => [
      ['transaction', `"${transaction}"`],
      ['amount', '45000.0'],
      ['money', '"COP"'],
      ['idorder', idorder],
    ],
  },
  {
    operation: 'order reversal',
    method: 'PATCH',
    path: '/api/v3/payments',
    ofTransaction: true,
    signed: ['transaction', 'idorder'],
    members: ({ idorder }) => [['idorder', `"${idorder}"`]],
  },
  {
    operation: 'cashout look-up',
    method: 'POST',
    path: '/cashout/v1/order',
    signed: ['otp', 'document'],
    members: ({ otp, document }) => [
      ['otp', `"${otp}"`],
      ['document', document],
      ['netcode', '"P-14"'],
    ],
  },
  {
    operation: 'cashout payment',
    method: 'POST',
    path: '/cashout/v1/transaction',
    signed: ['idoperation', 'transaction'],
    members: ({ idoperation }, transaction) => [
      ['idoperation', idoperation],
      ['transaction', `"${transaction}"`],
      ['teller', '"C-3"'],
      ['danecode', '11001'],
    ],
  },
  {
    operation: 'cashout reversal',
    method: 'PATCH',
    path: '/cashout/v1/transaction',
    ofTransaction: true,
    signed: ['transaction', 'idoperation'],
    members: ({ idoperation }) => [['idoperation', `"${idoperation}"`]],
  },
];

const code = ['""', 'null', '-0', '1e400', '" "', bytesOf('"ñandú１２٣"'), bytesOf(`"${'\u{20BB7}'.repeat(40)}"`)];
const id = [
  '1',
  '"1"',
  '9'.repeat(18),
  `"${'8'.repeat(18)}"`,
  '777777777',
  `"${'0'.repeat(17)}1"`,
  '9223372036854775807',
  '9223372036854775808',
  '1e17',
  '1.0',
  '0',
  '-1',
];
const TRANSACTIONS = ['__proto__', 'constructor', 'toString', '.', '..', '-', '-0', '1e400', '0.1', '9'.repeat(40), 'T'.repeat(64), 'null'];

/** Values at the edges of a shape: what gets as far as a decision or a statement. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  reference: ['0', '"0"', `"${'0'.repeat(25)}"`, '9'.repeat(25), '"770000"', '770001'],
  transaction: [...TRANSACTIONS.map((one) => `"${one}"`), '1e400', '-0', '1E-400', '0.10', '9'.repeat(40)],
  amount: ['"45000.00"', '45000', '0.01', '45000.01', '"9999999999999.99"', '9999999999999999.99', '45e3', `"${'0'.repeat(27)}45000"`],
  money: ['"USD"', '"JPY"', '"KWD"', '"CLF"', '"XXX"', '"cop"'],
  idorder: id,
  idoperation: id,
  otp: ['"0000"', '1234', '0.12', '1e11', '"000000000000"', '123456789012'],
  document: ['0', '"0"', '9'.repeat(20), `"${'0'.repeat(20)}"`, '5770000'],
  netcode: code,
  teller: code,
  danecode: code,
};
const LANGUAGES = ['"es"', '"en"', '"pt"', '"xx"', 'null', '1'];

/**
 * Makes requests of networks with their right secrets: the checksum is over the hostile values as they are sent.
 * They are about a few targets at a time. So what was found is paid, by several networks and twice, and then reversed.
 */
export function networkRequests(random: Random, { networks, targets, now }: HostileNetworks): () => Plan {
  let count = 0;
  return () => {
    const [first, ...others] = networks as [CreatedNetwork, ...CreatedNetwork[]];
    const { netname, secret, signingSecret } = random.oneIn(8) ? random.pick(others) : first;
    const { operation, method, path, ofTransaction, signed, members } = random.pick(OPERATIONS);
    const at = Math.floor(count++ / REQUESTS_OF_EACH) + random.below(WINDOW);
    const target = targets[at % targets.length] as Target;
    const transaction = random.oneIn(8) ? random.pick(TRANSACTIONS) : `T-${at - (random.oneIn(4) ? 1 : 0)}`;
    const inPath: Record<string, string> = { netname: random.oneIn(20) ? oddComponent(random) : netname };
    if (ofTransaction) inPath['transaction'] = random.oneIn(8) ? oddComponent(random) : transaction;
    const body = atAnEdge(random, members(target, transaction));
    const sent = {
      method,
      path: [path, ...Object.values(inPath)].join('/'),
      body: signedBody(random, body, (valueOf) => {
        const values = ['netname', ...signed].map((name) => (Object.hasOwn(inPath, name) ? decoded(inPath[name] ?? '') : valueOf(name)));
        return checksumOf(values, secret);
      }),
    };
    return { operation, ...sent, headers: random.oneIn(20) ? [] : signatureLines(sent, signingSecret, now()) };
  };
}

/** The header lines of the signature, over the bytes as they are sent. */
export function signatureLines({ method, path, body }: Plan, signingSecret: string, now: Temporal.Instant): readonly string[] {
  const content = { method, url: path, body: body === undefined ? body : Buffer.from(body, 'latin1') };
  const headers = signatureHeaders(signingSecret, content, now);
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function atAnEdge(random: Random, members: readonly Member[]): readonly Member[] {
  const spoken: readonly Member[] = random.oneIn(3) ? [...members, ['language', random.pick(LANGUAGES)]] : members;
  const [name] = random.pick(members);
  return random.oneIn(3) ? spoken.map((one) => (one[0] === name ? [name, random.pick(EDGES[name] ?? LANGUAGES)] : one)) : spoken;
}
