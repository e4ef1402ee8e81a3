import { beforeEach, describe, expect, test } from 'vitest';
import { openNoticeRoom, poIds, type NoticeRoom } from '../testing/notice-room.ts';
import { answering } from '../testing/notice-receiver.ts';
import { claimNotices } from './delivery/claim-notices.ts';
import { pauseEndpoint } from './endpoints.ts';
import { listNotices } from './notice-rows.ts';
import { sendNoticeNow } from './redeliver-notices.ts';
import { writeTestNotice } from './write-notices.ts';

let room: NoticeRoom;
beforeEach(async () => {
  room = await openNoticeRoom();
  return () => room.close();
});

const idsOf = async (shop: string): Promise<readonly bigint[]> =>
  (await listNotices(room.db, { merchantId: shop, limit: 100 })).map(({ notice }) => notice.noticeId).toReversed();

/** Its receiver fails for hours, so that the next attempts are due in an hour. Then it is repaired. */
async function failForHours(shop: string): Promise<void> {
  room.receiver.answer(answering(500));
  for (let hour = 0; hour < 12; hour++) {
    await room.run();
    room.clock.advance({ hours: 1 });
  }
  await room.run();
  room.receiver.answer(answering(200));
  await room.run();
  expect(new Set(await room.states(shop))).toEqual(new Set(['waiting']));
}

describe('a notice that waits is sent now', () => {
  test('once somebody has repaired its receiver, and no other one of the merchant goes before it', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A'), room.paid(shop, 'B'), room.paid(shop, 'C'));
    await failForHours(shop);
    const [, , last] = await idsOf(shop);
    const before = room.receiver.taken.length;
    expect(await sendNoticeNow(room, last as bigint)).toEqual({ earlier: 0 });
    await room.run();
    expect(poIds(room.receiver).slice(before, before + 1)).toEqual(['C']);
    expect((await room.states(shop))[2]).toBe('delivered');
  });

  test('as the probe of an endpoint that the service has paused: one success sends all that waits', async () => {
    const shop = await room.createShop();
    await room.write(...['A', 'B', 'C', 'D', 'E', 'F'].map((order) => room.paid(shop, order)));
    await failForHours(shop);
    expect(await room.endpointOf(shop)).toMatchObject([{ pausedBy: 'service' }]);
    const ids = await idsOf(shop);
    expect(await sendNoticeNow(room, ids[4] as bigint)).toEqual({ earlier: 0 });
    await room.run();
    expect(poIds(room.receiver)[0]).toBe('E');
    expect(poIds(room.receiver).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(await room.endpointOf(shop)).toEqual([]);
  });

  test('a probe that fails again leaves the endpoint paused, and what waits waits on', async () => {
    const shop = await room.createShop();
    await room.write(...['A', 'B', 'C', 'D', 'E'].map((order) => room.paid(shop, order)));
    await failForHours(shop);
    room.receiver.answer(answering(500));
    const tried = room.receiver.received.length;
    await sendNoticeNow(room, (await idsOf(shop))[2] as bigint);
    await room.run();
    expect(room.receiver.received).toHaveLength(tried + 1);
    expect(await room.endpointOf(shop)).toMatchObject([{ pausedBy: 'service' }]);
    expect(new Set(await room.states(shop))).toEqual(new Set(['waiting']));
  });

  test('after the earlier ones of its order, which are sent too', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A', 'A_1'), room.paid(shop, 'A', 'A_2'), room.paid(shop, 'B'), room.paid(shop, 'A', 'A_3'));
    await failForHours(shop);
    const ids = await idsOf(shop);
    expect(await sendNoticeNow(room, ids[1] as bigint)).toEqual({ earlier: 1 });
    await room.run();
    expect(poIds(room.receiver).slice(0, 2)).toEqual(['A_1', 'A_2']);
    expect(await room.overtaken()).toBe(0);
  });

  test('and no second time while a server sends it', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A'));
    const now = room.clock.now();
    const claimed = await claimNotices(room.db, { now, after: '', most: 9, mostPerEndpoint: 9, inFlight: new Map() });
    const [{ notice }] = claimed as [(typeof claimed)[number]];
    expect(await sendNoticeNow(room, notice.noticeId)).toEqual({ refusal: 'notice_under_way' });
    await room.run();
    expect(room.receiver.received).toEqual([]);
    room.clock.advance({ seconds: 61 });
    expect(await sendNoticeNow(room, notice.noticeId)).toEqual({ earlier: 0 });
    await room.run();
    expect(poIds(room.receiver)).toEqual(['A']);
  });

  test('and is tried for seven days again; a test keeps its minute', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A'));
    await failForHours(shop);
    await sendNoticeNow(room, (await idsOf(shop))[0] as bigint);
    const inSevenDays = room.clock.now().add({ hours: 7 * 24 });
    expect((await room.first(shop)).delivery.giveUpAt).toEqual(inSevenDays);
    await room.run();
    room.receiver.answer(answering(500));
    await writeTestNotice(room, { merchant: shop, noticeUrl: room.receiver.url, currencies: ['COP'] });
    const tested = (await idsOf(shop)).at(-1) as bigint;
    await sendNoticeNow(room, tested);
    const [listed] = await listNotices(room.db, { merchantId: shop, limit: 1 });
    expect(listed?.delivery.giveUpAt).toEqual(room.clock.now().add({ minutes: 1 }));
  });
});

test('what cannot be sent now is refused: it ended, has no address, is paused by an operator, or is unknown', async () => {
  const shop = await room.createShop();
  await room.write(room.paid(shop, 'A'));
  await room.run();
  const [delivered] = await idsOf(shop);
  expect(await sendNoticeNow(room, delivered as bigint)).toEqual({ refusal: 'notice_ended' });
  await room.write(room.paid(shop, 'B'));
  const waiting = (await idsOf(shop))[1] as bigint;
  await pauseEndpoint(room, shop);
  expect(await sendNoticeNow(room, waiting)).toEqual({ refusal: 'endpoint_paused' });
  const homeless = await room.createShop(null);
  await room.write(room.paid(homeless, 'C'));
  expect(await sendNoticeNow(room, (await idsOf(homeless))[0] as bigint)).toEqual({ refusal: 'notice_url_missing' });
  expect(await sendNoticeNow(room, 10n ** 15n)).toEqual({ refusal: 'notice_unknown' });
});
