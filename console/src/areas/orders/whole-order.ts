import type { Answer } from '../../api/client.ts';
import { minorOf, moneyOf, type Money } from '../../design/values/money.ts';

/** All that is stored of an order. */
export type WholeOrder = Answer<'readOrder'>['body'];
/** What every part of the page of an order is about. */
export type OrderProps = { readonly order: WholeOrder };

export type Payment = WholeOrder['paymentList'][number];
export type Refund = WholeOrder['refunds'][number];

/** What of a payment no refund has promised to its payer. */
export const leftOf = ({ amount, refunded }: Payment): Money => moneyOf(minorOf(amount) - minorOf(refunded), amount);

/** Whether money of a payment can still be promised to its payer. */
export const hasLeft = (payment: Payment): boolean => payment.state === 'paid' && minorOf(leftOf(payment)) > 0n;
