import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDb, statement, type Db } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import { createMerchant } from '../merchants/index.ts';
import { captureLog } from '../testing/captured.ts';
import { answering, startNoticeReceiver, type NoticeReceiver } from '../testing/notice-receiver.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { listEndpoints, pauseEndpoint, resumeEndpoint } from './endpoints.ts';
import { listNotices, noticeChecks, openNotices, readNoticeResponse, writeNotices, type NewNotice, type Notices } from './index.ts';
import { redeliverNotice, redeliverSince } from './redeliver-notices.ts';

const NOTHING_LEFT_BEHIND = statement(
  'test.overtaken',
  `select count(*)::integer as count from notices earlier join notices later using (merchant_id, kind, subject_id)
    where earlier.notice_id < later.notice_id and (earlier.closed_at is null or earlier.closed_at > later.closed_at)`,
);

const clock = testClock();
const keys = testKeys();
const { log, lines } = captureLog();
let database: TestDatabase;
let db: Db;
let receiver: NoticeReceiver;
let notices: Notices;
let shops = 0;

/** The middle of every range: pauses are three quarters of their longest. */
const open = (): Notices =>
  openNotices({ db, keys, clock, wallClock: clock, log, servicePrefix: 'SV', isSandbox: true, chance: () => 0.5 });

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log, connections: 1, statementTimeoutMs: 5_000 });
  notices = open();
});
beforeEach(async () => {
  receiver = await startNoticeReceiver();
  return () => receiver.close();
});
afterAll(async () => {
  await notices.close();
  await db.close();
  await database.drop();
});

/** A merchant of its own; its notices go to the receiver of the test unless it names another URL. */
async function createShop(noticeUrl: string | null = receiver.url): Promise<string> {
  const merchantId = `shop-${++shops}`;
  const created = await createMerchant({ db, keys, clock }, { merchantId, country: '343', ...(noticeUrl === null ? {} : { noticeUrl }) });
  if (isRefusal(created)) throw new Error(created.refusal);
  return merchantId;
}

const paid = (merchantId: string, orderId: string, poId = orderId): NewNotice => ({
  kind: 'order',
  merchantId,
  orderId,
  poId,
  serviceOrderId: 7n,
  status: 'approved',
  amountMinor: 4_500_000n,
  currency: 'COP',
  payment: 'efectivo',
  at: clock.now(),
});
const expired = (merchantId: string, operationId: string): NewNotice => ({
  kind: 'cashout',
  merchantId,
  operationId,
  document: '1020304050',
  amountMinor: 1_000n,
  currency: 'COP',
  status: 'expired',
  at: clock.now(),
});
const write = (...written: NewNotice[]): Promise<void> => db.transaction(async (tx) => writeNotices(tx, written));

/** Runs the jobs until nothing is due at the clock's instant, as a test of the whole service does. */
async function run({ jobs }: Notices = notices): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = false;
    for (const job of jobs) while (await job.step()) isMore = true;
  }
}

const poIds = ({ taken }: NoticeReceiver): string[] => taken.map(({ body }) => (JSON.parse(body) as { po_id: string }).po_id);
const states = async (merchantId: string): Promise<string[]> =>
  (await listNotices(db, { merchantId, limit: 1_000 })).map(({ delivery }) => delivery.state).toReversed();
const firstOf = async (merchantId: string) => (await listNotices(db, { merchantId, limit: 1_000 })).at(-1)!;
const endpointOf = async (merchantId: string) => (await listEndpoints(db)).filter((endpoint) => endpoint.merchantId === merchantId);
const verify = () => withSnapshot(database.url, (snapshot) => noticeChecks[0]!.run(snapshot, clock.now()));
const overtaken = async (): Promise<number> => (await db.query<{ count: number }>(NOTHING_LEFT_BEHIND, []))[0]!.count;

