import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashRotation } from '../merchants/change-merchant.ts';
import { statement } from '../kit/db.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { proofOf } from './spend-proofs.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: ReturnType<typeof cashoutCalls>;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = cashoutCalls(service, merchant);
});
afterAll(() => service.close());

const KEPT = statement('testing.spent_proofs', `select encode(proof, 'hex') as proof from spent_proofs where merchant_id = $1`);
const kept = (merchantId: string): Promise<readonly { readonly proof: string }[]> => service.db.query(KEPT, [merchantId]);

const SPENT = { code: '0009', text: 'El checksum no corresponde a los valores enviados: checksum está repetido', data: {} };

test('a checksum registers one cashout: its text cut elsewhere is refused, and nothing is written', async () => {
  const captured = shop.registration({ operation: 'PAY-10', amount: '50000', document: '1' });
  expect(await shop.register(captured)).toMatchObject({ code: '0000' });
  const before = await shop.balance();
  const cut = { ...captured, operation: 'PAY-', amount: '1050000', sms: false, otpLength: 4 };
  expect(shop.registration({ operation: 'PAY-', amount: '1050000', document: '1' })['checksum']).toBe(captured['checksum']);
  for (const checksum of [String(captured['checksum']), String(captured['checksum']).toUpperCase()])
    expect(await shop.register({ ...cut, checksum })).toEqual(SPENT);
  expect(await shop.query('PAY-', '1')).toMatchObject({ code: '0001' });
  expect(await shop.balance()).toEqual(before);
});

test('of cuts that come together, to two servers, one is registered', async () => {
  const other = await service.openAnother();
  const elsewhere = cashoutCalls(other, merchant);
  const cuts = [
    ['R-', '1234567'],
    ['R-1', '234567'],
    ['R-12', '34567'],
    ['R-123', '4567'],
  ] as const;
  const bodies = cuts.map(([operation, amount]) => shop.registration({ operation, amount, document: '2' }));
  const answers = await Promise.all(bodies.flatMap((body) => [shop.register(body), elsewhere.register(body)]));
  expect(answers.filter(({ code }) => code === '0000')).toHaveLength(1);
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['0000', '0009', '0042']));
  await other.close();
});

test('the same registration again has the answers that it had: it exists, or the kept answer', async () => {
  const body = shop.registration({ operation: 'AGAIN-1', document: '3' });
  const headers = { 'idempotency-key': 'again-1' };
  const send = () => service.app.inject({ method: 'POST', url: '/cashout/v1/operation', payload: JSON.stringify(body), headers });
  expect((await send()).json()).toMatchObject({ code: '0000' });
  expect(await shop.register(body)).toMatchObject({ code: '0042' });
  expect((await send()).headers['idempotency-replayed']).toBe('true');
});

test('what a refused registration did not use up registers later', async () => {
  const poor = cashoutCalls(service, await service.merchant({ fundMinor: 1_000n }));
  const [large, small] = [poor.registration({ operation: 'P-', amount: '15' }), poor.registration({ operation: 'P-1', amount: '5' })];
  expect([await poor.register(large), await poor.register(small)].map(({ code }) => code)).toEqual(['0025', '0000']);
});

test.each(['045000', '00.5', '007.00'])('the amount %s is refused in a registration and a creation', async (amount) => {
  expect(await shop.register(shop.registration({ operation: `Z-${amount.length}`, amount }))).toMatchObject({ code: '0004' });
  const orders = orderCalls(service, merchant);
  expect(await orders.create({ order: `Z-${amount.length}`, amount })).toMatchObject({ code: '0021' });
});

test('amounts below one may begin with a zero', async () => {
  expect(await shop.register(shop.registration({ operation: 'CENTS', amount: '0.50', document: '4' }))).toMatchObject({ code: '0000' });
});

test('the table proves no request, and forgets a proof once its fixed hash has ended', async () => {
  const theirs = await service.merchant();
  const calls = cashoutCalls(service, theirs);
  const body = calls.registration({ document: '5' });
  await calls.register(body);
  expect(await kept(theirs.merchantId)).toEqual([{ proof: proofOf(String(body['checksum'])) }]);
  service.clock.advance({ days: 400 });
  await service.runJobs();
  expect(await kept(theirs.merchantId)).toHaveLength(1);
  await service.db.transaction(hashRotation(service, theirs.merchantId, 7));
  await service.runJobs();
  expect(await kept(theirs.merchantId)).toHaveLength(1);
  service.clock.advance({ days: 7 });
  await service.runJobs();
  expect(await kept(theirs.merchantId)).toEqual([]);
});

test('a checksum without its leading zeros is the same proof, and no other one', () => {
  const whole = `000${'5f'.repeat(62)}a`;
  for (const sent of [whole, whole.slice(1), whole.slice(3), whole.toUpperCase(), whole.slice(3).toUpperCase()])
    expect(proofOf(sent)).toBe(proofOf(whole));
  expect(proofOf(`${whole.slice(3)}000`)).not.toBe(proofOf(whole));
});
