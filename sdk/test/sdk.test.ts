import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { adjust } from '../../server/src/ledger/adjust.ts';
import { isRefusal } from '../../server/src/kit/outcome.ts';
import { setOnOff, setSigning } from '../../server/src/merchants/change-merchant.ts';
import { FAMILY_DIALECT } from '../../server/src/requests/index.ts';
import { bruteForce, cashoutStock, dayIn, type StockedCashout } from '../../server/src/testing/cashout-stock.ts';
import { eventually, SOON_MS } from '../../server/src/testing/deadlines.ts';
import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import * as fc from '../../server/src/testing/fast-check.ts';
import { startNoticeReceiver, type NoticeReceiver } from '../../server/src/testing/notice-receiver.ts';
import { postingDb } from '../../server/src/testing/posting-db.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../server/src/testing/test-caudal.ts';
import { Caudal, CaudalError, toAmount, toMoney, webhooks, type Cashout, type Settings } from '../src/index.ts';
import { readmeBlocks, runBlock } from './readme.ts';
import { failing, FAILURES, refusalOf, type Failure } from './failing.ts';

let service: TestCaudal;
let receiver: NoticeReceiver;
let shop: TestMerchant;
let origin: string;
let url: string;
let caudal: Caudal;

const settingsOf = ({ merchantId, fixedHash }: TestMerchant): Settings => ({ url, merchant: merchantId, fixedHash });
const sandbox = (path: string, payload: object) => service.app.inject({ method: 'POST', url: `/sandbox/v1/${path}`, payload });

beforeAll(async () => {
  // Signatures are made by the machine's clock.
  [service, receiver] = await Promise.all([
    startTestCaudal({ now: new Date().toISOString(), config: { databaseConnections: 2 } }),
    startNoticeReceiver(),
  ]);
  shop = await service.merchant({ noticeUrl: receiver.url });
  // A proxy that checks each request and answer against the OpenAPI document may be between (sdk/README.md).
  const { CAUDAL_TEST_PROXY: proxy, CAUDAL_TEST_PORT: port = '0' } = process.env;
  origin = await service.app.listen({ host: '127.0.0.1', port: Number(port) });
  url = proxy ?? origin;
  caudal = new Caudal(settingsOf(shop));
});
afterAll(async () => {
  await Promise.all([service.close(), receiver.close()]);
});
afterEach(() => void vi.restoreAllMocks());

const ORDER = { email: 'ana@example.com', country: '343', money: 'COP' } as const;
const DOCUMENT = '1020304050';
let made = 0;
const newOrder = (fields = {}, options = {}) =>
  caudal.orders.create({ ...ORDER, order: `A-${++made}`, amount: '45000', ...fields }, options);

describe('orders', () => {
  test('are created, queried, updated, cancelled, and show their history', async () => {
    const { order, id, reference, checkout, ...rest } = await newOrder({ amount: { minor: 4_500_000n, currency: 'COP' }, expiration: '' });
    expect(rest).toEqual({ amount: '45000.0', money: 'COP', version: 1 });
    expect([id, reference, checkout]).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^https:.*token=/),
    ]);
    const found = await caudal.orders.query(order);
    expect(found).toMatchObject({ order, id, reference, checkout, state: 'PENDIENTE', amount: '45000.00', email: ORDER.email, version: 1 });
    expect(found).toMatchObject({ payment: undefined, hoursLeft: expect.any(Number) as number });
    expect(await caudal.orders.query({ reference })).toEqual(found);
    const until = dayIn('America/Bogota', service.clock.now()).add({ days: 3 }).toString();
    const updated = await caudal.orders.update(
      { ...ORDER, order, amount: '52000.50', expiration: until, redirect_timeout: 500 },
      { version: 1 },
    );
    expect(updated).toMatchObject({ order, id, reference, amount: '52000.5', money: 'COP', version: 2 });
    expect(await caudal.orders.cancel(order)).toEqual({ order, id, reference, amount: '52000.5', version: 3 });
    const changes = [];
    for await (const { version, operation, changes: fields } of caudal.orders.history(order))
      changes.push([version, operation, fields['amount']?.to, fields['expiration']?.to]);
    expect(changes).toEqual([
      [1, 'CREADA', '45000.0', expect.any(String)],
      [2, 'ACTUALIZADO', '52000.5', until.split('-').reverse().join('/')],
      [3, 'DELETED', undefined, undefined],
    ]);
    expect((await caudal.orders.history(order, { after: 2 }).page()).items).toHaveLength(1);
  });

  test('that are paid show their payment, and a recurrent one has no hours left', async () => {
    const { order, reference } = await newOrder({ recurrent: true });
    expect((await caudal.orders.query(order)).hoursLeft).toBeUndefined();
    await sandbox('payments', { reference });
    const { payment } = await caudal.orders.query(order);
    expect(payment).toMatchObject({
      source: 'sandbox',
      number: 1,
      amount: '45000.00',
      money: 'COP',
      state: 'APROBADA',
      givenBack: undefined,
    });
  });
});

