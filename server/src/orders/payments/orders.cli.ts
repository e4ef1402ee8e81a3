import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import {
  columns,
  CommandRefused,
  print,
  requireCurrency,
  requireReason,
  withConnection,
  type Connect,
  type Connection,
} from '../../kit/command-line.ts';
import { openEngine } from '../../kit/changes/engine.ts';
import { formatAmount, parseAmount } from '../../kit/money.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { findCountry, showMerchant, type Country } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';
import { listCommand } from '../find/list-orders.cli.ts';
import { stateAt, type Order, type OrderKey } from '../order.ts';
import { queryOrder } from '../query-order.ts';
import { openGivingBack } from './give-back-payment.ts';
import { payOrders, type PayerMerchant } from './pay-order.ts';
import { readPayments } from './payment-rows.ts';
import type { GiveBackRefusal, PayRefusal } from './payment.ts';
import { refusedCommand, showRefused } from './refused.cli.ts';
import { readRefused } from './refused-payments.ts';

const WHY: Readonly<Record<PayRefusal | GiveBackRefusal, string>> = {
  order_not_found: 'does not exist',
  order_not_served: 'is of a country or currency that the network does not serve',
  order_not_open: 'is not pending',
  amount_changed: 'has another amount or currency',
  transaction_repeated: 'was not paid by that transaction: it paid another order, or another amount',
  payment_given_back: 'was paid by it, and the money was given back already',
  payment_not_found: 'has no such payment',
  payment_not_reversible: 'cannot be reversed any more',
};

/** A transaction's id, as networks have them. */
const TRANSACTION = /^[A-Za-z0-9_.-]{1,64}$/;

type Whose = { readonly merchant: string };

/** Adds `caudal orders …`: what an operator does about the payment of an order, under the same rules as everybody who pays. */
export function orderCommands(program: Command, connect: Connect, openOutbox: (connection: Connection) => Promise<Messages>): void {
  const orders = program.command('orders').description('the payments of orders');
  orders
    .command('show')
    .description('an order with its payments, and with those that were refused')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .option('--json', 'print JSON')
    .action((orderId: string, { merchant, json }: Whose & { json?: true }) =>
      withConnection(connect, (connection) => show(connection, { merchantId: merchant, orderId }, json === true)),
    );
  orders
    .command('pay')
    .description('record that an order was paid to the operator itself, at a bank for example')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .requiredOption('--amount <amount>', 'what was paid: it must be the amount of the order')
    .requiredOption('--currency <code>', 'of the amount')
    .option('--transaction <id>', 'the id of the transfer: given again it is the same payment')
    .action((orderId: string, options: PayOptions) => pay(connect, openOutbox, { merchantId: options.merchant, orderId }, options));
  orders
    .command('void')
    .description('record that the money of a payment was given back to the payer')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .requiredOption('--reason <text>', "why, for the order's history, which its merchant can read")
    .option('--payment <number>', 'which payment of a recurrent order; the last one where absent')
    .option('--claim', 'at the claim of the payer: the merchant then gets a notice')
    .action((orderId: string, options: VoidOptions) => voidPayment(connect, { merchantId: options.merchant, orderId }, options));
  listCommand(orders, connect);
  refusedCommand(orders, connect);
}

type PayOptions = Whose & { readonly amount: string; readonly currency: string; readonly transaction?: string };

async function pay(
  connect: Connect,
  openOutbox: (connection: Connection) => Promise<Messages>,
  key: OrderKey,
  { amount, currency, transaction = randomUUID() }: PayOptions,
): Promise<void> {
  requireCurrency(currency);
  const amountMinor = parseAmount(amount, currency);
  if (amountMinor === undefined)
    throw new CommandRefused(
      '--amount takes a plain decimal above zero, such as 45000.50, with no more decimals than the currency has.',
      2,
    );
  if (!TRANSACTION.test(transaction)) throw new CommandRefused('--transaction takes 1 to 64 letters, digits, _ . or -.', 2);
  await withConnection(connect, async (connection) => {
    const { db } = connection;
    const order = await readKnown(connection, key);
    const messages = await openOutbox(connection);
    try {
      const payOrder = payOrders({
        db,
        engine: openEngine(connection),
        messages,
        merchants: { find: (merchantId) => readMailing(connection, merchantId) },
      });
      const { serviceOrderId } = order;
      const shown = { amountMinor, currency };
      const paid = await payOrder({ serviceOrderId, source: 'operator', transactionId: transaction, shown, requestId: null });
      if ('refusal' in paid) throw failure(key, paid.refusal);
      print(`${key.orderId} of ${key.merchantId} is paid: payment ${paid.payment.paymentNumber}, transaction ${transaction}.\n`);
    } finally {
      await messages.close();
    }
  });
}

