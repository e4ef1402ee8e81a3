import { expect, test } from 'vitest';
import { statement } from '../../kit/db.ts';
import { MOST_WALKED, type Scope } from '../../kit/lists/walks.ts';
import * as fc from '../../testing/fast-check.ts';
import { ANY_FILTER, anyScope, listDatabase, passes, rarely, some, summed, walk } from '../../testing/list-filters.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import { CASHOUT_STATES, type Cashout } from '../cashout.ts';
import type { CashoutFilter, CashoutPlace } from './cashout-filter.ts';
import { findCashouts, sumCashouts } from './find-cashouts.ts';

/** More than a walk reads for a page, so that walks stop on the way. */
const CASHOUTS = 2 * MOST_WALKED;

const NOW = Temporal.Instant.from('2026-11-20T12:00:00Z');
/** As of NOW. */
let stored: readonly Stored[];

type Payment = { readonly paidAt: Temporal.Instant; readonly network: string; readonly transactionId: string };
type Stored = Cashout & { readonly paid: Payment | null };

const ALL = statement(
  'test.all_cashouts',
  `select ${SELECT_CASHOUT}, cashouts.expires_at as "endsAt", p.paid_at as "paidAt", p.network_id as network, p.transaction_id as "transactionId"
     from cashouts left join cashout_payments p using (merchant_id, operation_id)`,
);

/** Many cashouts have equal instants, documents and cellphones. Merchants are in two time zones. */
const INSERT = `
  insert into cashouts (merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
                        document, sms, cellphone, expires_on, expires_at, created_at, updated_at, updated_on)
  select m, 'c-' || n, n * 37 % 10007 + 1, (array['pending', 'approved', 'approved', 'expired', 'cancelled', 'nullified'])[1 + n * 31 / 7 % 6],
         1, 1000 + n * 7919 % 5000, 0, (array['COP', 'USD'])[1 + n * 17 % 2], '', (n * 11 % 700)::text, false, '300' || n * 13 % 800, '2026-11-20',
         '2026-11-20T00:00:00Z'::timestamptz + n * 101 % 48 * interval '1 hour',
         '2026-11-01T00:00:00Z'::timestamptz + n * 53 % 400 * interval '1 hour', at,
         (at at time zone case m when 'other' then 'Pacific/Auckland' else 'America/Bogota' end)::date
    from generate_series($1::int, $2::int) as n,
         lateral (select case when n % 7 < 5 then 'big' when n % 7 = 5 then 'other' else 'small' end as m,
                         '2026-11-10T00:00:00Z'::timestamptz + n * 59 % 200 * interval '1 hour' as at) as drawn`;
const INSERT_PAYMENTS = `
  insert into cashout_payments (network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at)
  select (array['cash', 'bank'])[1 + cashout_id % 2], 'T' || cashout_id / 2, merchant_id, operation_id, cashout_id, '', '', updated_at
    from cashouts where state in ('approved', 'nullified')`;

const { client, db } = listDatabase(async (filling, reading) => {
  await filling.query('alter table cashouts drop constraint cashouts_merchant_id_fkey');
  await filling.query(INSERT, [1, CASHOUTS]);
  await filling.query(INSERT_PAYMENTS);
  await filling.query('vacuum analyze cashouts, cashout_payments');
  const rows = await reading.query<Cashout & Payment & { paidAt: Temporal.Instant | null; endsAt: Temporal.Instant }>(ALL, []);
  stored = rows.map(({ paidAt, network, transactionId, endsAt, ...cashout }) => ({
    ...cashout,
    state: cashout.state === 'pending' && Temporal.Instant.compare(endsAt, NOW) <= 0 ? 'expired' : cashout.state,
    paid: paidAt === null ? null : { paidAt, network, transactionId },
  }));
});

function fits(cashout: Stored, scope: Scope, filter: CashoutFilter): boolean {
  const { states, document, cellphone, operationId } = filter;
  return (
    passes(cashout, scope, filter) &&
    (states === undefined || states.includes(cashout.state)) &&
    (document === undefined || document === cashout.document) &&
    (cellphone === undefined || cellphone === cashout.cellphone) &&
    (operationId === undefined || operationId === cashout.operationId)
  );
}

const newestFirst = (one: Cashout, other: Cashout): number =>
  Temporal.PlainDate.compare(other.updatedOn, one.updatedOn) ||
  Temporal.Instant.compare(other.updatedAt, one.updatedAt) ||
  Number(other.cashoutId - one.cashoutId);
const nameOf = ({ merchantId, operationId, state }: Cashout): string => `${merchantId} ${operationId} ${state}`;

const found = async (scope: Scope, filter: CashoutFilter, limit: number, between?: () => Promise<unknown>): Promise<readonly string[]> =>
  (
    await walk(
      (after: CashoutPlace | undefined, most) => findCashouts(db(), scope, filter, { after, limit: most, now: NOW }),
      limit,
      between,
    )
  ).map(nameOf);

const anyFilter: fc.Arbitrary<CashoutFilter> = fc.record({
  states: some(fc.subarray([...CASHOUT_STATES], { minLength: 1, maxLength: 3 })),
  document: rarely(fc.integer({ min: 0, max: 705 }).map(String)),
  cellphone: rarely(fc.integer({ min: 0, max: 805 }).map((n) => `300${n}`)),
  operationId: rarely(fc.integer({ min: 0, max: CASHOUTS }).map((n) => `c-${n}`)),
  ...ANY_FILTER,
});

test('each filter finds exactly the cashouts that pass it, each once, the last changed first', async () => {
  await fc.assert(
    fc.asyncProperty(anyScope, anyFilter, async (scope, filter) => {
      const expected = stored.filter((cashout) => fits(cashout, scope, filter)).toSorted(newestFirst);
      expect(await found(scope, filter, 900)).toEqual(expected.map(nameOf));
    }),
    { numRuns: 30 },
  );
});

test('the summary of each filter is what its cashouts are in number and worth, in all and by state', async () => {
  await fc.assert(
    fc.asyncProperty(anyScope, anyFilter, async (scope, filter) => {
      const now = stored.map((cashout) => ({ ...cashout, state: cashout.state }));
      const all = now.filter((cashout) => fits(cashout, scope, { ...filter, states: undefined }));
      const chosen = all.filter(({ state }) => filter.states?.includes(state) ?? true);
      expect(await sumCashouts(db(), scope, filter, NOW)).toEqual({
        isWhole: true,
        all: summed(chosen),
        byState: CASHOUT_STATES.map((state) => ({ state, ...summed(all.filter((one) => one.state === state)) })),
      });
    }),
    { numRuns: 30 },
  );
});

test('cashouts that come during a walk neither repeat nor hide those that were there', async () => {
  let made = CASHOUTS;
  const create = (): Promise<unknown> => client().query(INSERT, [made + 1, (made += 200)]);
  const names = await found('everybody', { currency: 'COP' }, 300, create);
  expect(new Set(names).size).toBe(names.length);
  const before = stored
    .filter((cashout) => fits(cashout, 'everybody', { currency: 'COP' }))
    .toSorted(newestFirst)
    .map(nameOf);
  const wasThere = new Set(before);
  expect(names.filter((name) => wasThere.has(name))).toEqual(before);
});