describe('refunds', () => {
  test('are asked for, queried, listed and withdrawn, with minor units too; a refusal says which it is', async () => {
    const { order, reference } = await newOrder();
    await sandbox('payments', { reference });
    const asked = { order, refundedBy: 'merchant', reason: 'One ticket was given back' } as const;
    const amount = { minor: 1_500_050n, currency: 'COP' };
    const early = await refusalOf(caudal.refunds.request({ ...asked, refund: 'R-1', amount }));
    expect([early.code, early.is('refund_too_early')]).toEqual(['0914', true]);
    // A payment of the checkout is not a network's: it can be given back at once.
    const other = await newOrder();
    const { pathname, search } = new URL(other.checkout);
    const payload = 'version=1&money=COP&amount=45000.0';
    expect((await service.app.inject({ method: 'POST', url: pathname + search, payload })).statusCode).toBe(303);
    const refund = await caudal.refunds.request({ ...asked, order: other.order, refund: 'R-1', amount, payment: 1 });
    expect(refund).toEqual({
      refund: 'R-1',
      order: other.order,
      payment: 1,
      state: 'SOLICITADO',
      amount: '15000.5',
      money: 'COP',
      fee: '0.0',
      tax: '0.0',
      refundedBy: 'merchant',
      cashout: undefined,
      takenFrom: 'collected',
      reason: 'One ticket was given back',
      requested: expect.any(String) as string,
      ended: undefined,
      proof: undefined,
      problem: undefined,
    });
    expect(await caudal.refunds.query('R-1')).toEqual(refund);
    await caudal.refunds.request({ ...asked, order: other.order, refund: 'R-2', amount: '10', money: 'COP' });
    expect(await caudal.refunds.cancel('R-2')).toMatchObject({ state: 'CANCELADO', ended: expect.any(String) as string });
    const inCash = { ...asked, order: other.order, refund: 'R-3', refundedBy: 'cashout', amount: '10', money: 'COP' } as const;
    expect(await caudal.refunds.request(inCash)).toMatchObject({ refundedBy: 'cashout', cashout: undefined });
    const cashout = { refund: 'R-3', operation: 'W-R-3', document: DOCUMENT, otpLength: 8 };
    const waiting = await refusalOf(caudal.cashouts.registerForRefund(cashout));
    expect([waiting.code, waiting.is('refund_not_approved')]).toEqual(['0917', true]);
    const staff = await manageCalls(service);
    expect((await staff.send('POST', `/refunds/${shop.merchantId}/R-3/approve`)).status).toBe(200);
    const otp = expect.stringMatching(/^\d{8}$/) as string;
    const given = {
      operation: 'W-R-3',
      document: DOCUMENT,
      amount: '10.0',
      currency: 'COP',
      otp,
      id: expect.stringMatching(/^\d+$/) as string,
    };
    expect(await caudal.cashouts.registerForRefund(cashout)).toMatchObject(given);
    expect((await caudal.refunds.query('R-3')).cashout).toBe('W-R-3');
    const today = dayIn('America/Bogota', service.clock.now());
    const days = { start: today.subtract({ days: 1 }).toString(), end: today.toString(), order: other.order };
    expect((await Array.fromAsync(caudal.refunds.list(days))).map(({ refund: id }) => id)).toEqual(['R-3', 'R-2', 'R-1']);
    expect((await Array.fromAsync(caudal.refunds.list({ ...days, oldestFirst: true }))).map(({ refund: id }) => id)).toEqual([
      'R-1',
      'R-2',
      'R-3',
    ]);
    expect((await caudal.refunds.list({ ...days, state: ['CANCELADO', 'PAGADO'] }).page(1)).items).toHaveLength(1);
  });
});

