import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readWholeCashout } from '../cashouts/operator/read-whole-cashout.ts';
import { changeLimits } from '../cashouts/limits/set-limits.ts';
import { setOnOff } from '../merchants/change-merchant.ts';
import { readWholeOrder } from '../orders/operator/read-whole-order.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { openDatabaseProxy, type DatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { refundCalls, type RefundCalls } from '../testing/refund-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import type { Caudal } from './rooms.ts';

// What an operation costs in round trips to the database: each is one pipeline, counted between the server and PostgreSQL.
// One of each operation of a network spends the id of its signature.

const DOCUMENT = '1020304050';

let service: TestCaudal;
let server: Caudal;
let proxy: DatabaseProxy;
let shop: ReturnType<typeof orderCalls>;
let till: ReturnType<typeof networkOrderCalls>;
let payer: ReturnType<typeof cashoutCalls>;
let limited: ReturnType<typeof cashoutCalls>;
let guarded: ReturnType<typeof orderCalls>;
let reported: ReturnType<typeof orderCalls>;
let teller: ReturnType<typeof networkCalls>;
let refunds: RefundCalls;
let approve: (refund: string) => Promise<unknown>;

beforeAll(async () => {
  service = await startTestCaudal();
  const merchants = [await service.merchant(), await service.merchant(), await service.merchant()] as const;
  const network = await service.network();
  await setOnOff.guardsReplays(service, merchants[1].merchantId, true);
  await setOnOff.reportsUpdates(service, merchants[2].merchantId, true);
  const limits = { leastMinor: null, mostMinor: null, perDocumentAndDay: 100 };
  await changeLimits(service, { merchantId: merchants[1].merchantId, currency: 'COP' }, limits);
  proxy = await openDatabaseProxy(service.serviceUrl);
  server = await service.openAnother({}, proxy.url);
  const seen = { ...service, app: server.app };
  shop = orderCalls(seen, merchants[0]);
  till = networkOrderCalls(seen, network);
  payer = cashoutCalls(seen, merchants[0]);
  limited = cashoutCalls(seen, merchants[1]);
  guarded = orderCalls(seen, merchants[1]);
  reported = orderCalls(seen, merchants[2]);
  teller = networkCalls(seen, network);
  refunds = refundCalls(seen, merchants[0]);
  const staff = await manageCalls(service);
  approve = (refund) => staff.send('POST', `/refunds/${merchants[0].merchantId}/${refund}/approve`);
  // Once the directories are in memory, only the operations themselves ask the database.
  await eventually(SOON_MS, async () => expect(await roundTrips(() => till.lookUp('100000000008'))).toBe(2));
  await eventually(SOON_MS, async () => expect(await roundTrips(() => shop.query('A-0'))).toBe(1));
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  await service.close();
});

async function roundTrips(operation: () => Promise<unknown>): Promise<number> {
  const before = proxy.pipelines();
  await operation();
  return proxy.pipelines() - before;
}

let count = 0;
let keys = 0;
const once = (): Record<string, string> => ({ 'idempotency-key': `once-${++keys}` });
/** An order and a cashout for each test. */
let order: string;
let idorder: string;
let operation: string;
let otp: string;
let idoperation: string;

beforeEach(async () => {
  order = `A-${++count}`;
  operation = `W-${count}`;
  const created = await shop.create({ order, reference: `9000${count}` });
  idorder = created.data['SVordenID'] as unknown as string;
  const registered = await payer.register(payer.registration({ operation, document: DOCUMENT }));
  otp = registered.data['otp'] as string;
});

const found = async () => {
  const answer = await teller.lookUp(otp, DOCUMENT);
  idoperation = answer.data['idoperation'] as string;
  return answer;
};
const paid = () => till.pay(idorder, `T-${order}`);
const refundable = async () => {
  await paid();
  service.clock.advance({ seconds: 51 });
};
const toCollect = async () => {
  await refundable();
  await refunds.request(order, { refunded_by: 'cashout' });
  await approve(`R-${order}`);
};
const paidOut = () => teller.pay(idoperation, `T-${operation}`);

