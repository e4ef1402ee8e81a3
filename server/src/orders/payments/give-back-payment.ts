import type { Acted } from '../../kit/changes/act.ts';
import type { Db } from '../../kit/db.ts';
import type { Change } from '../../kit/changes/engine.ts';
import type { Refusal } from '../../kit/outcome.ts';
import { fundsName, lockFreeBearers, withinLedger, type Bearer, type Refunder } from '../../ledger/index.ts';
import { readFeeKeepers } from '../../merchants/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../../requests/index.ts';
import { orderRow, type Orders } from '../change-orders.ts';
import type { NamedActor } from '../order-history.ts';
import { ORDERS, type OrderRow } from '../order-rows.ts';
import { readOrderForCheckout } from '../query-order.ts';
import type { Refund, RefundKey, RefundOfPayment } from '../refunds/refund-columns.ts';
import { readRefund, readRefundsForChange, REFUNDS, type RefundRow } from '../refunds/refund-rows.ts';
import {
  costOf,
  decideChangeRefund,
  decideRequestRefund,
  decideSettleCashout,
  decideVoid,
  type ChangeRefund,
  type ChangeRefundRefusal,
  type DecidedRefund,
  type RequestRefund,
  type RequestRefundRefusal,
  type SettleCashout,
  type Situation,
  type VoidRefusal,
} from '../refunds/refund.ts';
import { decideReversal, type Payment, type ReversalRefusal, type Settled, type RefusedWithOrder } from './payment.ts';
import {
  paymentText,
  readPaymentsByNumber,
  readByTransaction,
  transactionText,
  type PaymentKey,
  type TransactionKey,
} from './payment-rows.ts';
import { saveSettled } from './save-settled.ts';

type VoidOrder = Acted &
  PaymentKey & {
    readonly refundedBy: Refunder;
    /** At the payer's claim: then the merchant gets a notice. */
    readonly isClaim: boolean;
    /** The merchant gets the notice `refund.paid`. */
    readonly isReported?: boolean;
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
   * Shape: the payment's number, or null for the last one → the order, the payment and its refund. Voiding it again is success again.
   * Refuses: as decideVoid.
   * Effects: locks the order until commit; records order.voided with the reason; posts to the ledger; the notice `cancelled` where the payer claimed
   * it, and `refund.paid`, as changeRefund.
   * Source: contract §3.5.
   */
  readonly voidOrder: (command: VoidOrder) => Promise<DecidedRefund | Refusal<VoidRefusal>>;
  /**
   * Reverses a payment: its network gives the money back right after it took it.
   * Shape: the transaction, and our id of the order that it paid. Reversing it again is success again.
   * Refuses: payment_not_found, payment_given_back (refunds have promised some of it), payment_not_reversible (too late).
   * Effects: as voidOrder, and records order.reversed; the merchant, who got a notice of the payment, always gets one.
   * Source: contract §3.9.
   */
  readonly reversePayment: (command: ReversePayment) => Promise<Settled | RefusedWithOrder<ReversalRefusal>>;
  /**
   * Promises a payment, or a part of it, to its payer: what the merchant has collected bears it, or its fund.
   * Shape: the payment's number, or null for the last one. The same request again is the same refund.
   * Refuses: as decideRequestRefund.
   * Effects: locks the order and the account that bears it until commit; records order.refund_requested or order.refund_approved;
   * posts to the ledger; a notice, as changeRefund.
   */
  readonly requestRefund: (
    command: Acted & PaymentKey & RequestRefund & Keyed<RequestOutcome>,
  ) => Promise<RequestOutcome | SettledAnswer | Refusal<'key_reused'>>;
  /**
   * Approves an open refund, or ends it: it is paid, it failed, it is cancelled.
   * Refuses: as decideChangeRefund.
   * Effects: locks the order until commit; records what it became; posts to the ledger; a notice, where the merchant hears of its refunds
   * and has not done it itself. A payment that is given back whole is voided.
   */
  readonly changeRefund: (command: Acted & RefundKey & ChangeRefund) => Promise<DecidedRefund | Refusal<ChangeRefundRefusal>>;
  /**
   * Writes down what the end of its cashout has made of a refund: it is paid, or may be paid in another way.
   * Effects: as changeRefund; posts nothing, because the money has moved with the cashout. Settling it again changes nothing.
   */
  readonly settleCashout: (
    command: RefundOfPayment & SettleCashout & { readonly isReported: boolean },
  ) => Promise<DecidedRefund | Refusal<'refund_not_found'>>;
};

type RequestOutcome = DecidedRefund | Refusal<RequestRefundRefusal>;
export type GivingBackOutcome = Settled | DecidedRefund;
/** One way in which money goes back, with its decision. */
export type GivingBackCommand = Acted &
  PaymentKey & {
    readonly refundId?: string | undefined;
    /** What bears a refund that must be covered. */
    readonly takenFrom: Bearer;
    /** The merchant gets the notice `cancelled`. */
    readonly isTold: boolean;
    /** The merchant gets the notices of refunds. */
    readonly isReported?: boolean | undefined;
    readonly decide: (
      situation: Situation & { readonly sameId: Refund | undefined; readonly coverOf: (currency: string) => bigint },
    ) => GivingBackOutcome | Refusal;
  };

/**
 * Opens all ways of giving a payment back. What must be covered has batches of its own: there all merchants' accounts are locked before
 * anything is decided, and each decision knows what those before it took.
 */