describe('cashouts', () => {
  test('are registered, queried, listed, renewed, cancelled, and move the fund', async () => {
    const [before] = await caudal.balance();
    const key = { operation: 'W-1', document: DOCUMENT };
    const amount = { minor: 2_000_000n, currency: 'COP' };
    const registered = await caudal.cashouts.register({ ...key, amount, transactionCost: '0', otpLength: 8, expire: '' });
    expect(registered).toMatchObject({ ...key, amount: '20000.0', currency: 'COP', otp: expect.stringMatching(/^\d{8}$/) as string });
    expect(registered.id).toMatch(/^\d+$/);
    expect(toMoney(before!.balance, 'COP').minor - toMoney(registered.balance, 'COP').minor).toBe(amount.minor);
    const found = await caudal.cashouts.query(key);
    expect(found).toMatchObject({ ...key, amount: '20000.0', sms: false, status: 'PENDIENTE', expire: registered.expire });
    expect(found.update).toBe(dayIn('America/Bogota', service.clock.now()).toString());
    expect((await caudal.cashouts.list().page()).items).toContainEqual(found);
    const [one, two] = [await caudal.cashouts.resend({ ...key, otpLength: 9 }), await caudal.cashouts.resend({ ...key, otpLength: 9 })];
    expect(one).toEqual({ ...key, otp: expect.stringMatching(/^\d{9}$/) as string });
    expect(two.otp).not.toBe(one.otp);
    expect(await caudal.cashouts.cancel(key)).toEqual({ ...found, status: 'CANCELADA' });
    const types = [];
    for await (const { type, operation } of caudal.movements()) if (operation === 'W-1') types.push(type);
    expect(types).toEqual(['DEVOLUCION', 'REGISTRO']);
    expect(await caudal.balance()).toContainEqual(before);
  });

  test('are registered and renewed once with one key; an answer that comes again has no password', async () => {
    const key = { operation: 'W-2', document: DOCUMENT };
    const register = () => caudal.cashouts.register({ ...key, amount: '100', currency: 'COP' }, { idempotencyKey: 'register-W-2' });
    const { otp, ...first } = await register();
    expect([otp, await register()]).toEqual([expect.any(String), { ...first, otp: undefined }]);
    const renew = () => caudal.cashouts.resend(key, { idempotencyKey: 'renew-W-2' });
    expect([Object.keys(await renew()), await renew()]).toEqual([['operation', 'document', 'otp'], key]);
  });
});

test('requests are signed where there is a signing secret, in walks too', async () => {
  const merchant = await service.merchant();
  const first = await setSigning(service, merchant.merchantId, 'accept');
  await setSigning(service, merchant.merchantId, 'require');
  await eventually(SOON_MS, async () => expect((await merchant.read()).signing).toBe('require'));
  if (isRefusal(first)) throw new Error(first.refusal);
  const signed = new Caudal({ ...settingsOf(merchant), signingSecret: first.signingSecret as string });
  expect(await signed.orders.create({ ...ORDER, order: 'A-1', amount: '1', description: 'Año nuevo' })).toMatchObject({
    version: 1,
  });
  for (const operation of Array.from({ length: 11 }, (_, index) => `W-${index}`))
    await signed.cashouts.register({ operation, document: DOCUMENT, amount: '100', currency: 'COP' });
  const walked = [];
  for await (const { operation } of signed.cashouts.list({ limit: 10, status: ['PENDIENTE', 'APROBADA'] })) walked.push(operation);
  expect(walked).toHaveLength(11);
  expect(await refusalOf(new Caudal(settingsOf(merchant)).balance())).toMatchObject({ code: '0009', reasons: ['checksum_invalid'] });
});