type VoidOptions = Whose & { readonly reason: string; readonly payment?: string; readonly claim?: true };

async function voidPayment(connect: Connect, key: OrderKey, { payment, claim, reason }: VoidOptions): Promise<void> {
  if (payment !== undefined && !/^[1-9][0-9]{0,8}$/.test(payment)) throw new CommandRefused('--payment takes a number from 1.', 2);
  requireReason(reason);
  await withConnection(connect, async (connection) => {
    await readKnown(connection, key);
    const { voidOrder } = openGivingBack({ db: connection.db, engine: openEngine(connection) });
    const paymentNumber = payment === undefined ? null : Number(payment);
    const voided = await voidOrder({ ...key, paymentNumber, isClaim: claim === true, reason, requestId: null });
    if ('refusal' in voided) throw failure(key, voided.refusal);
    const { amountMinor, currency, paymentNumber: number } = voided.payment;
    print(
      `Payment ${number} of ${key.orderId}, ${formatAmount(amountMinor, currency)} ${currency}, is given back; the order is ${voided.order.state}.\n`,
    );
  });
}

async function show(connection: Connection, key: OrderKey, json: boolean): Promise<void> {
  const { db, clock } = connection;
  const order = await readKnown(connection, key);
  const [payments, refused] = await Promise.all([readPayments(db, key), readRefused(db, key)]);
  const shown = {
    ...key,
    state: stateAt(order, clock.now()),
    amount: formatAmount(order.amountMinor, order.currency),
    currency: order.currency,
    reference: order.reference,
    version: order.version,
    payments: payments.map((one) => ({
      payment: one.paymentNumber,
      by: one.source,
      transaction: one.transactionId,
      amount: formatAmount(one.amountMinor, one.currency),
      currency: one.currency,
      fee: formatAmount(one.feeMinor + one.taxMinor, one.currency),
      state: one.state,
      paidAt: one.paidAt.toString(),
      givenBackAt: one.givenBackAt?.toString() ?? null,
    })),
    refused: refused.map(showRefused),
  };
  if (json) return print(`${JSON.stringify(shown)}\n`);
  const { state, amount, currency, reference, version } = shown;
  print(`${key.orderId} of ${key.merchantId}: ${state}, ${amount} ${currency}, reference ${reference}, version ${version}\n`);
  if (shown.payments.length > 0) {
    const rows = shown.payments.map((one) => [
      String(one.payment),
      one.by,
      one.transaction,
      `${one.amount} ${one.currency}`,
      one.fee,
      one.state,
      one.paidAt,
      one.givenBackAt ?? '',
    ]);
    print(columns([['PAYMENT', 'BY', 'TRANSACTION', 'AMOUNT', 'FEE AND TAX', 'STATE', 'PAID', 'GIVEN BACK'], ...rows]));
  }
  if (shown.refused.length > 0) {
    const rows = shown.refused.map((one) => [
      one.by,
      one.transaction,
      `${one.amount} ${one.currency}`,
      one.why,
      one.state,
      String(one.tries),
      one.lastAt,
    ]);
    print(columns([['REFUSED BY', 'TRANSACTION', 'AMOUNT', 'WHY', 'ORDER THEN', 'TRIES', 'LAST'], ...rows]));
  }
}

async function readKnown({ db }: Connection, key: OrderKey): Promise<Order> {
  const order = await queryOrder(db, key);
  if (isRefusal(order)) throw failure(key, order.refusal);
  return order;
}

async function readMailing({ db, clock }: Connection, merchantId: string): Promise<PayerMerchant | undefined> {
  const merchant = await showMerchant({ db }, merchantId, clock.now());
  if (merchant === undefined) return undefined;
  const { name, language, country, frozenAt } = merchant;
  return { name, language, country: findCountry(country) as Country, isFrozen: frozenAt !== null };
}

const failure = ({ merchantId, orderId }: OrderKey, refusal: keyof typeof WHY): CommandRefused =>
  new CommandRefused(`${orderId} of ${merchantId} ${WHY[refusal]}.`);
