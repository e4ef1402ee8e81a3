import type { Db } from '../kit/db.ts';
import { oneLine } from '../kit/one-line.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { NetworkDirectory } from '../networks/index.ts';
import { queryOrderWithPayment, sandboxMethod, type ShownPayment } from '../orders/index.ts';
import type { FoundOrder } from './find-order.ts';
import type { Words } from './words.ts';

/** What the page of a paid order shows of its payment, also after the payment was given back. */
export type Receipt = {
  /** The source's id of the payment: the payer's slip from the counter shows it too. */
  readonly paymentId: string;
  readonly receivedBy: string;
  readonly paidAt: Temporal.Instant;
};

type ReceiptSources = { readonly db: Db; readonly networks: Pick<NetworkDirectory, 'nameOf'> };

/**
 * Reads the receipt of the payment that ended an order. Undefined: no payment ended it.
 * A recurrent order has none: it stays open, and several payers may share its link.
 * Source: contract §5.
 */
export async function readReceipt(
  { db, networks }: ReceiptSources,
  { order, state }: Pick<FoundOrder, 'order' | 'state'>,
  words: Words['receipt'],
): Promise<Receipt | undefined> {
  if (state !== 'approved' && state !== 'voided') return undefined;
  const found = await queryOrderWithPayment(db, order);
  if (isRefusal(found) || found.payment === undefined) return undefined;
  const { transactionId, source, paidAt } = found.payment;
  const netname = /^network:(.*)$/.exec(source)?.[1];
  const name = netname === undefined ? undefined : await networks.nameOf(netname);
  return { paymentId: transactionId, receivedBy: name === undefined ? sourceInWords(source, words) : oneLine(name), paidAt };
}

/** Names who took a payment for the payer; a network or method without a display name by its own name. */
export function sourceInWords(source: ShownPayment['source'], words: Words['receipt']): string {
  if (source === 'operator') return words.byOperator;
  return source === `method:${sandboxMethod.name}` ? words.simulated : source.slice(source.indexOf(':') + 1);
}
