import type { Command } from 'commander';
import {
  CommandRefused,
  print,
  printJson,
  readFrom,
  table,
  withFlatAmount,
  type Cell,
  type Connect,
  type Connection,
} from '../kit/command-line.ts';
import { amountsOf, instantsOf, parametersOf, statesOf, withFilterOptions, type ListOptions } from '../kit/lists/list-options.ts';
import type { Remote } from '../kit/remote/remote.ts';
import type { SearchFilter } from './search.ts';
import { CASHOUT_STATES, isSearchable, MOST_HITS, ORDER_STATES } from './search-terms.ts';
import type { ShownHit, showHits } from './show-hits.ts';

const STATES = [...new Set([...ORDER_STATES, ...CASHOUT_STATES])];

type Options = Omit<ListOptions, 'limit' | 'transaction'> & { readonly state?: string };

/** Adds `caudal find`: where an operator begins who has nothing but what a caller reads out. */
export function findCommand(program: Command, connect: Connect): void {
  const command = program
    .command('find')
    .description('orders and cashouts by any of their ids, a reference, transaction, e-mail address, document or cellphone')
    .argument('<text>', 'all of it, its first three characters or more, or the last four digits or more of a reference')
    .option('--state <states>', STATES.join(', '));
  withFilterOptions(command, 'orders and cashouts', 'created').action(async (text: string, options: Options) => {
    if (!isSearchable(text)) throw new CommandRefused('The text takes 1 to 200 characters on one line.', 2);
    const { currency, network } = options;
    const filter = { states: statesOf(options.state, STATES), amountMinor: amountsOf(options), currency, network };
    const found = await readFrom(connect, {
      here: (connection) => find(connection, text, options, filter),
      there: (service) => ask(service, text, options, filter),
    });
    printFound(found, options);
  });
}

type Found = ReturnType<typeof showHits> & { readonly isMore: boolean; readonly zone: string };

async function find(connection: Connection, text: string, options: Options, filter: SearchFilter): Promise<Found> {
  const { merchant: merchantId } = options;
  const [{ requireMerchant, zoneOfMerchant }, { search }, { showHits }] = await Promise.all([
    import('../merchants/index.ts'),
    import('./search.ts'),
    import('./show-hits.ts'),
  ]);
  if (merchantId !== undefined) await requireMerchant(connection, merchantId);
  const zone = await zoneOfMerchant(connection, merchantId);
  const now = connection.clock.now();
  const scope = merchantId === undefined ? 'everybody' : { merchantId };
  const result = await search(connection.db, {
    scope,
    text,
    filter: { ...filter, created: instantsOf(zone, options) },
    now,
    ofCashouts: true,
  });
  return { ...showHits(result, now), isMore: result.isMore, zone };
}

/** Searches a running service. */
async function ask(service: Remote, text: string, options: Options, { states }: SearchFilter): Promise<Found> {
  const [{ askZone }, { searchAll }] = await Promise.all([import('../merchants/index.ts'), import('./search.manage.ts')]);
  const zone = await askZone(service, options.merchant);
  const query = { ...parametersOf(options, 'created'), text, state: states };
  const { orders, cashouts, isMore } = await service.call(searchAll, { query });
  return { orders: orders.map(withFlatAmount), cashouts: cashouts.map(withFlatAmount), isMore, zone };
}

function printFound({ orders, cashouts, isMore, zone }: Found, { json }: Options): void {
  if (json) return printJson({ orders, cashouts, isMore });
  const orderRows = orders.map((hit) => rowOf(hit, hit.order, hit.email));
  const cashoutRows = cashouts.map((hit) => rowOf(hit, hit.cashout, hit.document));
  if (orders.length > 0) print(table(headingOf('ORDER', 'PAYER'), orderRows, zone));
  if (orders.length > 0 && cashouts.length > 0) print('\n');
  if (cashouts.length > 0) print(table(headingOf('CASHOUT', 'DOCUMENT'), cashoutRows, zone));
  if (orders.length + cashouts.length === 0) print('Nothing was found.\n');
  if (isMore) print(`There may be more than these ${MOST_HITS}: give more of the text, or a filter.\n`);
}

const headingOf = (id: string, person: string): string[] => ['CREATED', 'MERCHANT', id, 'STATE', 'AMOUNT', person, 'FOUND IN'];

const rowOf = ({ merchant, state, foundIn, createdAt, ...money }: ShownHit, id: string, person: string): Cell[] => [
  Temporal.Instant.from(createdAt),
  merchant,
  id,
  state,
  money,
  person,
  foundIn.join(', '),
];
