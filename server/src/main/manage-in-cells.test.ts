import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { linkActs } from '../audit/index.ts';
import { statement, Unavailable } from '../kit/db.ts';
import { cellOfId, HOME, perCell } from '../kit/per-cell.ts';
import { openTimeZones } from '../merchants/index.ts';
import { capturePrinted } from '../testing/captured.ts';
import { openDatabaseProxy, type DatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { manageCalls, walkPages, type ManageCalls } from '../testing/manage-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { tokenOf } from '../testing/user-calls.ts';
import { createProgram } from './program.ts';

// Where operations of the management API are carried out in a service of three databases, and what is answered while one is away.

const printed = capturePrinted();
let caudal: TestCaudal;
let owner: ManageCalls;
let proxies: readonly DatabaseProxy[];
const shops: TestMerchant[] = [];

beforeAll(async () => {
  const databases = [await createTestDatabase(), await createTestDatabase()];
  proxies = await Promise.all(databases.map(({ serviceUrl }) => openDatabaseProxy(serviceUrl)));
  caudal = await startTestCaudal({ cells: databases.map((one, index) => ({ ...one, serviceUrl: (proxies[index] as DatabaseProxy).url })) });
  for (const cell of [HOME, 1, 2])
    shops.push(await caudal.merchant({ merchantId: `shop-of-${cell}`, cell, noticeUrl: 'https://shop.example/notices' }));
  owner = await manageCalls(caudal);
});
afterAll(async () => {
  await caudal.close();
  for (const proxy of proxies) await proxy.close();
});

const shopOf = (cell: number): string => (shops[cell] as TestMerchant).merchantId;
type Entry = { readonly channel: string; readonly id: string; readonly merchant: string; readonly html: string | null };
type Inbox = { readonly messages: readonly Entry[]; readonly missing?: readonly string[] };
const money = { amount: '45000', currency: 'COP' };
type Shown = Readonly<Record<string, unknown>>;
const itemsOf = async (path: string, { get }: ManageCalls = owner): Promise<readonly Shown[]> => {
  const { status, body, text } = await get(path);
  expect(status, text).toBe(200);
  return body['items'] as unknown as readonly Shown[];
};
const writeExports = async (): Promise<unknown> => caudal.jobs.find(({ name }) => name === 'exports.write')?.step();
const createOrder = (cell: number, order: string, more: object = {}) =>
  owner.send('POST', '/orders', { merchant: shopOf(cell), order, email: 'ana@example.com', amount: money, ...more });

const inboxOf = async (query = '') => (await caudal.app.inject(`/sandbox/v1/inbox?${query}`)).json<{ data: Inbox }>().data;
const walkInbox = (limit: number) => walkPages(owner, '/sandbox/inbox', [limit]);

const ACTS = statement('test.acts_of_cell', 'select operation, merchant_id as "merchantId", outcome from acts order by act_id');
type ActRow = { readonly operation: string; readonly merchantId: string | null; readonly outcome: string };
const actsIn = (cell: number): Promise<ActRow[]> => caudal.cells.of(cell).db.query<ActRow>(ACTS, []);

describe('what names a merchant', () => {
  test('is done in its cell, with the act; what is refused is an act at home', async () => {
    for (const cell of [HOME, 1, 2]) {
      expect(await createOrder(cell, 'A-1')).toMatchObject({ status: 201 });
      expect(await createOrder(cell, 'A-1')).toMatchObject({ status: 409 });
      expect(await actsIn(cell)).toContainEqual({ operation: 'createOrder', merchantId: shopOf(cell), outcome: 'done' });
      expect(await actsIn(HOME)).toContainEqual({ operation: 'createOrder', merchantId: shopOf(cell), outcome: 'refused:order_exists' });
      const acts = await itemsOf(`/audit?merchant=${shopOf(cell)}&operation=createOrder`);
      expect(new Set(acts.map(({ outcome, cell: where }) => `${String(outcome)} at ${String(where)}`))).toEqual(
        new Set([`done at ${cell === HOME ? 'home' : `cell-${cell}`}`, 'refused:order_exists at home']),
      );
      const { body } = await owner.get(`/audit/summary?merchant=${shopOf(cell)}&operation=createOrder`);
      expect(body).toMatchObject({ count: 2, states: [{ count: 1 }, { count: 1 }] });
    }
    expect(await itemsOf('/orders')).toHaveLength(3);
    expect(await owner.get('/orders/nobody/A-1')).toMatchObject({ status: 404 });
    expect(await itemsOf('/orders?merchant=nobody')).toEqual([]);
  });

  test('an answer under a key is repeated, whichever cell kept it', async () => {
    for (const cell of [HOME, 1, 2]) {
      const once = () =>
        owner.send(
          'POST',
          '/orders',
          { merchant: shopOf(cell), order: 'K-1', email: 'a@example.com', amount: money },
          { 'idempotency-key': 'k' + cell },
        );
      const [first, again] = [await once(), await once()];
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true']);
    }
  });
});

describe('what has an id is found by it', () => {
  test.each([HOME, 1, 2])('in cell %i: notices, messages, acts, the inbox', async (cell) => {
    const { notice } = (await owner.send('POST', `/notice-endpoints/${shopOf(cell)}/test`)).body as unknown as { notice: string };
    expect(cellOfId(BigInt(notice.split('_')[1] as string))).toBe(cell);
    expect(await owner.get(`/notices/${notice}`)).toMatchObject({ status: 200, body: { merchant: shopOf(cell), kind: 'test' } });
    expect(await owner.get(`/notices/${notice}/request`)).toMatchObject({ status: 200 });
    expect(await owner.send('POST', `/notices/${notice}/send-now`)).toMatchObject({ status: 200, body: { earlier: 0 } });
    expect(await owner.send('POST', `/notices/${notice}/redeliver`)).toMatchObject({ problem: 'notice_waiting' });
    const ofAnother = await manageCalls(caudal, { merchantId: shopOf((cell + 1) % 3) });
    expect(await ofAnother.get(`/notices/${notice}`)).toMatchObject({ status: 404 });
    await createOrder(cell, 'M-1');
    const [message] = await itemsOf(`/messages?merchant=${shopOf(cell)}&subject=M-1`);
    expect(cellOfId(BigInt(message?.['id'] as string))).toBe(cell);
    // A sandbox keeps it: nothing waits.
    expect(await owner.send('POST', `/messages/${message?.['id'] as string}/send-now`)).toMatchObject({ status: 404 });
    const inbox = await itemsOf(`/sandbox/inbox?merchant=${shopOf(cell)}`);
    for (const channel of ['mail', 'notice']) {
      const entry = inbox.find((one) => one['channel'] === channel);
      expect((await owner.get(`/sandbox/inbox/${channel}/${entry?.['id'] as string}`)).body).toEqual(entry);
    }
    const [act] = await itemsOf(`/audit?merchant=${shopOf(cell)}&operation=sendTestNotice`);
    expect(cellOfId(BigInt(act?.['id'] as string))).toBe(cell);
    expect((await owner.get(`/audit/${act?.['id'] as string}`)).body).toEqual(act);
  });

  test('its order is paid and its cashout collected by the network of the sandbox, whose first request may concern any cell', async () => {
    for (const cell of [2, 1, HOME]) {
      const order = await createOrder(cell, 'S-1');
      const reference = (order.body as Shown)['reference'];
      const settled = await owner.send('POST', '/sandbox/payments', { reference });
      expect(settled).toMatchObject({ status: 201, body: { merchant: shopOf(cell), order: 'S-1', state: 'paid' } });
      const clerk = await manageCalls(caudal, { merchantId: shopOf(cell), permissions: ['cashouts:write'] });
      const document = `10203040${cell}`;
      const made = await clerk.send('POST', '/cashouts', { merchant: shopOf(cell), operation: 'W-1', amount: money, document });
      const oneTimePassword = (made.body as Shown)['oneTimePassword'];
      const paid = await owner.send('POST', '/sandbox/collections', { document, oneTimePassword });
      expect(paid).toMatchObject({ status: 201, body: { merchant: shopOf(cell), operation: 'W-1', state: 'approved' } });
      const reverse = `/sandbox/collections/${String(paid.body['transaction'])}/reverse`;
      expect(await owner.send('POST', reverse)).toMatchObject({ status: 200, body: { state: 'nullified' } });
    }
  });

  test('an id of a cell that never was is not found', async () => {
    // The second one is too large for any cell.
    for (const id of [(77n << 40n) + 5n, (1n << 56n) + (77n << 40n) + 5n]) {
      for (const path of [`/notices/${id}`, `/audit/${id}`, `/sandbox/inbox/mail/${id}`])
        expect(await owner.get(path)).toMatchObject({ status: 404, problem: 'not_found' });
      expect(await caudal.app.inject(`/sandbox/inbox/mail/${id}`)).toMatchObject({ statusCode: 404 });
      expect(await caudal.app.inject({ method: 'POST', url: `/sandbox/inbox/notices/${id}` })).toMatchObject({ statusCode: 404 });
    }
  });

  test('the page of the inbox, and programs, see what was sent for merchants of any cell', async () => {
    const shown = (await itemsOf('/sandbox/inbox?limit=200')).map(({ channel, id }) => ({ channel, id }));
    expect(new Set(shown.map(({ id }) => cellOfId(BigInt(id as string))))).toEqual(new Set([HOME, 1, 2]));
    const { messages, ...rest } = await inboxOf('limit=200');
    expect([messages.map(({ channel, id }) => ({ channel, id })), rest]).toEqual([shown, {}]);
    expect((await inboxOf('limit=3')).messages).toEqual(messages.slice(0, 3));
    for (const cell of [HOME, 1, 2]) {
      const own = messages.filter(({ merchant }) => merchant === shopOf(cell));
      expect((await inboxOf(`merchant=${shopOf(cell)}&limit=200`)).messages).toEqual(own);
      expect((await inboxOf('about=M-1')).messages.map(({ merchant }) => merchant)).toContain(shopOf(cell));
      const page = (await caudal.app.inject('/sandbox/inbox?limit=200')).body;
      expect(page).toContain(`${shopOf(cell)} / M-1`);
      const mail = own.find(({ channel }) => channel === 'mail');
      expect(page).toContain(`src="/sandbox/inbox/mail/${mail?.id}"`);
      expect((await caudal.app.inject(`/sandbox/inbox/mail/${mail?.id}`)).body).toBe(mail?.html);
      const notice = own.find(({ channel }) => channel === 'notice');
      const again = await caudal.app.inject({ method: 'POST', url: `/sandbox/inbox/notices/${notice?.id}` });
      expect(again.headers['location']).toBe(`/sandbox/inbox?channel=notice&merchant=${shopOf(cell)}`);
    }
  });

  test('the inbox of all cells has each entry once, however long its pages are', async () => {
    const whole = await walkInbox(200);
    expect(new Set(whole.map((entry) => entry['merchant'])).size).toBe(3);
    for (const limit of [1, 2, 3]) expect(await walkInbox(limit)).toEqual(whole);
  });
});

test('the id of a merchant that is refused is taken for no cell', async () => {
  const placed = statement('test.placed', 'select merchant_id as "merchantId" from merchant_cells order by 1');
  const before = await caudal.db.query(placed, []);
  const wanted = { merchant: 'refused', country: '343', cell: 'cell-1' };
  for (const [problem, more] of [
    ['merchant_id_invalid', { merchant: 'available' }],
    ['name_invalid', { name: ' ' }],
    ['country_unknown', { country: '999' }],
    ['currency_not_of_country', { currencies: ['BRL'] }],
    ['notice_url_invalid', { noticeUrl: 'ftp://shop.example' }],
  ] as const)
    expect(await owner.send('POST', '/merchants', { ...wanted, ...more })).toMatchObject({ status: 422, problem });
  expect(await caudal.db.query(placed, [])).toEqual(before);
  expect(await owner.send('POST', '/merchants', wanted)).toMatchObject({ status: 201 });
});

test('notices of all cells are sent again, in portions that each cell counts by itself', async () => {
  const before = caudal.clock.now();
  const fail = statement('test.fail_notices', `update notices set state = 'given_up', closed_at = now()`);
  for (const [, { db }] of caudal.cells.all) await db.query(fail, []);
  const since = before.subtract({ hours: 1 }).toString();
  const { body } = await owner.send('POST', '/notices/redeliver', { since });
  expect(body).toEqual({ notices: (await itemsOf('/notices')).length, next: null });
  const [first = {}] = await itemsOf(`/notices?merchant=${shopOf(1)}`);
  const place = String(first['id']).split('_')[1];
  // The other cells were done, and this one is.
  expect((await owner.send('POST', '/notices/redeliver', { since, after: place })).body).toEqual({ notices: 0, next: null });
});

test('each cell has a chain of its own', async () => {
  for (const [, { db }] of caudal.cells.all) while (await linkActs(db));
  for (const cell of ['home', 'cell-1', 'cell-2']) {
    const { body: ends } = await owner.get(`/audit/chain/ends?cell=${cell}`);
    expect(ends).toMatchObject({ cell, after: null });
    const links = await itemsOf(`/audit/chain?cell=${cell}&limit=200`);
    expect(links.at(-1)).toMatchObject({ hash: (ends['end'] as unknown as Shown)['hash'] });
    const { db } = caudal.cells.of(cell === 'home' ? HOME : Number(cell.at(-1)));
    expect(links.length).toBeLessThanOrEqual((await db.query(ACTS, [])).length);
  }
  expect((await owner.get('/audit/chain/ends')).body['cell']).toBe('home');
  // So do commands that ask this service.
  const url = await caudal.app.listen({ host: '127.0.0.1', port: 0 });
  vi.stubEnv('CAUDAL_TOKEN', (await tokenOf(caudal, ['audit:read'])).slice('Bearer '.length));
  const run = (line: string) => printed.by(() => createProgram().parseAsync([...line.split(' '), '--url', url], { from: 'user' }));
  const kept = new Set<string>();
  for (const cell of ['home', 'cell-1', 'cell-2']) {
    const { hash, place } = (await owner.get(`/audit/chain/ends?cell=${cell}`)).body['end'] as unknown as Shown;
    expect(await run(`audit verify --cell ${cell}`)).toMatch(new RegExp(`^The chain is whole: ${String(place)} links`));
    expect(await run(`audit checkpoint --cell ${cell}`)).toContain(String(hash));
    expect(await run(`audit export --cell ${cell}`)).toContain(String(hash));
    kept.add(String(hash));
  }
  expect(kept.size).toBe(3);
  expect(await run('audit checkpoint')).toBe(await run('audit checkpoint --cell home'));
  await expect(run('audit verify --cell nowhere')).rejects.toThrow('Unknown cell.');
  vi.unstubAllEnvs();
  for (const path of ['/audit/chain?cell=nowhere', '/audit/chain/ends?cell=nowhere'])
    expect(await owner.get(path)).toMatchObject({ status: 422, problem: 'cell_unknown' });
});

describe('people and programs of a merchant', () => {
  test.each([1, 2])('of cell %i work in it, and see nothing of another one', async (cell) => {
    const clerk = await manageCalls(caudal, { merchantId: shopOf(cell) });
    expect((await clerk.get('/me')).body).toMatchObject({ merchant: shopOf(cell), timeZone: 'America/Bogota' });
    const order = { merchant: shopOf(cell), order: 'C-1', email: 'b@example.com', amount: money };
    expect(await clerk.send('POST', '/orders', order)).toMatchObject({ status: 201 });
    const shown = await itemsOf('/orders', clerk);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown.map(({ merchant }) => merchant))).toEqual(new Set([shopOf(cell)]));
    expect(await clerk.get(`/orders/${shopOf(HOME)}/A-1`)).toMatchObject({ status: 404 });
    const user = { email: `clerk-${cell}@example.com`, name: 'Clerk', role: 'clerk', language: 'es', merchant: shopOf(cell) };
    expect(await owner.send('POST', '/users', user)).toMatchObject({ status: 201, body: { user: { merchant: shopOf(cell) } } });
    expect(await itemsOf(`/users?merchant=${shopOf(cell)}`)).toHaveLength(1);
    const [act] = await itemsOf(`/audit?merchant=${shopOf(cell)}&operation=inviteUser`);
    expect(act).toMatchObject({ cell: 'home', outcome: 'done' });
  });

  test('are refused for a merchant that no cell has', async () => {
    const user = { email: 'nobody@example.com', name: 'Nobody', role: 'clerk', language: 'es', merchant: 'nowhere' };
    expect(await owner.send('POST', '/users', user)).toMatchObject({ status: 422, problem: 'merchant_unknown' });
    const token = { name: 'till', permissions: ['orders:read'], merchant: 'nowhere', days: 3 };
    expect(await owner.send('POST', '/tokens', token)).toMatchObject({ status: 422, problem: 'merchant_unknown' });
    for (const list of ['orders', 'notices'])
      expect(await owner.send('POST', '/exports', { list, format: 'csv', merchant: 'nowhere' })).toMatchObject({ status: 404 });
  });
});

