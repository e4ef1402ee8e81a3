import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { statement } from '../../kit/db.ts';
import { setOnOff, setSigning } from '../../merchants/change-merchant.ts';
import { merchantCommands } from '../../merchants/index.ts';
import { signatureHeaders } from '../../requests/index.ts';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import * as fc from '../../testing/fast-check.ts';
import { orderCalls, type OrderAnswer, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
});
afterAll(() => service.close());
beforeEach(async () => {
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
});

async function guard(isOn = true): Promise<void> {
  await setOnOff.guardsReplays(service, merchant.merchantId, isOn);
  await eventually(SOON_MS, async () => expect((await merchant.read()).guardsReplays).toBe(isOn));
}
/** What an answer shows of the order. */
const shown = ({ code, etag, data }: OrderAnswer) => ({ code, etag, amount: data['Monto'] });
const run = (...words: string[]) => printed.by(() => runCommand(service, merchantCommands, 'merchants', ...words));
const REFUSED = { status: 200, code: '0911', data: {} };

test('by default an earlier update sent again is carried out: the contract allows it', async () => {
  const order = await shop.newOrder({ amount: '100' });
  await shop.update({ order, amount: '200' });
  expect(await shop.update({ order, amount: '100', reference: '4711' })).toMatchObject({ code: '0000', data: { Monto: '100.0' } });
});