describe('a refusal', () => {
  test('is thrown with its code, what the code means in the operation, the words, and the id of the request', async () => {
    const { order } = await newOrder();
    const mismatch = await refusalOf(caudal.orders.update({ ...ORDER, order, amount: '1' }, { version: 9 }));
    expect(mismatch).toMatchObject({
      name: 'CaudalError',
      code: '0910',
      reasons: ['version_mismatch'],
      status: 412,
      requestId: expect.any(String) as string,
    });
    const unknown = await refusalOf(caudal.orders.query('none'));
    expect(unknown).toMatchObject({ code: '0001', reasons: ['order_not_found'], status: 200, retryAfter: undefined });
    expect([unknown.is('order_not_found'), unknown.is('order_not_open'), unknown.message]).toEqual([true, false, `0001 ${unknown.text}`]);
    expect((await refusalOf(newOrder({ country: '604' }))).reasons).toEqual(['country_invalid', 'country_not_allowed']);
    expect((await refusalOf(caudal.cashouts.query({ operation: 'none', document: '1' }))).reasons).toEqual(['cashout_unknown']);
    const large = { ...ORDER, order: 'A-0', amount: '1', description: 'x'.repeat(300_000) };
    expect((await refusalOf(new Caudal({ ...settingsOf(shop), url: origin }).orders.create(large))).reasons).toEqual([
      'too_large',
      'headers_too_large',
    ]);
  });

  test('of what is no amount, no day or no id comes before any request', async () => {
    const untyped = caudal.orders as unknown as { create(fields: object): Promise<unknown> };
    await expect(untyped.create({ ...ORDER, order: 'A-0', amount: 45_000.5 })).rejects.toThrow(/a number is a float/);
    await expect(newOrder({ expiration: '01/12/2026' })).rejects.toThrow('a day is YYYY-MM-DD');
    for (const id of ['', '.', '..']) await expect(caudal.orders.cancel(id)).rejects.toThrow('order cannot be');
    expect(() => new Caudal({ ...settingsOf(shop), fixedHash: '' })).toThrow('fixedHash');
  });

  test('shows no secret, and neither does the client', async () => {
    const wrong = await refusalOf(new Caudal({ ...settingsOf(shop), fixedHash: 'not-the-secret' }).balance());
    expect(wrong).toMatchObject({ code: '0009' });
    for (const shown of [inspect(wrong, { depth: 9 }), inspect(caudal, { depth: 9, showHidden: true }), JSON.stringify(caudal)])
      for (const secret of [shop.fixedHash, 'not-the-secret', 'checksum=']) expect(shown).not.toContain(secret);
  });
});

describe('a request that fails', () => {
  test.each(FAILURES)('by "%s" is sent again with the same key, and done once', async (failure) => {
    const left: Failure[] = [failure, failure];
    const { client, keys } = failing(settingsOf(shop), () => left.pop());
    const { order } = await client.orders.create({ ...ORDER, order: `A-${++made}`, amount: '10' });
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    left.push(failure);
    expect(await client.orders.update({ ...ORDER, order, amount: '20' })).toMatchObject({ amount: '20.0', version: 2 });
    expect((await client.orders.query(order)).version).toBe(2);
  });

  test('is not sent again where it may have been done and the version would be another one', async () => {
    const { order } = await newOrder();
    for (const [failure, tries, code] of [
      ['lost', 1, 'no_answer'],
      ['busy', 5, '0929'],
    ] as const) {
      const { client, keys } = failing(settingsOf(shop), () => failure);
      const error = await refusalOf(client.orders.update({ ...ORDER, order, amount: '10' }, { version: 1 }));
      expect([error.code, keys.length]).toEqual([code, tries]);
    }
    expect((await caudal.orders.query(order)).version).toBe(2);
  });

  test('is not sent again for a refusal', async () => {
    const { client, keys } = failing(settingsOf(shop), () => undefined);
    await refusalOf(client.orders.query('none'));
    expect(keys).toHaveLength(1);
  });
});

