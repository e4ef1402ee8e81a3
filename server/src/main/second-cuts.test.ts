import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutOperations } from '../cashouts/index.ts';
import { readFields, type Declaration } from '../kit/fields.ts';
import { adjust } from '../ledger/adjust.ts';
import { setOnOff } from '../merchants/change-merchant.ts';
import { orderOperations } from '../orders/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { refundCalls } from '../testing/refund-calls.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { postingDb } from '../testing/posting-db.ts';
import { requestOf, type AnyOperation, type Staged } from '../testing/precedence.ts';
import { seed, seededRandom } from '../testing/seed.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

// A checksum covers values without separators. An attacker who captures a request may cut its text into other values that have the same checksum.

/** A refusal of the contract. A fault would begin with 09. */
const DECIDED = /^00(?!00)/;
const RUNS = 12;
const random = seededRandom(seed);

let service: TestCaudal;
let merchant: TestMerchant;
let cashouts: ReturnType<typeof cashoutCalls>;
let orders: ReturnType<typeof orderCalls>;
let staff: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant({ merchantId: `7shop${1 + random.below(9)}` });
  await setOnOff.letterDocuments(service, merchant.merchantId, true);
  await eventually(SOON_MS, async () => expect((await merchant.read()).letterDocuments).toBe(true));
  await adjust(
    { db: postingDb(service.db, service.clock, merchant.merchantId), clock: service.clock },
    { merchantId: merchant.merchantId, account: 'collected', currency: 'COP', amountMinor: 10n ** 12n, reason: 'to be moved' },
  );
  cashouts = cashoutCalls(service, merchant);
  orders = orderCalls(service, merchant);
  staff = await manageCalls(service);
});
afterAll(() => service.close());

const digits = (most: number): string => Array.from({ length: 1 + random.below(most) }, () => random.below(10)).join('');
const number = (most: number): string => `${1 + random.below(9)}${digits(most)}`;
/** Ids that were drawn, and of what was made for a cut. */
const taken = new Set<unknown>();
/** An id that looks like the values beside it. */
function id(): string {
  for (;;) {
    const drawn = `${random.pick([digits(4), 'W-', 'COP', `7shop${digits(1)}`])}${digits(4)}${random.pick(['', '-', 'COP', digits(3)])}`;
    if (taken.has(drawn)) continue;
    taken.add(drawn);
    return drawn;
  }
}
/** Also with letters, and with what looks like a currency between an amount and a document. */
const document = (): string => random.pick([number(8), `${number(3)}K`, `A${digits(3)}B${digits(2)}`, `COP${digits(3)}`]);
const amount = (): string => number(4) + random.pick(['', '.5', '.00']);

type Fields = Readonly<Record<string, string>>;
/** A request to capture. `meet`: makes what another cut of its text names, so that the cut could succeed. */
type Captured = { readonly fields: Fields; readonly meet?: (cut: Fields) => Promise<unknown> };

