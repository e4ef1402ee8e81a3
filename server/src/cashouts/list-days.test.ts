import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { listCalls, operationsOf } from '../testing/cashout-stock.ts';
import { startCaudalForTest, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

/** Instants around the borders of days, in UTC, and the day that each belongs to where the merchant lives. */
const BORDERS = [
  // Santiago goes forward at midnight: 2026-09-06 begins at 01:00.
  ['152', '2026-09-05T03:59:59.999Z', '20260904'],
  ['152', '2026-09-05T04:00:00Z', '20260905'],
  ['152', '2026-09-06T03:59:59.999Z', '20260905'],
  ['152', '2026-09-06T04:00:00Z', '20260906'],
  ['152', '2026-09-07T02:59:59.999Z', '20260906'],
  ['152', '2026-09-07T03:00:00Z', '20260907'],
  // And back at midnight: on 2026-04-04 the hour from 23:00 comes twice.
  ['152', '2026-04-05T02:59:59.999Z', '20260404'],
  ['152', '2026-04-05T03:30:00Z', '20260404'],
  ['152', '2026-04-05T03:59:59.999Z', '20260404'],
  ['152', '2026-04-05T04:00:00Z', '20260405'],
  // Asuncion went forward at midnight of 2024-10-06, for good.
  ['600', '2024-10-06T03:59:59.999Z', '20241005'],
  ['600', '2024-10-06T04:00:00Z', '20241006'],
  ['600', '2024-10-07T02:59:59.999Z', '20241006'],
  ['600', '2024-10-07T03:00:00Z', '20241007'],
  ['343', '2026-11-21T04:59:59.999Z', '20261120'],
  ['343', '2026-11-21T05:00:00Z', '20261121'],
] as const;

const shift = (day: string, days: number): string =>
  Temporal.PlainDate.from(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`)
    .add({ days })
    .toString()
    .replaceAll('-', '');

/** A merchant at a border: it registers two cashouts ten days before, and is looked at when the border comes. */
function openShop(service: TestCaudal, [country, instant, day]: (typeof BORDERS)[number]) {
  let merchant: TestMerchant;
  const register = async (operation: string): Promise<void> => {
    const { register: send, registration } = cashoutCalls(service, merchant);
    const currency = (await merchant.read()).currencies[0];
    expect(await send(registration({ operation, currency, amount: '100' }))).toMatchObject({ code: '0000' });
  };
  return {
    at: Temporal.Instant.from(instant),
    prepare: async (): Promise<void> => {
      merchant = await service.merchant({ country });
      for (const operation of ['kept', 'cancelled']) await register(operation);
    },
    expectDay: async (): Promise<void> => {
      await register('new');
      await cashoutCalls(service, merchant).cancel('cancelled', '1020304050');
      const { list } = listCalls(service, merchant);
      const shown = await list();
      expect({ instant, operations: operationsOf(shown), days: shown.data.map(({ update }) => update) }).toEqual({
        instant,
        operations: ['new', 'cancelled'],
        days: [day, day],
      });
      expect((await list({ start: day, end: day })).data).toEqual(shown.data);
      expect(operationsOf(await list({ start: shift(day, -8), end: shift(day, -1) }))).toEqual([]);
      expect(operationsOf(await list({ start: shift(day, 1), end: shift(day, 9) }))).toEqual([]);
    },
  };
}

describe.each(['UTC', 'America/Santiago', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])('on a machine in the zone %s', (machine) => {
  const before = process.env['TZ'];
  beforeAll(() => void (process.env['TZ'] = machine));
  afterAll(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  test("the day of an update and of today is the merchant's", async () => {
    expect(Temporal.Now.timeZoneId()).toBe(machine);
    const service = await startCaudalForTest({ now: '2024-01-01T00:00:00Z' });
    const shops = BORDERS.map((border) => openShop(service, border));
    const steps = shops.flatMap(({ at, prepare, expectDay }) => [
      { at: at.subtract({ hours: 240 }), run: prepare },
      { at, run: expectDay },
    ]);
    for (const { at, run } of steps.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at))) {
      service.clock.set(at.toString());
      await run();
    }
  });
});