test('a new merchant that is placed where it is already is no second act', async () => {
  for (const time of ['once', 'again'])
    expect(await owner.send('PUT', '/merchants/placed/cell', { cell: 'cell-1' }), time).toMatchObject({ status: 200 });
  expect(await itemsOf('/audit?operation=placeMerchant')).toHaveLength(1);
});

test('a person is found and erased in all cells, under one pseudonym', async () => {
  const ana = { email: 'ana.of.all@example.com' };
  for (const cell of [HOME, 1, 2]) {
    await createOrder(cell, 'P-1', ana);
    await owner.send('POST', `/orders/${shopOf(cell)}/P-1/cancel`);
  }
  await createOrder(2, 'P-2', ana);
  const { body } = await owner.send('POST', '/people/export', ana);
  const orders = body['orders'] as unknown as readonly Shown[];
  expect(new Set(orders.map(({ merchantId, orderId }) => `${String(merchantId)} ${String(orderId)}`))).toEqual(
    new Set([`${shopOf(HOME)} P-1`, `${shopOf(1)} P-1`, `${shopOf(2)} P-1`, `${shopOf(2)} P-2`]),
  );
  const erased = await owner.send('POST', '/people/erase', ana);
  expect(erased.body).toMatchObject({ erased: { orders: 3 }, left: [{ kind: 'orders', merchant: shopOf(2), id: 'P-2' }] });
  for (const cell of [HOME, 1, 2]) {
    const { body: order } = await owner.get(`/orders/${shopOf(cell)}/P-1`);
    expect(order['email']).toBe(erased.body['pseudonym']);
    expect(await actsIn(cell)).toContainEqual({ operation: 'erasePerson', merchantId: null, outcome: 'done' });
  }
});

