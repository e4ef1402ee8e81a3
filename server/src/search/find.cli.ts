import { Argument, Option, type Command } from 'commander';
import { CommandRefused, sentInstant, table, withFlatAmount, type Cell, type Connect } from '../kit/command-line.ts';
import { filterOptions, parametersOf, statesOf, type ListOptions } from '../kit/lists/list-options.ts';
import { askCommand, type AnswerOf } from '../kit/remote/client-commands.ts';
import type { searchAll } from './search.manage.ts';
import { FOUND_STATES, isSearchable, MOST_HITS } from './search-terms.ts';

type Options = Omit<ListOptions, 'limit' | 'transaction'> & { readonly text: string; readonly state?: string };

/** Adds `caudal find`: where an operator begins who has nothing but what a caller reads out. */
export function findCommand(program: Command, connect: Connect): void {
  askCommand(program, connect, {
    name: 'find',
    about: 'orders and cashouts by any of their ids, a reference, transaction, e-mail address, document or cellphone',
    args: [new Argument('<text>', 'all of it, its first three characters or more, or the last four digits or more of a reference')],
    options: [new Option('--state <states>', FOUND_STATES.join(', ')), ...filterOptions('orders and cashouts', 'created')],
    operation: async () => (await import('./search.manage.ts')).searchAll,
    parts: ({ text, state, ...options }: Options) => {
      if (!isSearchable(text)) throw new CommandRefused('The text takes 1 to 200 characters on one line.', 2);
      return { query: { ...parametersOf(options, 'created'), text, state: statesOf(state, FOUND_STATES) } };
    },
    first: async (service, { merchant }) => (await import('../merchants/index.ts')).askZone(service, merchant),
    json: ({ orders, cashouts, isMore }) => ({ orders: orders.map(withFlatAmount), cashouts: cashouts.map(withFlatAmount), isMore }),
    text: foundText,
  });
}

function foundText({ orders, cashouts, isMore }: AnswerOf<typeof searchAll>, _given: Options, zone: string): string {
  const orderRows = orders.map((hit) => rowOf(hit, hit.order, hit.email));
  const cashoutRows = cashouts.map((hit) => rowOf(hit, hit.cashout, hit.document));
  const tables = [
    ...(orders.length > 0 ? [table(headingOf('ORDER', 'PAYER'), orderRows, zone)] : []),
    ...(cashouts.length > 0 ? [table(headingOf('CASHOUT', 'DOCUMENT'), cashoutRows, zone)] : []),
  ];
  const more = isMore ? `There may be more than these ${MOST_HITS}: give more of the text, or a filter.\n` : '';
  return `${tables.length === 0 ? 'Nothing was found.\n' : tables.join('\n')}${more}`;
}

type Hit = Pick<AnswerOf<typeof searchAll>['orders'][number], 'merchant' | 'foundIn' | 'createdAt' | 'amount'> & { readonly state: string };

const headingOf = (id: string, person: string): string[] => ['CREATED', 'MERCHANT', id, 'STATE', 'AMOUNT', person, 'FOUND IN'];

const rowOf = ({ merchant, state, foundIn, createdAt, amount }: Hit, id: string, person: string): Cell[] => [
  sentInstant(createdAt),
  merchant,
  id,
  state,
  amount,
  person,
  foundIn.join(', '),
];
