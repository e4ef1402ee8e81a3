import type { Acted } from '../../kit/changes/act.ts';
import type { Db } from '../../kit/db.ts';
import type { Change } from '../../kit/changes/engine.ts';
import { fundsName, withinLedger, type Refunder } from '../../ledger/index.ts';
import { orderRow, type Orders } from '../change-orders.ts';
import type { NamedActor } from '../order-history.ts';
import { ORDERS, type OrderRow } from '../order-rows.ts';
import { readOrderForCheckout } from '../query-order.ts';
import { decideGiveBack, type GiveBack, type GiveBackRefusal, type Payment, type Settled, type RefusedWithOrder } from './payment.ts';
import { readPaymentsByNumber, readByTransaction, transactionText, type PaymentKey, type TransactionKey } from './payment-rows.ts';
import { saveSettled } from './save-settled.ts';

/** `isTold`: the merchant gets the notice `cancelled`. */
type Command = Acted & GiveBack & PaymentKey & { readonly isTold: boolean };
/** A reversal is only ever the network's own, and a void is never too late. */
type Of<Unused extends GiveBackRefusal> = Settled | RefusedWithOrder<Exclude<GiveBackRefusal, Unused>>;

type VoidOrder = Acted &
  PaymentKey & {
    readonly refundedBy: Refunder;
    /** At the payer's claim: then the merchant gets a notice. */
    readonly isClaim: boolean;
    /** Why, in one line of the order's history, which the merchant reads. */
    readonly reason: string;
    readonly requestId: string | null;
    /** Absent: the operator, at the command line. */
    readonly actor?: NamedActor;
  };
type ReversePayment = Acted & TransactionKey & { readonly serviceOrderId: bigint; readonly requestId: string | null };

export type GivingBack = {
  /**
   * Voids a payment: its payer has the money back.
   * Shape: the payment's number, or null for the last one → the order and the payment. Voiding it again is success again.
   * Refuses: order_not_found, payment_not_found, payment_given_back (its network took it back), void_differs.
   * Effects: locks the order until commit; records order.voided with the reason; posts to the ledger; the notice `cancelled` where the payer claimed it.
   * Source: contract §3.5.
   */
  readonly voidOrder: (command: VoidOrder) => Promise<Of<'payment_not_reversible'>>;
  /**
   * Reverses a payment: its network gives the money back right after it took it.
   * Shape: the transaction, and our id of the order that it paid. Reversing it again is success again.
   * Refuses: payment_not_found, payment_given_back (an operator voided it), payment_not_reversible (too late).
   * Effects: as voidOrder, and records order.reversed; the merchant, who got a notice of the payment, always gets one.
   * Source: contract §3.9.
   */
  readonly reversePayment: (command: ReversePayment) => Promise<Of<'void_differs'>>;
};

/** Opens both ways of giving a payment back: they share a batch. */
export function openGivingBack({ engine, db }: Orders & { readonly db: Db }): GivingBack {
  const change = engine.batched(givingBack);
  const giveBack = <Unused extends GiveBackRefusal>(command: Command): Promise<Of<Unused>> =>
    withinLedger(change(command)) as Promise<Of<Unused>>;
  return {
    voidOrder: ({ isClaim, actor, ...key }) => giveBack({ ...key, as: 'voided', actor: actor ?? 'operator', isTold: isClaim }),
    reversePayment: async ({ serviceOrderId, requestId, act, ...transaction }) => {
      // Which payment a transaction is never changes; whether it can be reversed is decided under the lock.
      const payment = (await readByTransaction(db, [transaction])).get(transactionText(transaction));
      const order = payment && (await readOrderForCheckout(db, serviceOrderId));
      if (payment === undefined || payment === 'elsewhere' || order === undefined || ORDERS.keyText(payment) !== ORDERS.keyText(order))
        return { refusal: 'payment_not_found' };
      const { merchantId, orderId, paymentNumber } = payment;
      return giveBack({
        merchantId,
        orderId,
        paymentNumber,
        as: 'reversed',
        refundedBy: null,
        actor: transaction.source,
        reason: null,
        requestId,
        act,
        isTold: true,
      });
    },
  };
}

type World = {
  readonly rows: readonly (OrderRow | undefined)[];
  /** By paymentText. */
  readonly payments: Map<string, Payment>;
};

const givingBack: Change<Command, World, Settled, RefusedWithOrder<GiveBackRefusal>> = {
  keysOf: (command) => [...orderRow(command), fundsName(command.merchantId)],
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [rows, payments] = await Promise.all([ORDERS.lock(tx, commands, hold), readPaymentsByNumber(tx, commands)]);
    return { rows, payments: new Map(payments.map((payment) => [paymentText(payment), payment])) };
  },
  decide: ({ rows, payments }, command, { now, index }) => {
    const order = rows[index]?.after;
    const payment = payments.get(paymentText({ ...command, paymentNumber: command.paymentNumber ?? order?.payments ?? 0 }));
    return decideGiveBack(order, payment, command, now);
  },
  note: ({ rows, payments }, { outcome }, { index }) => {
    (rows[index] as OrderRow).after = outcome.order;
    payments.set(paymentText(outcome.payment), outcome.payment);
  },
  save: (tx, { rows }, changes) =>
    saveSettled(
      tx,
      rows,
      changes.map(({ command, outcome }) => ({ ...outcome, isTold: command.isTold })),
    ),
};

const paymentText = (payment: Pick<Payment, 'merchantId' | 'orderId' | 'paymentNumber'>): string =>
  `${ORDERS.keyText(payment)}/${payment.paymentNumber}`;