test('days of everybody are those of the one zone that the merchants of all cells have', async () => {
  expect((await owner.get('/me')).body['timeZone']).toBe('America/Bogota');
  expect((await owner.get('/figures')).body['timeZone']).toBe('America/Bogota');
  await caudal.merchant({ merchantId: 'loja', country: '076', cell: 2, fundMinor: 0n });
  expect((await owner.get('/me')).body['timeZone']).toBeNull();
  expect((await owner.get('/figures')).body['timeZone']).toBe('UTC');
  expect((await owner.get(`/figures?merchant=${shopOf(1)}`)).body['timeZone']).toBe('America/Bogota');
});

test('a process that serves home alone does not know the zone of a merchant of another cell', async () => {
  const zoneOf = openTimeZones(
    perCell(new Map([[HOME, caudal]]), () => false),
    async (merchantId) => (merchantId === shopOf(HOME) ? HOME : 1),
  );
  expect(await zoneOf(shopOf(HOME))).toBe('America/Bogota');
  await expect(zoneOf(shopOf(1))).rejects.toBeInstanceOf(Unavailable);
});

describe('while a cell hangs', () => {
  test('a list waits for it once, the next ones do not; once it answers it is in them again', async () => {
    proxies[1]?.hold();
    const beganAt = performance.now();
    for (let lists = 0; lists < 20; lists++) {
      const { status, headers } = await owner.get(lists % 2 === 0 ? '/orders' : '/orders?createdFrom=2026-11-01');
      expect([status, headers['caudal-missing-cells']]).toEqual([200, 'cell-2']);
    }
    // Each that waits takes 1,500.
    expect(performance.now() - beganAt).toBeLessThan(10_000);
    proxies[1]?.release();
    await eventually(SOON_MS, async () => expect((await owner.get('/orders')).headers['caudal-missing-cells']).toBeUndefined());
  });
});

