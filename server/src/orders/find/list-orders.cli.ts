import type { Command } from 'commander';
import { print, printJson, table, withConnection, type Cell, type Connect, type Connection } from '../../kit/command-line.ts';
import { amountsOf, instantsOf, readAtMost, statesOf, withListOptions, type ListOptions } from '../../kit/lists/list-options.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import type { Country } from '../../merchants/index.ts';
import type { Order, OrderState } from '../order.ts';
import type { OrderFilter, OrderPlace } from './order-filter.ts';

const STATES: readonly OrderState[] = ['pending', 'approved', 'expired', 'cancelled', 'voided'];

type Options = ListOptions & { readonly state?: string; readonly email?: string; readonly reference?: string; readonly document?: string };

/** Adds `caudal orders list`. */
export function listCommand(orders: Command, connect: Connect): void {
  const command = orders.command('list').description('orders, the newest first').option('--state <states>', STATES.join(', '));
  withListOptions(command, 'orders', 'created')
    .option('--email <address>', 'of this payer')
    .option('--document <number>', 'of the payer with this document')
    .option('--reference <digits>', 'with this reference')
    .action((options: Options) => {
      const filter = { states: statesOf(options.state, STATES), amountMinor: amountsOf(options), ...termsOf(options) };
      return withConnection(connect, (connection) => list(connection, options, filter));
    });
}

const termsOf = ({ email, document, reference, currency, network, transaction }: Options): OrderFilter => ({
  email,
  document,
  reference,
  currency,
  network,
  transaction,
});

async function list(connection: Connection, options: Options, filter: OrderFilter): Promise<void> {
  const { db, clock } = connection;
  const { merchant: merchantId, limit, json } = options;
  const [{ findCountry, requireMerchant }, { stateAt }, { findOrders }] = await Promise.all([
    import('../../merchants/index.ts'),
    import('../order.ts'),
    import('./find-orders.ts'),
  ]);
  const merchant = merchantId === undefined ? undefined : await requireMerchant(connection, merchantId);
  const zone = merchant === undefined ? 'UTC' : (findCountry(merchant.country) as Country).timeZone;
  const now = clock.now();
  const asked = { ...filter, created: instantsOf(zone, options) };
  const scope = merchantId === undefined ? 'everybody' : { merchantId };
  const { items, isMore } = await readAtMost(limit, (after: OrderPlace | undefined, rows) =>
    findOrders(db, scope, asked, { after, limit: rows, now }),
  );
  if (json) return printJson(items.map((order) => shownOrder(order, stateAt(order, now))));
  if (items.length === 0) return print('There is no such order.\n');
  const heading = ['CREATED', 'MERCHANT', 'ORDER', 'REFERENCE', 'STATE', 'AMOUNT', 'PAYER'];
  print(
    table(
      heading,
      items.map((order) => cellsOf(order, stateAt(order, now))),
      zone,
    ),
  );
  if (isMore) print(`There are more: --limit shows more than ${limit}.\n`);
}

/** An order as commands print it. */
const shownOrder = (order: Order, state: OrderState) => ({
  merchant: order.merchantId,
  order: order.orderId,
  serviceOrderId: order.serviceOrderId.toString(),
  reference: order.reference,
  state,
  amount: formatAllDecimals(order.amountMinor, order.currency),
  currency: order.currency,
  email: order.email,
  version: order.version,
  createdAt: order.createdAt.toString(),
  updatedAt: order.updatedAt.toString(),
});

const cellsOf = (order: Order, state: OrderState): Cell[] => [
  order.createdAt,
  order.merchantId,
  order.orderId,
  order.reference,
  state,
  order,
  order.email,
];
