import { beforeEach, describe, expect, test } from 'vitest';
import { statement, Unavailable } from '../../kit/db.ts';
import { openNoticeRoom, poIds, type NoticeRoom } from '../../testing/notice-room.ts';
import { answering, startNoticeReceiver } from '../../testing/notice-receiver.ts';
import { listEndpoints } from '../endpoints.ts';
import { listNotices, noticePeople, readNoticeResponse, writeNotices } from '../index.ts';
import { listAttempts } from '../notice-attempts.ts';
import { redeliverSince } from '../redeliver-notices.ts';

let room: NoticeRoom;
beforeEach(async () => {
  room = await openNoticeRoom();
  return () => room.close();
});

describe('delivery', () => {
  test('gives up all that is due at a merchant without a notice URL together', async () => {
    const shop = await room.createShop(null);
    await room.write(
      ...Array.from({ length: 200 }, (_, index) => room.paid(shop, `A-${index}`)),
      room.paid(shop, 'A-0'),
      room.paid(shop, 'A-100'),
    );
    const [deliver] = room.notices.jobs;
    await deliver!.step(); // Tries the first few, gives up the rest; a second notice waits for the first of its order.
    expect((await room.states(shop)).filter((state) => state === 'waiting')).toHaveLength(6);
    await deliver!.step();
    await deliver!.step();
    expect(new Set(await room.states(shop))).toEqual(new Set(['given_up']));
    expect(await room.overtaken()).toBe(0);
  });

  test('sends what a committed transaction wrote, once, and nothing of one that was rolled back', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A-1'), room.expired(shop, 'W-1'));
    await expect(
      room.db.transaction(async (tx) => {
        writeNotices(tx, [room.paid(shop, 'A-2')]);
        throw new Error('the payment failed');
      }),
    ).rejects.toThrow('the payment failed');
    room.receiver.answer(answering(201, 'thanks'));
    await room.run();
    await room.run();
    expect(room.receiver.taken.map(({ headers }) => headers['content-type'])).toEqual(Array(2).fill('application/json; charset=utf-8'));
    const bodies = room.receiver.taken.map(({ body }) => JSON.parse(body) as object);
    expect(bodies).toHaveLength(2);
    expect(bodies).toEqual(
      expect.arrayContaining([expect.objectContaining({ po_id: 'A-1' }), expect.objectContaining({ operation: 'W-1' })]),
    );
    expect(await readNoticeResponse(room.db, shop, 'A-1')).toBe('thanks');
    expect(await readNoticeResponse(room.db, shop, 'A-2')).toBe('');
  });

  test('keeps each attempt with its answer, also the one before a redelivery, until the notice or the person goes', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A-1'), room.expired(shop, 'W-1'));
    const attemptsOf = async () => {
      const all = await listNotices(room.db, { merchantId: shop, limit: 9 });
      const lists = await Promise.all(all.map((listed) => listAttempts(room.db, listed)));
      return lists.map((list) => list.map(({ attempt, answerStatus, answer, problem }) => [attempt, answerStatus, answer, problem]));
    };
    room.receiver.answer(answering(503, 'busy'));
    await room.run();
    room.receiver.answer(answering(200, 'noted'));
    room.clock.advance({ minutes: 1 });
    await room.run();
    const both = [
      [2, 200, 'noted', null],
      [1, 503, 'busy', 'HTTP 503'],
    ];
    expect(await attemptsOf()).toEqual([both, both]);
    await room.write(room.paid(shop, 'A-2'));
    await room.run();
    expect((await attemptsOf())[0]).toEqual([[1, 200, 'noted', null]]);
    room.receiver.answer(answering(200, 'again'));
    await redeliverSince(room, { since: room.clock.now(), onlyFailed: false });
    await room.run();
    expect((await attemptsOf())[0]).toEqual([
      [2, 200, 'again', null],
      [1, 200, 'noted', null],
    ]);
    const people = noticePeople(room.db);
    const found = await people.find({ document: '1020304050' } as never);
    await room.db.transaction((tx) => people.erase(tx, found, 'gone'));
    expect((await attemptsOf())[1]).toEqual([
      [2, 200, null, null],
      [1, 503, null, 'HTTP 503'],
    ]);
    room.clock.advance({ hours: 24 * 91 });
    await room.run();
    expect(await room.db.query(statement('testing.attempts', 'select * from notice_attempts'), [])).toEqual([]);
  });

  test('of a receiver that is down for three days brings everything, in order, once per id', async () => {
    const shop = await room.createShop();
    const other = await room.createShop();
    await room.receiver.close();
    const up = await startNoticeReceiver();
    const [sent, sentToOther] = [new Map<string, string[]>(), [] as string[]];
    await room.write(room.paid(other, 'before'));
    for (let hour = 0; hour < 72; hour += 1) {
      // Every second hour: another payment of a recurrent order; three single ones; and somebody else's, who is up.
      const order = `R-${hour % 5}`;
      const poId = `${order}_${hour}`;
      sent.set(order, [...(sent.get(order) ?? []), poId]);
      await room.write(room.paid(shop, order, poId), ...['a', 'b', 'c'].map((name) => room.paid(shop, `S-${hour}${name}`)));
      if (hour === 36) await room.moveShop(other, up.url);
      if (hour > 36) {
        sentToOther.push(`O-${hour}`);
        await room.write(room.paid(other, `O-${hour}`));
      }
      await room.run();
      room.clock.advance({ minutes: 60 });
    }
    // While one was down the other, which came back, had its notices within the hour. All but those of the last hours are there.
    expect(poIds(up)).toEqual(expect.arrayContaining(['before', ...sentToOther]));
    expect(await listEndpoints(room.db)).toMatchObject([
      { merchantId: shop, waiting: 288n, pausedBy: 'service', problem: 'connection refused' },
    ]);

    const late = await startNoticeReceiver();
    await room.moveShop(shop, late.url);
    room.clock.advance({ minutes: 16 });
    await room.run();
    expect(new Set(late.received.map(({ id }) => id)).size).toBe(288);
    expect(late.received).toHaveLength(288);
    for (const [order, ids] of sent) expect(poIds(late).filter((poId) => poId.startsWith(`${order}_`))).toEqual(ids);
    expect(await room.overtaken()).toBe(0);
    expect(await room.endpointOf(shop)).toEqual([]);
    await Promise.all([up.close(), late.close()]);
  });

  test('keeps the order of each order and lets the others go on, whatever fails in between', async () => {
    const shop = await room.createShop();
    const order = ['A', 'B', 'C'].flatMap((name) => [1, 2, 3].map((count) => room.paid(shop, name, `${name}_${count}`)));
    await room.write(...order);
    // The first notice of A fails for a while.
    room.receiver.answer((notice, response) => answering(notice.body.includes('"A_1"') ? 503 : 200)(notice, response));
    await room.run();
    expect(poIds(room.receiver).toSorted()).toEqual(['B_1', 'B_2', 'B_3', 'C_1', 'C_2', 'C_3']);
    room.receiver.answer(answering(200));
    room.clock.advance({ seconds: 5 });
    await room.run();
    for (const name of ['A', 'B', 'C'])
      expect(poIds(room.receiver).filter((poId) => poId.startsWith(name))).toEqual([1, 2, 3].map((count) => `${name}_${count}`));
  });

  test('retries under the same id, after growing pauses, and gives up after seven days', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A-1'));
    const start = room.clock.now();
    const attempts: number[] = [];
    room.receiver.answer((notice, response) => {
      attempts.push(Math.round(room.clock.now().since(start).total('seconds')));
      answering(500, 'out of order')(notice, response);
    });
    for (let minute = 0; minute < 8 * 24 * 60 && (await room.states(shop))[0] === 'waiting'; minute += 1) {
      const { dueAt } = (await room.first(shop)).delivery;
      room.clock.set(dueAt.toString());
      await room.run();
    }
    expect(attempts.slice(0, 6)).toEqual([0, 4, 11, 26, 56, 116]);
    expect(attempts.at(-1)! - attempts.at(-2)!).toBe(2_700);
    expect(attempts.at(-1)! / 86_400).toBeGreaterThan(6.9);
    expect(attempts.at(-1)! / 86_400).toBeLessThan(7);
    expect(new Set(room.receiver.received.map(({ id }) => id)).size).toBe(1);
    expect((await room.first(shop)).delivery).toMatchObject({
      state: 'given_up',
      answerStatus: 500,
      answer: 'out of order',
      problem: 'HTTP 500',
    });
    expect(await readNoticeResponse(room.db, shop, 'A-1')).toBe('out of order');
  });

  test('whose record was committed unheard is recorded once, and goes on', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A'));
    room.receiver.answer(answering(500));
    let isUnheard = true;
    const transaction: typeof room.db.transaction = async (work) => {
      const done = await room.db.transaction(work);
      if (isUnheard) throw new Unavailable('the connection broke before the answer to the commit');
      return done;
    };
    const unsure = room.open({ ...room.db, transaction });
    const { step } = unsure.jobs[0]!;
    await step();
    await expect(step()).rejects.toThrow(Unavailable);
    isUnheard = false;
    await step();
    expect(await room.db.query(statement('testing.failures', 'select failures from notice_endpoints'), [])).toEqual([{ failures: 1 }]);
    room.receiver.answer(answering(200));
    room.clock.advance({ minutes: 1 });
    while (await step());
    await unsure.close();
    expect((await listAttempts(room.db, await room.first(shop))).map(({ answerStatus }) => answerStatus)).toEqual([200, 500]);
  });

  test('of a server that crashes between call and record is done again after the lease, under the same id', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A', 'A_1'), room.paid(shop, 'A', 'A_2'));
    const crashing = room.open();
    const held: (() => void)[] = [];
    const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    room.receiver.answer((notice, response) => {
      const status = held.length === 0 ? 500 : 200;
      held.push(() => answering(status)(notice, response));
      arrivals[held.length - 1]!.resolve();
    });
    const first = crashing.jobs[0]!.step();
    await arrivals[0]!.promise;
    await room.run();
    expect(held).toHaveLength(1);

    room.clock.advance({ seconds: 61 });
    const second = room.notices.jobs[0]!.step();
    await arrivals[1]!.promise;
    expect(room.receiver.received[1]?.id).toBe(room.receiver.received[0]?.id);
    // The answer that the first server gets at last is overtaken. It neither counts nor frees the notice that the second is sending.
    held[0]!();
    await first;
    await crashing.close();
    expect((await room.first(shop)).delivery).toMatchObject({ state: 'waiting', attempts: 2, problem: null });
    room.receiver.answer(answering(200));
    held[1]!();
    await second;
    await room.run();
    expect(poIds(room.receiver)).toEqual(['A_1', 'A_2']);
    expect(room.receiver.received).toHaveLength(3);
    expect(await room.states(shop)).toEqual(['delivered', 'delivered']);
  });

  test('to one host is fair to its merchants: no one waits for the hanging address of another', async () => {
    const hanging = await Promise.all(Array.from({ length: 12 }, (_, index) => room.createShop(`${room.receiver.url}/hangs/${index}`)));
    const quick = await room.createShop(`${room.receiver.url}/quick`);
    const held: (() => void)[] = [];
    room.receiver.answer((notice, response) => {
      const end = (): void => void response.end();
      if (notice.path.includes('/hangs/')) held.push(end);
      else end();
    });
    await room.write(...hanging.flatMap((shop) => Array.from({ length: 10 }, (_, index) => room.paid(shop, `H-${index}`))));
    const [delivery] = room.notices.jobs;
    await delivery!.step();
    await room.write(...Array.from({ length: 20 }, (_, index) => room.paid(quick, `Q-${index}`)));
    const begun = performance.now();
    for (let step = 0; step < 200 && room.receiver.taken.length < 20; step += 1) await delivery!.step();
    expect(room.receiver.taken).toHaveLength(20);
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(room.receiver.received.length - 20).toBe(12 * 4);
    room.receiver.answer((_notice, response) => void response.end());
    for (const end of held) end();
    await delivery!.step();
  });

  test('to a slow receiver holds a few calls, and delays no other', async () => {
    const slow = await startNoticeReceiver();
    const slowShop = await room.createShop(slow.url);
    const quickShops = await Promise.all([room.createShop(), room.createShop()]);
    const waiting: (() => void)[] = [];
    slow.answer((_notice, response) => void waiting.push(() => void response.end()));
    await room.write(...Array.from({ length: 40 }, (_, index) => room.paid(slowShop, `S-${index}`)));
    const [delivery] = room.notices.jobs;
    await delivery!.step();
    await room.write(...quickShops.flatMap((shop) => Array.from({ length: 50 }, (_, index) => room.paid(shop, `Q-${index}`))));
    for (let step = 0; step < 200 && room.receiver.taken.length < 100; step += 1) await delivery!.step();
    expect(room.receiver.taken).toHaveLength(100);
    expect(slow.received).toHaveLength(4);

    slow.answer(answering(200));
    for (const end of waiting) end();
    await room.run();
    expect(slow.taken).toHaveLength(40);
    await slow.close();
  });
});

/** So many that the last of them comes long after the first call of everybody, also on a busy machine. */
const BACKLOG = 90;

test('no merchant waits until another’s backlog is done', async () => {
  const many = await Promise.all(Array.from({ length: 12 }, () => room.createShop()));
  await room.write(...many.flatMap((shop) => Array.from({ length: BACKLOG }, (_, index) => room.paid(shop, `${shop}_${index}`))));
  await room.run();
  const arrived = poIds(room.receiver).map((poId) => poId.split('_')[0] as string);
  expect(arrived).toHaveLength(12 * BACKLOG);
  const firsts = many.map((shop) => arrived.indexOf(shop));
  const lasts = many.map((shop) => arrived.lastIndexOf(shop));
  expect(Math.max(...firsts)).toBeLessThan(Math.min(...lasts));
});
