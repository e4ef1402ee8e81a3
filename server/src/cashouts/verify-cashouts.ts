import type { Column } from '../kit/changes/columns.ts';
import { digestOfText, wrongDigestText } from '../kit/changes/digest.ts';
import { snakeCase } from '../kit/changes/columns.ts';
import { statement } from '../kit/db.ts';
import { firstFinding, type Check } from '../kit/checks/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import {
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  checkFees,
  compareEntries,
  type ExpectedEntries,
  type LedgerTransaction,
} from '../ledger/index.ts';
import { ALL_CODES, countryOf, validHashesSince } from '../merchants/index.ts';
import { proofsSpentAt } from '../requests/index.ts';
import { CASHOUT_COLUMNS } from './cashout-columns.ts';
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

/** What a registration recorded, and nothing changes later. A history that is older than a column has no such field. */
const FIXED = Object.entries<Column>(CASHOUT_COLUMNS).filter(([, { role, recordedAs }]) => role === 'fixed' && recordedAs !== null);
const WRONG_FIELDS = statement(
  'cashouts.verify_fields',
  `select merchant_id as "merchantId", operation_id as id,
          case when h.operation_id is null then 'took from a fund, but was not registered here'
               when c.created_at <> h.changed_at then 'was registered at another time than its history says'
               when c.reserved_minor <> c.amount_minor + c.fee_minor + c.tax_minor then 'reserves another amount than it was registered for'
               else 'is not what it was registered as' end as problem
     from cashouts c left join cashout_history h using (merchant_id, operation_id)
    where (h.version is null or h.version = 1)
      and case when h.operation_id is null then c.reserved_minor <> 0
               else c.created_at is distinct from h.changed_at or c.reserved_minor is distinct from c.amount_minor + c.fee_minor + c.tax_minor
                 or ${FIXED.map(([field]) => `(h.changes ? '${field}' and h.changes -> '${field}' ->> 1 is distinct from c.${snakeCase(field)}::text)`).join(' or ')} end
    limit 1`,
);

const WRONG_TIMES = statement(
  'cashouts.verify_times',
  `select c.merchant_id as "merchantId", c.operation_id as id, 'was changed at another time, or got other passwords, than its history says' as problem
     from cashouts c
     left join lateral (
       select max(changed_at) as changed_at, count(*) filter (where event = 'cashout.password_renewed') as renewed
         from cashout_history h where h.merchant_id = c.merchant_id and h.operation_id = c.operation_id) as h on true
     left join unnest($1::text[], $2::text[]) as zones (code, zone) on zones.code = ${countryOf('c.merchant_id')}
    where c.updated_at is distinct from coalesce(h.changed_at, c.updated_at) or c.otp_resends is distinct from h.renewed
       or c.updated_on is distinct from (c.updated_at at time zone zones.zone)::date limit 1`,
);

const WRONG_DIGEST = statement('cashouts.verify_digests', wrongDigestText('cashout_history', 'operation_id'));

/** The proof of a registration is forgotten with the fixed hash that it was made of: then the digest cannot be computed any more. */
const WRONG_PASSWORD = statement(
  'cashouts.verify_passwords',
  `select c.merchant_id as "merchantId", c.operation_id as id, 'has another password, or another proof of its request, than was written' as problem
     from cashouts c
    cross join lateral (
       select evidence, changed_at from cashout_history h
        where h.merchant_id = c.merchant_id and h.operation_id = c.operation_id and h.event in ('cashout.registered', 'cashout.password_renewed')
        order by version desc limit 1) as h
    where h.evidence is not null
      and h.changed_at >= ${validHashesSince('c.merchant_id', '$1')}
      and not exists (
        select from (select '' as proof union all
                     ${proofsSpentAt('c.merchant_id', 'h.changed_at')}) as spent
         where ${digestOfText(`encode(c.otp_hash, 'hex') || ' ' || spent.proof`)} = h.evidence)
    limit 1`,
);

const WRONG_PAYMENT = statement(
  'cashouts.verify_payments',
  `select coalesce(p.merchant_id, h.merchant_id) as "merchantId", coalesce(p.operation_id, h.operation_id) as id,
          'has another payment than its history says' as problem
     from (select * from cashout_payments where cell is null) p
     full join (select * from cashout_history where event = 'cashout.paid') as h using (merchant_id, operation_id)
     left join cashouts c using (merchant_id, operation_id)
     left join (select merchant_id, operation_id, event, changed_at from cashout_history where event = 'cashout.payment_reversed') as back
         using (merchant_id, operation_id)
    where (p.network_id is null or h.version is null or c.operation_id is null or p.cashout_id is distinct from c.cashout_id
        or p.paid_at is distinct from h.changed_at or 'network:' || p.network_id is distinct from h.actor or c.locked_by is distinct from p.network_id
        or (h.evidence is not null and h.evidence is distinct from ${digestOfText(`p.transaction_id || ' ' || p.dane_code || ' ' || p.teller`)})
        or p.reversed_at is distinct from back.changed_at)
    limit 1`,
);