describe('delivery', () => {
  test('gives up all that is due at a merchant without a notice URL together', async () => {
    const shop = await createShop(null);
    await write(...Array.from({ length: 200 }, (_, index) => paid(shop, `A-${index}`)), paid(shop, 'A-0'), paid(shop, 'A-100'));
    const [deliver] = notices.jobs;
    await deliver!.step(); // Tries the first few, gives up the rest; a second notice waits for the first of its order.
    expect((await states(shop)).filter((state) => state === 'waiting')).toHaveLength(6);
    await deliver!.step();
    await deliver!.step();
    expect(new Set(await states(shop))).toEqual(new Set(['given_up']));
    expect(await overtaken()).toBe(0);
  });

  test('sends what a committed transaction wrote, once, and nothing of one that was rolled back', async () => {
    const shop = await createShop();
    await write(paid(shop, 'A-1'), expired(shop, 'W-1'));
    await expect(
      db.transaction(async (tx) => {
        writeNotices(tx, [paid(shop, 'A-2')]);
        throw new Error('the payment failed');
      }),
    ).rejects.toThrow('the payment failed');
    receiver.answer(answering(201, 'thanks'));
    await run();
    await run();
    expect(receiver.taken.map(({ headers }) => headers['content-type'])).toEqual(Array(2).fill('application/json; charset=utf-8'));
    const bodies = receiver.taken.map(({ body }) => JSON.parse(body) as object);
    expect(bodies).toHaveLength(2);
    expect(bodies).toEqual(
      expect.arrayContaining([expect.objectContaining({ po_id: 'A-1' }), expect.objectContaining({ operation: 'W-1' })]),
    );
    expect(await readNoticeResponse(db, shop, 'A-1')).toBe('thanks');
    expect(await readNoticeResponse(db, shop, 'A-2')).toBe('');
  });

  test('of a receiver that is down for three days brings everything, in order, once per id', async () => {
    const shop = await createShop();
    const other = await createShop();
    await receiver.close();
    const up = await startNoticeReceiver();
    const [sent, sentToOther] = [new Map<string, string[]>(), [] as string[]];
    await write(paid(other, 'before'));
    for (let hour = 0; hour < 72; hour += 1) {
      // Every second hour: another payment of a recurrent order; three single ones; and somebody else's, who is up.
      const order = `R-${hour % 5}`;
      const poId = `${order}_${hour}`;
      sent.set(order, [...(sent.get(order) ?? []), poId]);
      await write(paid(shop, order, poId), ...['a', 'b', 'c'].map((name) => paid(shop, `S-${hour}${name}`)));
      if (hour === 36)
        await db.query({ name: 'test.move', text: 'update merchants set notice_url = $2 where merchant_id = $1' }, [other, up.url]);
      if (hour > 36) {
        sentToOther.push(`O-${hour}`);
        await write(paid(other, `O-${hour}`));
      }
      await run();
      clock.advance({ minutes: 60 });
    }
    // While one was down the other, which came back, had its notices within the hour. All but those of the last hours are there.
    expect(poIds(up)).toEqual(expect.arrayContaining(['before', ...sentToOther]));
    expect(await listEndpoints(db)).toMatchObject([
      { merchantId: shop, waiting: 288n, pausedBy: 'service', problem: 'connection refused' },
    ]);

    const late = await startNoticeReceiver();
    await db.query({ name: 'test.move_back', text: 'update merchants set notice_url = $2 where merchant_id = $1' }, [shop, late.url]);
    clock.advance({ minutes: 16 });
    await run();
    expect(new Set(late.received.map(({ id }) => id)).size).toBe(288);
    expect(late.received).toHaveLength(288);
    for (const [order, ids] of sent) expect(poIds(late).filter((poId) => poId.startsWith(`${order}_`))).toEqual(ids);
    expect(await overtaken()).toBe(0);
    expect(await endpointOf(shop)).toEqual([]);
    await Promise.all([up.close(), late.close()]);
  });

  test('keeps the order of each order and lets the others go on, whatever fails in between', async () => {
    const shop = await createShop();
    const order = ['A', 'B', 'C'].flatMap((name) => [1, 2, 3].map((count) => paid(shop, name, `${name}_${count}`)));
    await write(...order);
    // The first notice of A fails for a while.
    receiver.answer((notice, response) => answering(notice.body.includes('"A_1"') ? 503 : 200)(notice, response));
    await run();
    expect(poIds(receiver).toSorted()).toEqual(['B_1', 'B_2', 'B_3', 'C_1', 'C_2', 'C_3']);
    receiver.answer(answering(200));
    clock.advance({ seconds: 5 });
    await run();
    for (const name of ['A', 'B', 'C'])
      expect(poIds(receiver).filter((poId) => poId.startsWith(name))).toEqual([1, 2, 3].map((count) => `${name}_${count}`));
  });

  test('retries under the same id, after growing pauses, and gives up after seven days', async () => {
    const shop = await createShop();
    await write(paid(shop, 'A-1'));
    const start = clock.now();
    const attempts: number[] = [];
    receiver.answer((notice, response) => {
      attempts.push(Math.round(clock.now().since(start).total('seconds')));
      answering(500, 'out of order')(notice, response);
    });
    for (let minute = 0; minute < 8 * 24 * 60 && (await states(shop))[0] === 'waiting'; minute += 1) {
      const { dueAt } = (await firstOf(shop)).delivery;
      clock.set(dueAt.toString());
      await run();
    }
    expect(attempts.slice(0, 6)).toEqual([0, 4, 11, 26, 56, 116]);
    expect(attempts.at(-1)! - attempts.at(-2)!).toBe(2_700);
    expect(attempts.at(-1)! / 86_400).toBeGreaterThan(6.9);
    expect(attempts.at(-1)! / 86_400).toBeLessThan(7);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect((await firstOf(shop)).delivery).toMatchObject({
      state: 'given_up',
      answerStatus: 500,
      answer: 'out of order',
      problem: 'HTTP 500',
    });
    expect(await readNoticeResponse(db, shop, 'A-1')).toBe('out of order');
  });

  test('of a server that crashes between call and record is done again after the lease, under the same id', async () => {
    const shop = await createShop();
    await write(paid(shop, 'A', 'A_1'), paid(shop, 'A', 'A_2'));
    const crashing = open();
    const held: (() => void)[] = [];
    const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer((notice, response) => {
      const status = held.length === 0 ? 500 : 200;
      held.push(() => answering(status)(notice, response));
      arrivals[held.length - 1]!.resolve();
    });
    const first = crashing.jobs[0]!.step();
    await arrivals[0]!.promise;
    await run();
    expect(held).toHaveLength(1);

    clock.advance({ seconds: 61 });
    const second = notices.jobs[0]!.step();
    await arrivals[1]!.promise;
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
    // The answer that the first server gets at last is overtaken. It neither counts nor frees the notice that the second is sending.
    held[0]!();
    await first;
    await crashing.close();
    expect((await firstOf(shop)).delivery).toMatchObject({ state: 'waiting', attempts: 2, problem: null });
    receiver.answer(answering(200));
    held[1]!();
    await second;
    await run();
    expect(poIds(receiver)).toEqual(['A_1', 'A_2']);
    expect(receiver.received).toHaveLength(3);
    expect(await states(shop)).toEqual(['delivered', 'delivered']);
  });

  test('to a slow receiver holds a few calls, and nobody else', async () => {
    const slow = await startNoticeReceiver();
    const slowShop = await createShop(slow.url);
    const quickShops = await Promise.all([createShop(), createShop()]);
    const waiting: (() => void)[] = [];
    slow.answer((_notice, response) => void waiting.push(() => void response.end()));
    await write(...Array.from({ length: 40 }, (_, index) => paid(slowShop, `S-${index}`)));
    const [delivery] = notices.jobs;
    await delivery!.step();
    await write(...quickShops.flatMap((shop) => Array.from({ length: 50 }, (_, index) => paid(shop, `Q-${index}`))));
    for (let step = 0; step < 200 && receiver.taken.length < 100; step += 1) await delivery!.step();
    expect(receiver.taken).toHaveLength(100);
    expect(slow.received).toHaveLength(4);

    slow.answer(answering(200));
    for (const end of waiting) end();
    await run();
    expect(slow.taken).toHaveLength(40);
    await slow.close();
  });
});

