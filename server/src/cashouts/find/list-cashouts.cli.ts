import { Option, type Command } from 'commander';
import { sentInstant, table, withFlatAmount, type Cell, type Connect } from '../../kit/command-line.ts';
import { listOptions, moreText, parametersOf, statesOf, type ListOptions } from '../../kit/lists/list-options.ts';
import { listCommand, type AnswerOf } from '../../kit/remote/client-commands.ts';
import { CASHOUT_STATES } from '../cashout.ts';
import type { listCashoutsByFilter } from './list-cashouts.manage.ts';

type Options = ListOptions & { readonly state?: string; readonly document?: string; readonly cellphone?: string };

/** Adds `caudal cashouts list`. */
export function listCashoutsCommand(cashouts: Command, connect: Connect): void {
  listCommand(cashouts, connect, {
    name: 'list',
    about: 'cashouts, the last changed first',
    options: [
      new Option('--state <states>', CASHOUT_STATES.join(', ')),
      ...listOptions('cashouts', 'changed'),
      new Option('--document <number>', 'of the end user with this document'),
      new Option('--cellphone <number>', 'of the end user with this cellphone'),
    ],
    operation: async () => (await import('./list-cashouts.manage.ts')).listCashoutsByFilter,
    limit: ({ limit }) => limit,
    parts: ({ state, document, cellphone, ...options }: Options) => ({
      query: { ...parametersOf(options, 'updated'), state: statesOf(state, CASHOUT_STATES), document, cellphone },
    }),
    first: async (service, { merchant }) => (await import('../../merchants/index.ts')).askZone(service, merchant),
    json: (items) => items.map(withFlatAmount),
    text: (items, { limit }, zone, isMore) => {
      if (items.length === 0) return 'No matching cashouts.\n';
      const heading = ['CHANGED', 'MERCHANT', 'CASHOUT', 'STATE', 'AMOUNT', 'DOCUMENT', 'CELLPHONE'];
      return `${table(heading, items.map(cellsOf), zone)}${moreText(isMore, limit)}`;
    },
  });
}

const cellsOf = ({ updatedAt, merchant, cashout, state, amount, document, cellphone }: AnswerOf<typeof listCashoutsByFilter>): Cell[] => [
  sentInstant(updatedAt),
  merchant,
  cashout,
  state,
  amount,
  document,
  cellphone,
];
