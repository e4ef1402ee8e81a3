import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSigning } from '../../merchants/change-merchant.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { signContent } from '../../requests/request-signature.wire.ts';
import { cashoutCalls, type CashoutAnswer } from '../../testing/cashout-calls.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: ReturnType<typeof cashoutCalls>;
let network: ReturnType<typeof networkCalls>;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = cashoutCalls(service, merchant);
  network = networkCalls(service, await service.network());
});
afterAll(() => service.close());

let count = 0;
async function registered(members: object = {}): Promise<{ operation: string; document: string; otp: string }> {
  const [operation, document] = [`R-${++count}`, String(5_000 + count)];
  const { data } = await shop.register(shop.registration({ operation, document, ...members }));
  return { operation, document, otp: data['otp'] ?? '' };
}
const otpOf = ({ code, data }: CashoutAnswer): string => {
  expect(code).toBe('0000');
  return data['otp'] ?? '';
};

test('the same renewal again shows no password and renews nothing, also with other unsigned values', async () => {
  const { operation, document } = await registered();
  const otp = otpOf(await shop.renew(operation, document, { renewal: 'otp.same' }));
  for (const members of [{}, { otpLength: 4 }, { otpLength: 12 }])
    expect(await shop.renew(operation, document, { renewal: 'otp.same', ...members })).toEqual({
      code: '0009',
      text: 'El checksum no corresponde a los valores enviados: renewal está repetido',
      data: {},
    });
  expect(await network.lookUp(otp, document)).toMatchObject({ code: '0000' });
});

test('of the same renewal 8 times at once one is carried out', async () => {
  const { operation, document } = await registered();
  const answers = await Promise.all(Array.from({ length: 8 }, () => shop.renew(operation, document, { renewal: 'otp.once' })));
  expect(answers.map(({ code }) => code).toSorted()).toEqual(['0000', ...Array.from({ length: 7 }, () => '0009')]);
});

test('a refused renewal uses nothing up', async () => {
  const { operation, document, otp } = await registered();
  await network.lookUp(otp, document);
  expect(await shop.renew(operation, document, { renewal: 'otp.held' })).toMatchObject({ code: '0013' });
  service.clock.advance({ minutes: 6 });
  otpOf(await shop.renew(operation, document, { renewal: 'otp.held' }));
});

test.each([
  [8, undefined, 8],
  [4, undefined, 6],
  [12, 12, 12],
  [4, 4, 4],
])('of a first password of %i digits, one of %s has %i', async (first, asked, digits) => {
  const { operation, document } = await registered({ otpLength: first });
  expect(otpOf(await shop.renew(operation, document, { otpLength: asked }))).toHaveLength(digits);
});

test('a new password has no fewer digits than the first one', async () => {
  const { operation, document, otp } = await registered({ otpLength: 8 });
  const refused = await shop.renew(operation, document, { otpLength: 7 });
  expect(refused).toMatchObject({ code: '0019', text: expect.stringContaining('otpLength') as string });
  otpOf(await shop.renew(operation, document, { otpLength: 10 }));
  expect(await shop.renew(operation, document, { otpLength: 7 })).toMatchObject({ code: '0019' });
  expect(await network.lookUp(otp, document)).toMatchObject({ code: '0002' });
});

test('signed requests renew with one checksum, each with a signature of its own', async () => {
  const { operation, document } = await registered();
  const signing = await setSigning(service, merchant.merchantId, 'accept');
  if (isRefusal(signing)) throw new Error(signing.refusal);
  await eventually(SOON_MS, async () => expect((await merchant.read()).signing).toBe('accept'));
  const url = `/cashout/v1/operation/${merchant.merchantId}/${operation}/otp`;
  const payload = JSON.stringify({ document, renewal: 'otp.1', checksum: shop.sign(document, operation, merchant.merchantId, 'otp.1') });
  const send = async (id: string): Promise<CashoutAnswer> => {
    const seconds = Math.floor(service.clock.now().epochMilliseconds / 1000);
    const content = { method: 'POST', url, body: Buffer.from(payload) };
    const signature = signContent(signing.signingSecret as string, id, seconds, content).toString('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
    return (await service.app.inject({ method: 'POST', url, payload, headers })).json();
  };
  expect(otpOf(await send('one'))).not.toBe(otpOf(await send('two')));
  expect(await send('two')).toMatchObject({ code: '0009', text: expect.stringContaining('webhook-id') as string });
});
