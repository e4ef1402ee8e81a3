import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import {
  CommandRefused,
  JSON_OPTION,
  ofMerchant,
  print,
  printJson,
  withConnection,
  type Connect,
  type Connection,
  moneyText,
} from '../../kit/command-line.ts';
import { readOptionAmount } from '../../kit/written/written-amount.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { Country } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';
import { listOrdersCommand } from '../find/list-orders.cli.ts';
import { oneOrderCommands } from '../operator/one-order.cli.ts';
import type { Order, OrderKey } from '../order.ts';
import type { PayerMerchant } from './pay-order.ts';
import type { PayOrderRefusal } from './payment.ts';
import { refundCommand } from '../refunds/refunds.cli.ts';
import { refusedCommand, resolveCommand } from './refused.cli.ts';

const engines = () => import('../../kit/changes/engine.ts');

const WHY: Readonly<Record<Exclude<PayOrderRefusal, 'amount_changed'>, string>> = {
  order_not_found: 'does not exist',
  order_not_served: 'is of a country or currency that the network does not serve',
  order_not_open: 'is not pending',
  transaction_repeated: 'was not paid by that transaction: it paid another order, or another amount',
  payment_given_back: 'was paid by it, and the money was given back already',
};

/** A transaction's id, as networks have them. */
const TRANSACTION = /^[A-Za-z0-9_.-]{1,64}$/;

type Whose = { readonly merchant: string };

/** Adds `caudal orders …`: what an operator does about the payment of an order, under the same rules as everybody who pays. */
export function orderCommands(program: Command, connect: Connect, openOutbox: (connection: Connection) => Promise<Messages>): void {
  const orders = program.command('orders').description('orders, and their payments');
  orders
    .command('pay')
    .description('record that an order was paid to the operator itself, at a bank for example')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .requiredOption('--amount <amount>', 'what was paid: it must be the amount of the order')
    .requiredOption('--currency <code>', 'of the amount')
    .option('--transaction <id>', 'the id of the transfer: given again it is the same payment')
    .option(...JSON_OPTION)
    .action((orderId: string, options: PayOptions) => pay(connect, openOutbox, { merchantId: options.merchant, orderId }, options));
  oneOrderCommands(orders, connect);
  refundCommand(orders, connect);
  listOrdersCommand(orders, connect);
  refusedCommand(orders, connect);
  resolveCommand(orders, connect);
}

type PayOptions = Whose & { readonly amount: string; readonly currency: string; readonly transaction?: string; readonly json?: true };

/** What is claimed at home is no act of its own. */
async function claimsOf({ cells }: Connection, { merchantId }: OrderKey) {
  if (cells === undefined) return undefined;
  const [{ mapCells }, { openPaymentClaims }] = await Promise.all([import('../../kit/per-cell.ts'), import('./transaction-claims.ts')]);
  return openPaymentClaims({ dbs: mapCells(cells.connections, ({ ownDb }) => ownDb), cell: await cells.cellOf(merchantId) });
}

async function pay(
  connect: Connect,
  openOutbox: (connection: Connection) => Promise<Messages>,
  key: OrderKey,
  { amount, currency, transaction = randomUUID(), json }: PayOptions,
): Promise<void> {
  const amountMinor = readOptionAmount('--amount', amount, currency);
  if (!TRANSACTION.test(transaction)) throw new CommandRefused('--transaction takes 1 to 64 letters, digits, _ . or -.', 2);
  await withConnection(connect, async (every) => {
    const connection = await ofMerchant(every, key.merchantId);
    const { db } = connection;
    const order = await readKnown(connection, key);
    const [{ openEngine }, { payOrders }] = await Promise.all([engines(), import('./pay-order.ts')]);
    const messages = await openOutbox(connection);
    try {
      const payOrder = payOrders({
        db,
        clock: connection.clock,
        claims: await claimsOf(every, key),
        engine: openEngine(connection),
        messages,
        merchants: { find: (merchantId) => readMailing(connection, merchantId) },
      });
      const { serviceOrderId } = order;
      const shown = { amountMinor, currency };
      const paid = await payOrder({ serviceOrderId, source: 'operator', transactionId: transaction, shown, requestId: null });
      if ('refusal' in paid) throw failure(key, paid.refusal, paid.order, shown, transaction);
      const { paymentNumber } = paid.payment;
      if (json) return printJson({ ...shownKey(key), payment: paymentNumber, transaction, state: paid.order.state });
      print(`${key.orderId} of ${key.merchantId} is paid: payment ${paymentNumber}, transaction ${transaction}.\n`);
    } finally {
      await messages.close();
    }
  });
}

async function readKnown({ db }: Connection, key: OrderKey): Promise<Order> {
  const { queryOrder } = await import('../query-order.ts');
  const order = await queryOrder(db, key);
  if (isRefusal(order)) throw failure(key, order.refusal);
  return order;
}

async function readMailing({ db, clock }: Connection, merchantId: string): Promise<PayerMerchant | undefined> {
  const { findCountry, showMerchant } = await import('../../merchants/index.ts');
  const merchant = await showMerchant({ db }, merchantId, clock.now());
  if (merchant === undefined) return undefined;
  const { name, language, country, frozenAt, openAmounts } = merchant;
  return { name, language, country: findCountry(country) as Country, isFrozen: frozenAt !== null, openAmounts };
}

const shownKey = ({ merchantId, orderId }: OrderKey) => ({ merchant: merchantId, order: orderId });

/** `order` and `given`: the order as it is, and what was paid, where that decided. `transaction`: of a payment that is kept as refused. */
function failure(key: OrderKey, refusal: PayOrderRefusal, order?: Order, given?: Money, transaction?: string): CommandRefused {
  const why = refusal === 'amount_changed' ? `is of ${difference(order as Order, given as Money)}` : WHY[refusal];
  const kept =
    transaction === undefined || order === undefined
      ? ''
      : ` "orders refused" lists it until the order is paid by transaction ${transaction}, or "orders resolve" takes it off.`;
  return new CommandRefused(`${key.orderId} of ${key.merchantId} ${why}.${kept}`);
}

type Money = Pick<Order, 'amountMinor' | 'currency'>;

/** Says which of amount and currency is another one: what is expected, what was given. */
function difference(order: Money, given: Money): string {
  if (order.amountMinor === 0n) return 'an open amount: the payment is not of its currency, or not between the limits of the merchant';
  const what = order.currency === given.currency ? 'amount' : order.amountMinor === given.amountMinor ? 'currency' : 'amount and currency';
  return `another ${what}: expected ${moneyText(order)}, given ${moneyText(given)}`;
}
