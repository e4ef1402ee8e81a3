import type { Command } from 'commander';
import { Webhook } from 'standardwebhooks';
import { Check } from 'typebox/schema';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Connect } from '../../kit/command-line.ts';
import { statement } from '../../kit/db.ts';
import { openPersonalData } from '../../main/connect.ts';
import { setOnOff } from '../../merchants/change-merchant.ts';
import { merchantCommands } from '../../merchants/index.ts';
import { noticeCommands } from '../../notices/index.ts';
import { peopleCommands } from '../../people/index.ts';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { answering, startNoticeReceiver, type NoticeReceiver } from '../../testing/notice-receiver.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startCaudalForTest, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let receiver: NoticeReceiver;
let merchant: TestMerchant;
let shop: OrderCalls;
const printed = capturePrinted();

beforeEach(async () => {
  service = await startCaudalForTest();
  receiver = await startNoticeReceiver();
  onTestFinished(() => receiver.close());
  merchant = await service.merchant({ noticeUrl: receiver.url });
  shop = orderCalls(service, merchant);
});
afterEach(() => void vi.useRealTimers());

async function tell(isOn = true): Promise<void> {
  await setOnOff.reportsUpdates(service, merchant.merchantId, isOn);
  await eventually(SOON_MS, async () => expect((await merchant.read()).reportsUpdates).toBe(isOn));
}
type Reported = Record<string, unknown> & { readonly changes: Record<string, { from: string | null; to: string | null }> };
/** What the receiver took, each notice proved as a receiver does. */
async function reported(): Promise<Reported[]> {
  await service.runJobs();
  vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now().epochMilliseconds });
  const webhook = new Webhook(`whsec_${Buffer.from(merchant.noticeHash).toString('base64')}`);
  const taken = receiver.taken.map(({ body, headers }) => webhook.verify(body, headers as Record<string, string>) as Reported);
  vi.useRealTimers();
  return taken;
}
const run = (...words: string[]) => printed.by(() => runCommand(service, merchantCommands, 'merchants', ...words));
const erase = (email: string) =>
  printed.by(() =>
    runCommand(service, (program, connect) => peopleCommands(program, connect, openPersonalData), 'people', 'erase', '--email', email),
  );
const registerNotices = (program: Command, connect: Connect): void => noticeCommands(program, connect);
const COUNT = statement('test.count_notices', 'select count(*)::integer as notices from notices');

test('by default an update sends no notice and writes none', async () => {
  const order = await shop.newOrder({ amount: '100' });
  await shop.update({ order, amount: '200' });
  expect(await reported()).toEqual([]);
  expect(await service.db.query(COUNT, [])).toEqual([{ notices: 0 }]);
});

