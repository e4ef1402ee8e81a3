import type { TransactionClaim } from '../../kit/changes/transaction-claims.ts';
import type { Acted } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Change } from '../../kit/changes/engine.ts';
import { ClaimLost, withClaim } from '../../kit/changes/retry.ts';
import { feeOf, fundsName, readFees, withinLedger } from '../../ledger/index.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import type { Messages } from '../../messages/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../../requests/index.ts';
import { orderRow, type Orders } from '../change-orders.ts';
import { orderMails, type MailingMerchant } from '../order-mail.ts';
import { ORDERS, type OrderRow } from '../order-rows.ts';
import type { Order, OrderKey } from '../order.ts';
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
import { needsClaim, type PaymentClaims } from './transaction-claims.ts';

/** Of the merchant: who may be paid, and what the payer reads of it. */
export type PayerMerchant = PayableMerchant & MailingMerchant;

export type Payments = Orders & {
  readonly db: Db;
  readonly clock: Clock;
  /** Of a cell beside home. Undefined: this database decides which transactions were used. */
  readonly claims: PaymentClaims | undefined;
  readonly merchants: { find(merchantId: string): Promise<PayerMerchant | undefined> };
  readonly messages: Pick<Messages, 'writes' | 'write'>;
};

/** `claim`: on its transaction. In one database each is ours. */
type Command = PayOrder & OrderKey & { readonly merchant: PayerMerchant; readonly claim: TransactionClaim };
type Unclaimed = Omit<Command, 'claim'>;

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
  openPaying(payments, payments.engine.batched(payment(payments)));

/** Does so once for an Idempotency-Key. */
export const payOrdersOnce = (
  payments: Payments,
): ((command: PayOrder & Acted & Keyed<PayOutcome>) => Promise<PayOutcome | SettledAnswer | Refusal<'key_reused'>>) =>
  openPaying(payments, payments.engine.batched(payment(payments), { around: runOnce<Command & Keyed<PayOutcome>, PayOutcome> }));

type PayOutcome = Settled | RefusedWithOrder<PayOrderRefusal>;

const openPaying =
  <Asked extends PayOrder, Answer>(payments: Payments, pay: (command: Asked & Command) => Promise<Answer>) =>
  async (command: Asked): Promise<Answer | RefusedWithOrder<PayOrderRefusal>> => {
    // The key of an order never changes; everything else is read under its lock.
    const { db, merchants, claims } = payments;
    const found = await readOrderForCheckout(db, command.serviceOrderId);
    const merchant = found && (await merchants.find(found.merchantId));
    if (found === undefined || merchant === undefined) return { refusal: 'order_not_found' };
    const whole = { ...command, merchantId: found.merchantId, orderId: found.orderId, merchant };
    if (claims === undefined || !needsClaim(command)) return withinLedger(pay({ ...whole, claim: 'ours' }));
    return withClaim(
      () => claimFor(payments, claims, whole),
      (claim) => withinLedger(pay({ ...whole, claim })),
    );
  };

/** Claims a transaction that is about to pay, as the order is now. One that would be refused is only looked up. */
async function claimFor({ db, clock }: Payments, claims: PaymentClaims, command: Unclaimed): Promise<TransactionClaim> {
  const [made, order] = await Promise.all([readByTransaction(db, [command]), readOrderForCheckout(db, command.serviceOrderId)]);
  if (made.size > 0) return 'ours';
  return isRefusal(decideWithout(order, command, clock.now())) ? claims.look(command) : claims.claim(command);
}

/** Whether it would be paid, where nobody has used its transaction. The fee decides nothing. */
const decideWithout = (order: Order | undefined, command: Unclaimed, now: Temporal.Instant) =>
  decidePayOrder(order, undefined, command, { now, merchant: command.merchant, feeMinor: 0n, taxMinor: 0n });

type World = {
  readonly rows: readonly (OrderRow | undefined)[];
  /** By transactionText. */
  readonly made: Map<string, Payment | 'elsewhere'>;
  readonly fees: Awaited<ReturnType<typeof readFees>>;
};

const payment = ({ messages }: Pick<Payments, 'messages'>): Change<Command, World, Settled, RefusedWithOrder<PayOrderRefusal>> => ({
  keysOf: (command) => [...orderRow(command), fundsName(command.merchantId)],
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [rows, made, fees] = await Promise.all([
      ORDERS.lock(tx, commands, hold),
      readByTransaction(tx, commands),
      readFees(
        tx,
        commands.map(({ merchantId, shown }) => ({ merchantId, kind: 'order', currency: shown.currency })),
      ),
    ]);
    return { rows, made, fees };
  },
  decide: ({ rows, made, fees }, command, { now, index }) => {
    const { merchantId, shown, merchant, claim } = command;
    const fee = feeOf(fees.of({ merchantId, kind: 'order', currency: shown.currency }), shown.amountMinor);
    const repeated = made.get(transactionText(command)) ?? (claim === 'elsewhere' ? claim : undefined);
    const decided = decidePayOrder(rows[index]?.after, repeated, command, { now, merchant, ...fee });
    const isNew = !isRefusal(decided) && decided.event !== undefined;
    // It has become payable since it was looked at.
    if (isNew && claim !== 'ours') throw new ClaimLost('the transaction is not claimed');
    return decided;
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
