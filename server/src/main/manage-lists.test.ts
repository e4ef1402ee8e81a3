import { Webhook } from 'standardwebhooks';
import type { TObject } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOME } from '../kit/per-cell.ts';
import { ledgerManagement } from '../ledger/index.ts';
import { ALL_PERMISSIONS, NOBODY, type Permission } from '../manage/index.ts';
import { messageManagement } from '../messages/index.ts';
import { networkManagement } from '../networks/index.ts';
import { noticeManagement } from '../notices/index.ts';
import { runAloneOnce } from '../requests/index.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { serveAlone, type ServedAlone } from '../testing/served-management.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { CONTRACT_DIALECT } from '../requests/index.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { managementOperations } from './manage.ts';

let service: TestCaudal;
let served: ServedAlone;
let shops: readonly TestMerchant[];

beforeAll(async () => {
  service = await startTestCaudal();
  shops = [await service.merchant(), await service.merchant()];
  for (const shop of shops) {
    const orders = orderCalls(service, shop);
    for (let number = 1; number <= 3; number++) {
      const { data } = await orders.create({ order: `A-${number}` });
      const payload = JSON.stringify({ reference: data['Referencia'] });
      await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload });
    }
  }
  for (let number = 1; number <= 3; number++) await service.network();
  served = serveAlone([...ledgerManagement, ...messageManagement, ...networkManagement, ...noticeManagement], {
    ...service,
    acting: () => service.db,
    dialect: CONTRACT_DIALECT,
    readUpdates: async () => [],
    runOnce: runAloneOnce,
    timeZoneOf: async () => 'UTC',
    cell: HOME,
  });
});
afterAll(async () => {
  await served.app.close();
  await service.close();
});

type Item = Readonly<Record<string, unknown>>;
type Page = { readonly items: readonly Item[]; readonly next: string | null };

const owner = () => served.signIn({ role: 'owner', permissions: new Set(ALL_PERMISSIONS) });
const viewer = (shop: TestMerchant) =>
  served.signIn({ role: 'viewer', permissions: new Set(ALL_PERMISSIONS), merchantId: shop.merchantId });

const sender = ({ merchantId }: TestMerchant, ...permissions: Permission[]) =>
  served.signIn({ permissions: new Set(['notices:read', ...permissions]), merchantId });

async function get<Body>(path: string, headers: object = owner(), status = 200): Promise<Body> {
  const answer = await served.app.inject({ url: `/manage/v1/${path}`, headers: { ...headers } });
  expect(answer.statusCode, answer.body).toBe(status);
  return answer.json();
}

