import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerChecks, sumFreeEntries } from '../ledger/index.ts';
import { readRefundHolders } from '../orders/index.ts';
import { findings } from '../testing/findings.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { settlementChecks } from './index.ts';
import { previewSettlement, runSettlement } from './run-settlement.ts';

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal()));
afterAll(async () => {
  expect(await findings(service, [...settlementChecks, ...ledgerChecks])).toEqual([]);
  await service.close();
});

/** What the merchant collects of 100,000 pesos. */
const OF_ONE = 97_025_00n;

/** Pays an order at an instant of its own: entries of one instant are taken together. */
async function payAlone(shop: Awaited<ReturnType<typeof openSettledShop>>): Promise<string> {
  const order = await shop.pay();
  service.clock.advance({ seconds: 1 });
  return order;
}

describe('a run', () => {
  test('takes what was collected until yesterday, each entry once; a preview says so before and writes nothing', async () => {
    const shop = await openSettledShop(service);
    for (let paid = 0; paid < 3; paid++) await shop.pay();
    const ofShop = { merchantId: shop.merchantId, currency: 'COP', until: undefined };
    expect(await runSettlement(shop.deps, { ...ofShop, dueOn: null })).toEqual({ refusal: 'nothing_to_settle' });
    service.clock.advance({ days: 1 });
    await shop.pay();
    const preview = { entries: 3, grossMinor: 3n * OF_ONE, netMinor: 3n * OF_ONE, lines: [] };
    for (let again = 0; again < 2; again++) expect(await previewSettlement(shop.deps, ofShop)).toMatchObject(preview);
    const { lines: _, ...amounts } = preview;
    expect(await runSettlement(shop.deps, { ...ofShop, dueOn: null })).toMatchObject({
      settlement: { state: 'draft', ...amounts },
      lines: [],
    });
    expect(await runSettlement(shop.deps, { ...ofShop, dueOn: null })).toEqual({ refusal: 'nothing_to_settle' });
    expect(await shop.run()).toMatchObject({ entries: 1, grossMinor: OF_ONE });
  });

  test('takes more entries than usual where these come to nothing: what came later does not wait for ever', async () => {
    const shop = await openSettledShop(service);
    for (let taken = 0; taken < 5; taken++) {
      await shop.reverse(await payAlone(shop));
      service.clock.advance({ seconds: 1 });
    }
    for (let paid = 0; paid < 3; paid++) await payAlone(shop);
    const today = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
    const command = { merchantId: shop.merchantId, currency: 'COP', until: today, dueOn: null };
    // It stops somewhere: five times as many.
    expect(await runSettlement({ ...shop.deps, mostEntries: 2 }, command)).toEqual({ refusal: 'nothing_to_settle' });
    const deps = { ...shop.deps, mostEntries: 4 };
    expect(await previewSettlement(deps, command)).toMatchObject({ entries: 12, grossMinor: 2n * OF_ONE });
    expect(await runSettlement(deps, command)).toMatchObject({ settlement: { entries: 12, grossMinor: 2n * OF_ONE } });
    expect(await runSettlement(deps, command)).toMatchObject({ settlement: { entries: 1, grossMinor: OF_ONE } });
  });

  test('takes more entries than usual where what is taken off leaves nothing of these', async () => {
    const shop = await openSettledShop(service);
    const day = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
    const fee = {
      currency: 'COP',
      since: day.toString(),
      merchant: shop.merchantId,
      name: 'payout',
      kind: 'fee',
      base: 'payout',
      percent: '0',
    };
    expect(await shop.owner.send('POST', '/settlement-rules', { ...fee, fixed: '150000' })).toMatchObject({ status: 201 });
    for (let paid = 0; paid < 3; paid++) await payAlone(shop);
    const command = { merchantId: shop.merchantId, currency: 'COP', until: day, dueOn: null };
    const made = await runSettlement({ ...shop.deps, mostEntries: 1 }, command);
    expect(made).toMatchObject({ settlement: { entries: 2, netMinor: 2n * OF_ONE - 150_000_00n } });
  });

  test('refuses what is no merchant, none of its currencies, and a day to come', async () => {
    const { merchantId, deps } = await openSettledShop(service);
    const run = (given: object) => runSettlement(deps, { merchantId, currency: 'COP', until: undefined, dueOn: null, ...given });
    expect(await run({ merchantId: 'nobody' })).toEqual({ refusal: 'merchant_unknown' });
    expect(await run({ currency: 'PEN' })).toEqual({ refusal: 'currency_not_allowed' });
    expect(await run({ until: Temporal.PlainDate.from('2026-12-31') })).toEqual({ refusal: 'day_to_come' });
  });
});

test('what rules go by: payments and fees by day, kind and who took them, less what was reversed and refunded', async () => {
  const shop = await openSettledShop(service);
  await shop.reverse(await shop.pay());
  service.clock.advance({ days: 1 });
  const day = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
  expect((await shop.refund(await shop.pay(), '1000')).status).toBe(201);
  service.clock.advance({ seconds: 1 });
  const { merchantId, db } = shop;
  const sums = await sumFreeEntries(db, { merchantId, currency: 'COP', until: service.clock.now(), zone: 'America/Bogota' });
  const holders = await readRefundHolders(
    db,
    merchantId,
    sums.flatMap(({ refund }) => refund ?? []),
  );
  const shown = sums.map(({ kind, source, refund, day: of, ...amounts }) => {
    const by = refund === null ? source : holders.get(refund);
    return [kind, by === shop.network.netname, of.until(day).days, amounts.collectedMinor, amounts.paymentsMinor, amounts.feesMinor];
  });
  expect(new Set(shown)).toEqual(
    new Set([
      ['order_paid', true, 1, OF_ONE, 100_000_00n, 2_500_00n],
      ['order_payment_reversed', true, 1, -OF_ONE, -100_000_00n, -2_500_00n],
      ['order_paid', true, 0, OF_ONE, 100_000_00n, 2_500_00n],
      ['order_refund_owed', true, 0, -970_25n, -1_000_00n, -25_00n],
    ]),
  );
});

describe('a settlement', () => {
  test('is approved, sent and paid, and may come back: its accounts follow', async () => {
    const shop = await openSettledShop(service);
    await shop.pay();
    const before = await shop.balances();
    const draft = await shop.run();
    expect(await shop.balances()).toEqual(before);
    const steps = [
      [{ to: 'approved' }, { settlements: OF_ONE }],
      [{ to: 'sent', fileId: null }, { settlements: OF_ONE }],
      [{ to: 'paid', bankReference: 'B-1' }, { 'service:bank': OF_ONE }],
      [{ to: 'returned', problem: 'the account is closed' }, { collected: OF_ONE }],
    ] as const;
    const { collected: _, ...others } = before;
    for (const [step, moved] of steps) {
      for (const isRepeated of [false, true])
        expect(await shop.step(draft, step)).toMatchObject({ settlement: { state: step.to }, isRepeated });
      expect(await shop.balances()).toEqual({ ...others, ...moved });
    }
    const next = await shop.run();
    expect(next).toMatchObject({ entries: 1, grossMinor: OF_ONE });
    expect(await shop.step(next, { to: 'cancelled' })).toMatchObject({ settlement: { state: 'cancelled' } });
    expect(await shop.run()).toMatchObject({ entries: 1, grossMinor: OF_ONE });
  });
});
