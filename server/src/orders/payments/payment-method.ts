import type { PayOrder, PayOrderRefusal, Settled, RefusedWithOrder } from './payment.ts';

/** What a processor is asked for. Its id is ours: asked again with the same id it is the same charge. */
type Charge = Pick<PayOrder, 'serviceOrderId' | 'transactionId' | 'shown'>;

/**
 * A way to pay at the checkout: the one place where a processor of payments is spoken to. README.md shows a real one.
 * Both calls are made outside every transaction, may take seconds, and may be repeated with the same charge.
 */
export type PaymentMethod = {
  /** As it is written behind `method:` in payments, histories and the ledger's account. */
  readonly name: string;
  /** Takes the payer's money. */
  readonly charge: (charge: Charge) => Promise<'paid' | 'declined'>;
  /** Gives the money of a charge back that turned out not to pay the order. */
  readonly giveBack: (charge: Charge) => Promise<void>;
};

/** The method of the sandbox, whose payers are always good for the money. */
export const sandboxMethod: PaymentMethod = {
  name: 'sandbox',
  charge: async () => 'paid',
  giveBack: async () => undefined,
};

type Outcome = Settled | RefusedWithOrder<PayOrderRefusal | 'charge_declined'>;

/**
 * Pays an order by a method of the checkout: takes the money, then settles the order with it.
 * Shape: as payOrder, without a source: it is the method.
 * Refuses: charge_declined, and what payOrder refuses; then the money is given back, unless this very charge has paid already.
 * Source: contract §5.
 */
export async function payByMethod(
  method: PaymentMethod,
  payOrder: (command: PayOrder) => Promise<Settled | RefusedWithOrder<PayOrderRefusal>>,
  payment: Omit<PayOrder, 'source'>,
): Promise<Outcome> {
  const { serviceOrderId, transactionId, shown } = payment;
  const charge = { serviceOrderId, transactionId, shown };
  if ((await method.charge(charge)) === 'declined') return { refusal: 'charge_declined' };
  const outcome = await payOrder({ ...payment, source: `method:${method.name}` });
  // Such a charge has paid. What became of that payment, an operator who voided it included, is not decided again here.
  const hasPaid = 'refusal' in outcome && (outcome.refusal === 'transaction_repeated' || outcome.refusal === 'payment_given_back');
  if ('refusal' in outcome && !hasPaid) await method.giveBack(charge);
  return outcome;
}
