import { statement, type Value } from '../kit/db.ts';
import { openTable, type LockedRow } from '../kit/changes/table.ts';
import { CASHOUT_COLUMNS } from './cashout-columns.ts';
import { LISTED_FIELDS, type Cashout, type CashoutState } from './cashout.ts';

/** Declares `cashouts.lock`, `cashouts.save` and `cashouts.insert`. A cashout is inserted with the hash of its password and the end of its last day. */
export const CASHOUTS = openTable('cashouts', CASHOUT_COLUMNS, { extra: { otpHash: 'bytea', expiresAt: 'timestamptz' } });
/** A row under these names, of the table cashouts, is a Cashout. */
export const SELECT_CASHOUT = CASHOUTS.selectList('cashouts');
/** As SELECT_CASHOUT, of a ListedCashout. */
export const SELECT_LISTED = CASHOUTS.selectList('cashouts', LISTED_FIELDS);
export type CashoutRow = LockedRow<Cashout>;

/** How much time one count of the list covers (docs/decisions/0002). */
export const SLOT = `interval '5 minutes'`;
/** The slot of a cashout's row: the instant at which it begins. */
export const SLOT_OF_UPDATE = `date_bin(${SLOT}, updated_at, 'epoch')`;

/** How many cashouts in a state a merchant's day, and the five minutes of an instant, gain; negative: lose. */
export type CountChange = {
  readonly merchantId: string;
  readonly updatedOn: Temporal.PlainDate;
  readonly updatedAt: Temporal.Instant;
  readonly state: CashoutState;
  readonly delta: number;
};

/**
 * Changes the kept counts of slots of five minutes, of days and of months. It belongs into the transaction that changes the cashouts, after
 * them. Several changes of one count are summed. One transaction after the other counts for a merchant. See count_cashouts in the schema.
 */
export const COUNT_CHANGES = statement(
  'cashouts.count_changes',
  'select count_cashouts($1::text[], $2::date[], $3::timestamptz[], $4::text[], $5::bigint[])',
);

/** The values of COUNT_CHANGES. */
export function countChangeValues(changes: readonly CountChange[]): readonly Value[] {
  return [
    changes.map(({ merchantId }) => merchantId),
    changes.map(({ updatedOn }) => updatedOn),
    changes.map(({ updatedAt }) => updatedAt),
    changes.map(({ state }) => state),
    changes.map(({ delta }) => delta),
  ];
}

/** What places a cashout among the counts. */
type Counted = Pick<Cashout, 'merchantId' | 'updatedOn' | 'updatedAt' | 'state'>;

const countOf = ({ merchantId, updatedOn, updatedAt, state }: Counted, delta: 1 | -1): CountChange => ({
  merchantId,
  updatedOn,
  updatedAt,
  state,
  delta,
});

/** What the counts have to learn of a new cashout. */
export function countNewCashout(cashout: Counted): readonly CountChange[] {
  return [countOf(cashout, 1)];
}

/** What the counts have to learn of a changed cashout: it leaves its old place and enters the new one. */
export function countMove(before: Counted, after: Counted): readonly CountChange[] {
  return [countOf(before, -1), countOf(after, 1)];
}
