import type { Acted } from '../../kit/changes/act.ts';
import type { Db } from '../../kit/db.ts';
import type { Change } from '../../kit/changes/engine.ts';
import { feeOf, fundsName, readFees, withinLedger } from '../../ledger/index.ts';
import type { Refusal } from '../../kit/outcome.ts';
import type { Messages } from '../../messages/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../../requests/index.ts';
import { orderRow, type Orders } from '../change-orders.ts';
import { orderMails, type MailingMerchant } from '../order-mail.ts';
import { ORDERS, type OrderRow } from '../order-rows.ts';
import type { OrderKey } from '../order.ts';
import { readOrderForCheckout } from '../query-order.ts';
import {
  decidePayOrder,
  type PayableMerchant,
  type Payment,
  type PayOrder,
  type PayOrderRefusal,
  type Settled,
  type RefusedWithOrder,
} from './payment.ts';
import { readByTransaction, transactionText } from './payment-rows.ts';
import { recordRefused } from './refused-payments.ts';
import { saveSettled } from './save-settled.ts';

/** Of the merchant: who may be paid, and what the payer reads of it. */
export type PayerMerchant = PayableMerchant & MailingMerchant;

export type Payments = Orders & {
  readonly db: Db;
  readonly merchants: { find(merchantId: string): Promise<PayerMerchant | undefined> };
  readonly messages: Pick<Messages, 'writes' | 'write'>;
};

type Command = PayOrder & OrderKey & { readonly merchant: PayerMerchant };

/**
 * Pays an order. A network, a method of the checkout or an operator took the money.
 * Shape: PayOrder, in minor units as the payer saw them → the order and the payment; the same transaction again is the same payment.
 * Refuses: order_not_found, transaction_repeated, payment_given_back, order_not_served, order_not_open, amount_changed — the first that applies.
 * All except the first come with the order as it is now.
 * Effects: locks the order until commit; records order.paid; posts to the ledger; writes the notice and the mail; the reference of
 * an order that is approved rests. What is refused is recorded too.
 * Throws: Unavailable where the ledger cannot hold the sum.
 * Source: contract §3.5, §3.8.
 */
export const payOrders = (payments: Payments): ((command: PayOrder & Acted) => Promise<PayOutcome>) =>
  openPaying(payments, payments.engine.batched(payment(payments.messages)));

/** Does so once for an Idempotency-Key. */
export const payOrdersOnce = (
  payments: Payments,
): ((command: PayOrder & Acted & Keyed<PayOutcome>) => Promise<PayOutcome | SettledAnswer | Refusal<'key_reused'>>) =>
  openPaying(payments, payments.engine.batched(payment(payments.messages), { around: runOnce<Command & Keyed<PayOutcome>, PayOutcome> }));

type PayOutcome = Settled | RefusedWithOrder<PayOrderRefusal>;

const openPaying =
  <Asked extends PayOrder, Answer>({ db, merchants }: Payments, pay: (command: Asked & Command) => Promise<Answer>) =>
  async (command: Asked): Promise<Answer | RefusedWithOrder<PayOrderRefusal>> => {
    // The key of an order never changes; everything else is read under its lock.
    const found = await readOrderForCheckout(db, command.serviceOrderId);
    const merchant = found && (await merchants.find(found.merchantId));
    if (found === undefined || merchant === undefined) return { refusal: 'order_not_found' };
    return withinLedger(pay({ ...command, merchantId: found.merchantId, orderId: found.orderId, merchant }));
  };

type World = {
  readonly rows: readonly (OrderRow | undefined)[];
  /** By transactionText. */
  readonly made: Map<string, Payment>;
  readonly fees: Awaited<ReturnType<typeof readFees>>;
};

const payment = (messages: Payments['messages']): Change<Command, World, Settled, RefusedWithOrder<PayOrderRefusal>> => ({
  keysOf: (command) => [...orderRow(command), fundsName(command.merchantId)],
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [rows, repeated, fees] = await Promise.all([
      ORDERS.lock(tx, commands, hold),
      readByTransaction(tx, commands),
      readFees(
        tx,
        commands.map(({ merchantId, shown }) => ({ merchantId, kind: 'order', currency: shown.currency })),
      ),
    ]);
    return { rows, made: new Map(repeated.map((one) => [transactionText(one), one])), fees };
  },
  decide: ({ rows, made, fees }, command, { now, index }) => {
    const { merchantId, shown, merchant } = command;
    const fee = feeOf(fees.of({ merchantId, kind: 'order', currency: shown.currency }), shown.amountMinor);
    return decidePayOrder(rows[index]?.after, made.get(transactionText(command)), command, { now, merchant, ...fee });
  },
  note: ({ rows, made }, { command, outcome }, { index }) => {
    (rows[index] as OrderRow).after = outcome.order;
    made.set(transactionText(command), outcome.payment);
  },
  save: async (tx, { rows }, changes) => {
    await saveSettled(
      tx,
      rows,
      changes.map(({ outcome }) => ({ ...outcome, isTold: true })),
    );
    if (!messages.writes.mail) return;
    messages.write(
      tx,
      changes.flatMap(({ command, outcome: { order, payment } }) =>
        orderMails('order_paid', { ...order, amountMinor: payment.amountMinor }, command.merchant, () => null),
      ),
    );
  },
  saveRefused: recordRefused,
});
