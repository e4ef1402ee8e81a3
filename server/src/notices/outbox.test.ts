import { beforeEach, describe, expect, test } from 'vitest';
import { withSnapshot } from '../kit/snapshot.ts';
import { openNoticeRoom, poIds, type NoticeRoom } from '../testing/notice-room.ts';
import { pauseEndpoint, resumeEndpoint } from './endpoints.ts';
import { noticeChecks } from './index.ts';
import { redeliverNotice, redeliverSince } from './redeliver-notices.ts';

let room: NoticeRoom;
beforeEach(async () => {
  room = await openNoticeRoom();
  return () => room.close();
});

const verify = () => withSnapshot(room.url, (snapshot) => noticeChecks[0]!.run(snapshot, room.clock.now()));

describe('the outbox', () => {
  test('gives up at once what has nowhere to go, and redelivers it once there is a URL', async () => {
    const shop = await room.createShop(null);
    const since = room.clock.now();
    await room.write(room.paid(shop, 'A', 'A_1'), room.paid(shop, 'A', 'A_2'), room.paid(shop, 'B'));
    await room.run();
    expect(await room.states(shop)).toEqual(['given_up', 'given_up', 'given_up']);
    await room.moveShop(shop, room.receiver.url);
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: true })).toBe(3n);
    await room.run();
    expect(poIds(room.receiver).filter((poId) => poId.startsWith('A'))).toEqual(['A_1', 'A_2']);
    expect(await room.states(shop)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('redelivers one, or all since a time, under the ids that they had', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A', 'A_1'));
    room.clock.advance({ seconds: 1 });
    const since = room.clock.now();
    await room.write(room.paid(shop, 'A', 'A_2'));
    await room.run();
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: true })).toBe(0n);
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: false })).toBe(1n);
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: false })).toBe(0n);
    const { noticeId } = (await room.first(shop)).notice;
    expect(await redeliverNotice(room, noticeId)).toBeUndefined();
    expect(await redeliverNotice(room, noticeId)).toEqual({ refusal: 'notice_waiting' });
    expect(await redeliverNotice(room, 10n ** 15n)).toEqual({ refusal: 'notice_unknown' });
    await room.run();
    expect(poIds(room.receiver)).toEqual(['A_1', 'A_2', 'A_1', 'A_2']);
    expect(new Set(room.receiver.received.map(({ id }) => id)).size).toBe(2);
  });

  test('is verified: a notice that was sent before an earlier one of its order is found', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A', 'A_1'), room.paid(shop, 'A', 'A_2'));
    await room.run();
    expect(await verify()).toEqual({});
    const { noticeId } = (await room.first(shop)).notice;
    const meddle = (closedAt: string) =>
      room.db.query({ name: `test.meddle_${closedAt.length}`, text: `update notices set closed_at = ${closedAt} where notice_id = $1` }, [
        noticeId,
      ]);
    await meddle(`closed_at + interval '1 second'`);
    expect(await verify()).toMatchObject({ finding: { merchantId: shop, id: 'A' } });
    await meddle('null');
    expect(await verify()).toMatchObject({ finding: { merchantId: shop, id: 'A' } });
  });

  test('deletes what was delivered or given up 90 days ago, and nothing that waits', async () => {
    const shop = await room.createShop();
    await room.write(room.paid(shop, 'A-1'));
    await room.run();
    room.clock.advance({ days: 89 });
    await pauseEndpoint(room, shop);
    await room.write(room.paid(shop, 'A-2'));
    await room.run();
    expect(await room.states(shop)).toEqual(['delivered', 'waiting']);
    room.clock.advance({ days: 2 });
    await room.run();
    expect(await room.states(shop)).toEqual(['waiting']);
    await resumeEndpoint(room, shop);
    await room.run();
  });
});
