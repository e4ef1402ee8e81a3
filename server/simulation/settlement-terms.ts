import type { Clock } from '../src/kit/clock.ts';
import type { Db } from '../src/kit/db.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import type { PerCell } from '../src/kit/per-cell.ts';
import { loadCalendar } from '../src/settlements/terms/calendar-rows.ts';
import { parseHolidays, readShipped, type Holiday } from '../src/settlements/terms/holiday-file.ts';
import { addRule } from '../src/settlements/terms/rule-rows.ts';
import { setSchedule } from '../src/settlements/terms/schedule-rows.ts';
import { pairOf, type Pair } from './model/collected.ts';
import { day } from './model/model.ts';
import { noSchedule, type Holidays, type ModelSchedule } from './model/settlement-days.ts';
import type { ModelRule } from './model/settlement-lines.ts';

const CALENDAR = 'colombia';

const rule = (given: Pick<ModelRule, 'name' | 'kind' | 'base' | 'currency' | 'ratePpm'> & Partial<ModelRule>): ModelRule => ({
  merchantId: null,
  source: null,
  fixedMinor: 0n,
  taxPpm: 0,
  since: '2026-11-01',
  until: null,
  ...given,
});

const CURRENCIES = ['COP', 'PEN', 'CLP', 'USD'] as const;
/** Each day has its own rate: whatever takes another day for an entry takes another amount. */
const DAYS = 60;
const daily = CURRENCIES.flatMap((currency) =>
  Array.from({ length: DAYS }, (_, place) => {
    const on = day('2026-11-21').add({ days: place }).toString();
    return rule({ name: 'daily', kind: 'withholding', base: 'payments', currency, ratePpm: 1_000 + 977 * place, since: on, until: on });
  }),
);

/** Of every base and kind; some for some days only, one of a network alone, one that a merchant is exempt from for a while. */
const RULES: readonly ModelRule[] = [
  ...daily,
  ...CURRENCIES.map((currency) =>
    rule({ name: 'payout', kind: 'fee', base: 'payout', currency, ratePpm: 11, fixedMinor: 6n, taxPpm: 190_000 }),
  ),
  rule({ name: 'card', kind: 'withholding', base: 'payments', currency: 'COP', ratePpm: 15_000, until: '2026-11-22' }),
  rule({ name: 'card', kind: 'withholding', base: 'payments', currency: 'COP', ratePpm: 25_001, since: '2026-11-23' }),
  rule({ name: 'city', kind: 'withholding', base: 'fees', currency: 'COP', ratePpm: 150_000 }),
  rule({ name: 'counter', kind: 'fee', base: 'payments', source: 'efecty', currency: 'COP', ratePpm: 3_333, taxPpm: 190_000 }),
  rule({ name: 'transfer', kind: 'transfer_tax', base: 'payout', currency: 'COP', ratePpm: 4_000 }),
  rule({ name: 'transfer', kind: 'transfer_tax', base: 'payout', currency: 'PEN', ratePpm: 50, since: '2026-11-22', until: '2026-11-24' }),
  rule({ name: 'service', kind: 'fee', base: 'collected', currency: 'USD', ratePpm: 1_111, fixedMinor: 5n, taxPpm: 190_000 }),
  rule({ name: 'service', kind: 'fee', base: 'payments', currency: 'CLP', ratePpm: 7_777, taxPpm: 190_000, since: '2026-11-22' }),
  rule({
    merchantId: 'libros',
    name: 'transfer',
    kind: 'transfer_tax',
    base: 'payout',
    currency: 'COP',
    ratePpm: 0,
    since: '2026-11-22',
    until: '2026-11-24',
  }),
  rule({ merchantId: 'viajes', name: 'service', kind: 'fee', base: 'payments', currency: 'CLP', ratePpm: 1, since: '2026-11-24' }),
];

const SCHEDULES: ReadonlyMap<string, ModelSchedule> = new Map([
  ['libros COP', { period: 'daily', delayDays: 1, minimumMinor: 0n, reservePpm: 50_000, reserveDays: 7 }],
  ['tienda PEN', { period: 'weekly', weekday: 2, delayDays: 2, minimumMinor: 5_000n, reservePpm: 0, reserveDays: 0 }],
  ['viajes CLP', { period: 'monthly', monthDay: 23, delayDays: 1, minimumMinor: 0n, reservePpm: 100_001, reserveDays: 3 }],
  ['apuestas COP', { period: 'daily', delayDays: 3, minimumMinor: 0n, reservePpm: 0, reserveDays: 0 }],
  ['apuestas USD', { ...noSchedule, reservePpm: 200_000, reserveDays: 2 }],
]);

export const rulesOf = ({ merchantId, currency }: Pair): readonly ModelRule[] =>
  RULES.filter((one) => one.currency === currency && (one.merchantId ?? merchantId) === merchantId);
export const scheduleOf = (pair: Pair): ModelSchedule => SCHEDULES.get(pairOf(pair)) ?? noSchedule;

const shippedHolidays = (): readonly Holiday[] => parseHolidays(readShipped(CALENDAR) ?? '') as readonly Holiday[];
export const knownHolidays = (): Holidays => new Set(shippedHolidays().map((one) => one.day.toString()));

type Deps = { readonly clock: Clock; readonly dbs: PerCell<Db>; readonly cellOf: (merchantId: string) => number };

/** Sets when merchants are paid, and what is taken off. */
export async function prepareTerms({ clock, dbs, cellOf }: Deps): Promise<void> {
  await loadCalendar({ db: dbs.home }, CALENDAR, shippedHolidays());
  for (const { since, until, ...terms } of RULES) {
    const db = terms.merchantId === null ? dbs.home : dbs.of(cellOf(terms.merchantId));
    granted(await addRule({ db, clock }, { ...terms, since: day(since), until: until === null ? null : day(until) }));
  }
  for (const [pair, schedule] of SCHEDULES) {
    const [merchantId = '', currency = ''] = pair.split(' ');
    const deps = { db: dbs.of(cellOf(merchantId)), home: dbs.home, clock };
    granted(await setSchedule(deps, { merchantId, currency }, { ...schedule, calendar: CALENDAR, account: ACCOUNT }));
  }
}

const ACCOUNT = {
  bankCode: '1007',
  bankName: 'Bank',
  type: 'savings',
  number: '12345678901',
  holderName: 'Simulated',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
} as const;

function granted(outcome: unknown): void {
  if (isRefusal(outcome)) throw new Error(`the simulation was refused: ${JSON.stringify(outcome)}`);
}
