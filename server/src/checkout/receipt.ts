import { oneLine } from '../kit/one-line.ts';
import { sandboxMethod, type ShownPayment } from '../orders/index.ts';
import type { PageState } from './page-state.ts';
import type { CheckoutWords } from './words.ts';

/** What the page of a paid order shows of its payment, also after the payment was given back. */
export type Receipt = {
  /** The source's id of the payment: the payer's slip from the counter shows it too. */
  readonly paymentId: string;
  readonly receivedBy: string;
  readonly paidAt: Temporal.Instant;
};

/** Makes the receipt of the payment that ended an order. Undefined: no payment ended it. Source: contract §5. */
export function receiptOf(
  { payment, surroundings }: Pick<PageState, 'payment' | 'surroundings'>,
  words: CheckoutWords['receipt'],
): Receipt | undefined {
  if (payment === undefined) return undefined;
  const { transactionId, source, paidAt } = payment;
  const { receivedBy } = surroundings;
  return { paymentId: transactionId, receivedBy: receivedBy === null ? sourceInWords(source, words) : oneLine(receivedBy), paidAt };
}

/** The netname of the network that took a payment. Undefined: no network took it. */
export const networkOf = ({ source }: Pick<ShownPayment, 'source'>): string | undefined => /^network:(.*)$/.exec(source)?.[1];

/** Names who took a payment for the payer; a network or method without a display name by its own name. */
export function sourceInWords(source: ShownPayment['source'], words: CheckoutWords['receipt']): string {
  if (source === 'operator') return words.byOperator;
  return source === `method:${sandboxMethod.name}` ? words.simulated : source.slice(source.indexOf(':') + 1);
}
