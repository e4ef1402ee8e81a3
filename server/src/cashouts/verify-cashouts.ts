import { statement } from '../kit/db.ts';
import type { Check, Finding } from '../kit/checks/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  compareEntries,
  type ExpectedEntries,
  type LedgerTransaction,
} from '../ledger/index.ts';
import { SELECT_CASHOUT } from './cashout-rows.ts';
import { CASHOUT_STATES, type Cashout } from './cashout.ts';

const differs = CASHOUT_STATES.map((state) => `coalesce(kept.${state}, 0) <> coalesce(counted.${state}, 0)`).join(' or ');
const shown = (of: string): string => CASHOUT_STATES.map((state) => `coalesce(${of}.${state}, 0)`).join(` || '/' || `);

/** Kept against counted, without the indexes or the code that the list uses. */
const WRONG_COUNTS = statement(
  'cashouts.verify_counts',
  `select merchant_id as "merchantId", updated_on || ', the five minutes from ' || updated_slot as id,
          'keeps ' || ${shown('kept')} || ' (${CASHOUT_STATES.join('/')}) but has ' || ${shown('counted')} as problem
     from cashout_slot_counts kept
     full join (
       select merchant_id, updated_on, date_bin('5 minutes', updated_at, 'epoch') as updated_slot,
              ${CASHOUT_STATES.map((state) => `count(*) filter (where state = '${state}') as ${state}`).join(', ')}
         from cashouts group by 1, 2, 3) as counted using (merchant_id, updated_on, updated_slot)
    where ${differs} limit 1`,
);

/** Kept of days against kept of their slots. */
const WRONG_DAY_COUNTS = statement(
  'cashouts.verify_day_counts',
  `select merchant_id as "merchantId", updated_on::text as id,
          'keeps ' || ${shown('kept')} || ' (${CASHOUT_STATES.join('/')}) but its slots keep ' || ${shown('counted')} as problem
     from cashout_counts kept
     full join (
       select merchant_id, updated_on, ${CASHOUT_STATES.map((state) => `sum(${state}) as ${state}`).join(', ')}
         from cashout_slot_counts group by 1, 2) as counted using (merchant_id, updated_on)
    where ${differs} limit 1`,
);

/** Kept of months against kept of days. */
const WRONG_MONTH_COUNTS = statement(
  'cashouts.verify_month_counts',
  `select merchant_id as "merchantId", to_char(month_on, 'YYYY-MM') as id,
          'keeps ' || ${shown('kept')} || ' (${CASHOUT_STATES.join('/')}) but its days keep ' || ${shown('counted')} as problem
     from cashout_month_counts kept
     full join (
       select merchant_id, date_trunc('month', updated_on)::date as month_on, ${CASHOUT_STATES.map((state) => `sum(${state}) as ${state}`).join(', ')}
         from cashout_counts group by 1, 2) as counted using (merchant_id, month_on)
    where ${differs} limit 1`,
);

/** An imported cashout starts at version 1 without a row: its history is that of the changes here. */
const BROKEN_HISTORY = statement(
  'cashouts.verify_history',
  `select merchant_id as "merchantId", operation_id as id,
          case when c.operation_id is null then 'has a history but is not stored'
               when c.version <> coalesce(h.version, 1) then 'is at version ' || c.version || ', its history at ' || coalesce(h.version, 1)
               when h.changes < c.version - (c.reserved_minor = 0)::integer then 'lacks changes in its history'
               else 'is ' || c.state || ', its history says ' || h.state end as problem
     from cashouts c
     full join (
       select merchant_id, operation_id, max(version) as version, count(*) as changes,
              (array_agg(changes -> 'state' ->> 1 order by version desc) filter (where changes ? 'state'))[1] as state
         from cashout_history group by merchant_id, operation_id) as h using (merchant_id, operation_id)
    where c.operation_id is null or c.version <> coalesce(h.version, 1) or h.changes < c.version - (c.reserved_minor = 0)::integer or h.state <> c.state limit 1`,
);

/** No zone is further from UTC than 15 hours: whichever it is, the last day ends about then. */
const WRONG_END = statement(
  'cashouts.verify_ends',
  `select merchant_id as "merchantId", operation_id as id, 'waits until the end of ' || expires_on || ' but would be swept at ' || coalesce(expires_at::text, 'no time') as problem
     from cashouts
    where state = 'pending' and (expires_at is null or abs(extract(epoch from expires_at - ((expires_on + 1)::timestamp at time zone 'UTC'))) > 15 * 3600) limit 1`,
);

type WithPayer = Cashout & { readonly paidBy: string | null; readonly wasReversed: boolean | null };

/** Of those that took from a fund; the others must have nothing in the ledger. */
const FUNDED = statement(
  'cashouts.verify_money',
  `select ${SELECT_CASHOUT}, p.network_id as "paidBy", p.reversed_at is not null as "wasReversed"
     from cashouts left join lateral (
       select network_id, reversed_at from cashout_payments
        where cashout_payments.merchant_id = cashouts.merchant_id and cashout_payments.operation_id = cashouts.operation_id) as p on true
    where reserved_minor > 0`,
);

const finder =
  (query: typeof WRONG_COUNTS): Check['run'] =>
  async (snapshot) => {
    for await (const finding of snapshot.rows<Finding>(query, [])) return { finding };
    return {};
  };

/** The ledger transactions that a state demands; their instants are not compared. */
function demandedBy(cashout: WithPayer): readonly LedgerTransaction[] {
  const { state, paidBy, wasReversed, updatedAt: at } = cashout;
  const registered = cashoutRegistered(cashout, cashout.createdAt);
  if (state === 'pending') return [registered];
  const isPaid = state === 'approved' || wasReversed === true;
  if (!isPaid) return [registered, cashoutReleased(cashout, at)];
  const paid = cashoutPaid(cashout, paidBy ?? 'nobody', at);
  return wasReversed === true ? [registered, paid, cashoutPaymentReversed(cashout, paidBy ?? 'nobody', at)] : [registered, paid];
}

async function* demanded(snapshot: Snapshot): AsyncGenerator<ExpectedEntries> {
  for await (const cashout of snapshot.rows<WithPayer>(FUNDED, [])) {
    yield { merchantId: cashout.merchantId, id: cashout.operationId, transactions: demandedBy(cashout) };
  }
}

/** What must be true of stored cashouts. Source: contract §4.1, §4.2, §4.6. */
export const cashoutChecks: readonly Check[] = [
  { promise: 'the kept counts of cashouts equal a count of their rows', run: finder(WRONG_COUNTS) },
  { promise: 'the kept counts of days equal those of their slots', run: finder(WRONG_DAY_COUNTS) },
  { promise: 'the kept counts of months equal those of their days', run: finder(WRONG_MONTH_COUNTS) },
  { promise: 'every cashout is as its history says', run: finder(BROKEN_HISTORY) },
  { promise: 'every pending cashout ends with its last day', run: finder(WRONG_END) },
  {
    promise: 'every cashout has exactly the ledger entries that its state demands',
    run: (snapshot) => compareEntries(snapshot, 'cashout', demanded(snapshot)),
  },
];