export function openGivingBack({ engine, db }: Orders & { readonly db: Db }): GivingBack {
  const change = engine.batched(givingBack({ isCovered: false }));
  const changeCovered = engine.batched(givingBack({ isCovered: true }), {
    around: runOnce<GivingBackCommand & Keyed<GivingBackOutcome | Refusal>, GivingBackOutcome | Refusal>,
  });
  const giveBack = <Decided>(
    command: Omit<GivingBackCommand, 'takenFrom'> & { readonly decide: (...given: Parameters<GivingBackCommand['decide']>) => Decided },
  ) => withinLedger(change({ ...command, takenFrom: 'collected' })) as Promise<Decided>;
  const changeOne = <Decided extends GivingBackOutcome | Refusal>(
    { merchantId, refundId, orderId, paymentNumber }: RefundOfPayment,
    by: Pick<GivingBackCommand, 'act' | 'isReported'>,
    decide: (stored: Refund | undefined, situation: Situation) => Decided,
  ): Promise<Decided> => {
    const of = { merchantId, refundId, orderId, paymentNumber, isTold: false };
    return giveBack({ ...of, ...by, decide: ({ sameId, ...situation }) => decide(sameId, situation) });
  };
  return {
    voidOrder: ({ isClaim, isReported, act, ...asked }) => {
      const { merchantId, orderId, paymentNumber } = asked;
      return giveBack({
        merchantId,
        orderId,
        paymentNumber,
        act,
        isTold: isClaim,
        isReported,
        decide: (situation) => decideVoid({ ...asked, actor: asked.actor ?? 'operator' }, situation),
      });
    },
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
        act,
        isTold: true,
        decide: ({ order: stored, payment: found, now }) => decideReversal(stored, found, { actor: transaction.source, requestId }, now),
      });
    },
    requestRefund: ({ act, once, merchantId, orderId, ...asked }) => {
      const { paymentNumber, refundId, takenFrom = 'collected', isReported } = asked;
      const command = { merchantId, orderId, paymentNumber, refundId, takenFrom, act, once, isTold: false, isReported };
      const decide: GivingBackCommand['decide'] = (situation) => decideRequestRefund(asked, situation);
      return withinLedger(changeCovered({ ...command, decide } as Parameters<typeof changeCovered>[0])) as ReturnType<
        GivingBack['requestRefund']
      >;
    },
    changeRefund: async ({ act, merchantId, refundId, ...asked }) => {
      const refund = await readRefund(db, { merchantId, refundId });
      if (refund === undefined) return { refusal: 'refund_not_found' };
      return changeOne(refund, { act, isReported: asked.isReported }, (stored, situation) => decideChangeRefund(asked, stored, situation));
    },
    settleCashout: ({ isReported, operationId, isCollected, ...of }) =>
      changeOne(of, { isReported }, (stored, situation) => decideSettleCashout({ operationId, isCollected }, stored, situation)),
  };
}

export type GivingBackWorld = {
  readonly rows: readonly (OrderRow | undefined)[];
  /** By paymentText. */
  readonly payments: Map<string, Payment>;
  /** By REFUNDS.keyText. */
  readonly refunds: Map<string, RefundRow>;
  /** Merchants with whose refunds no fee comes back. */
  readonly keeping: ReadonlySet<string>;
  readonly bearers: Awaited<ReturnType<typeof lockFreeBearers>>;
};

const idOf = ({ merchantId, refundId }: GivingBackCommand): readonly RefundKey[] =>
  refundId === undefined ? [] : [{ merchantId, refundId }];

/** `isCovered`: the merchant must have enough for it. */
export const givingBack = ({
  isCovered,
}: {
  readonly isCovered: boolean;
}): Change<GivingBackCommand, GivingBackWorld, GivingBackOutcome, Refusal> => ({
  keysOf: (command) => [...orderRow(command), fundsName(command.merchantId)],
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [rows, payments, refunds, keeping, bearers] = await Promise.all([
      ORDERS.lock(tx, commands, hold),
      readPaymentsByNumber(tx, commands),
      readRefundsForChange(tx, commands, commands.flatMap(idOf)),
      readFeeKeepers(
        tx,
        commands.map(({ merchantId }) => merchantId),
      ),
      lockFreeBearers(tx, isCovered ? commands : [], hold),
    ]);
    return {
      rows,
      payments: new Map(payments.map((payment) => [paymentText(payment), payment])),
      refunds: new Map(refunds.map((refund) => [REFUNDS.keyText(refund), { before: refund, after: refund }])),
      keeping,
      bearers,
    };
  },
  decide: ({ rows, payments, refunds, keeping, bearers }, command, { now, index }) => {
    const order = rows[index]?.after;
    const key = paymentText({ ...command, paymentNumber: command.paymentNumber ?? order?.payments ?? 0 });
    return command.decide({
      now,
      order,
      payment: payments.get(key),
      refunds: [...refunds.values()].map(({ after }) => after).filter((refund) => paymentText(refund) === key),
      keepsFees: keeping.has(command.merchantId),
      sameId: idOf(command).map((id) => refunds.get(REFUNDS.keyText(id))?.after)[0],
      coverOf: (currency) => bearers.available({ ...command, currency }),
    });
  },
  note: ({ rows, payments, refunds, bearers }, { outcome }, { index }) => {
    (rows[index] as OrderRow).after = outcome.order;
    payments.set(paymentText(outcome.payment), outcome.payment);
    if (!('refund' in outcome)) return;
    const { refund } = outcome;
    const row = refunds.get(REFUNDS.keyText(refund));
    if (row === undefined) refunds.set(REFUNDS.keyText(refund), { before: undefined, after: refund });
    else row.after = refund;
    if (isCovered) bearers.take(refund, costOf(refund));
  },
  save: (tx, { rows, refunds }, changes) =>
    saveSettled(
      tx,
      rows,
      changes.map(({ command: { isTold, isReported }, outcome }) => ({ ...outcome, isTold, isReported })),
      [...refunds.values()],
    ),
});
