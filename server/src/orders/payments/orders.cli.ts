import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  JSON_OPTION,
  localText,
  print,
  printJson,
  refusalLines,
  requireReason,
  withConnection,
  type Connect,
  type Connection,
  moneyText,
} from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { readOptionAmount } from '../../kit/written/written-amount.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import type { Country } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';
import { listOrdersCommand } from '../find/list-orders.cli.ts';
import { endOrderCommands, type ReadDialect } from '../operator/end-order.cli.ts';
import { writeOrderCommands } from '../operator/write-order.cli.ts';
import { showOrderCommand } from '../operator/show-order.cli.ts';
import type { Order, OrderKey } from '../order.ts';
import type { PayerMerchant } from './pay-order.ts';
import type { GiveBackRefusal, PayRefusal } from './payment.ts';
import { refusedCommand, resolveCommand } from './refused.cli.ts';

const engines = () => import('../../kit/changes/engine.ts');

const WHY: Readonly<Record<Exclude<PayRefusal, 'amount_changed'> | GiveBackRefusal | 'not_found', string>> = {
  order_not_found: 'does not exist',
  not_found: 'does not exist',
  order_not_served: 'is of a country or currency that the network does not serve',
  order_not_open: 'is not pending',
  transaction_repeated: 'was not paid by that transaction: it paid another order, or another amount',
  payment_given_back: 'was paid by it, and the money was given back already',
  payment_not_found: 'has no such payment',
  payment_not_reversible: 'cannot be reversed any more',
};

/** A transaction's id, as networks have them. */
const TRANSACTION = /^[A-Za-z0-9_.-]{1,64}$/;

type Whose = { readonly merchant: string };

/** Adds `caudal orders …`: what an operator does about the payment of an order, under the same rules as everybody who pays. */
export function orderCommands(
  program: Command,
  connect: Connect,
  openOutbox: (connection: Connection) => Promise<Messages>,
  readDialect: ReadDialect,
): void {
  const orders = program.command('orders').description('orders, and their payments');
  showOrderCommand(orders, connect);
  writeOrderCommands(orders, connect);
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
  orders
    .command('void')
    .description('record that the money of a payment was given back to the payer')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .requiredOption('--reason <text>', "why, for the order's history, which its merchant can read")
    .option('--payment <number>', 'which payment of a recurrent order; the last one where absent')
    .option('--claim', 'at the claim of the payer: the merchant then gets a notice')
    .option(...JSON_OPTION)
    .action((orderId: string, options: VoidOptions) => voidPayment(connect, { merchantId: options.merchant, orderId }, options));
  endOrderCommands(orders, connect, readDialect);
  listOrdersCommand(orders, connect);
  refusedCommand(orders, connect);
  resolveCommand(orders, connect);
}

type PayOptions = Whose & { readonly amount: string; readonly currency: string; readonly transaction?: string; readonly json?: true };

async function pay(
  connect: Connect,
  openOutbox: (connection: Connection) => Promise<Messages>,
  key: OrderKey,
  { amount, currency, transaction = randomUUID(), json }: PayOptions,
): Promise<void> {
  const amountMinor = readOptionAmount('--amount', amount, currency);
  if (!TRANSACTION.test(transaction)) throw new CommandRefused('--transaction takes 1 to 64 letters, digits, _ . or -.', 2);
  await withConnection(connect, async (connection) => {
    const { db } = connection;
    const order = await readKnown(connection, key);
    const [{ openEngine }, { payOrders }] = await Promise.all([engines(), import('./pay-order.ts')]);
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
      if ('refusal' in paid) throw failure(key, paid.refusal, paid.order, shown, transaction);
      const { paymentNumber } = paid.payment;
      if (json) return printJson({ ...shownKey(key), payment: paymentNumber, transaction, state: paid.order.state });
      print(`${key.orderId} of ${key.merchantId} is paid: payment ${paymentNumber}, transaction ${transaction}.\n`);
    } finally {
      await messages.close();
    }
  });
}

type VoidOptions = Whose & { readonly reason: string; readonly payment?: string; readonly claim?: true; readonly json?: true };

/** `zone`: where the merchant is. */
type Voided = Pick<Sent, 'number' | 'amount' | 'givenBackAt'> & {
  readonly state: string;
  readonly isRepeated: boolean;
  readonly zone: string;
};
type Sent = {
  readonly number: number;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly givenBackAt: string | null;
};

async function voidPayment(connect: Connect, key: OrderKey, { payment, claim, reason, json }: VoidOptions): Promise<void> {
  if (payment !== undefined && !/^[1-9][0-9]{0,8}$/.test(payment)) throw new CommandRefused('--payment takes a number from 1.', 2);
  requireReason(reason);
  const { merchantId: merchant, orderId: order } = key;
  const voided = await carryOut(connect, refusalLines(WHY), `${order} of ${merchant}`, {
    here: (connection) => voidHere(connection, { ...key, paymentNumber: payment === undefined ? null : Number(payment) }, reason, claim),
    there: async (service): Promise<Voided> => {
      const [{ voidOrder }, { askZone }] = await Promise.all([import('../manage/orders.manage.ts'), import('../../merchants/index.ts')]);
      const body = { reason, payment: payment === undefined ? undefined : Number(payment), isClaim: claim };
      const { payment: given, state, isRepeated } = await service.call(voidOrder, { path: { merchant, order }, body });
      return { ...given, state, isRepeated, zone: isRepeated ? await askZone(service, merchant) : 'UTC' };
    },
  });
  const { number, amount, givenBackAt, state, isRepeated, zone } = voided;
  if (json) return printJson({ merchant, order, payment: number, ...amount, state, isRepeated, givenBackAt });
  const fate = isRepeated ? `was given back already, on ${localText(Temporal.Instant.from(givenBackAt ?? ''), zone)}` : 'is given back';
  print(`Payment ${number} of ${order}, ${moneyText(amount)}, ${fate}; the order is ${state}.\n`);
}

async function voidHere(
  connection: Connection,
  key: OrderKey & { readonly paymentNumber: number | null },
  reason: string,
  claim: true | undefined,
): Promise<Voided | Refusal<GiveBackRefusal>> {
  await readKnown(connection, key);
  const [{ openEngine }, { openGivingBack }] = await Promise.all([engines(), import('./give-back-payment.ts')]);
  const { voidOrder } = openGivingBack({ db: connection.db, engine: openEngine(connection) });
  const voided = await voidOrder({ ...key, isClaim: claim === true, reason, requestId: null, actor: connection.actor });
  if (isRefusal(voided)) return voided;
  const { amountMinor, currency, paymentNumber: number, givenBackAt } = voided.payment;
  return {
    number,
    amount: { amount: formatAllDecimals(amountMinor, currency), currency },
    givenBackAt: givenBackAt?.toString() ?? null,
    state: voided.order.state,
    isRepeated: voided.event === undefined,
    zone: ((await readMailing(connection, key.merchantId)) as PayerMerchant).country.timeZone,
  };
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
function failure(key: OrderKey, refusal: PayRefusal | GiveBackRefusal, order?: Order, given?: Money, transaction?: string): CommandRefused {
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