type Coded = Promise<{ readonly code: string }>;
type Row = readonly [name: string, roundTrips: number, operation: () => Coded, before?: () => Promise<unknown>, code?: string];
const TABLE: readonly Row[] = [
  ['create an order', 2, () => shop.create({ order: `${order}-new` })],
  ['create an order with an Idempotency-Key', 3, () => shop.create({ order: `${order}-new` }, once())],
  ['update an order', 2, () => shop.update({ order, amount: 5 })],
  ['update an order of a merchant with the replay guard', 2, () => guarded.update({ order, amount: 5 }), () => guarded.create({ order })],
  ['update an order of a merchant with update notices', 2, () => reported.update({ order, amount: 5 }), () => reported.create({ order })],
  ['update an order that gets another reference', 2, () => shop.update({ order, reference: `8000${count}` })],
  ['update an order with the values that it has', 2, () => shop.update({ order })],
  ['update an order that is paid', 2, () => shop.update({ order }), paid, '0041'],
  ['query an order', 1, () => shop.query(order)],
  ['query an order by its reference', 1, () => shop.queryByReference(`9000${count}`)],
  ['read the history of an order', 2, () => shop.history(order)],
  ['cancel an order', 2, () => shop.cancel(order)],
  ['ask for a refund', 2, () => refunds.request(order), refundable],
  ['query a refund', 1, () => refunds.query(`R-${order}`), () => refundable().then(() => refunds.request(order))],
  ['list the refunds of an order', 1, () => refunds.list(order)],
  ['withdraw a refund', 3, () => refunds.cancel(`R-${order}`), () => refundable().then(() => refunds.request(order))],
  ['register a cashout for a refund', 3, () => refunds.cashout(`R-${order}`), toCollect],
  ['look a reference up', 2, () => till.lookUp(`9000${count}`)],
  ['pay an order', 4, paid],
  ['reverse the payment of an order', 5, () => till.reverse(idorder, `T-${order}`), paid],
  ['register a cashout', 2, () => payer.register(payer.registration({ operation: `${operation}-new` }))],
  ['register a cashout of a merchant with a limit of each day', 3, () => limited.register(limited.registration({ operation }))],
  ['query a cashout', 1, () => payer.query(operation, DOCUMENT)],
  ['cancel a cashout', 2, () => payer.cancel(operation, DOCUMENT)],
  ['renew the password of a cashout', 2, () => payer.renew(operation, DOCUMENT)],
  ['look a cashout up', 3, found],
  ['pay a cashout out', 4, paidOut, found],
  ['reverse the payment of a cashout', 4, () => teller.reverse(idoperation, `T-${operation}`), () => found().then(paidOut)],
];

test('a wrong password: as many round trips for a document with money as for one without, however many came before', async () => {
  const document = '77001';
  await payer.register(payer.registration({ operation: `${operation}-guessed`, document }));
  for (let tries = 0; tries < 12; tries++) {
    const asked = (of: string) => roundTrips(() => teller.lookUp('00000000', of));
    expect(await asked(document), `try ${tries}`).toBe(await asked('77002'));
  }
});

test('all that is stored of an order, and of a cashout: 1 round trip each', async () => {
  const { merchantId } = await service.merchant();
  expect(await roundTrips(() => readWholeOrder(server.db, { merchantId, orderId: order }))).toBe(1);
  expect(await roundTrips(() => readWholeCashout(server.db, { merchantId, operationId: operation }))).toBe(1);
});

for (const [name, expected, operation, before, code = '0000'] of TABLE) {
  test(`${name}: ${expected} round trip${expected === 1 ? '' : 's'}`, async () => {
    await before?.();
    let answer: Awaited<Coded> | undefined;
    const asked = await roundTrips(async () => (answer = await operation()));
    expect({ asked, code: answer?.code }).toEqual({ asked: expected, code });
  });
}
