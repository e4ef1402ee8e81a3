import { Webhook } from 'standardwebhooks';
import { Check } from 'typebox/schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { answering, startNoticeReceiver, type NoticeReceiver, type ReceivedNotice } from '../testing/notice-receiver.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let caudal: TestCaudal;
let receiver: NoticeReceiver;
let shop: TestMerchant;
let webhooks: Readonly<Record<'orderNotice' | 'cashoutNotice', { readonly post: Documented }>>;

beforeAll(async () => {
  [caudal, receiver] = await Promise.all([startTestCaudal(), startNoticeReceiver()]);
  shop = await caudal.merchant({ noticeUrl: receiver.url });
  ({ webhooks } = (await caudal.app.inject('/openapi.json')).json<{ webhooks: typeof webhooks }>());
});
afterAll(async () => {
  vi.useRealTimers();
  await caudal.close();
  await receiver.close();
});

type Documented = {
  readonly parameters: readonly { readonly name: string; readonly schema: object }[];
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: { readonly properties: object } } } };
};

/** Compares a notice that arrived with its description in the OpenAPI document. */
function expectAsDocumented({ body, headers }: ReceivedNotice): void {
  const notice = JSON.parse(body) as object;
  const { parameters, requestBody } = webhooks['po_id' in notice ? 'orderNotice' : 'cashoutNotice'].post;
  const { schema } = requestBody.content['application/json'];
  expect(Object.keys(notice), 'the members, in order').toEqual(Object.keys(schema.properties));
  expect(Check(schema, notice), body).toBe(true);
  expect(parameters.map(({ name }) => name)).toEqual(Object.keys(headers).filter((name) => name.startsWith('webhook-')));
  for (const { name, schema: rule } of parameters) expect(Check(rule, headers[name]), `${name}: ${String(headers[name])}`).toBe(true);
}

/** What arrived since it was last asked, each proved by its signature as a receiver does. */
function takeNotices(): Record<string, unknown>[] {
  vi.useFakeTimers({ toFake: ['Date'], now: caudal.clock.now().epochMilliseconds });
  const webhook = new Webhook(`whsec_${Buffer.from(shop.noticeHash).toString('base64')}`);
  const taken = receiver.taken.slice(seen).map((notice) => {
    expectAsDocumented(notice);
    return webhook.verify(notice.body, notice.headers as Record<string, string>);
  });
  seen += taken.length;
  vi.useRealTimers();
  return taken as Record<string, unknown>[];
}
let seen = 0;

test('a merchant hears that an order was paid, and its answer is shown with the order', async () => {
  const orders = orderCalls(caudal, shop);
  await orders.create({ order: 'A-1', reference: '7001' });
  await orders.create({ order: 'A-2' });
  await caudal.runJobs();
  expect(takeNotices()).toEqual([]);
  receiver.answer(answering(200, 'noted'));
  const paid = await caudal.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: '7001' }) });
  expect(paid.statusCode).toBe(200);
  await caudal.runJobs();
  expect(takeNotices()).toMatchObject([{ po_id: 'A-1', status: 'approved', amount: '45000.0', iso_currency: 'COP' }]);
  expect((await orders.query('A-1')).data).toMatchObject({ NOTIFICATION_RESPONSE: 'noted' });
});

test('a merchant hears that an order and a cashout ran out of time, and not that it cancelled one itself', async () => {
  const orders = orderCalls(caudal, shop);
  const cashouts = cashoutCalls(caudal, shop);
  await orders.create({ order: 'A-3' });
  await orders.cancel('A-3');
  await cashouts.register(cashouts.registration({ operation: 'W-1' }));
  caudal.clock.advance({ days: 32 });
  await caudal.runJobs();
  const notices = takeNotices();
  expect(notices).toHaveLength(2);
  expect(notices).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ po_id: 'A-2', status: 'cancelled' }),
      expect.objectContaining({ operation: 'W-1', status: 'VENCIDA' }),
    ]),
  );
});
