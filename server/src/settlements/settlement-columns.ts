import { bigint, dayColumn, fixed, instantColumn, int, key, nullable, textColumn, type KeyOf, type RowOf } from '../kit/changes/columns.ts';

/**
 * `draft`: it has its entries, and nothing is posted. `approved`: its money has left what is collected. `sent`: the bank is to pay it.
 * `returned`: the merchant has its money again. It was taken back before the bank was told, the bank did not pay it, or it came back later.
 * That is final, as `cancelled` is.
 */
export const SETTLEMENT_STATES = ['draft', 'approved', 'sent', 'paid', 'returned', 'cancelled'] as const;
export type SettlementState = (typeof SETTLEMENT_STATES)[number];

/** The fields of a settlement, each with its column. Amounts in minor units. */
export const SETTLEMENT_COLUMNS = {
  merchantId: key(textColumn()),
  settlementId: key(bigint()),
  currency: fixed(textColumn()),
  state: textColumn<SettlementState>(),
  /** Its entries were posted before this instant. */
  cutoffAt: fixed(instantColumn()),
  /** The day on which it was made, in the merchant's zone. */
  settledOn: fixed(dayColumn()),
  /** The day of the schedule that it was made for. */
  dueOn: nullable(fixed(dayColumn())),
  entries: fixed(int()),
  grossMinor: fixed(bigint()),
  netMinor: fixed(bigint()),
  madeAt: fixed(instantColumn()),
  approvedAt: nullable(instantColumn()),
  sentAt: nullable(instantColumn()),
  fileId: nullable(textColumn()),
  paidAt: nullable(instantColumn()),
  bankReference: nullable(textColumn()),
  returnedAt: nullable(instantColumn()),
  /** Why it was returned. */
  problem: nullable(textColumn()),
  cancelledAt: nullable(instantColumn()),
} as const;

export type Settlement = RowOf<typeof SETTLEMENT_COLUMNS>;
export type SettlementKey = KeyOf<typeof SETTLEMENT_COLUMNS>;
