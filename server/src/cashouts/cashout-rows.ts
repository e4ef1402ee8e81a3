import { statement, type Value } from '../kit/db.ts';
import { CASHOUT_STATES, type Cashout, type CashoutState } from './cashout.ts';

/** The columns of `ListedCashout`, under its names. */
export const LISTED_COLUMNS = `operation_id as "operationId", state, amount_minor as "amountMinor",
  transaction_cost_minor as "transactionCostMinor", currency, description, document, sms, cellphone,
  expires_on as "expiresOn", updated_on as "updatedOn"`;

/** The columns of `Cashout`, under its names: a row that is selected with them is a Cashout. */
export const CASHOUT_COLUMNS = `merchant_id as "merchantId", cashout_id as "cashoutId", version, created_at as "createdAt",
  updated_at as "updatedAt", fee_minor as "feeMinor", tax_minor as "taxMinor",
  reserved_minor as "reservedMinor", otp_wrong_tries as "otpWrongTries", otp_resends as "otpResends", locked_by as "lockedBy",
  locked_until as "lockedUntil", ${LISTED_COLUMNS}`;

/** So many operations more, or fewer, that a merchant's day holds in a state. */
export type CountChange = {
  readonly merchantId: string;
  readonly updatedOn: Temporal.PlainDate;
  readonly state: CashoutState;
  readonly delta: number;
};

const summed = (what: (state: CashoutState) => string): string =>
  CASHOUT_STATES.map((state) => `coalesce(${what(state)}, 0) as ${state}`).join(', ');
const added = (table: string): string => CASHOUT_STATES.map((state) => `${state} = ${table}.${state} + excluded.${state}`).join(', ');

/**
 * Changes the kept counts, of days and of months; belongs into the transaction that changes the cashouts, after them. Several changes of
 * one count are summed. Counts are locked in the order of their key, so that two transactions never wait for each other.
 */
export const COUNT_CHANGES = statement(
  'cashouts.count_changes',
  `with change as materialized (
     select merchant_id collate "C" as merchant_id, updated_on, ${summed((state) => `sum(delta) filter (where state = '${state}')`)}
       from unnest($1::text[], $2::date[], $3::text[], $4::bigint[]) as change (merchant_id, updated_on, state, delta)
      group by 1, 2),
   days as (
     insert into cashout_counts (merchant_id, updated_on, ${CASHOUT_STATES.join(', ')})
     select * from change order by merchant_id, updated_on
     on conflict (merchant_id, updated_on) do update set ${added('cashout_counts')})
   insert into cashout_month_counts (merchant_id, month_on, ${CASHOUT_STATES.join(', ')})
   select merchant_id, date_trunc('month', updated_on)::date, ${summed((state) => `sum(${state})`)} from change group by 1, 2 order by 1, 2
   on conflict (merchant_id, month_on) do update set ${added('cashout_month_counts')}`,
);

/** The values of COUNT_CHANGES. */
export function countChangeValues(changes: readonly CountChange[]): readonly Value[] {
  return [
    changes.map(({ merchantId }) => merchantId),
    changes.map(({ updatedOn }) => updatedOn),
    changes.map(({ state }) => state),
    changes.map(({ delta }) => delta),
  ];
}

/** What the counts have to learn of a new cashout. */
export function countNew(cashout: Pick<Cashout, 'merchantId' | 'updatedOn' | 'state'>): readonly CountChange[] {
  return [{ merchantId: cashout.merchantId, updatedOn: cashout.updatedOn, state: cashout.state, delta: 1 }];
}

/** What the counts have to learn of a changed cashout: it leaves its old day and state and enters the new ones. */
export function countMove(
  before: Pick<Cashout, 'merchantId' | 'updatedOn' | 'state'>,
  after: Pick<Cashout, 'merchantId' | 'updatedOn' | 'state'>,
): readonly CountChange[] {
  return [{ merchantId: before.merchantId, updatedOn: before.updatedOn, state: before.state, delta: -1 }, ...countNew(after)];
}
