import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';

let service: TestCaudal;
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

let count = 0;
async function open(on: TestCaudal) {
  const merchant = await on.merchant();
  const shop = cashoutCalls(on, merchant);
  const network = networkCalls(on, await on.network());
  return {
    merchant,
    shop,
    lookUp: async (otp: string, document: string) => (await network.lookUp(otp, document)).code,
    register: async (members: object) => {
      const [operation, document] = [`S-${++count}`, String(6_000 + count)];
      const { code, data } = await shop.register(shop.registration({ operation, document, ...members }));
      expect(code).toBe('0000');
      return { operation, document, otp: data['otp'] ?? '' };
    },
    renew: async (operation: string, document: string, otpLength?: number) => {
      const { code, data } = await shop.renew(operation, document, { otpLength });
      expect(code).toBe('0000');
      return data['otp'] ?? '';
    },
  };
}

test('a password of fewer than six digits opens its cashout for one day, and then a new one does', async () => {
  const { shop, lookUp, register, renew } = await open(service);
  const [early, late, again, long] = [
    await register({ otpLength: 4 }),
    await register({ otpLength: 5 }),
    await register({ otpLength: 4 }),
    await register({ otpLength: 6 }),
  ];
  service.clock.advance({ hours: 23, minutes: 59 });
  expect(await lookUp(early.otp, early.document)).toBe('0000');
  service.clock.advance({ minutes: 1 });
  expect(await lookUp(late.otp, late.document)).toBe('0002');
  expect(await lookUp(long.otp, long.document)).toBe('0000');
  expect((await shop.query(late.operation, late.document)).data).toMatchObject({ status: 'PENDIENTE' });
  const short = await renew(again.operation, again.document, 4);
  const renewed = await renew(late.operation, late.document);
  expect(renewed).toHaveLength(6);
  service.clock.advance({ days: 2 });
  expect(await lookUp(renewed, late.document)).toBe('0000');
  expect(await lookUp(short, again.document)).toBe('0002');
});

test('without a time of their own, passwords of four digits last as long as their cashout', async () => {
  const lasting = await startCaudalForTest({ config: { shortPasswordDays: 0 } });
  const { lookUp, register } = await open(lasting);
  const { otp, document } = await register({ otpLength: 4 });
  lasting.clock.advance({ days: 20 });
  expect(await lookUp(otp, document)).toBe('0000');
});

test('the SMS says when a short password ends, and else the last day of the cashout', async () => {
  const fresh = await startCaudalForTest({ now: '2026-11-21T15:00:00Z' });
  const { merchant, register } = await open(fresh);
  const members = { sms: true, cellphone: '3001234567', expire: '2026-12-20' };
  await register({ ...members, otpLength: 4 });
  await register(members);
  const inbox = await fresh.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}`);
  const [long, short] = inbox.json<{ data: { messages: { text: string }[] } }>().data.messages;
  expect(long?.text).toContain('Vence el 20 de dic de 2026.');
  expect(short?.text).toContain('Vence el 22 de nov de 2026, 10:00.');
});