/** No zone is further from UTC than 15 hours: whichever it is, the last day ends about then. */
const WRONG_END = statement(
  'cashouts.verify_ends',
  `select merchant_id as "merchantId", operation_id as id, 'waits until the end of ' || expires_on || ' but would be swept at ' || coalesce(expires_at::text, 'no time') as problem
     from cashouts
    where state = 'pending' and (expires_at is null or abs(extract(epoch from expires_at - ((expires_on + 1)::timestamp at time zone 'UTC'))) > 15 * 3600) limit 1`,
);

type WithPayer = Cashout & {
  readonly paidBy: string | null;
  readonly paidAt: Temporal.Instant | null;
  readonly reversedAt: Temporal.Instant | null;
};

/** Of those that took from a fund; the others must have nothing in the ledger. */
const FUNDED = statement(
  'cashouts.verify_money',
  `select ${SELECT_CASHOUT}, p.network_id as "paidBy", p.paid_at as "paidAt", p.reversed_at as "reversedAt"
     from cashouts left join lateral (
       select network_id, paid_at, reversed_at from cashout_payments
        where cashout_payments.merchant_id = cashouts.merchant_id and cashout_payments.operation_id = cashouts.operation_id) as p on true
    where reserved_minor > 0`,
);

const ZONES = ALL_CODES.map(([code, { timeZone }]) => [code, timeZone] as const);

/** The ledger transactions that a state demands. */
function demandedBy(cashout: WithPayer): readonly LedgerTransaction[] {
  const { state, paidBy, paidAt, reversedAt, updatedAt: at } = cashout;
  const registered = cashoutRegistered(cashout, cashout.createdAt);
  if (state === 'pending') return [registered];
  if (state !== 'approved' && reversedAt === null) return [registered, cashoutReleased(cashout, at)];
  const paid = cashoutPaid(cashout, paidBy ?? 'nobody', paidAt ?? at);
  return reversedAt === null ? [registered, paid] : [registered, paid, cashoutPaymentReversed(cashout, paidBy ?? 'nobody', reversedAt)];
}

async function* demanded(snapshot: Snapshot): AsyncGenerator<ExpectedEntries> {
  for await (const cashout of snapshot.rows<WithPayer>(FUNDED, [])) {
    yield { merchantId: cashout.merchantId, id: cashout.operationId, transactions: demandedBy(cashout) };
  }
}

/** What must be true of stored cashouts. Source: contract §4.1, §4.2, §4.6. */
export const cashoutChecks: readonly Check[] = [
  { promise: 'the kept counts of cashouts equal a count of their rows', run: firstFinding(WRONG_COUNTS) },
  { promise: 'the kept counts of days equal those of their slots', run: firstFinding(WRONG_DAY_COUNTS) },
  { promise: 'the kept counts of months equal those of their days', run: firstFinding(WRONG_MONTH_COUNTS) },
  { promise: 'every cashout is as its history says', run: firstFinding(BROKEN_HISTORY) },
  { promise: 'every cashout is what it was registered as', run: firstFinding(WRONG_FIELDS) },
  {
    promise: 'every cashout was changed when its history says, and is counted on that day of its merchant',
    run: firstFinding(WRONG_TIMES, () => [ZONES.map(([code]) => code), ZONES.map(([, zone]) => zone)]),
  },
  { promise: 'every change of a cashout was made by whom, when and as its history says', run: firstFinding(WRONG_DIGEST) },
  {
    promise: 'every cashout has the password that its history says, and every spent proof is kept',
    run: firstFinding(WRONG_PASSWORD, (now) => [now.toString()]),
  },
  { promise: 'every payment of a cashout is as its history says: where, by whom and when', run: firstFinding(WRONG_PAYMENT) },
  {
    promise: 'the fee of every cashout follows from the terms of its merchant',
    run: checkFees(
      'cashouts.verify_fees',
      'cashout',
      'select merchant_id, operation_id as id, currency, amount_minor, fee_minor, tax_minor from cashouts where reserved_minor > 0',
    ),
  },
  { promise: 'every pending cashout ends with its last day', run: firstFinding(WRONG_END) },
  {
    promise: 'every cashout has exactly the ledger entries that its state demands',
    run: (snapshot) => compareEntries(snapshot, 'cashout', demanded(snapshot)),
  },
];