/** For each operation: makes a request that would succeed. */
const CAPTURED: Readonly<Record<string, () => Promise<Captured>>> = {
  createOrder: async () => ({ fields: orderFields() }),
  updateOrder: async () => {
    const fields = orderFields();
    await createOrder(fields);
    return { fields: { ...fields, amount: amount() }, meet: ({ order }) => createOrder({ order }) };
  },
  cancelOrder: async () => {
    const { order = '' } = orderFields();
    await createOrder({ order });
    return { fields: { merchant: merchant.merchantId, order }, meet: (cut) => createOrder({ order: cut['order'] }) };
  },
  requestRefund: async () => {
    const order = await paidOrder();
    const values = { refund: id(), refunded_by: random.pick(['operator', 'merchant']), money: 'COP', amount: '1' };
    const fields = { merchant: merchant.merchantId, order, type: 'refund.request', ...values, reason: 'returned' };
    return { fields, meet: (cut) => createOrder({ order: cut['order'] }) };
  },
  cancelRefund: async () => {
    const { fields } = await CAPTURED['requestRefund']!();
    await send(
      OPERATIONS.find(({ name }) => name === 'requestRefund')!,
      fields,
    );
    return { fields: { merchant: merchant.merchantId, type: 'refund.cancel', refund: fields['refund'] ?? '' } };
  },
  registerRefundCashout: async () => {
    const refund = id();
    await refundCalls(service, merchant).request(await paidOrder(), { refund, amount: '1', refunded_by: 'cashout' });
    expect((await staff.send('POST', `/refunds/${merchant.merchantId}/${refund}/approve`)).status).toBe(200);
    return { fields: { merchant: merchant.merchantId, type: 'refund.cashout', refund, operation: id(), document: document() } };
  },
  registerCashout: async () => ({ fields: { ...(await cashout(false)), amount: amount(), currency: 'COP' } }),
  cancelCashout: async () => ({ fields: await cashout(), meet: register }),
  moveToFund: async () => {
    const reference = `fund.${id()}`;
    return { fields: { merchant: merchant.merchantId, currency: 'COP', amount: amount(), reference } };
  },
  renewOneTimePassword: async () => ({ fields: { ...(await cashout()), renewal: `otp.${digits(2)}` }, meet: register }),
};

/** What only reads is captured too: its checksum is in an address, and so in the logs of proxies. */
const READ: Readonly<Record<string, () => Promise<Captured>>> = {
  queryOrder: () => CAPTURED['cancelOrder']!(),
  queryOrderByReference: async () => ({ fields: { merchant: merchant.merchantId, reference: digits(10) } }),
  queryRefund: async () => ({ fields: { merchant: merchant.merchantId, type: 'refund.query', refund: id() } }),
  listRefunds: async () => ({ fields: { merchant: merchant.merchantId, type: 'refund.list', start: '20261101', end: '20261121' } }),
  queryCashout: async () => ({ fields: await cashout() }),
  listCashouts: async () => ({ fields: { merchant: merchant.merchantId, start: '20261101', end: '20261121' } }),
  readBalance: async () => ({ fields: { merchant: merchant.merchantId } }),
};
/** A checksum does not say what it is for: the contract gives these one text. docs/security.md names them, and what closes them. */
const LEFT_BY_THE_CONTRACT: Readonly<Record<string, readonly string[]>> = {
  updateOrder: ['createOrder'],
  cancelOrder: ['queryOrder', 'queryOrderByReference'],
  // Those of orders, whose text ends with the merchant, where an order’s id begins with it too.
  cancelCashout: ['queryCashout', 'listCashouts', 'registerCashout', 'queryOrder', 'cancelOrder'],
};

const orderFields = (): Fields => ({
  merchant: merchant.merchantId,
  email: random.pick(['ana@example.com', '1@a1.b.co', 'a343b@343.x-343.com']),
  country: '343',
  order: id(),
  money: 'COP',
  amount: amount(),
});
function createOrder(fields: { readonly order?: string | undefined }): Promise<unknown> {
  taken.add(fields.order);
  return orders.create(fields);
}
/** An order that was paid a minute ago. */
async function paidOrder(): Promise<string> {
  const { order = '' } = orderFields();
  taken.add(order);
  const { data } = await orders.create({ order });
  await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: { reference: data['Referencia'] } });
  service.clock.advance({ seconds: 51 });
  return order;
}
function register({ operation, document }: Fields): Promise<unknown> {
  taken.add(operation);
  return cashouts.register(cashouts.registration({ operation, document }));
}
async function cashout(isRegistered = true): Promise<Fields> {
  const fields = { merchant: merchant.merchantId, operation: id(), document: document() };
  if (isRegistered) await register(fields);
  return fields;
}

