import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import * as fc from '../testing/fast-check.ts';
import { findings } from '../testing/findings.ts';
import { postingDb } from '../testing/posting-db.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { postByHand } from './by-hand.ts';
import { ledgerChecks, sumDays } from './index.ts';
import { toppedUp } from './postings.ts';
import { readDay, readFunds } from './read-day.ts';

let service: TestCaudal;
let owner: Client;

beforeAll(async () => {
  service = await startTestCaudal();
  owner = new Client({ connectionString: service.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

const COP = (amount: string) => ({ amount, currency: 'COP' });

const anyStep = fc.record({
  hours: fc.integer({ min: 0, max: 30 }),
  merchant: fc.integer({ min: 0, max: 1 }),
  amountMinor: fc.bigInt({ min: 1n, max: 1_000n }),
  isSummed: fc.boolean(),
});

/** What the merchant's fund held before an instant, by its entries. */
async function heldBefore(merchantId: string, at: Temporal.Instant): Promise<bigint> {
  const text = `select coalesce(sum(amount_minor), 0)::bigint as held from ledger_entries
                 where merchant_id = $1 and account = 'available' and posted_at < $2`;
  return BigInt((await owner.query<{ held: string }>(text, [merchantId, at.toString()])).rows[0]?.held ?? 0);
}

test('a day starts and ends with the sums of all entries before, however much of them is summed by days', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 25 }), async (steps) => {
      const shops = [await service.merchant({ fundMinor: 0n }), await service.merchant({ fundMinor: 0n })].map((one) => one.merchantId);
      const startedAt = service.clock.now();
      const { step: sum } = sumDays(service.db, service.clock, service.clock);
      for (const [number, { hours, merchant, amountMinor, isSummed }] of steps.entries()) {
        service.clock.advance({ hours });
        const money = { merchantId: shops[merchant] as string, currency: 'COP', amountMinor, reference: `T-${number}` };
        await postingDb(service.db, service.clock, money.merchantId).transaction(async (tx) =>
          postByHand(tx, toppedUp(money, service.clock.now())),
        );
        if (isSummed) while (await sum());
      }
      expect(await findings(service, ledgerChecks)).toEqual([]);
      const [from, to] = [startedAt, service.clock.now()].map((at) => at.toZonedDateTimeISO('UTC').toPlainDate());
      for (const merchantId of shops) {
        for (const zone of ['UTC', 'America/Bogota', 'Pacific/Auckland', 'Asia/Kathmandu']) {
          const read = await readFunds(service, merchantId, { from: from as Temporal.PlainDate, to: to as Temporal.PlainDate, zone });
          if (isRefusal(read)) throw new Error(read.refusal);
          expect(read.zone).toBe(zone);
          for (const { at, amounts } of read.points) {
            // A point within a day is now, and has what was posted at this very instant.
            const isEnd = at.toZonedDateTimeISO(zone).startOfDay().toInstant().equals(at);
            const end = isEnd ? at : at.add({ nanoseconds: 1_000 });
            expect([at, amounts.get('available') ?? 0n]).toEqual([at, await heldBefore(merchantId, end)]);
          }
        }
      }
      for (let from = startedAt.subtract({ hours: 20 }); from.epochMilliseconds <= service.clock.now().epochMilliseconds;) {
        const until = from.add({ hours: 24 });
        for (const merchantId of shops) {
          const [day] = await readDay(service.db, merchantId, from, until);
          const held = [await heldBefore(merchantId, from), await heldBefore(merchantId, until)];
          expect([day?.start.get('available') ?? 0n, day?.end.get('available') ?? 0n]).toEqual(held);
          expect(day?.faults ?? []).toEqual([]);
        }
        from = until;
      }
    }),
    { numRuns: 2 },
  );
  const summed = await owner.query('select from ledger_days');
  expect(summed.rowCount).toBeGreaterThan(0);
});

