import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { listCalls, operationsOf } from '../testing/cashout-stock.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal()));
afterAll(() => service.close());

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

describe.each(['UTC', 'America/Santiago', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])('on a machine in the zone %s', (machine) => {
  const before = process.env['TZ'];
  beforeAll(() => void (process.env['TZ'] = machine));
  afterAll(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  test("the day of an update and of today is the merchant's", async () => {
    expect(Temporal.Now.timeZoneId()).toBe(machine);
    for (const [country, instant, day] of BORDERS) {
      service.clock.set(instant);
      service.clock.advance({ days: -10 });
      const merchant = await service.merchant({ country });
      const { register, registration, cancel } = cashoutCalls(service, merchant);
      const { list } = listCalls(service, merchant);
      const currency = (await merchant.read()).currencies[0];
      for (const operation of ['kept', 'cancelled']) await register(registration({ operation, currency, amount: '100' }));
      service.clock.set(instant);
      await register(registration({ operation: 'new', currency, amount: '100' }));
      await cancel('cancelled', '1020304050');
      const shown = await list();
      expect({ instant, operations: operationsOf(shown), days: shown.data.map(({ update }) => update) }).toEqual({
        instant,
        operations: ['new', 'cancelled'],
        days: [day, day],
      });
      expect((await list({ start: day, end: day })).data).toEqual(shown.data);
      expect(operationsOf(await list({ start: shift(day, -8), end: shift(day, -1) }))).toEqual([]);
      expect(operationsOf(await list({ start: shift(day, 1), end: shift(day, 9) }))).toEqual([]);
    }
  });
});
