import {
  bigint,
  bool,
  fixed,
  instantColumn,
  int,
  key,
  nullable,
  stamp,
  textColumn,
  type KeyOf,
  type RowOf,
} from '../../kit/changes/columns.ts';
import type { Bearer, Refunder } from '../../ledger/index.ts';

/**
 * `requested`: it waits for whoever is to pay it, who may refuse. `approved`: it is to be paid. The other three are final: of a refund that
 * failed or was cancelled nobody was paid, and the merchant has its money again.
 */
export const REFUND_STATES = ['requested', 'approved', 'paid', 'failed', 'cancelled'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** Whether a refund is still to be approved or paid. */
export const isOpenRefund = ({ state }: { readonly state: RefundState }): boolean => state === 'requested' || state === 'approved';

/** Who hands money of a payment to its payer, where somebody records it. */
export const PAYERS_BACK = ['network', 'operator', 'merchant'] as const satisfies readonly Refunder[];
/** Who is to hand it over, or has. `cashout`: a network at a counter, for a one-time password. */
export const REFUNDERS = [...PAYERS_BACK, 'cashout'] as const;
export type AnyRefunder = (typeof REFUNDERS)[number];

/** Which of the merchant's money bears a refund. */
export const REFUND_BEARERS = ['collected', 'fund'] as const satisfies readonly Bearer[];

/** The fields of a refund, each with its column. */
export const REFUND_COLUMNS = {
  merchantId: key(textColumn()),
  /** The merchant's id of it. */
  refundId: key(textColumn()),
  orderId: fixed(textColumn()),
  paymentNumber: fixed(int()),
  state: textColumn<RefundState>(),
  amountMinor: fixed(bigint()),
  currency: fixed(textColumn()),
  /** What comes back of the payment's fee, and of the tax on it. */
  feeMinor: fixed(bigint()),
  taxMinor: fixed(bigint()),
  /** Whether the service keeps fee and tax, by the setting of the merchant when it was asked for. */
  keepsFees: fixed(bool()),
  takenFrom: fixed(textColumn<Bearer>()),
  /** Who is to hand the money to the payer, or has. */
  refundedBy: textColumn<AnyRefunder>(),
  /** The cashout with which the payer collects it, or has. Null: none, or that one ended unpaid. */
  operationId: nullable(textColumn()),
  reason: fixed(textColumn()),
  requestedAt: fixed(instantColumn()),
  updatedAt: stamp(instantColumn()),
  endedAt: nullable(instantColumn()),
  /** What proves that it was paid, such as the id of a transfer. */
  proof: nullable(textColumn()),
  /** Why it failed. */
  problem: nullable(textColumn()),
} as const;

export type Refund = RowOf<typeof REFUND_COLUMNS>;
export type RefundKey = KeyOf<typeof REFUND_COLUMNS>;
/** Of which payment a refund is never changes. */
export type RefundOfPayment = Pick<Refund, 'merchantId' | 'refundId' | 'orderId' | 'paymentNumber'>;
