import { createBatch } from '../../kit/batch.ts';
import { feeOf, readFees, withinLedger } from '../../ledger/index.ts';
import type { Messages } from '../../messages/index.ts';
import type { Orders } from '../change-orders.ts';
import { orderMail, type MailingMerchant } from '../order-mail.ts';
import { lockOrders } from '../order-rows.ts';
import type { OrderKey } from '../order.ts';
import { readOrderForCheckout } from '../query-order.ts';
import { decidePay, type Payment, type PayOrder, type PayRefusal, type Settled, type Unsettled } from './payment.ts';
import { readByTransaction, transactionText } from './payment-rows.ts';
import { recordRefused } from './refused-payments.ts';
import { saveSettled, type Settlement } from './save-settled.ts';

export type Payments = Orders & {
  readonly merchants: { find(merchantId: string): Promise<MailingMerchant | undefined> };
  readonly messages: Pick<Messages, 'writes' | 'write'>;
};

type Command = PayOrder & OrderKey & { readonly merchant: MailingMerchant };

/**
 * Pays an order, whoever took the money: a network, a method of the checkout, an operator.
 * Shape: PayOrder, in minor units as the payer saw them → the order and the payment; the same transaction again is the same payment.
 * Refuses: order_not_found, transaction_repeated, payment_given_back, order_not_open, amount_changed — the first that applies, but for
 * the first with the order as it is now.
 * Effects: locks the order until commit; records order.paid; posts to the ledger; writes the notice and the mail; frees the reference of
 * an order that is approved. What is refused is recorded too.
 * Throws: Unavailable where the ledger cannot hold the sum.
 * Source: contract §3.5, §3.8.
 */
export function payOrders(payments: Payments): (command: PayOrder) => Promise<Settled | Unsettled<PayRefusal>> {
  const { db, merchants, groupOf } = payments;
  const pay = createBatch({ run: (commands: readonly Command[]) => payAll(payments, commands), groupOf });
  return async (command) => {
    // The key of an order never changes; everything else is read under its lock.
    const found = await readOrderForCheckout(db, command.serviceOrderId);
    const merchant = found && (await merchants.find(found.merchantId));
    if (found === undefined || merchant === undefined) return { refusal: 'order_not_found' };
    return withinLedger(pay({ ...command, merchantId: found.merchantId, orderId: found.orderId, merchant }));
  };
}

function payAll({ db, clock, messages }: Payments, commands: readonly Command[]): Promise<readonly (Settled | Unsettled<PayRefusal>)[]> {
  return db.transaction(async (tx) => {
    const [rows, repeated, fees] = await Promise.all([
      lockOrders(tx, commands),
      readByTransaction(tx, commands),
      readFees(
        tx,
        commands.map(({ merchantId, shown }) => ({ merchantId, kind: 'order', currency: shown.currency })),
      ),
    ]);
    const now = clock.now();
    const made = new Map<string, Payment>(repeated.map((payment) => [transactionText(payment), payment]));
    const settlements: (Settlement & Pick<Command, 'merchant'>)[] = [];
    const refused: Parameters<typeof recordRefused>[1][number][] = [];
    const decisions = commands.map((command, index) => {
      const { merchantId, shown, merchant } = command;
      const row = rows[index];
      const fee = feeOf(fees.of({ merchantId, kind: 'order', currency: shown.currency }), shown.amountMinor);
      const decision = decidePay(row?.after, made.get(transactionText(command)), command, { now, ...fee });
      if ('refusal' in decision) {
        if (decision.order !== undefined) refused.push({ command, refusal: decision.refusal, order: decision.order });
      } else if (row !== undefined && decision.event !== undefined) {
        row.after = decision.order;
        made.set(transactionText(command), decision.payment);
        settlements.push({ ...decision, event: decision.event, isTold: true, merchant });
      }
      return decision;
    });
    recordRefused(tx, refused, now);
    await saveSettled(tx, rows, settlements);
    if (messages.writes.mail) {
      messages.write(
        tx,
        settlements.map(({ order, merchant }) => orderMail('order_paid', order, merchant, null)),
      );
    }
    return decisions;
  });
}
