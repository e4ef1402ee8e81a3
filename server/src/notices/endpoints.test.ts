import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { openNoticeRoom, poIds, type NoticeRoom } from '../testing/notice-room.ts';
import { answering } from '../testing/notice-receiver.ts';
import { pauseEndpoint, resumeEndpoint } from './endpoints.ts';

let room: NoticeRoom;
beforeEach(async () => {
  room = await openNoticeRoom();
  return () => room.close();
});

describe('an endpoint', () => {
  test('that takes nothing is paused and reported, then probed with one notice at a time, and resumes by itself', async () => {
    const shop = await room.createShop();
    room.receiver.answer(answering(503));
    await room.write(room.paid(shop, 'A-0'));
    for (let attempt = 0; attempt < 11; attempt += 1) {
      room.clock.set((await room.first(shop)).delivery.dueAt.toString());
      await room.run();
    }
    expect(await room.endpointOf(shop)).toMatchObject([{ waiting: 1n, pausedBy: null }]);

    await room.write(...Array.from({ length: 19 }, (_, index) => room.paid(shop, `A-${index + 1}`)));
    const before = room.receiver.received.length;
    await room.run();
    const tried = room.receiver.received.length;
    expect(tried - before).toBeLessThan(10);
    expect(room.log.filter((line) => line.includes('it is paused') && line.includes(shop))).toHaveLength(1);
    expect(await room.endpointOf(shop)).toMatchObject([{ waiting: 20n, pausedBy: 'service', problem: 'HTTP 503' }]);

    for (const minutes of [1, 2, 4, 8]) {
      room.clock.advance({ minutes });
      await room.run();
    }
    expect(room.receiver.received).toHaveLength(tried + 4);
    room.receiver.answer(answering(200));
    room.clock.advance({ minutes: 10 });
    await room.run();
    // Also the first one, whose own pause lasts longer.
    expect(new Set(poIds(room.receiver)).size).toBe(20);
    expect(room.log.filter((line) => line.includes('takes notices again') && line.includes(shop))).toHaveLength(1);
    expect(await room.endpointOf(shop)).toEqual([]);
  });

  test('that is probed hears one call at a time, also while that one hangs beyond the next probe', async () => {
    const shop = await room.createShop();
    room.receiver.answer(answering(503));
    await room.write(...Array.from({ length: 20 }, (_, index) => room.paid(shop, `A-${index}`)));
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await room.run();
      room.clock.set((await room.first(shop)).delivery.dueAt.toString());
    }
    expect(await room.endpointOf(shop)).toMatchObject([{ pausedBy: 'service' }]);
    const heard = Promise.withResolvers<ServerResponse>();
    room.receiver.answer((_notice, response) => heard.resolve(response));
    const before = room.receiver.received.length;
    const deliver = room.notices.jobs.find(({ name }) => name === 'notices.deliver');
    room.clock.advance({ minutes: 20 });
    await deliver?.step();
    const hanging = await heard.promise;
    // The probe after this one is due by now; the lease of the first has not ended.
    for (let look = 0; look < 3; look++) {
      room.clock.advance({ seconds: 15 });
      await deliver?.step();
    }
    expect(room.receiver.received.length - before).toBe(1);
    hanging.end('ok');
  });

  test('that refuses one notice for ever is not paused for it', async () => {
    const shop = await room.createShop();
    room.receiver.answer((notice, response) => answering(notice.body.includes('poison') ? 400 : 200)(notice, response));
    await room.write(room.paid(shop, 'poison'));
    for (let hour = 0; hour < 30; hour += 1) {
      await room.run();
      room.clock.advance({ hours: 1 });
    }
    await room.write(room.paid(shop, 'A-1'));
    await room.run();
    expect(poIds(room.receiver)).toEqual(['A-1']);
  });

  test('that an operator paused is sent nothing, gives nothing up, and resumes at his word', async () => {
    const shop = await room.createShop();
    await pauseEndpoint(room, shop);
    await room.write(room.paid(shop, 'A-1'));
    for (let day = 0; day < 10; day += 1) {
      room.clock.advance({ days: 1 });
      await room.run();
    }
    expect(await room.states(shop)).toEqual(['waiting']);
    expect(room.receiver.received).toHaveLength(0);
    expect(await resumeEndpoint(room, shop)).toBe(true);
    await room.run();
    expect(await room.states(shop)).toEqual(['delivered']);
    expect(await resumeEndpoint(room, shop)).toBe(false);
  });
});