test('the funds of a merchant have all that is its own: also what is held back, and what is on its way to its bank', async () => {
  const shop = await openSettledShop(service);
  const paid = await shop.pay();
  expect(await shop.owner.send('POST', `/holds/${shop.merchantId}`, { amount: COP('7000'), reason: 'Disputed' })).toMatchObject({
    status: 201,
  });
  const settlement = await shop.run();
  await shop.step(settlement, { to: 'approved' });
  const later = await shop.pay('50000');
  const last = async () =>
    ((await shop.owner.get(`/ledger/${shop.merchantId}/funds`)).body['points'] as unknown as readonly object[]).at(-1);
  const point = { available: COP('0.00'), reserved: COP('0.00'), held: COP('7000.00') };
  // Of 100,000 pesos 97,025 are collected, and of 50,000 half of that.
  expect(await last()).toMatchObject({ ...point, collected: COP('48512.50'), settlements: COP('90025.00') });
  await shop.step(settlement, { to: 'sent', fileId: null });
  await shop.step(settlement, { to: 'paid', bankReference: 'TRX-1' });
  expect(await last()).toMatchObject({ ...point, collected: COP('48512.50'), settlements: COP('0.00') });
  // What an order has collected names its settlement, and nothing else does.
  const settledOf = async (order: string) => {
    const { entries } = (await shop.owner.get(`/orders/${shop.merchantId}/${order}`)).body;
    return (entries as unknown as readonly { readonly account: string; readonly settlement: string | null }[])
      .filter((entry) => entry.settlement !== null)
      .map((entry) => [entry.account, entry.settlement]);
  };
  expect(await settledOf(paid)).toEqual([['collected', String(settlement.settlementId)]]);
  expect(await settledOf(later)).toEqual([]);
});

test('verify finds a sum of a day that is not that of its entries', async () => {
  for (const change of ['amount_minor = amount_minor + 1', `day = day + 100`]) {
    await owner.query(`update ledger_days set ${change} where ctid = (select ctid from ledger_days limit 1)`);
    expect(await findings(service, ledgerChecks)).toEqual([expect.stringMatching(/ COP on .* is kept as .* in minor units$/)]);
    await owner.query('truncate ledger_days');
    await owner.query(`update ledger_summed set summed_to = 'epoch'`);
    service.clock.advance({ minutes: 2 });
    await service.runJobs();
    expect(await findings(service, ledgerChecks)).toEqual([]);
  }
});

test('a clock that was a day ahead for some hours and was set back leaves no day wrong', async () => {
  const { merchantId } = await service.merchant({ fundMinor: 0n });
  // The machine's clock too: the rounds of the job go by it.
  const { step: sum } = sumDays(service.db, service.clock, service.clock);
  const post = async (reference: string): Promise<void> => {
    const money = { merchantId, currency: 'COP', amountMinor: 1_000n, reference };
    await postingDb(service.db, service.clock, money.merchantId).transaction(async (tx) =>
      postByHand(tx, toppedUp(money, service.clock.now())),
    );
  };
  await post('before');
  const jumpedAt = service.clock.now();
  service.clock.advance({ days: 1 });
  await post('ahead');
  service.clock.advance({ hours: 3 });
  await post('still ahead');
  while (await sum());
  service.clock.turnBack(jumpedAt.add({ hours: 3 }).toString());
  await post('back');
  while (await sum());
  service.clock.advance({ minutes: 1 });
  await post('later');
  for (let hours = 0; hours < 60; hours++) {
    service.clock.advance({ hours: 1 });
    await post(`hour ${hours}`);
    while (await sum());
  }
  expect(await findings(service, ledgerChecks)).toEqual([]);
  for (const hours of [0, 2, 3, 4, 24, 26, 27, 28, 48, 60]) {
    const from = jumpedAt.add({ hours });
    const [day] = await readDay(service.db, merchantId, from, from.add({ hours: 24 }));
    const held = [await heldBefore(merchantId, from), await heldBefore(merchantId, from.add({ hours: 24 }))];
    expect([hours, day?.start.get('available') ?? 0n, day?.end.get('available') ?? 0n]).toEqual([hours, ...held]);
  }
});

test('a step that took long is followed by one of less time', async () => {
  const { merchantId } = await service.merchant({ fundMinor: 0n });
  const post = async (number: number): Promise<void> => {
    const money = { merchantId, currency: 'COP', amountMinor: 1_000n, reference: `S-${number}` };
    await postingDb(service.db, service.clock, merchantId).transaction(async (tx) => postByHand(tx, toppedUp(money, service.clock.now())));
  };
  /** Steps that sum an hour with an entry in each minute, where each step takes that long. */
  const stepsOfAnHour = async (tookMs: number): Promise<number> => {
    let nowMs = 0;
    const { step: sum } = sumDays(service.db, service.clock, service.clock, () => (nowMs += tookMs));
    service.clock.advance({ hours: 3 });
    while (await sum());
    for (let minute = 0; minute < 60; minute++) {
      await post(Math.round(service.clock.now().epochMilliseconds));
      service.clock.advance({ minutes: 1 });
    }
    service.clock.advance({ hours: 2 });
    let steps = 0;
    while (await sum()) steps++;
    return steps;
  };
  expect(await stepsOfAnHour(1_000)).toBeGreaterThanOrEqual(60);
  expect(await stepsOfAnHour(10)).toBeLessThan(10);
  expect(await findings(service, ledgerChecks)).toEqual([]);
});
