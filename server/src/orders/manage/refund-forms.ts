import { Type } from 'typebox';
import { schemas } from '../../manage/index.ts';
import { PAYERS_BACK, REFUND_BEARERS, REFUND_STATES, REFUNDERS, type Refund } from '../refunds/refund-columns.ts';
import { shownOrderId } from './order-forms.ts';

// How the management API takes and shows refunds.

const { amount, instant, merchantId, oneOf, orNull, answerObject, showAmount, showInstant } = schemas;

const WHO =
  'Who hands the money to the payer: the network or method that took the payment, the operator of the service from its bank, or the merchant itself';
/** Who has handed the money of a payment to its payer. */
export const paidBy = oneOf(PAYERS_BACK, `${WHO}.`);
/** Who hands the money of a refund to the payer. */
export const refundedBy = oneOf(REFUNDERS, `${WHO}; or a network, at a counter, by a cashout with a one-time password.`);

export const takenFrom = oneOf(REFUND_BEARERS, 'Which of the merchant’s money bears it: what it has collected, or its fund.');

export const givenRefundId = Type.String({
  maxLength: 200,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The merchant’s id of it.',
  examples: ['R-1001'],
});
/** One that the service has made is the order's with a number behind a dot. */
export const shownRefundId = Type.String({
  maxLength: 220,
  pattern: '^[A-Za-z0-9_-]+([.][0-9]+)?$',
  description: 'The merchant’s id of it, or one of the service: that of the order, a dot and a number.',
  examples: ['R-1001'],
});

/** What is owed next, and by whom; null: nothing any more. */
const STEPS = ['approval', 'payment', 'collection'] as const;
const next = oneOf(
  STEPS,
  'What comes next: whoever is to pay it approves it, or pays it, or the payer collects its cashout. Null once it has ended.',
);
const NEXT: Readonly<Partial<Record<Refund['state'], (typeof STEPS)[number]>>> = { requested: 'approval', approved: 'payment' };

export const refundSchema = answerObject({
  merchant: merchantId,
  refund: shownRefundId,
  order: shownOrderId,
  payment: Type.Integer({ description: 'Which payment of the order, from 1.' }),
  state: oneOf(REFUND_STATES, 'Requested and approved ones are open.'),
  next: orNull(next),
  amount,
  fee: amount,
  tax: amount,
  refundedBy,
  cashout: orNull(Type.String({ description: 'The cashout with which the payer collects it, or has.', examples: ['W-77'] })),
  takenFrom,
  reason: Type.String(),
  requestedAt: instant,
  endedAt: orNull(instant),
  proof: orNull(Type.String({ description: 'What shows that it was paid, such as the id of a transfer.' })),
  problem: orNull(Type.String({ description: 'Why it failed.' })),
});

/** Fee and tax are what of them comes back to the merchant. */
export const showRefund = (refund: Refund) => ({
  merchant: refund.merchantId,
  refund: refund.refundId,
  order: refund.orderId,
  payment: refund.paymentNumber,
  state: refund.state,
  next: refund.state === 'approved' && refund.operationId !== null ? ('collection' as const) : (NEXT[refund.state] ?? null),
  amount: showAmount(refund.amountMinor, refund.currency),
  fee: showAmount(refund.feeMinor, refund.currency),
  tax: showAmount(refund.taxMinor, refund.currency),
  refundedBy: refund.refundedBy,
  cashout: refund.operationId,
  takenFrom: refund.takenFrom,
  reason: refund.reason,
  requestedAt: refund.requestedAt.toString(),
  endedAt: showInstant(refund.endedAt),
  proof: refund.proof,
  problem: refund.problem,
});
