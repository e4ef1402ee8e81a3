import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inLane, statement } from '../kit/db.ts';
import type { Caudal } from '../main/rooms.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { openDatabaseProxy, type DatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { orderCalls, type OrderAnswer, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

const KEPT = statement(
  'test.kept_answers',
  'select idempotency_key as key, sealed from kept_answers where merchant_id = $1 order by idempotency_key',
);
const ORDERS = statement('test.count_orders', 'select count(*) as orders from orders where merchant_id = $1 and order_id = $2');
const OCCUPY = statement(
  'test.occupy_key',
  `insert into kept_answers (merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at)
   values ($1, 'create-order', $2, '\\x00', '\\x00', now())`,
);
const WAITING = statement(
  'test.waiting_for_a_key',
  `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);
const END_WAITING = statement(
  'test.end_waiting_for_a_key',
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

let service: TestCaudal;
let other: Caudal;
let proxy: DatabaseProxy;
/** A server whose connection to the database can be cut. */
let dying: Caudal;
let merchant: TestMerchant;
let here: OrderCalls;
let there: OrderCalls;
let count = 0;

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
  proxy = await openDatabaseProxy(service.serviceUrl);
  other = await service.openAnother();
  dying = await service.openAnother({}, proxy.url);
  merchant = await service.merchant();
  here = orderCalls(service, merchant);
  there = orderCalls({ ...service, app: other.app }, merchant);
});
afterAll(async () => {
  await dying.close();
  await proxy.close();
  await other.close();
  await service.close();
});

const newId = (): string => `I-${++count}`;
const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });
const ordersOf = async (order: string): Promise<bigint | undefined> =>
  (await service.db.query<{ orders: bigint }>(ORDERS, [merchant.merchantId, order]))[0]?.orders;
/** What must be the same in each of several answers to one request. */
const answered = ({ status, code, text, data, etag }: OrderAnswer): object => ({ status, code, text, data, etag });
const isReplay = ({ headers }: OrderAnswer): boolean => headers['idempotency-replayed'] === 'true';

describe('the same key and the same body', () => {
  test('give the first answer again: body, version and all, whatever became of the order', async () => {
    const order = newId();
    const first = await here.create({ order }, keyed('first'));
    expect(first).toMatchObject({ status: 200, code: '0000', etag: '"1"' });
    expect(isReplay(first)).toBe(false);
    await here.update({ order, amount: 99 });
    service.clock.advance({ hours: 1 });
    for (const calls of [here, there]) {
      const again = await calls.create({ order }, keyed('first'));
      expect(isReplay(again)).toBe(true);
      expect(answered(again)).toEqual(answered(first));
    }
    expect(await here.create({ order })).toMatchObject({ code: '0042' });
  });

  test('give a refusal again, also when it would not be one any more', async () => {
    const [order, holder] = [newId(), newId()];
    await here.create({ order: holder, reference: '777001' });
    const first = await here.create({ order, reference: '777001' }, keyed('refused'));
    expect(first).toMatchObject({ code: '0043' });
    await here.cancel(holder);
    const again = await here.create({ order, reference: '777001' }, keyed('refused'));
    expect(isReplay(again)).toBe(true);
    expect(answered(again)).toEqual(answered(first));
    expect(await here.create({ order, reference: '777001' }, keyed('new'))).toMatchObject({ code: '0000' });
  });

  test('of 20 at once on two servers are carried out once; each gets the first answer, or is asked to wait', async () => {
    for (let round = 0; round < 5; round++) {
      const order = newId();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? here : there).create({ order }, keyed(`race-${order}`))),
      );
      const given = answers.filter(({ status }) => status === 200);
      expect(given.length).toBeGreaterThanOrEqual(1);
      expect(given.filter((answer) => !isReplay(answer))).toHaveLength(1);
      for (const answer of given) expect(answered(answer)).toEqual(answered(given[0] as OrderAnswer));
      expect(given[0]).toMatchObject({ code: '0000' });
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toMatchObject({ status: 409, code: '0909', data: {} });
      expect(await ordersOf(order)).toBe(1n);
    }
  });

  test('are carried out in one batch with others that have no key, or another', async () => {
    const [kept, one, two] = [newId(), newId(), newId()];
    await here.create({ order: kept }, keyed('batch-kept'));
    const answers = await Promise.all([
      here.create({ order: one }),
      here.create({ order: kept }, keyed('batch-kept')),
      here.create({ order: two }, keyed('batch-two')),
      here.create({ order: kept }),
    ]);
    expect(answers.map(({ code, data }) => [code, data['OrdenID']])).toEqual([
      ['0000', one],
      ['0000', kept],
      ['0000', two],
      ['0042', undefined],
    ]);
    expect(answers.map(isReplay)).toEqual([false, true, false, false]);
  });
});

type PostAnswer = { readonly status: number; readonly replayed: boolean; readonly body: string };
const postCashout = async (url: string, body: object, key: string, app = service.app): Promise<PostAnswer> => {
  const response = await app.inject({ method: 'POST', url, payload: JSON.stringify(body), headers: keyed(key) });
  return { status: response.statusCode, replayed: response.headers['idempotency-replayed'] === 'true', body: response.body };
};

/** The body without the password: it is shown once. */
const withoutPassword = ({ body }: PostAnswer): string => body.replace(/,"otp":"[0-9]+"/, '');

describe('of cashouts', () => {
  test('20 registrations at once take the money once, and show the password once', async () => {
    const poor = await service.merchant({ fundMinor: 6_000_000n });
    const cashouts = cashoutCalls(service, poor);
    const body = cashouts.registration({ operation: 'W-once' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => postCashout('/cashout/v1/operation', body, 'w', index % 2 ? other.app : service.app)),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const first = given.find(({ replayed }) => !replayed)!;
    const replay = { status: 200, replayed: true, body: withoutPassword(first) };
    for (const answer of given) if (answer !== first) expect(answer).toEqual(replay);
    expect(answers.filter(({ status }) => status === 409).map(({ body: text }) => (JSON.parse(text) as { code: string }).code)).toEqual(
      Array.from({ length: 20 - given.length }, () => '0909'),
    );
    const { code, data } = JSON.parse(first.body) as { code: string; data: Record<string, string> };
    expect({ code, ...data }).toMatchObject({ code: '0000', balance: '15000.0', otp: expect.stringMatching(/^[0-9]{6}$/) as string });
    expect(await postCashout('/v1/operation/', body, 'w'), 'under its other path too').toEqual(replay);
  });

  test('a refusal for lack of money is kept, and a renewal is answered again without its password, and not carried out again', async () => {
    const poor = await service.merchant({ fundMinor: 5_000_000n });
    const cashouts = cashoutCalls(service, poor);
    const [first, second] = ['W-a', 'W-b'].map((operation) => cashouts.registration({ operation }));
    await postCashout('/cashout/v1/operation', first as object, 'a');
    const refused = await postCashout('/cashout/v1/operation', second as object, 'b');
    expect(refused).toMatchObject({ status: 200, body: expect.stringContaining('"0025"') as string });
    await cashouts.cancel('W-a', '1020304050');
    expect(await postCashout('/cashout/v1/operation', second as object, 'b')).toEqual({ ...refused, replayed: true });
    await postCashout('/cashout/v1/operation', second as object, 'c');

    const renewal = (operation: string): [string, object] => [
      `/cashout/v1/operation/${poor.merchantId}/${operation}/otp`,
      { document: '1020304050', renewal: 'otp.1', checksum: cashouts.sign('1020304050', operation, poor.merchantId, 'otp.1') },
    ];
    const renewed = await postCashout(...renewal('W-b'), 'r');
    expect(renewed.body).toMatch(/"otp":"[0-9]{6}"/);
    for (let round = 0; round < 5; round++)
      expect(await postCashout(...renewal('W-b'), 'r')).toEqual({ status: 200, replayed: true, body: withoutPassword(renewed) });
    expect(await postCashout(...renewal('W-a'), 'r'), 'for another operation').toMatchObject({ status: 422 });
  });
});

test('the same key with another body is refused with 422, and nothing is written', async () => {
  const [order, next] = [newId(), newId()];
  await here.create({ order }, keyed('reused'));
  const answer = await here.create({ order: next }, keyed('reused'));
  expect(answer).toMatchObject({ status: 422, code: '0922', data: {}, text: expect.stringContaining('Idempotency-Key') as string });
  expect(isReplay(answer)).toBe(false);
  expect(await ordersOf(next)).toBe(0n);
});

test('a key belongs to its merchant, and answers nobody else', async () => {
  const order = newId();
  const body = JSON.stringify(here.signed({ order }));
  await here.send('POST', body, keyed('mine'));
  const stranger = body.replace(/"checksum":"[^"]*"/, '"checksum":"00"');
  const answer = await here.send('POST', stranger, keyed('mine'));
  expect(answer).toMatchObject({ status: 200, code: '0025' });
  expect(isReplay(answer)).toBe(false);
  const second = orderCalls(service, await service.merchant());
  expect(await second.create({ order }, keyed('mine'))).toMatchObject({ status: 200, code: '0000' });
});

test.each([
  ['an empty one', '', '0011'],
  ['one with a space', 'a b', '0011'],
  ['one beyond ASCII', 'ñ', '0011'],
  ['one of 256 characters', 'k'.repeat(256), '0011'],
  ['one of 255 characters', 'k'.repeat(255), '0000'],
  ['one of odd signs', '"~!,;\'', '0000'],
])('of keys, %s gives %s', async (_what, key, code) => {
  expect(await here.create({ order: newId() }, keyed(key))).toMatchObject({
    status: 200,
    code,
    ...(code === '0000' ? {} : { text: expect.stringContaining('Idempotency-Key') as string }),
  });
});

test('answers are sealed where they are kept', async () => {
  const order = newId();
  const { data } = await here.create({ order }, keyed('sealed'));
  const rows = await service.db.query<{ key: string; sealed: Buffer }>(KEPT, [merchant.merchantId]);
  const sealed = rows.find(({ key }) => key === 'sealed')?.sealed as Buffer;
  expect(sealed.length).toBeGreaterThan(100);
  for (const text of [order, String(data['Referencia']), '0000']) expect(sealed.includes(text)).toBe(false);
});

/** Writes a key without committing: a server that keeps an answer under it waits at its last round trip. Gives what ends that. */
async function occupy(key: string): Promise<() => Promise<void>> {
  const end = Promise.withResolvers<void>();
  const occupied = Promise.withResolvers<void>();
  // On none of the connections of requests: it stands for another server.
  const rival = inLane('jobs', () =>
    service.db.transaction(async (tx) => {
      await tx.query(OCCUPY, [merchant.merchantId, key]);
      occupied.resolve();
      await end.promise;
      throw new Error('the rival gives up');
    }),
  );
  await occupied.promise;
  return async () => {
    end.resolve();
    await rival.catch(() => undefined);
  };
}
const untilSomebodyWaits = (): Promise<void> =>
  eventually(SOON_MS, async () => expect(await service.db.query(WAITING, [])).toHaveLength(1));

test('while a key is being carried out the same one is asked to wait, and another is not', async () => {
  const order = newId();
  const giveUp = await occupy('slow');
  const first = here.create({ order }, keyed('slow'));
  await untilSomebodyWaits();
  expect(await here.create({ order }, keyed('slow'))).toMatchObject({ status: 409, code: '0909', data: {} });
  expect(await here.create({ order: newId() }, keyed('slow'))).toMatchObject({ status: 409, code: '0909' });
  expect(await here.create({ order: newId() }, keyed('quick'))).toMatchObject({ status: 200, code: '0000' });
  await giveUp();
  expect(isReplay(await first)).toBe(false);
  expect(answered(await here.create({ order }, keyed('slow')))).toEqual(answered(await first));
});

const lostCreation = (order: string, key: string): Promise<OrderAnswer> =>
  orderCalls({ ...service, app: dying.app }, merchant).create({ order }, keyed(key));

describe('a server that dies', () => {
  test('after the commit leaves its answer: the next try gets it, and never “exists”', async () => {
    const order = newId();
    const giveUp = await occupy('after');
    const lost = lostCreation(order, 'after');
    await untilSomebodyWaits();
    proxy.hold();
    await giveUp();
    await eventually(SOON_MS, async () => expect(await ordersOf(order)).toBe(1n));
    proxy.cut();
    proxy.release();
    expect(await lost).toMatchObject({ status: 503, code: '0953' });
    const retried = await here.create({ order }, keyed('after'));
    expect(retried).toMatchObject({ status: 200, code: '0000', etag: '"1"', data: { OrdenID: order, Operacion: 'CREADA' } });
    expect(isReplay(retried)).toBe(true);
    expect(answered(await there.create({ order }, keyed('after')))).toEqual(answered(retried));
  });

  test('before the commit leaves nothing: the next try is the first', async () => {
    const order = newId();
    const giveUp = await occupy('before');
    const lost = lostCreation(order, 'before');
    await untilSomebodyWaits();
    await service.db.query(END_WAITING, []);
    await giveUp();
    expect(await lost).toMatchObject({ status: 503, code: '0953' });
    expect(await ordersOf(order)).toBe(0n);
    const retried = await here.create({ order }, keyed('before'));
    expect(retried).toMatchObject({ status: 200, code: '0000' });
    expect(isReplay(retried)).toBe(false);
  });
});

test('an answer can be had for 30 days, and then its key is new', async () => {
  const order = newId();
  await here.create({ order }, keyed('month'));
  service.clock.advance({ days: 30 });
  await service.runJobs();
  expect(isReplay(await here.create({ order }, keyed('month')))).toBe(true);
  service.clock.advance({ seconds: 1 });
  await service.runJobs();
  expect(await service.db.query(KEPT, [merchant.merchantId])).toEqual([]);
  expect(await here.create({ order }, keyed('month'))).toMatchObject({ code: '0042' });
});