describe('with the replay guard', () => {
  beforeEach(() => guard());

  test('values that the order had before are refused, however the amount is written', async () => {
    const order = await shop.newOrder({ amount: '100' });
    await shop.update({ order, amount: '200' });
    await shop.update({ order, amount: '300', email: 'eva@example.com' });
    for (const amount of ['100', '100.0', '0100', '200.00']) expect(await shop.update({ order, amount })).toMatchObject(REFUSED);
    expect(await shop.update({ order, amount: '300' })).toMatchObject({ code: '0000', etag: '"4"' });
  });

  test('other values that no checksum covers are refused under a checksum of before', async () => {
    const order = await shop.newOrder({ amount: '100' });
    for (const change of [
      { reference: '4712' },
      { description: 'x' },
      { recurrent: true },
      { expiration: '21/11/2026' },
      { user_name: 'Eva' },
    ]) {
      expect(await shop.update({ order, amount: '100', ...change })).toMatchObject({ ...REFUSED, etag: '"1"' });
    }
    expect(await shop.update({ order, amount: '200', description: 'x' })).toMatchObject({ code: '0000', etag: '"2"' });
  });

  test('the same request again changes nothing and is success', async () => {
    const order = await shop.newOrder({ amount: '100' });
    const first = await shop.update({ order, amount: '200', description: 'x' });
    expect(shown(await shop.update({ order, amount: '200', description: 'x' }))).toEqual(shown(first));
  });

  test('If-Match with the version lets an order go back; an older version, `*` and a list of guesses do not', async () => {
    const order = await shop.newOrder({ amount: '100' });
    await shop.update({ order, amount: '200' });
    expect(await shop.update({ order, amount: '100' }, { 'if-match': '*' })).toMatchObject(REFUSED);
    expect(await shop.update({ order, amount: '100' }, { 'if-match': '"1", "2", "3"' })).toMatchObject(REFUSED);
    expect(await shop.update({ order, amount: '100' }, { 'if-match': '"1"' })).toMatchObject({ status: 412, code: '0910' });
    expect(await shop.update({ order, amount: '100' }, { 'if-match': '"2"' })).toMatchObject({ code: '0000', etag: '"3"' });
    expect(await shop.update({ order, amount: '200' })).toMatchObject(REFUSED);
    expect(await shop.update({ order, amount: '200' }, { 'if-match': '"3"' })).toMatchObject({ code: '0000', etag: '"4"' });
  });

  test('a signed request is no old one', async () => {
    const { signingSecret } = (await setSigning(service, merchant.merchantId, 'accept')) as { signingSecret: string };
    await eventually(SOON_MS, async () => expect((await merchant.read()).signing).toBe('accept'));
    const order = await shop.newOrder({ amount: '100' });
    await shop.update({ order, amount: '200' });
    const url = '/api/v3/porders';
    const body = JSON.stringify(shop.signed({ order, amount: '100' }));
    const headers = signatureHeaders(signingSecret, { method: 'PATCH', url, body: Buffer.from(body) }, service.clock.now());
    expect(await shop.send('PATCH', body)).toMatchObject(REFUSED);
    expect(await shop.send('PATCH', body, headers as Record<string, string>)).toMatchObject({ code: '0000', etag: '"3"' });
  });

  test('what an order has when the guard is turned on counts', async () => {
    await guard(false);
    const order = await shop.newOrder({ amount: '100' });
    await shop.update({ order, amount: '200' });
    await guard();
    expect(await shop.update({ order, amount: '200', reference: '4713' })).toMatchObject(REFUSED);
    await shop.update({ order, amount: '300' });
    expect(await shop.update({ order, amount: '200' })).toMatchObject(REFUSED);
  });

  test('no captured update changes an order a second time, whatever came between', async () => {
    const amounts = fc.array(fc.tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('ana@example.com', 'eva@example.com')), {
      minLength: 2,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(amounts, fc.infiniteStream(fc.nat()), async (steps, draws) => {
        const order = await shop.newOrder({ amount: '9' });
        const captured: Record<string, unknown>[] = [{ order, amount: '9' }];
        let version = 1;
        for (const [amount, email] of steps) {
          const fields = { order, amount, email };
          const { etag } = await shop.update(fields, { 'if-match': `"${version}"` });
          captured.push(fields);
          version = Number(etag?.replaceAll('"', ''));
          const [draw = 0] = draws.next().value === undefined ? [] : [draws.next().value as number];
          const replayed = captured[draw % captured.length] ?? {};
          expect(await shop.update({ ...replayed, description: 'captured' })).toMatchObject({ code: '0911', etag });
          expect([etag, undefined]).toContain((await shop.update(replayed)).etag);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('of updates at once on two servers, those that go back are refused', async () => {
    const other = await service.openAnother();
    try {
      const there = orderCalls({ ...service, app: other.app }, merchant);
      const order = await shop.newOrder({ amount: '100' });
      const calls = Array.from({ length: 32 }, (_, index) => (index % 2 === 0 ? shop : there));
      await Promise.all(calls.map((calls, index) => calls.update({ order, amount: String(200 + (index % 4)) })));
      const { HISTORY } = (await shop.history(order)).data as unknown as { HISTORY: { CHANGES: { amount?: { to: string } } }[] };
      const amounts = HISTORY.map(({ CHANGES }) => CHANGES.amount?.to);
      expect(new Set(amounts).size).toBe(amounts.length);
    } finally {
      await other.close();
    }
  });

  test('what ended orders had before is forgotten', async () => {
    const count = statement('test.former_terms', 'select order_id from former_terms where merchant_id = $1 order by 1');
    const [open, ended] = [await shop.newOrder(), await shop.newOrder()];
    for (const order of [open, ended]) await shop.update({ order, amount: '1' });
    await service.runJobs();
    expect(await service.db.query(count, [merchant.merchantId])).toHaveLength(2);
    await shop.cancel(ended);
    service.clock.advance({ hours: 1 });
    await service.runJobs();
    expect(await service.db.query(count, [merchant.merchantId])).toEqual([{ order_id: open }]);
  });
});

test('a command turns it on and off, and the merchant is shown with it', async () => {
  const { merchantId } = merchant;
  expect(await run('replay-guard', merchantId, 'on')).toContain(`Replay guard of ${merchantId}: on.`);
  expect(await run('list')).toMatch(new RegExp(`${merchantId} .* off +on +off +default +enabled\n`));
  expect(await run('show', merchantId)).toMatch(/replay guard +on\n/);
  expect(JSON.parse(await run('replay-guard', merchantId, 'off', '--json'))).toEqual({ merchant: merchantId, guardsReplays: false });
  expect(await run('show', merchantId)).toMatch(/replay guard +off\n/);
  expect(await run('create', '--id', 'new', '--country', '343')).toContain('./caudal merchants replay-guard new on');
  await expect(run('replay-guard', 'nobody', 'on')).rejects.toThrow('There is no merchant nobody.');
});