/** All ways to cut a text into well-formed values of these fields. The merchant stays: the secret of another one proves nothing. */
function cutsOf(declared: Declaration, names: readonly string[], text: string): readonly Fields[] {
  const [name, ...rest] = names;
  if (name === undefined) return text === '' ? [{}] : [];
  const field = declared[name];
  const found: Fields[] = [];
  for (let end = 0; end <= text.length; end++) {
    const value = text.slice(0, end);
    const isGood = name === 'merchant' ? value === merchant.merchantId : readFields({ field: field! }, new Map([['field', value]])).ok;
    if (isGood) for (const others of cutsOf(declared, rest, text.slice(end))) found.push({ [name]: value, ...others });
  }
  return found;
}

async function send(operation: AnyOperation, fields: Fields, checksum?: string): Promise<string> {
  const staged: Staged = {
    fields,
    headers: {},
    secret: merchant.fixedHash,
    cleanUp: [],
    ...(checksum === undefined ? {} : { checksum }),
  };
  const { CODE, code } = (await service.app.inject(requestOf(operation, staged))).json<Record<'CODE' | 'code', string>>();
  return CODE ?? code;
}

const OPERATIONS: readonly AnyOperation[] = [...orderOperations, ...cashoutOperations];
const writing = OPERATIONS.filter(({ effect }) => effect === 'writes');

test('every operation of merchants that writes is tried', () => {
  expect(writing.map(({ name }) => name).toSorted()).toEqual(Object.keys(CAPTURED).toSorted());
});

test.each(writing.map((operation) => [operation.name, operation] as const))(
  '%s: no second cut of the text of a captured request is accepted',
  { timeout: 180_000 },
  async (name, operation) => {
    const { path = {}, fields: declared, proof } = operation;
    let tried = 0;
    for (let run = 0; run < RUNS; run++) {
      const { fields, meet } = await CAPTURED[name]!();
      const text = proof.map((one) => fields[one]).join('');
      const isSame = (cut: Fields): boolean => proof.every((one) => cut[one] === fields[one]);
      const cuts = cutsOf({ ...path, ...declared }, proof, text);
      expect(cuts.filter(isSame)).toHaveLength(1);
      for (const cut of cuts) if (!isSame(cut)) await meet?.(cut);
      expect(await send(operation, fields)).toBe('0000');
      for (const cut of cuts) {
        if (isSame(cut)) continue;
        tried++;
        expect(await send(operation, { ...fields, ...cut }), JSON.stringify({ fields, cut })).toMatch(DECIDED);
      }
    }
    expect({ name, tried: tried > 0 }).toEqual({ name, tried: ['registerCashout', 'renewOneTimePassword'].includes(name) });
  },
);

test.each(writing.map((operation) => [operation.name, operation] as const))(
  '%s: the captured request of another operation is accepted only where the contract gives both one text',
  { timeout: 180_000 },
  async (name, operation) => {
    const declared = { ...operation.path, ...operation.fields };
    const accepted = new Set<string>();
    for (const [from, capture] of Object.entries({ ...READ, ...CAPTURED })) {
      if (from === name) continue;
      const source = OPERATIONS.find((one) => one.name === from)!;
      for (let run = 0; run < RUNS; run++) {
        const { fields } = await capture();
        const text = source.proof.map((one) => fields[one]).join('');
        if (source.effect === 'writes') expect(await send(source, fields)).toBe('0000');
        for (const cut of cutsOf(declared, operation.proof, text)) {
          const target = { merchant: merchant.merchantId, document: '1020304050', ...cut };
          if (name.endsWith('Order') || name === 'requestRefund') await createOrder({ order: cut['order'] });
          else await register(target);
          const asked = Object.fromEntries(Object.entries(target).filter(([field]) => field in declared));
          if ((await send(operation, asked)) === '0000') accepted.add(from);
        }
      }
    }

    expect(LEFT_BY_THE_CONTRACT[name] ?? []).toEqual(expect.arrayContaining([...accepted]));
  },
);
