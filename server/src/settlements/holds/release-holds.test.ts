import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../kit/outcome.ts';
import { adjust } from '../../ledger/adjust.ts';
import { readMerchantBalances } from '../../ledger/index.ts';
import { runAloneOnce } from '../../requests/index.ts';
import { postingDb } from '../../testing/posting-db.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { placeHold } from './change-holds.ts';
import { releaseDueHolds } from './release-holds.job.ts';

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal()));
afterAll(() => service.close());

/** A merchant of a country with a hold of all that it has collected, until a day. */
async function withHold(merchantId: string, country: string, releaseOn: string): Promise<void> {
  const { db, clock } = service;
  await service.merchant({ merchantId, country, fundMinor: 0n });
  const money = { merchantId, currency: 'USD', amountMinor: 10_00n };
  const collected = { ...money, account: 'collected', reason: 'as orders bring it' };
  expect(isRefusal(await adjust({ db: postingDb(db, clock, merchantId), clock }, collected))).toBe(false);
  const held = { ...money, reason: 'a dispute', releaseOn: Temporal.PlainDate.from(releaseOn), once: undefined };
  expect(await placeHold({ db, clock, runOnce: runAloneOnce }, held)).toMatchObject({ isRepeated: false });
}

const collectedBy = async (merchantId: string): Promise<bigint | undefined> =>
  (await readMerchantBalances(service.db, merchantId)).find(({ currency }) => currency === 'USD')?.collectedMinor;

test('holds of merchants whose day has not begun keep none waiting whose day has', async () => {
  // By their ids Mexico comes first.
  await withHold('a-mexico', '484', '2026-11-23');
  await withHold('b-argentina', '032', '2026-11-23');
  const { db, clock } = service;
  const round = async (): Promise<void> => {
    const job = releaseDueHolds({ db, clock, most: 1 });
    while (await job.step());
  };
  clock.set('2026-11-23T02:59:59Z');
  await round();
  expect([await collectedBy('a-mexico'), await collectedBy('b-argentina')]).toEqual([0n, 0n]);
  clock.set('2026-11-23T03:00:00Z');
  await round();
  expect([await collectedBy('a-mexico'), await collectedBy('b-argentina')]).toEqual([0n, 10_00n]);
  clock.set('2026-11-23T06:00:00Z');
  await round();
  expect([await collectedBy('a-mexico'), await collectedBy('b-argentina')]).toEqual([10_00n, 10_00n]);
});