test('no merchant waits until another’s backlog is done', async () => {
  const many = await Promise.all(Array.from({ length: 12 }, () => createShop()));
  await write(...many.flatMap((shop) => Array.from({ length: 30 }, (_, index) => paid(shop, `${shop}_${index}`))));
  await run();
  const arrived = poIds(receiver).map((poId) => poId.split('_')[0] as string);
  expect(arrived).toHaveLength(12 * 30);
  const firsts = many.map((shop) => arrived.indexOf(shop));
  const lasts = many.map((shop) => arrived.lastIndexOf(shop));
  expect(Math.max(...firsts)).toBeLessThan(Math.min(...lasts));
});

describe('an endpoint', () => {
  test('that takes nothing is paused and reported, then probed with one notice at a time, and resumes by itself', async () => {
    const shop = await createShop();
    receiver.answer(answering(503));
    await write(paid(shop, 'A-0'));
    for (let attempt = 0; attempt < 11; attempt += 1) {
      clock.set((await firstOf(shop)).delivery.dueAt.toString());
      await run();
    }
    expect(await endpointOf(shop)).toMatchObject([{ waiting: 1n, pausedBy: null }]);

    await write(...Array.from({ length: 19 }, (_, index) => paid(shop, `A-${index + 1}`)));
    const before = receiver.received.length;
    await run();
    const tried = receiver.received.length;
    expect(tried - before).toBeLessThan(10);
    expect(lines.filter((line) => line.includes('it is paused') && line.includes(shop))).toHaveLength(1);
    expect(await endpointOf(shop)).toMatchObject([{ waiting: 20n, pausedBy: 'service', problem: 'HTTP 503' }]);

    for (const minutes of [1, 2, 4, 8]) {
      clock.advance({ minutes });
      await run();
    }
    expect(receiver.received).toHaveLength(tried + 4);
    receiver.answer(answering(200));
    clock.advance({ minutes: 10 });
    await run();
    // Also the first one, whose own pause lasts longer.
    expect(new Set(poIds(receiver)).size).toBe(20);
    expect(lines.filter((line) => line.includes('takes notices again') && line.includes(shop))).toHaveLength(1);
    expect(await endpointOf(shop)).toEqual([]);
  });

  test('that refuses one notice for ever is not paused for it', async () => {
    const shop = await createShop();
    receiver.answer((notice, response) => answering(notice.body.includes('poison') ? 400 : 200)(notice, response));
    await write(paid(shop, 'poison'));
    for (let hour = 0; hour < 30; hour += 1) {
      await run();
      clock.advance({ hours: 1 });
    }
    await write(paid(shop, 'A-1'));
    await run();
    expect(poIds(receiver)).toEqual(['A-1']);
  });

  test('that an operator paused is sent nothing, gives nothing up, and resumes at his word', async () => {
    const shop = await createShop();
    await pauseEndpoint({ db, clock }, shop);
    await write(paid(shop, 'A-1'));
    for (let day = 0; day < 10; day += 1) {
      clock.advance({ days: 1 });
      await run();
    }
    expect(await states(shop)).toEqual(['waiting']);
    expect(receiver.received).toHaveLength(0);
    expect(await resumeEndpoint({ db, clock }, shop)).toBe(true);
    await run();
    expect(await states(shop)).toEqual(['delivered']);
    expect(await resumeEndpoint({ db, clock }, shop)).toBe(false);
  });
});