/** All items, read page by page. */
async function walk(path: string, limit: number): Promise<readonly Item[]> {
  const items: Item[] = [];
  const link = (cursor: string | null): string =>
    `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
  for (let page = await get<Page>(link(null)); ; page = await get<Page>(link(page.next))) {
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (page.next === null) return items;
  }
}

describe.each([
  // With the sandbox's own one.
  ['networks', () => 'networks', 4],
  ['notices', () => 'notices?state=waiting', 6],
  ['notices of one merchant', () => `notices?merchant=${shops[0]!.merchantId}`, 3],
  ['notice endpoints', () => 'notice-endpoints', 2],
  ['messages', () => 'messages', 12],
  ['messages of one merchant', () => `messages?merchant=${shops[0]!.merchantId}`, 6],
  ['messages about one order', () => `messages?merchant=${shops[0]!.merchantId}&subject=A-2`, 2],
  // Two top-ups and three payments, of two lines each.
  ['entries', () => `ledger/entries?merchant=${shops[0]!.merchantId}&from=2026-11-21T00:00:00Z`, 10],
  ['entries of one account', () => `ledger/entries?merchant=${shops[0]!.merchantId}&account=available&currency=COP`, 1],
])('the list of %s', (_, pathOf, expected) => {
  test('is whole, each item once, however long its pages are', async () => {
    const { items: whole } = await get<Page>(pathOf());
    expect(whole).toHaveLength(expected);
    for (const limit of [1, 2, 200]) expect(await walk(pathOf(), limit)).toEqual(whole);
  });
});

type Counts = { readonly isWhole: boolean; readonly count: number; readonly states: readonly Item[] };

describe.each(['notices', 'messages'])('the summary of the list of %s', (path) => {
  test.each(['', 'state=given_up', 'merchant', 'today', 'yesterday'])('counts what the list shows with %s', async (asked) => {
    const { merchantId } = shops[0]!;
    const [from, to] = path === 'notices' ? ['writtenFrom', 'writtenTo'] : ['createdFrom', 'createdTo'];
    const day = service.clock.now().toZonedDateTimeISO('UTC').toPlainDate();
    const days = (on: Temporal.PlainDate): string => `${from}=${on.toString()}&${to}=${on.toString()}`;
    const filter =
      asked === 'merchant'
        ? `merchant=${merchantId}`
        : asked === 'today'
          ? days(day)
          : asked === 'yesterday'
            ? days(day.subtract({ days: 1 }))
            : asked;
    const listed = await walk(`${path}?${filter}`, 50);
    const { isWhole, count, states } = await get<Counts>(`${path}/summary?${filter}`);
    expect([isWhole, count]).toEqual([true, listed.length]);
    expect(listed.length > 0).toBe(!['state=given_up', 'yesterday'].includes(asked));
    const others = await walk(`${path}?${filter.replace('state=given_up', '')}`, 50);
    for (const { state, count: own } of states) expect(own).toBe(others.filter((one) => one['state'] === state).length);
  });
});

describe('an actor that is bound to a merchant', () => {
  test.each(['notices', 'notice-endpoints', 'messages'])('sees nothing of another one in the list of %s', async (path) => {
    const own = shops[1]!;
    const { items } = await get<Page>(path, viewer(own));
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ merchant }) => merchant))).toEqual(new Set([own.merchantId]));
  });

  test("does not learn that another one's notice exists", async () => {
    const [notice] = await walk(`notices?merchant=${shops[0]!.merchantId}`, 50);
    const path = `notices/${notice!['id'] as string}`;
    const shown = { subject: 'A-3', status: 'approved', state: 'waiting', attemptList: [] };
    expect(await get(path, viewer(shops[0]!))).toMatchObject({ ...shown, body: expect.stringContaining('"po_id":"A-3"') });
    expect(await get(path, served.signIn({ permissions: new Set(['notices:read']) }))).toMatchObject({ ...shown, body: null });
    const foreign = await get<object>(path, viewer(shops[1]!), 404);
    const unknown = await get<object>('notices/msg_999999_1', viewer(shops[1]!), 404);
    expect({ ...foreign, instance: '' }).toEqual({ ...unknown, instance: '' });
  });

  test('a signed notice is for who may send it and see what it is about', async () => {
    const [notice] = await walk(`notices?merchant=${shops[0]!.merchantId}`, 50);
    const path = `notices/${notice!['id'] as string}/request`;
    const { headers, body } = await get<{ headers: Record<string, string>; body: string }>(
      path,
      sender(shops[0]!, 'notices:send', 'orders:read'),
    );
    expect(new Webhook(Buffer.from(shops[0]!.noticeHash).toString('base64')).verify(body, headers)).toMatchObject({ po_id: 'A-3' });
    await get(path, sender(shops[0]!, 'orders:read'), 403);
    await get(path, sender(shops[0]!, 'notices:send', 'cashouts:read'), 403);
    await get(path, sender(shops[1]!, 'notices:send', 'orders:read'), 404);
  });
});

test('money is text with all its decimals, and a fund is an account', async () => {
  const { balances } = await get<{ balances: readonly Item[] }>(`ledger/balances?merchant=${shops[0]!.merchantId}`);
  expect(balances).toContainEqual({ account: 'available', balance: { amount: '10000000000.00', currency: 'COP' } });
  expect(balances).toContainEqual({ account: 'service:bank', balance: { amount: '-10000000000.00', currency: 'COP' } });
  await get('ledger/balances?merchant=nobody', owner(), 404);
});

test.each([
  'notices?writtenFrom=2026-02-30',
  'messages/summary?createdTo=2026-02-30',
  'ledger/entries?merchant=shop-1&from=2026-02-30T00:00:00Z',
  'ledger/entries?merchant=shop-1&until=0001-01-01T00:00:00Z',
  'notices?state=lost',
  'messages?limit=0',
  'networks?name=x',
])('%s is refused, and says where it is wrong', async (path) => {
  expect(await get(path, owner(), 422)).toMatchObject({ errors: [{ parameter: expect.any(String) }] });
});

test('an identifier that nothing can have is not found', async () => {
  for (const path of ['notices/msg_x', 'networks/CASH', 'networks/nobody']) await get(path, owner(), 404);
});

const filtered = managementOperations.filter(({ page, query }) => page !== undefined && query !== undefined);

// A filter that is declared and forgotten would be taken, and do nothing.
test.each(filtered.map((operation) => [operation.name, operation] as const))(
  '%s reads each filter that it declares',
  async (_, operation) => {
    const { merchant: _own, cursor: _cursor, limit: _limit, ...filters } = (operation.query as TObject).properties;
    const names = Object.keys(filters);
    const read = new Set<string | symbol>();
    const query = new Proxy(Object.fromEntries(names.map((name) => [name, undefined])), { get: (_query, name) => void read.add(name) });
    const { merchantId } = shops[0]!;
    const asked = { actor: NOBODY, path: { merchant: merchantId }, query, merchantId, page: { after: undefined, limit: 1 } };
    await operation.run(asked as never, { ...service, home: service.db, dialect: CONTRACT_DIALECT } as never);
    expect(names.filter((name) => !read.has(name))).toEqual([]);
  },
);

/** What a filter of a list is called in its export, where that differs. The console knows it too: console/src/list/export-filter.ts. */
const EXPORTS: readonly (readonly [exported: string, list: string, names: Readonly<Record<string, string>>])[] = [
  ['orders', 'listOrders', { createdFrom: 'from', createdTo: 'to' }],
  ['cashouts', 'listCashoutsByFilter', { updatedFrom: 'from', updatedTo: 'to' }],
  ['entries', 'listEntries', { until: 'to' }],
  ['notices', 'listNotices', { writtenFrom: 'from', writtenTo: 'to' }],
  ['acts', 'listActs', { since: 'from', until: 'to' }],
];

test.each(EXPORTS)('the export of %s takes each filter of %s', (exported, list, names) => {
  const filters = EXPORTED_LISTS.find(({ name }) => name === exported)?.filters ?? {};
  const declared = filtered.find(({ name }) => name === list)?.query?.properties ?? {};
  const asked = Object.keys(declared).filter((name) => !['merchant', 'cursor', 'limit'].includes(name));
  expect(asked.filter((name) => !Object.hasOwn(filters, names[name] ?? name))).toEqual([]);
});
