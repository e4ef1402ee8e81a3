import type { Command } from 'commander';
import { formatLocal } from '../kit/calendar.ts';
import { columns, CommandRefused, print, printJson, withConnection, type Connect, type Connection } from '../kit/command-line.ts';
import { amountsOf, instantsOf, statesOf, withFilterOptions, type ListOptions } from '../kit/lists/list-options.ts';
import { findCountry, requireMerchant, type Country } from '../merchants/index.ts';
import { CASHOUT_STATES, isSearchable, MOST_HITS, ORDER_STATES, search, type SearchFilter } from './search.ts';
import { showHits, type ShownHit } from './show-hits.ts';

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
  const merchant = merchantId === undefined ? undefined : await requireMerchant(connection, merchantId);
  const zone = merchant === undefined ? 'UTC' : (findCountry(merchant.country) as Country).timeZone;
  const now = connection.clock.now();
  const scope = merchantId === undefined ? 'everybody' : { merchantId };
  const result = await search(connection.db, { scope, text, filter: { ...filter, created: instantsOf(zone, options) }, now });
  const { orders, cashouts } = showHits(result, now);
  if (json) return printJson({ orders, cashouts, isMore: result.isMore });
  if (orders.length > 0) print(table(['ORDER', 'PAYER'], orders, zone, ({ order, email }) => [order, email]));
  if (orders.length > 0 && cashouts.length > 0) print('\n');
  if (cashouts.length > 0) print(table(['CASHOUT', 'DOCUMENT'], cashouts, zone, ({ cashout, document }) => [cashout, document]));
  if (orders.length + cashouts.length === 0) print('Nothing was found.\n');
  if (result.isMore) print(`There may be more than these ${MOST_HITS}: give more of the text, or a filter.\n`);
}

function table<Hit extends ShownHit>(
  names: readonly [string, string],
  hits: readonly Hit[],
  zone: string,
  own: (hit: Hit) => [string, string],
): string {
  const heading = [`CREATED (${zone})`, 'MERCHANT', names[0], 'STATE', 'AMOUNT', names[1], 'FOUND IN'];
  const rows = hits.map((hit) => {
    const [id, person] = own(hit);
    const created = formatLocal(Temporal.Instant.from(hit.createdAt), zone);
    return [created, hit.merchant, id, hit.state, `${hit.amount} ${hit.currency}`, person, hit.foundIn.join(', ')];
  });
  return columns([heading, ...rows]);
}
