import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutLists } from '../cashouts/index.ts';
import { openDb, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { ROLES, type ManagementOperation } from '../manage/index.ts';
import { commonZone, type TimeZoneOf } from '../merchants/index.ts';
import { orderLists } from '../orders/index.ts';
import { serveAlone } from '../testing/served-management.ts';
import { startTestCaudal, testClock, type TestCaudal } from '../testing/test-caudal.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { searchManagement } from './search.manage.ts';

type Deps = { readonly db: Db; readonly clock: ReturnType<typeof testClock>; readonly timeZoneOf: TimeZoneOf };
type Shown = { readonly merchant: string; readonly order: string };
type Body = {
  readonly items: readonly Shown[];
  readonly next: string | null;
  readonly orders: readonly Shown[];
  readonly errors: readonly { readonly parameter: string }[];
};

let service: TestCaudal;
let db: Db;
let served: ReturnType<typeof serveAlone>;

beforeAll(async () => {
  service = await startTestCaudal();
  for (const merchantId of ['one', 'two']) {
    const { create } = orderCalls(service, await service.merchant({ merchantId }));
    for (const order of ['A-1', 'A-2', 'A-3']) await create({ order, email: 'Ana@Example.com' });
  }
  db = openDb({ url: service.url, log: createLog('silent'), connections: 4, statementTimeoutMs: 5_000 });
  const operations = [...orderLists, ...cashoutLists, ...searchManagement] as readonly ManagementOperation<Deps>[];
  served = serveAlone(operations, { db, clock: testClock(), timeZoneOf: (merchantId) => commonZone({ db }, merchantId) });
});
afterAll(async () => {
  await served.app.close();
  await db.close();
  await service.close();
});

const operator = () => served.signIn({ role: 'operations', permissions: ROLES.operations.permissions });
const clerk = () => served.signIn({ role: 'clerk', permissions: ROLES.clerk.permissions, merchantId: 'one' });

async function ask(path: string, headers: object): Promise<{ readonly status: number; readonly body: Body }> {
  const answer = await served.app.inject({ url: `/manage/v1/${path}`, headers: { ...headers } });
  return { status: answer.statusCode, body: answer.json<Body>() };
}

test('a list walks by its cursor, shows each order once, and a bound actor only its own', async () => {
  for (const [headers, merchants] of [
    [operator(), ['one', 'two']],
    [clerk(), ['one']],
  ] as const) {
    const found: string[] = [];
    let cursor = '';
    for (;;) {
      const { status, body } = await ask(`orders?limit=2&email=ANA@example.com&state=pending,expired${cursor}`, headers);
      expect(status).toBe(200);
      found.push(...body.items.map(({ merchant, order }) => `${merchant} ${order}`));
      if (body.next === null) break;
      cursor = `&cursor=${body.next}`;
    }
    expect(found.toSorted()).toEqual(merchants.flatMap((merchant) => ['A-1', 'A-2', 'A-3'].map((order) => `${merchant} ${order}`)));
  }
});

test('a search shows a bound actor nothing of another merchant, also where it names it', async () => {
  const all = await ask('search?text=ana%40EX', operator());
  expect(all.body.orders.map(({ merchant }) => merchant).toSorted()).toEqual(['one', 'one', 'one', 'two', 'two', 'two']);
  expect(all.body.orders[0]).toMatchObject({ foundIn: ['email'], isWhole: false });
  const own = await ask('search?text=A-2', clerk());
  expect(own.body.orders).toMatchObject([{ merchant: 'one', order: 'A-2', foundIn: ['order'], isWhole: true }]);
  expect((await ask('search?text=A-2&merchant=two', clerk())).status).toBe(404);
  expect((await ask('orders?merchant=two', clerk())).status).toBe(404);
  expect((await ask('cashouts', clerk())).body).toEqual({ items: [], next: null });
});

test.each([
  ['orders?amountFrom=100', 'amountFrom'],
  ['orders?currency=XXQ', 'currency'],
  ['orders?currency=COP&amountTo=1.234', 'amountTo'],
  ['orders?createdFrom=2026-02-30', 'createdFrom'],
  ['orders?state=pending,none', 'state/1'],
  ['cashouts?paidTo=2026-13-01', 'paidTo'],
  ['cashouts?colour=red', 'colour'],
  ['search', 'text'],
  ['search?text=%20', 'text'],
  ['search?text=%00', 'text'],
])('%s is refused, with the name of the parameter', async (path, parameter) => {
  const { status, body } = await ask(path, operator());
  expect(status).toBe(422);
  expect(body.errors[0]?.parameter).toBe(parameter);
});
