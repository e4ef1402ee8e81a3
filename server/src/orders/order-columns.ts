import {
  amountIn,
  bigint,
  bool,
  countColumn,
  dayColumn,
  fixed,
  given,
  givenOr,
  instantColumn,
  int,
  key,
  nullable,
  sharedInstant,
  stamp,
  textColumn,
  unrecorded,
  type KeyOf,
  type RowOf,
  type TermsOf,
} from '../kit/changes/columns.ts';
import type { Language } from '../kit/language.ts';

/** contract §3.5. Only a pending order changes. stateAt says whether its time has run out. */
export const ORDER_STATES = ['pending', 'approved', 'expired', 'cancelled', 'voided'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/**
 * The fields of an order, each with its column. `given`: the merchant sets it, and may change it while the order is pending.
 * Of those that change, state, reference and expires_at are in an index. While these keep their values, the new row version stays
 * on its page (a heap-only update).
 */
export const ORDER_COLUMNS = {
  merchantId: key(textColumn()),
  orderId: key(textColumn()),
  serviceOrderId: fixed(bigint()),
  state: textColumn<OrderState>(),
  /** 1 at creation, one more with each change. */
  version: stamp(int()),
  email: given(textColumn()),
  /** Three digits as sent: several codes name one country. */
  country: given(textColumn()),
  currency: unrecorded(given(textColumn())),
  amountMinor: given(amountIn('currency', 'amount')),
  reference: given(textColumn()),
  description: givenOr(null, nullable(textColumn())),
  /** Empty: the customer chooses at the checkout. */
  method: givenOr('', textColumn()),
  language: givenOr(null, nullable(textColumn<Language>())),
  recurrent: givenOr(false, bool()),
  /** The last day, in the merchant's zone, on which the order can be paid. */
  expiresOn: given(dayColumn()),
  /** The end of the day expiresOn in the merchant's zone; null for a recurrent order, which never expires. */
  expiresAt: nullable(sharedInstant()),
  /** VAT in millionths: 19 % is 190000. */
  vatRatePpm: givenOr(null, nullable(int())),
  userDocument: givenOr(null, nullable(textColumn())),
  userDocumentType: givenOr(null, nullable(textColumn())),
  userName: givenOr(null, nullable(textColumn())),
  redirectTimeoutMs: givenOr(null, nullable(int())),
  /** Counted, and so numbered; a recurrent order has many. */
  payments: countColumn(),
  paymentsGivenBack: countColumn(),
  createdAt: unrecorded(fixed(instantColumn())),
  updatedAt: stamp(instantColumn()),
} as const;

export type Order = RowOf<typeof ORDER_COLUMNS>;
export type OrderKey = KeyOf<typeof ORDER_COLUMNS>;
/** What the merchant sets. Null: not given. */
export type OrderTerms = TermsOf<typeof ORDER_COLUMNS>;
