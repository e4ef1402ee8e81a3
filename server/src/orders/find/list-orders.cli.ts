import type { Command } from 'commander';
import { print, printJson, readFrom, table, withFlatAmount, type Cell, type Connect, type Connection } from '../../kit/command-line.ts';
import {
  amountsOf,
  instantsOf,
  parametersOf,
  readAtMost,
  statesOf,
  withListOptions,
  type ListOptions,
} from '../../kit/lists/list-options.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import type { Remote } from '../../kit/remote/remote.ts';
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
    .action(async (options: Options) => {
      const filter = { states: statesOf(options.state, STATES), amountMinor: amountsOf(options), ...termsOf(options) };
      const listed = await readFrom(connect, {
        here: (connection) => list(connection, options, filter),
        there: (service) => ask(service, options, filter),
      });
      printList(listed, options);
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

type Listed = { readonly items: readonly ShownOrder[]; readonly isMore: boolean; readonly zone: string };

async function list(connection: Connection, options: Options, filter: OrderFilter): Promise<Listed> {
  const { db, clock } = connection;
  const { merchant: merchantId, limit } = options;
  const [{ requireMerchant, zoneOfMerchant }, { stateAt }, { findOrders }] = await Promise.all([
    import('../../merchants/index.ts'),
    import('../order.ts'),
    import('./find-orders.ts'),
  ]);
  if (merchantId !== undefined) await requireMerchant(connection, merchantId);
  const zone = await zoneOfMerchant(connection, merchantId);
  const now = clock.now();
  const asked = { ...filter, created: instantsOf(zone, options) };
  const scope = merchantId === undefined ? 'everybody' : { merchantId };
  const { items, isMore } = await readAtMost(limit, (after: OrderPlace | undefined, rows) =>
    findOrders(db, scope, asked, { after, limit: rows, now }),
  );
  return { items: items.map((order) => shownOrder(order, stateAt(order, now))), isMore, zone };
}

/** Lists the orders of a running service. */
async function ask(service: Remote, options: Options, { states, email, document, reference }: OrderFilter): Promise<Listed> {
  const [{ askZone }, { listOrders }] = await Promise.all([import('../../merchants/index.ts'), import('./list-orders.manage.ts')]);
  const zone = await askZone(service, options.merchant);
  const query = { ...parametersOf(options, 'created'), state: states, email, document, reference };
  const { items, isMore } = await service.list(listOrders, options.limit, { query });
  return { items: items.map(withFlatAmount), isMore, zone };
}

function printList({ items, isMore, zone }: Listed, { limit, json }: Options): void {
  if (json) return printJson(items);
  if (items.length === 0) return print('No matching orders.\n');
  print(table(['CREATED', 'MERCHANT', 'ORDER', 'REFERENCE', 'STATE', 'AMOUNT', 'PAYER'], items.map(cellsOf), zone));
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

type ShownOrder = ReturnType<typeof shownOrder>;

const cellsOf = (order: ShownOrder): Cell[] => [
  Temporal.Instant.from(order.createdAt),
  order.merchant,
  order.order,
  order.reference,
  order.state,
  order,
  order.email,
];
