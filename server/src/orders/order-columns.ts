import {
  amountIn,
  bigint,
  bool,
  count,
  day,
  fixed,
  given,
  givenOr,
  instant,
  int,
  key,
  nullable,
  sharedInstant,
  stamp,
  text,
  unrecorded,
  type KeyOf,
  type RowOf,
  type TermsOf,
} from '../kit/changes/columns.ts';
import type { Language } from '../kit/language.ts';

/** contract §3.5. Only a pending order changes. stateAt says whether its time has run out. */
export type OrderState = 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';

/**
 * The fields of an order, each with its column. `given`: the merchant sets it, and may change it while the order is pending.
 * Of those that change, state, reference and expires_at are in an index. While these keep their values, the new row version stays
 * on its page (a heap-only update).
 */
export const ORDER_COLUMNS = {
  merchantId: key(text()),
  orderId: key(text()),
  serviceOrderId: fixed(bigint()),
  state: text<OrderState>(),
  /** 1 at creation, one more with each change. */
  version: stamp(int()),
  email: given(text()),
  /** Three digits as sent: several codes name one country. */
  country: given(text()),
  currency: unrecorded(given(text())),
  amountMinor: given(amountIn('currency', 'amount')),
  reference: given(text()),
  description: givenOr(null, nullable(text())),
  /** Empty: the customer chooses at the checkout. */
  method: givenOr('', text()),
  language: givenOr(null, nullable(text<Language>())),
  recurrent: givenOr(false, bool()),
  /** The last day, in the merchant's zone, on which the order can be paid. */
  expiresOn: given(day()),
  /** The end of the day expiresOn in the merchant's zone; null for a recurrent order, which never expires. */
  expiresAt: nullable(sharedInstant()),
  /** VAT in millionths: 19 % is 190000. */
  vatRatePpm: givenOr(null, nullable(int())),
  userDocument: givenOr(null, nullable(text())),
  userDocumentType: givenOr(null, nullable(text())),
  userName: givenOr(null, nullable(text())),
  redirectTimeoutMs: givenOr(null, nullable(int())),
  /** Counted, and so numbered; a recurrent order has many. */
  payments: count(),
  paymentsGivenBack: count(),
  createdAt: unrecorded(fixed(instant())),
  updatedAt: stamp(instant()),
} as const;

export type Order = RowOf<typeof ORDER_COLUMNS>;
export type OrderKey = KeyOf<typeof ORDER_COLUMNS>;
/** What the merchant sets. Null: not given. */
export type OrderTerms = TermsOf<typeof ORDER_COLUMNS>;
