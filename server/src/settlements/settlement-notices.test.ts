import { Check } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../../sdk/src/webhooks.ts';
import { setOnOff } from '../merchants/change-merchant.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { answering, startNoticeReceiver, type NoticeReceiver } from '../testing/notice-receiver.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// What merchants are told of their settlements: contract §3.6.

let service: TestCaudal;
let receiver: NoticeReceiver;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startTestCaudal({ cells: 1 }), startNoticeReceiver()]);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

type Shop = Awaited<ReturnType<typeof openSettledShop>>;

/** A shop with update notices, as a rule, that the bank is to pay. Shape: → the shop, and its settlement's number. */
async function openSent({ cell = 0, hasNotices = true } = {}): Promise<{ readonly shop: Shop; readonly settlement: string }> {
  const shop = await openSettledShop(service, { cell, noticeUrl: receiver.url });
  if (hasNotices) await setOnOff.reportsUpdates(shop.deps, shop.merchantId, true);
  await shop.pay();
  const { settlementId } = await shop.run();
  const settlement = String(settlementId);
  await shop.owner.send('POST', '/settlements/approve', { settlements: [settlement] });
  await step({ shop, settlement }, 'sent');
  return { shop, settlement };
}

const step = async ({ shop, settlement }: { readonly shop: Shop; readonly settlement: string }, name: string, body?: object) => {
  expect(await shop.owner.send('POST', `/settlements/${shop.merchantId}/${settlement}/${name}`, body)).toMatchObject({ status: 200 });
};

type Body = Readonly<Record<string, unknown>>;
/** The notices of settlements that receivers took of a merchant, as the requests that came. */
async function told({ merchantId, owner }: Shop): Promise<readonly { readonly id: string; readonly body: Body; readonly state: string }[]> {
  await service.runJobs();
  const { items } = (await owner.get(`/notices?merchant=${merchantId}&kind=settlement`)).body as unknown as {
    items: { id: string; state: string }[];
  };
  const whole = items.map(async ({ id, state }) => {
    const { body } = (await owner.get(`/notices/${id}`)).body as unknown as { readonly body: string };
    return { id, state, body: JSON.parse(body) as Body };
  });
  return (await Promise.all(whole)).toReversed();
}

test('a merchant with update notices is told once that the bank has paid a settlement, and that it came back, as the document describes it', async () => {
  for (const cell of [0, 1]) {
    const sent = await openSent({ cell });
    const { shop, settlement } = sent;
    expect(await told(shop)).toEqual([]);
    for (let again = 0; again < 2; again++) await step(sent, 'paid', { bankReference: 'TRX-1' });
    for (let again = 0; again < 2; again++) await step(sent, 'returned', { reason: 'the account is closed' });
    const notices = await told(shop);
    const noticeHash = shop.noticeHash;
    const shared = { settlement, amount: '97025.0', iso_currency: 'COP', updated_at: service.clock.now().toString() };
    expect(notices.map(({ body }) => body)).toEqual([
      {
        ...shared,
        status: 'paid',
        type: 'settlement.paid',
        bank_reference: 'TRX-1',
        sv_checksum: checksumOf([settlement, 'paid'], noticeHash, 'sha256'),
      },
      {
        ...shared,
        status: 'returned',
        type: 'settlement.returned',
        reason: 'the account is closed',
        sv_checksum: checksumOf([settlement, 'returned'], noticeHash, 'sha256'),
      },
    ]);
    const { webhooks } = (await service.app.inject('/openapi.json')).json<{ webhooks: Record<string, never> }>();
    type Webhook = { post: { requestBody: { content: { 'application/json': { schema: { properties: object } } } } } };
    const { schema } = (webhooks['settlementNotice'] as unknown as Webhook).post.requestBody.content['application/json'];
    for (const { body } of notices) {
      expect(Check(schema, body)).toBe(true);
      expect(Object.keys(body).filter((name) => !(name in schema.properties))).toEqual([]);
    }
    const taken = receiver.taken.map(({ headers, body }) =>
      verify(body, headers, noticeHash, { toleranceSeconds: 10 ** 9 }).catch(() => undefined),
    );
    const own = (await Promise.all(taken)).filter((one) => one !== undefined && 'settlement' in one.notice);
    expect(own.map((one) => one?.notice)).toMatchObject([
      { type: 'settlement.paid', settlement, money: 'COP', amount: '97025.0', bankReference: 'TRX-1' },
      { type: 'settlement.returned', settlement, reason: 'the account is closed' },
    ]);
  }
});

test('the bank’s results tell it too; the second notice of a settlement waits for the first, and other settlements do not wait', async () => {
  const [sent, other] = [await openSent(), await openSent()];
  receiver.answer(answering(500, 'down'));
  const csv = `settlement,result,reference,reason\n${sent.settlement},paid,TRX-2,\n`;
  expect(await sent.shop.owner.send('POST', '/settlement-results', { csv })).toMatchObject({ status: 200 });
  expect((await told(sent.shop)).map(({ state }) => state)).toEqual(['waiting']);
  await step(sent, 'returned', { reason: 'closed' });
  await step(other, 'paid', { bankReference: 'TRX-3' });
  receiver.answer(answering(200, 'ok'));
  expect((await told(other.shop)).map(({ state }) => state)).toEqual(['delivered']);
  expect((await told(sent.shop)).map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  service.clock.advance({ minutes: 5 });
  expect((await told(sent.shop)).map(({ state, body }) => [state, body['status']])).toEqual([
    ['delivered', 'paid'],
    ['delivered', 'returned'],
  ]);
});

test('of a settlement that is taken back before the bank was told, its merchant hears nothing', async () => {
  const shop = await openSettledShop(service, { noticeUrl: receiver.url });
  await setOnOff.reportsUpdates(shop.deps, shop.merchantId, true);
  await shop.pay();
  const settlement = String((await shop.run()).settlementId);
  await shop.owner.send('POST', '/settlements/approve', { settlements: [settlement] });
  await step({ shop, settlement }, 'returned', { reason: 'the wrong account' });
  expect(await told(shop)).toEqual([]);
});

test('nothing is told to a merchant without update notices, nor of a refused step', async () => {
  const quiet = await openSent({ hasNotices: false });
  await step(quiet, 'paid', { bankReference: 'TRX-4' });
  expect(await told(quiet.shop)).toEqual([]);
  const loud = await openSent();
  await step(loud, 'paid', { bankReference: 'TRX-5' });
  await loud.shop.owner.send('POST', `/settlements/${loud.shop.merchantId}/${loud.settlement}/paid`, { bankReference: 'TRX-6' });
  expect((await told(loud.shop)).map(({ body }) => body['bank_reference'])).toEqual(['TRX-5']);
});