describe('a walk', () => {
  let listed: Caudal;
  let stocked: TestMerchant;
  let stock: StockedCashout[];

  beforeAll(async () => {
    stocked = await service.merchant();
    listed = new Caudal(settingsOf(stocked));
    const now = service.clock.now();
    stock = Array.from({ length: 64 }, (_, index) => ({
      operationId: `S-${index}`,
      cashoutId: BigInt(9_000_000 - index),
      state: index % 3 === 0 ? 'approved' : 'pending',
      document: '1',
      updatedAt: now.subtract({ minutes: index * 7, hours: 30 }),
    }));
    await cashoutStock(service, stocked).add(stock);
  });
  const days = () => {
    const [start, end] = [stock.at(-1)!, stock[0]!].map(({ updatedAt }) => dayIn('America/Bogota', updatedAt));
    return { start: start!, end: end! };
  };

  test('gives the whole list once and in order, however its requests fail and however often it gives up', async () => {
    const whole = bruteForce(stock, days());
    const failures = fc.array(fc.option(fc.constantFrom(...FAILURES), { nil: undefined }), { maxLength: 12 });
    const property = fc.asyncProperty(
      failures,
      fc.integer({ min: 10, max: 40 }),
      fc.boolean(),
      fc.nat(2),
      async (plan, limit, oldestFirst, retries) => {
        const left = [...plan];
        const { client } = failing({ ...settingsOf(stocked), retries }, () => left.pop());
        const [start, end] = [days().start.toString(), days().end.toString()];
        const walk = client.cashouts.list({ start, end, limit, oldestFirst });
        const walked: string[] = [];
        for (let isDone = false; !isDone;) {
          try {
            for await (const { operation } of walk) {
              walked.push(operation);
              // Every loop ends early now and then, too.
              if (walked.length % 17 === 0) break;
            }
            isDone = walked.length === whole.length;
          } catch (error) {
            expect(error).toBeInstanceOf(CaudalError);
          }
        }
        expect(walked).toEqual(oldestFirst ? whole.toReversed() : whole);
        expect(await walk.next()).toEqual({ done: true, value: undefined });
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });

  test('filters by state, and reads pages by number and by place', async () => {
    const range = { start: days().start.toString(), end: days().end.toString() };
    const approved: Cashout[] = [];
    for await (const cashout of listed.cashouts.list({ ...range, status: 'APROBADA', document: '1' })) approved.push(cashout);
    expect(approved.map(({ operation }) => operation)).toEqual(bruteForce(stock, { ...days(), states: ['approved'] }));
    const list = listed.cashouts.list({ ...range, limit: 10 });
    const first = await list.page();
    expect([first.items.length, first.previous]).toEqual([10, undefined]);
    expect((await list.page(first.next)).items).toEqual((await list.page(2)).items);
    const last = await list.page(first.end);
    expect([last.items.length, last.next, (await list.page(last.first)).items]).toEqual([4, undefined, first.items]);
    for (const place of [first.first, first.next, first.end]) expect(place).not.toMatch(/checksum|merchant/);
    expect((await listed.cashouts.list({ start: '2020-01-01', end: '2020-01-02', oldestFirst: true }).next()).done).toBe(true);
  });

  test('takes calls of `next` that do not wait for each other in turns', async () => {
    const walk = listed.cashouts.list({ start: days().start.toString(), end: days().end.toString(), limit: 10 });
    const given = await Promise.all(Array.from({ length: 25 }, () => walk.next()));
    expect(given.map(({ value }) => value?.operation)).toEqual(bruteForce(stock, days()).slice(0, 25));
  });
});

describe('notices', () => {
  test('of the service are verified and read, by signature and by checksum', async () => {
    await setOnOff.reportsUpdates(service, shop.merchantId, true);
    await eventually(SOON_MS, async () => expect((await shop.read()).reportsUpdates).toBe(true));
    const { order, reference, id } = await newOrder({ amount: '11.80' });
    await caudal.orders.update({ ...ORDER, order, amount: '12.50' });
    await sandbox('payments', { reference });
    const key = { operation: 'W-9', document: '77' };
    const { otp } = await caudal.cashouts.register({ ...key, amount: '25000.50', currency: 'COP' });
    await sandbox('collections', { document: key.document, otp });
    await service.runJobs();
    const notices = await Promise.all(
      receiver.taken.map(async ({ body, headers, id: sent }) => {
        const verified = await webhooks.verify(Buffer.from(body), headers, ['another secret', shop.noticeHash]);
        expect(verified.id).toBe(sent);
        expect(await webhooks.verify(body, {}, shop.noticeHash, { proof: 'checksum' })).toEqual({
          notice: verified.notice,
          id: undefined,
          sentAt: undefined,
        });
        return verified.notice;
      }),
    );
    const common = { order, id, money: 'COP', amount: '12.5' };
    expect(notices.filter((one) => !('order' in one) || one.order === order)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...common,
          type: 'order.updated',
          status: 'updated',
          version: 2,
          changes: { amount: { from: '11.8', to: '12.5' } },
        }),
        { ...common, type: 'order', status: 'approved', payment: 'sandbox' },
        { ...key, type: 'cashout', status: 'APROBADA', amount: '25000.5', currency: 'COP' },
      ]),
    );
  });
});