describe('the outbox', () => {
  test('gives up at once what has nowhere to go, and redelivers it once there is a URL', async () => {
    const shop = await createShop(null);
    const since = clock.now();
    await write(paid(shop, 'A', 'A_1'), paid(shop, 'A', 'A_2'), paid(shop, 'B'));
    await run();
    expect(await states(shop)).toEqual(['given_up', 'given_up', 'given_up']);
    await db.query({ name: 'test.give_url', text: 'update merchants set notice_url = $2 where merchant_id = $1' }, [shop, receiver.url]);
    expect(await redeliverSince({ db, clock }, { since, merchantId: shop, onlyFailed: true })).toBe(3n);
    await run();
    expect(poIds(receiver).filter((poId) => poId.startsWith('A'))).toEqual(['A_1', 'A_2']);
    expect(await states(shop)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('redelivers one, or all since a time, under the ids that they had', async () => {
    const shop = await createShop();
    await write(paid(shop, 'A', 'A_1'));
    clock.advance({ seconds: 1 });
    const since = clock.now();
    await write(paid(shop, 'A', 'A_2'));
    await run();
    expect(await redeliverSince({ db, clock }, { since, merchantId: shop, onlyFailed: true })).toBe(0n);
    expect(await redeliverSince({ db, clock }, { since, merchantId: shop, onlyFailed: false })).toBe(1n);
    expect(await redeliverSince({ db, clock }, { since, merchantId: shop, onlyFailed: false })).toBe(0n);
    const { noticeId } = (await firstOf(shop)).notice;
    expect(await redeliverNotice({ db, clock }, noticeId)).toBeUndefined();
    expect(await redeliverNotice({ db, clock }, noticeId)).toEqual({ refusal: 'notice_waiting' });
    expect(await redeliverNotice({ db, clock }, 10n ** 15n)).toEqual({ refusal: 'notice_unknown' });
    await run();
    expect(poIds(receiver)).toEqual(['A_1', 'A_2', 'A_1', 'A_2']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
  });

  test('is verified: a notice that was sent before an earlier one of its order is found', async () => {
    const shop = await createShop();
    await write(paid(shop, 'A', 'A_1'), paid(shop, 'A', 'A_2'));
    await run();
    expect(await verify()).toEqual({});
    const { noticeId } = (await firstOf(shop)).notice;
    const meddle = (closedAt: string) =>
      db.query({ name: `test.meddle_${closedAt.length}`, text: `update notices set closed_at = ${closedAt} where notice_id = $1` }, [
        noticeId,
      ]);
    await meddle(`closed_at + interval '1 second'`);
    expect(await verify()).toMatchObject({ finding: { merchantId: shop, id: 'A' } });
    await meddle('null');
    expect(await verify()).toMatchObject({ finding: { merchantId: shop, id: 'A' } });
  });

  test('deletes what was delivered or given up 90 days ago, and nothing that waits', async () => {
    const shop = await createShop();
    await write(paid(shop, 'A-1'));
    await run();
    clock.advance({ days: 89 });
    await pauseEndpoint({ db, clock }, shop);
    await write(paid(shop, 'A-2'));
    await run();
    expect(await states(shop)).toEqual(['delivered', 'waiting']);
    clock.advance({ days: 2 });
    await run();
    expect(await states(shop)).toEqual(['waiting']);
    await resumeEndpoint({ db, clock }, shop);
    await run();
  });
});
