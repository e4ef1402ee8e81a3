import { Option, type Command } from 'commander';
import { sentInstant, table, withFlatAmount, type Cell, type Connect } from '../../kit/command-line.ts';
import { listOptions, moreText, parametersOf, statesOf, type ListOptions } from '../../kit/lists/list-options.ts';
import { listCommand, type AnswerOf } from '../../kit/remote/client-commands.ts';
import { ORDER_STATES } from '../order-columns.ts';
import type { listOrders } from './list-orders.manage.ts';

type Options = ListOptions & { readonly state?: string; readonly email?: string; readonly reference?: string; readonly document?: string };

/** Adds `caudal orders list`. */
export function listOrdersCommand(orders: Command, connect: Connect): void {
  listCommand(orders, connect, {
    name: 'list',
    about: 'orders, the newest first',
    options: [
      new Option('--state <states>', ORDER_STATES.join(', ')),
      ...listOptions('orders', 'created'),
      new Option('--email <address>', 'of this payer'),
      new Option('--document <number>', 'of the payer with this document'),
      new Option('--reference <digits>', 'with this reference'),
    ],
    operation: async () => (await import('./list-orders.manage.ts')).listOrders,
    limit: ({ limit }) => limit,
    parts: ({ state, email, document, reference, ...options }: Options) => ({
      query: { ...parametersOf(options, 'created'), state: statesOf(state, ORDER_STATES), email, document, reference },
    }),
    first: async (service, { merchant }) => (await import('../../merchants/index.ts')).askZone(service, merchant),
    json: (items) => items.map(withFlatAmount),
    text: (items, { limit }, zone, isMore) => {
      if (items.length === 0) return 'No matching orders.\n';
      const heading = ['CREATED', 'MERCHANT', 'ORDER', 'REFERENCE', 'STATE', 'AMOUNT', 'PAYER'];
      return `${table(heading, items.map(cellsOf), zone)}${moreText(isMore, limit)}`;
    },
  });
}

const cellsOf = ({ createdAt, merchant, order, reference, state, amount, email }: AnswerOf<typeof listOrders>): Cell[] => [
  sentInstant(createdAt),
  merchant,
  order,
  reference,
  state,
  amount,
  email,
];