describe('with update notices', () => {
  beforeEach(() => tell());

  test('an update of two fields sends one notice with both, old and new, as the OpenAPI document describes it', async () => {
    const order = await shop.newOrder({ amount: '100', description: 'One seat' });
    await shop.update({ order, amount: '250.5', description: 'Two seats' }, { 'x-request-id': 'r-7' });
    const [notice, ...others] = await reported();
    expect(others).toEqual([]);
    expect(notice).toEqual({
      sv_po_id: expect.any(Number) as number,
      po_id: order,
      status: 'updated',
      sv_checksum: checksumOf([order, 'updated'], merchant.noticeHash, 'sha256'),
      amount: '250.5',
      iso_currency: 'COP',
      sv_payment: '',
      type: 'order.updated',
      version: 2,
      updated_at: service.clock.now().toString(),
      request_id: 'r-7',
      changes: { amount: { from: '100.0', to: '250.5' }, description: { from: 'One seat', to: 'Two seats' } },
    });
    const { webhooks } = (await service.app.inject('/openapi.json')).json<{ webhooks: Record<string, never> }>();
    const { post } = webhooks['orderUpdatedNotice'] as unknown as {
      post: { requestBody: { content: { 'application/json': { schema: { properties: object } } } } };
    };
    const { schema } = post.requestBody.content['application/json'];
    expect(Object.keys(notice as object)).toEqual(Object.keys(schema.properties));
    expect(Check(schema, notice)).toBe(true);
  });

  test('the merchant sees a captured update that somebody sends again, with the values that no checksum covers', async () => {
    const order = await shop.newOrder({ amount: '100' });
    const captured = shop.signed({ order, amount: '100' });
    await shop.update({ order, amount: '200' });
    await shop.send('PATCH', JSON.stringify({ ...captured, reference: '4711', user_name: 'Eva' }));
    const [, replayed] = await reported();
    expect(replayed).toMatchObject({ po_id: order, version: 3 });
    expect(replayed?.changes).toMatchObject({
      amount: { from: '200.0', to: '100.0' },
      reference: { to: '4711' },
      user_name: { from: null, to: 'Eva' },
    });
  });

  test('an update that changes nothing, or is refused, sends none; neither do creation and cancellation', async () => {
    const order = await shop.newOrder({ amount: '100' });
    expect((await shop.update({ order, amount: '100.0' })).code).toBe('0000');
    expect((await shop.update({ order, amount: '300' }, { 'if-match': '"9"' })).code).toBe('0910');
    await shop.cancel(order);
    expect(await reported()).toEqual([]);
  });

  test('updates that come together send one notice each, in the order of their versions', async () => {
    const order = await shop.newOrder({ amount: '100' });
    await Promise.all(['200', '300', '400', '500'].map((amount) => shop.update({ order, amount })));
    const notices = await reported();
    expect(notices.map(({ version }) => version)).toEqual([2, 3, 4, 5]);
    const steps = notices.map(({ changes }) => changes['amount']);
    expect(steps[0]?.from).toBe('100.0');
    expect(steps.slice(1).map((step) => step?.from)).toEqual(steps.slice(0, -1).map((step) => step?.to));
    expect(notices.map(({ amount }) => amount)).toEqual(steps.map((step) => step?.to));
  });

  test('one that fails is sent again with the same body, before the notice of the payment', async () => {
    const order = await shop.newOrder({ amount: '100', reference: '4712' });
    await shop.update({ order, amount: '200' });
    await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: '4712' }) });
    receiver.answer(answering(500));
    await service.runJobs();
    receiver.answer(answering(200));
    service.clock.advance({ minutes: 1 });
    expect((await reported()).map(({ status }) => status)).toEqual(['updated', 'approved']);
    const [first, second] = receiver.received;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
  });

  test('an answer of the receiver that repeats the payer is not kept, nor shown with the order', async () => {
    const order = await shop.newOrder({ amount: '100', reference: '4713' });
    receiver.answer(answering(200, 'noted'));
    await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: '4713' }) });
    const other = await shop.newOrder();
    receiver.answer(({ body }, response) => void response.end(body));
    await shop.update({ order: other, user_name: 'Ana Rojas' });
    expect(await reported()).toHaveLength(2);
    const answers = statement('test.notice_answers', 'select status, answer_status, answer from notices order by notice_id');
    expect(await service.db.query(answers, [])).toMatchObject([
      { status: 'approved', answer_status: 200 },
      { status: 'updated', answer_status: 200, answer: null },
    ]);
    expect((await shop.query(other)).data).toMatchObject({ NOTIFICATION_RESPONSE: '' });
    expect((await shop.query(order)).data['NOTIFICATION_RESPONSE']).not.toBe('');
  });

  test('who was erased is in no later delivery, and in no row of a notice', async () => {
    const order = await shop.newOrder();
    await shop.update({ order, email: 'ana.rojas@example.com', user_name: 'Ana Rojas' });
    await shop.cancel(order);
    receiver.answer(answering(500));
    await service.runJobs();
    expect(receiver.received.at(-1)?.body).toContain('Ana Rojas');
    const rows = statement('test.notice_rows', "select 1 from notices n where n::text ilike '%ana%'");
    expect(await service.db.query(rows, [])).toEqual([]);
    expect(await erase('ana.rojas@example.com')).toContain('Erased: orders 1.');
    receiver.answer(answering(200));
    service.clock.advance({ minutes: 1 });
    const [late] = await reported();
    expect(late).toMatchObject({ po_id: order, version: 2 });
    expect(JSON.stringify(late)).not.toMatch(/ana/i);
    expect(late?.changes).toMatchObject({ user_name: { from: null, to: expect.stringMatching(/^erased-/) as string } });
    await printed.by(() => runCommand(service, registerNotices, 'notices', 'redeliver', '--since', '2026-11-21T00:00:00Z'));
    expect(JSON.stringify((await reported()).at(-1))).not.toMatch(/ana/i);
  });

  test('turned off, the next update sends none', async () => {
    const order = await shop.newOrder({ amount: '100' });
    await tell(false);
    await shop.update({ order, amount: '200' });
    expect(await reported()).toEqual([]);
  });

  test('the inbox of a sandbox shows the very body', async () => {
    const order = await shop.newOrder({ amount: '100' });
    await shop.update({ order, amount: '200' });
    await reported();
    const inbox = await service.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}`);
    const { data } = inbox.json<{ data: { messages: { kind: string; text: string }[] } }>();
    expect(data.messages.find(({ kind }) => kind === 'order_updated')?.text).toBe(receiver.taken[0]?.body);
  });
});

test('a command turns them on and off, and the merchant is shown with them', async () => {
  const { merchantId } = merchant;
  expect(await run('update-notices', merchantId, 'on')).toContain(`Notices of updates of ${merchantId}: on.`);
  expect(await run('list')).toMatch(/ off +off +on +\S.*enabled\n/);
  expect(await run('show', merchantId)).toMatch(/notices of updates +on\n/);
  expect(JSON.parse(await run('update-notices', merchantId, 'off', '--json'))).toEqual({ merchant: merchantId, reportsUpdates: false });
  expect(await run('show', merchantId)).toMatch(/notices of updates +off\n/);
  expect(await run('create', '--id', 'new', '--country', '343')).toContain('./caudal merchants update-notices new on');
  await expect(run('update-notices', 'nobody', 'on')).rejects.toThrow('There is no merchant nobody.');
});
