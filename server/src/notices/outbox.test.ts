import { beforeEach, describe, expect, test } from 'vitest';
import { withSnapshot } from '../kit/snapshot.ts';
import { openNoticeRoom, poIds, type NoticeRoom } from '../testing/notice-room.ts';
import { pauseEndpoint, resumeEndpoint } from './endpoints.ts';
import { noticeChecks } from './index.ts';
import { answering } from '../testing/notice-receiver.ts';
import { parseNoticeId } from './notice-id.wire.ts';
import { listNotices, showNotice } from './notice-rows.ts';
import type { Notice } from './notice.ts';
import { writeTestNotice } from './write-notices.ts';
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
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: true })).toMatchObject({ notices: 3n, next: null });
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
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: true })).toMatchObject({ notices: 0n });
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: false })).toMatchObject({ notices: 1n });
    expect(await redeliverSince(room, { since, merchantId: shop, onlyFailed: false })).toMatchObject({ notices: 0n });
    const { noticeId } = (await room.first(shop)).notice;
    expect(await redeliverNotice(room, noticeId)).toBeUndefined();
    expect(await redeliverNotice(room, noticeId)).toEqual({ refusal: 'notice_waiting' });
    expect(await redeliverNotice(room, 10n ** 15n)).toEqual({ refusal: 'notice_unknown' });
    await room.run();
    expect(poIds(room.receiver)).toEqual(['A_1', 'A_2', 'A_1', 'A_2']);
    expect(new Set(room.receiver.received.map(({ id }) => id)).size).toBe(2);
  });

  test('sends a test notice first, also to an endpoint that it has paused, for one minute', async () => {
    const shop = await room.createShop();
    const asked = () => writeTestNotice(room, { merchant: shop, noticeUrl: room.receiver.url, currencies: ['PEN', 'USD'] });
    room.receiver.answer(answering(500, 'no'));
    for (const order of ['A', 'B', 'C', 'D', 'E']) await room.write(room.paid(shop, order));
    await room.run();
    expect(await room.endpointOf(shop)).toMatchObject([{ pausedBy: 'service' }]);
    expect(await asked()).toMatch(/^msg_6_/);
    expect(await asked()).toEqual({ refusal: 'test_waiting' });
    room.receiver.answer(answering(200, 'seen'));
    await room.run();
    expect(poIds(room.receiver)).toEqual(['~test', 'A', 'B', 'C', 'D', 'E']);
    const { id, body } = room.receiver.taken[0]!;
    expect(JSON.parse(body)).toMatchObject({ type: 'notice.test', status: 'test', amount: '0.0', iso_currency: 'PEN', sv_po_id: 0 });
    expect(await showNotice(room.db, parseNoticeId(id)!)).toMatchObject({
      notice: { kind: 'test' },
      delivery: { state: 'delivered', answerStatus: 200, answer: 'seen', attempts: 1 },
    });

    room.receiver.answer(answering(500));
    await asked();
    for (let second = 0; second < 60; second += 5) {
      await room.run();
      room.clock.advance({ seconds: 5 });
    }
    await room.run();
    expect((await room.states(shop)).at(-1)).toBe('given_up');
    const givenUp = async (...kinds: Notice['kind'][]) =>
      (await listNotices(room.db, { merchantId: shop, state: 'given_up', kinds, limit: 9 })).map(({ notice }) => notice.kind);
    expect([await givenUp('test'), await givenUp('order', 'cashout')]).toEqual([['test'], []]);
    await pauseEndpoint(room, shop);
    expect(await asked()).toEqual({ refusal: 'endpoint_paused' });
    expect(await writeTestNotice(room, { merchant: shop, noticeUrl: null, currencies: ['PEN'] })).toEqual({
      refusal: 'notice_url_missing',
    });
  });

  test('redelivers a long span in portions, each notice once, and goes on where the call before ended', async () => {
    const [shop, other] = [await room.createShop(), await room.createShop()];
    await room.write(...['1', '2', '3'].map((number) => room.paid(shop, 'A', `old_${number}`)));
    room.clock.advance({ minutes: 2 });
    const since = room.clock.now();
    for (let number = 1; number <= 5; number++)
      await room.write(room.paid(shop, 'B', `new_${number}`), room.paid(other, 'C', `C_${number}`));
    await room.run();
    for (const [merchantId, most, expected] of [
      [shop, 2n, 5n],
      [undefined, 3n, 5n],
    ] as const) {
      let sum = 0n;
      let after: bigint | undefined;
      do {
        const filter = { since, merchantId, onlyFailed: false, after };
        const { notices, next } = await redeliverSince(room, filter, { portion: Number(most), budgetMs: 0 });
        expect(notices).toBeLessThanOrEqual(most);
        sum += notices;
        after = next ?? undefined;
      } while (after !== undefined);
      expect([merchantId, sum]).toEqual([merchantId, expected]);
    }
    await room.run();
    const sent = poIds(room.receiver).slice(13);
    expect(sent.filter((poId) => poId.startsWith('new'))).toEqual(['new_1', 'new_2', 'new_3', 'new_4', 'new_5']);
    expect(sent.length).toBe(10);
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