test('in the dialect of the family orders have whole addresses, and lists, funds and movements are read', async () => {
  const family = await service.openAnother({ dialect: FAMILY_DIALECT });
  onTestFinished(() => family.close());
  const at = await family.app.listen({ host: '127.0.0.1', port: 0 });
  const client = new Caudal({ ...settingsOf(await service.merchant({ fundMinor: 5_000_050n })), url: at });
  const { order, checkout } = await client.orders.create({ ...ORDER, order: 'F-1', amount: '45000' });
  expect(checkout).toMatch(/^http:\/\/.*token=/);
  expect((await client.orders.query(order)).checkout).toBe(checkout);
  expect(await client.balance()).toEqual([{ currency: undefined, balance: '50000.5', reserved: undefined }]);
  const key = { operation: 'W-1', document: DOCUMENT };
  const { otp } = await client.cashouts.register({ ...key, amount: '20000.25', currency: 'COP' });
  expect(otp).toMatch(/^\d{4}$/);
  const today = dayIn('America/Bogota', service.clock.now()).toString();
  expect((await client.cashouts.list().page()).items).toMatchObject([{ ...key, amount: '20000.25', update: today }]);
  const movements = [];
  for await (const { type, amount } of client.movements()) movements.push([type, amount]);
  expect(movements).toEqual(
    expect.arrayContaining([
      ['OPERACION CASHOUT', '-20000.25'],
      ['RECARGA', '50000.5'],
    ]),
  );
  expect((await client.cashouts.cancel(key)).status).toBe('CANCELADA');
});

test('every program of the README runs', async () => {
  const { fixedHash: CAUDAL_FIXED_HASH, noticeHash: CAUDAL_NOTICE_HASH } = await service.merchant({ merchantId: 'demo' });
  await adjust(
    { db: postingDb(service.db, service.clock, 'demo'), clock: service.clock },
    { merchantId: 'demo', account: 'collected', currency: 'COP', amountMinor: 2_000_000n, reason: 'as orders bring it' },
  );
  const printed: unknown[][] = [];
  const scope = {
    Caudal,
    CaudalError,
    toAmount,
    toMoney,
    webhooks,
    process: { env: { CAUDAL_FIXED_HASH, CAUDAL_NOTICE_HASH } },
    console: { log: (...words: unknown[]) => void printed.push(words) },
  };
  const [first = '', ...blocks] = readmeBlocks();
  const demo = await runBlock(first.replace('https://pay.example', url), scope);
  expect(demo).toBeInstanceOf(Caudal);
  for (const block of blocks) await runBlock(block, { ...scope, caudal: demo });
  expect(printed).toEqual(
    expect.arrayContaining([[true, '45000.00'], ['somebody has changed the order'], [expect.stringMatching(/^msg_/), 'A-2001', 'is paid']]),
  );
});