describe('while a cell is away', () => {
  let waiting: string;

  beforeAll(() => {
    proxies[1]?.refuse(true);
    proxies[1]?.cut();
  });

  test.each([
    '/orders',
    '/cashouts',
    '/notices',
    '/messages',
    '/merchants',
    '/audit',
    '/orders/summary',
    '/figures',
    '/ledger/balances',
    '/search?text=A-1',
  ])('%s is answered without it, and names it', async (path) => {
    const { status, headers, text } = await owner.get(path);
    expect([status, headers['caudal-missing-cells']], text).toEqual([200, 'cell-2']);
    // Home has acts about merchants of every cell.
    expect(text).not.toContain(path === '/audit' ? '"cell-2"' : `"${shopOf(2)}"`);
  });

  test('the others go on, its own merchants wait', async () => {
    for (const cell of [HOME, 1]) {
      expect(await createOrder(cell, 'B-1')).toMatchObject({ status: 201 });
      const { status, headers } = await owner.get(`/orders?merchant=${shopOf(cell)}`);
      expect([status, headers['caudal-missing-cells']]).toEqual([200, undefined]);
    }
    expect(await createOrder(2, 'B-1')).toMatchObject({ status: 503, problem: 'unavailable' });
    expect(await owner.get(`/orders?merchant=${shopOf(2)}`)).toMatchObject({ status: 503 });
    expect(await owner.get(`/notices/${(2n << 40n) + 1n}`)).toMatchObject({ status: 503 });
    // Too large for any id of a cell.
    for (const list of ['notices', 'audit', 'sandbox/inbox/mail'])
      expect(await owner.get(`/${list}/${(1n << 56n) + (2n << 40n) + 1n}`)).toMatchObject({ status: 404 });
    expect((await owner.get('/networks')).status).toBe(200);
  });

  test('the inbox shows the others, and says what it lacks', async () => {
    const page = await caudal.app.inject({ url: '/sandbox/inbox', headers: { 'accept-language': 'en' } });
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('could not be reached: cell-2.')]);
    expect(page.body).toContain(`${shopOf(1)} / `);
    const { missing, messages } = await inboxOf();
    expect(missing).toEqual(['cell-2']);
    expect(messages.map(({ merchant }) => merchant)).toContain(shopOf(1));
    for (const path of ['/sandbox/inbox', '/sandbox/v1/inbox']) {
      expect((await caudal.app.inject(`${path}?merchant=${shopOf(1)}`)).statusCode).toBe(200);
      expect((await caudal.app.inject(`${path}?merchant=${shopOf(2)}`)).statusCode).toBe(503);
    }
    expect((await caudal.app.inject(`/sandbox/inbox/mail/${(2n << 40n) + 1n}`)).statusCode).toBe(503);
  });

  test('an export of everybody waits for it: a file is whole', async () => {
    const { body } = await owner.send('POST', '/exports', { list: 'orders', format: 'csv' });
    waiting = body['export'] as unknown as string;
    // However often it is tried.
    for (let tries = 0; tries < 5; tries++) {
      await expect(writeExports()).rejects.toThrow(Unavailable);
      expect((await owner.get(`/exports/${waiting}`)).body['state']).toBe('waiting');
      caudal.clock.advance({ minutes: 2 });
    }
  });

  test('notices of everybody are not sent again: what one cell has would be left out', async () => {
    const since = caudal.clock.now().subtract({ hours: 1 }).toString();
    expect(await owner.send('POST', '/notices/redeliver', { since })).toMatchObject({ status: 503, problem: 'unavailable' });
    expect(await owner.send('POST', '/notices/redeliver', { since, merchant: shopOf(1) })).toMatchObject({ status: 200 });
  });

  test('nothing is said of a person, and nothing erased: it would not be whole', async () => {
    for (const what of ['export', 'erase'])
      expect(await owner.send('POST', `/people/${what}`, { email: 'ana@example.com' })).toMatchObject({ status: 503 });
  });

  test('once it is back, it is in all answers again', async () => {
    proxies[1]?.refuse(false);
    await eventually(SOON_MS, async () => {
      const { headers, text } = await owner.get('/orders?limit=200');
      expect(headers['caudal-missing-cells']).toBeUndefined();
      expect(text).toContain(`"${shopOf(2)}"`);
      expect(await createOrder(2, 'B-2')).toMatchObject({ status: 201 });
    });
    expect(await owner.send('POST', '/people/export', { email: 'ana@example.com' })).toMatchObject({ status: 200 });
    await writeExports();
    expect((await owner.get(`/exports/${waiting}`)).body).toMatchObject({ state: 'done', trailer: { list: 'orders' } });
    expect((await owner.get(`/exports/${waiting}/content`)).text).toContain(`${shopOf(2)},B-2`);
  });
});
