import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import { merchantCommands } from '../merchants/index.ts';
import { noticeHashRotation } from '../merchants/change-merchant.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { answering, startNoticeReceiver, type NoticeReceiver, type ReceivedNotice } from '../testing/notice-receiver.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let caudal: TestCaudal;
let receiver: NoticeReceiver;
const printed = capturePrinted();

beforeAll(async () => {
  [caudal, receiver] = await Promise.all([startTestCaudal(), startNoticeReceiver()]);
});
afterAll(async () => {
  await caudal.close();
  await receiver.close();
});

async function rotate({ merchantId }: TestMerchant, days: number): Promise<string> {
  const rotated = await caudal.db.transaction(noticeHashRotation(caudal, merchantId, days));
  if (isRefusal(rotated)) throw new Error(rotated.refusal);
  return rotated.noticeHash;
}

let orders = 0;
/** Pays an order of a merchant. Its notice is due. */
async function pay(shop: TestMerchant): Promise<void> {
  const reference = `91${++orders}`;
  await orderCalls(caudal, shop).create({ order: `N-${orders}`, reference });
  const payload = JSON.stringify({ reference });
  expect((await caudal.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload })).statusCode).toBe(200);
}
/** The notice of a payment, as it is sent now. */
async function noticeOf(shop: TestMerchant): Promise<ReceivedNotice> {
  await pay(shop);
  await caudal.runJobs();
  return receiver.received.at(-1) as ReceivedNotice;
}

/** Whether a library for Standard Webhooks accepts the signature under a hash. */
function isSignedBy({ body, headers }: ReceivedNotice, hash: string): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: caudal.clock.now().epochMilliseconds });
  try {
    new Webhook(`whsec_${Buffer.from(hash).toString('base64')}`).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}
/** Whether the checksum of the body is made with a hash. */
function hasChecksumOf({ body }: ReceivedNotice, hash: string): boolean {
  const { po_id: poId, status, sv_checksum: sent } = JSON.parse(body) as Record<string, string>;
  return sent === checksumOf([poId, status], hash, 'sha256');
}
const proofs = (notice: ReceivedNotice, ...hashes: string[]): boolean[][] =>
  hashes.map((hash) => [isSignedBy(notice, hash), hasChecksumOf(notice, hash)]);

test('for the days of the overlap the checksum has the earlier hash and the signature both; then the new one has both', async () => {
  const shop = await caudal.merchant({ noticeUrl: receiver.url });
  const earlier = shop.noticeHash;
  expect(proofs(await noticeOf(shop), earlier)).toEqual([[true, true]]);
  const next = await rotate(shop, 2);
  expect(proofs(await noticeOf(shop), earlier, next)).toEqual([
    [true, true],
    [true, false],
  ]);
  caudal.clock.advance({ hours: 48 });
  expect(proofs(await noticeOf(shop), earlier, next)).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('without an overlap the new hash has both at once', async () => {
  const shop = await caudal.merchant({ noticeUrl: receiver.url });
  const next = await rotate(shop, 0);
  expect(proofs(await noticeOf(shop), shop.noticeHash, next)).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('a notice that waits until the overlap is over goes with the new hash', async () => {
  const shop = await caudal.merchant({ noticeUrl: receiver.url });
  receiver.answer(answering(500, 'busy'));
  const next = await rotate(shop, 1);
  const first = await noticeOf(shop);
  receiver.answer(answering(200, 'ok'));
  caudal.clock.advance({ days: 1 });
  await caudal.runJobs();
  const last = receiver.received.at(-1) as ReceivedNotice;
  expect(last.id).toBe(first.id);
  expect(proofs(last, shop.noticeHash, next)).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('of notices that are sent while the hash is changed, none is without proof for a receiver that has only one of both', async () => {
  const shop = await caudal.merchant({ noticeUrl: receiver.url });
  for (let count = 0; count < 60; count++) await pay(shop);
  const before = receiver.received.length;
  const sent = caudal.runJobs();
  while (receiver.received.length < before + 10) await new Promise(setImmediate);
  const next = await rotate(shop, 7);
  const since = receiver.received.length;
  await sent;
  const notices = receiver.received.slice(before);
  expect(notices).toHaveLength(60);
  for (const notice of notices) expect(proofs(notice, shop.noticeHash)).toEqual([[true, true]]);
  // A step may have read the hash before the rotation.
  const signedByBoth = notices.filter((notice) => isSignedBy(notice, next));
  expect(signedByBoth.length).toBeGreaterThan(0);
  expect(signedByBoth.every((notice) => receiver.received.indexOf(notice) >= since - 1)).toBe(true);
  expect(proofs(await noticeOf(shop), shop.noticeHash, next)).toEqual([
    [true, true],
    [true, false],
  ]);
});

test('a second rotation is refused while two hashes are valid, and the command shows until when', async () => {
  const shop = await caudal.merchant({ noticeUrl: receiver.url });
  const run = (...words: string[]): Promise<string> => printed.by(() => runCommand(caudal, merchantCommands, 'merchants', ...words));
  const said = await run('rotate-notice-hash', shop.merchantId, '--days', '3');
  expect(said).toMatch(/notice hash {2}[0-9a-f]{32}\n +whsec_/);
  expect((await run('show', shop.merchantId)).match(/notice hash/g)).toHaveLength(2);
  await expect(run('rotate-notice-hash', shop.merchantId)).rejects.toThrow('Two such secrets');
  await expect(run('rotate-notice-hash', shop.merchantId, '--days', '8')).rejects.toThrow('--days takes 0 to 7');
  await expect(run('rotate-notice-hash', 'nobody')).rejects.toThrow('There is no merchant nobody');
  expect(JSON.parse(await run('rotate-notice-hash', shop.merchantId, '--days', '0', '--json'))).toMatchObject({ previousValidUntil: null });
});
