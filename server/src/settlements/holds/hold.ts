import { bigint, dayColumn, fixed, instantColumn, key, nullable, textColumn, type KeyOf, type RowOf } from '../../kit/changes/columns.ts';
import { holdPlaced, holdReleased, type LedgerTransaction } from '../../ledger/index.ts';

/** Money of a merchant that is held back, with its columns. */
export const HOLD_COLUMNS = {
  merchantId: key(textColumn()),
  holdId: key(bigint()),
  currency: fixed(textColumn()),
  amountMinor: fixed(bigint()),
  reason: fixed(textColumn()),
  /** The settlement that kept it as a reserve. Null: it was held by hand. */
  settlementId: nullable(fixed(bigint())),
  /** It is released on this day of the merchant's zone. Null: by hand. */
  releaseOn: nullable(fixed(dayColumn())),
  heldAt: fixed(instantColumn()),
  releasedAt: nullable(instantColumn()),
} as const;

export type HeldMoney = RowOf<typeof HOLD_COLUMNS>;
export type HoldKey = KeyOf<typeof HOLD_COLUMNS>;

/** What a hold has posted by itself. A reserve was posted by its settlement. */
export const postingsOfHold = (hold: HeldMoney): readonly LedgerTransaction[] => [
  ...(hold.settlementId === null ? [holdPlaced(hold, hold.heldAt)] : []),
  ...(hold.releasedAt === null ? [] : [holdReleased(hold, hold.releasedAt)]),
];
