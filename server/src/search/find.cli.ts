import type { Command } from 'commander';
import { CommandRefused, print, printJson, table, withConnection, type Cell, type Connect, type Connection } from '../kit/command-line.ts';
import { amountsOf, instantsOf, statesOf, withFilterOptions, type ListOptions } from '../kit/lists/list-options.ts';
import type { Country } from '../merchants/index.ts';
import type { SearchFilter } from './search.ts';
import { CASHOUT_STATES, isSearchable, MOST_HITS, ORDER_STATES } from './search-terms.ts';
import type { ShownHit } from './show-hits.ts';

const STATES = [...new Set([...ORDER_STATES, ...CASHOUT_STATES])];

type Options = Omit<ListOptions, 'limit' | 'transaction'> & { readonly state?: string };

/** Adds `caudal find`: where an operator begins who has nothing but what a caller reads out. */
export function findCommand(program: Command, connect: Connect): void {
  const command = program
    .command('find')
    .description('orders and cashouts by any of their ids, a reference, transaction, e-mail address, document or cellphone')
    .argument('<text>', 'all of it, or its first three characters or more')
    .option('--state <states>', STATES.join(', '));
  withFilterOptions(command, 'orders and cashouts', 'created').action((text: string, options: Options) => {
    if (!isSearchable(text)) throw new CommandRefused('The text takes 1 to 200 characters on one line.', 2);
    const { currency, network } = options;
    const filter = { states: statesOf(options.state, STATES), amountMinor: amountsOf(options), currency, network };
    return withConnection(connect, (connection) => find(connection, text, options, filter));
  });
}

async function find(connection: Connection, text: string, options: Options, filter: SearchFilter): Promise<void> {
  const { merchant: merchantId, json } = options;
  const [{ findCountry, requireMerchant }, { search }, { showHits }] = await Promise.all([
    import('../merchants/index.ts'),
    import('./search.ts'),
    import('./show-hits.ts'),
  ]);
  const merchant = merchantId === undefined ? undefined : await requireMerchant(connection, merchantId);
  const zone = merchant === undefined ? 'UTC' : (findCountry(merchant.country) as Country).timeZone;
  const now = connection.clock.now();
  const scope = merchantId === undefined ? 'everybody' : { merchantId };
  const result = await search(connection.db, {
    scope,
    text,
    filter: { ...filter, created: instantsOf(zone, options) },
    now,
    ofCashouts: true,
  });
  const { orders, cashouts } = showHits(result, now);
  if (json) return printJson({ orders, cashouts, isMore: result.isMore });
  const orderRows = orders.map((hit, index) => rowOf(hit, result.orders[index]!.item, hit.order, hit.email));
  const cashoutRows = cashouts.map((hit, index) => rowOf(hit, result.cashouts[index]!.item, hit.cashout, hit.document));
  if (orders.length > 0) print(table(headingOf('ORDER', 'PAYER'), orderRows, zone));
  if (orders.length > 0 && cashouts.length > 0) print('\n');
  if (cashouts.length > 0) print(table(headingOf('CASHOUT', 'DOCUMENT'), cashoutRows, zone));
  if (orders.length + cashouts.length === 0) print('Nothing was found.\n');
  if (result.isMore) print(`There may be more than these ${MOST_HITS}: give more of the text, or a filter.\n`);
}

const headingOf = (id: string, person: string): string[] => ['CREATED', 'MERCHANT', id, 'STATE', 'AMOUNT', person, 'FOUND IN'];

type Item = { readonly createdAt: Temporal.Instant; readonly amountMinor: bigint; readonly currency: string };

const rowOf = ({ merchant, state, foundIn }: ShownHit, { createdAt, ...money }: Item, id: string, person: string): Cell[] => [
  createdAt,
  merchant,
  id,
  state,
  money,
  person,
  foundIn.join(', '),
];
