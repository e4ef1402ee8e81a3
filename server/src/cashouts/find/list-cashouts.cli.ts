import type { Command } from 'commander';
import { print, printJson, table, withConnection, type Cell, type Connect, type Connection } from '../../kit/command-line.ts';
import { amountsOf, instantsOf, readAtMost, statesOf, withListOptions, type ListOptions } from '../../kit/lists/list-options.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import type { Country } from '../../merchants/index.ts';
import { CASHOUT_STATES, type Cashout } from '../cashout.ts';
import type { CashoutFilter, CashoutPlace } from './cashout-filter.ts';

type Options = ListOptions & { readonly state?: string; readonly document?: string; readonly cellphone?: string };

/** Adds `caudal cashouts list`. */
export function listCommand(cashouts: Command, connect: Connect): void {
  const command = cashouts
    .command('list')
    .description('cashouts, the last changed first')
    .option('--state <states>', CASHOUT_STATES.join(', '));
  withListOptions(command, 'cashouts', 'changed')
    .option('--document <number>', 'of the end user with this document')
    .option('--cellphone <number>', 'of the end user with this cellphone')
    .action((options: Options) => {
      const { document, cellphone, currency, network, transaction } = options;
      const states = statesOf(options.state, CASHOUT_STATES);
      const filter = { states, amountMinor: amountsOf(options), document, cellphone, currency, network, transaction };
      return withConnection(connect, (connection) => list(connection, options, filter));
    });
}

async function list(connection: Connection, options: Options, filter: CashoutFilter): Promise<void> {
  const { merchant: merchantId, limit, json } = options;
  const [{ findCountry, requireMerchant }, { findCashouts }] = await Promise.all([
    import('../../merchants/index.ts'),
    import('./find-cashouts.ts'),
  ]);
  const merchant = merchantId === undefined ? undefined : await requireMerchant(connection, merchantId);
  const zone = merchant === undefined ? 'UTC' : (findCountry(merchant.country) as Country).timeZone;
  const asked = { ...filter, updated: instantsOf(zone, options) };
  const scope = merchantId === undefined ? 'everybody' : { merchantId };
  const { items, isMore } = await readAtMost(limit, (after: CashoutPlace | undefined, rows) =>
    findCashouts(connection.db, scope, asked, { after, limit: rows }),
  );
  if (json) return printJson(items.map(shownCashout));
  if (items.length === 0) return print('There is no such cashout.\n');
  const heading = ['CHANGED', 'MERCHANT', 'CASHOUT', 'STATE', 'AMOUNT', 'DOCUMENT', 'CELLPHONE'];
  print(table(heading, items.map(cellsOf), zone));
  if (isMore) print(`There are more: --limit shows more than ${limit}.\n`);
}

/** A cashout as commands print it. */
const shownCashout = (cashout: Cashout) => ({
  merchant: cashout.merchantId,
  cashout: cashout.operationId,
  state: cashout.state,
  amount: formatAllDecimals(cashout.amountMinor, cashout.currency),
  currency: cashout.currency,
  document: cashout.document,
  cellphone: cashout.cellphone,
  version: cashout.version,
  createdAt: cashout.createdAt.toString(),
  updatedAt: cashout.updatedAt.toString(),
});

const cellsOf = (cashout: Cashout): Cell[] => [
  cashout.updatedAt,
  cashout.merchantId,
  cashout.operationId,
  cashout.state,
  cashout,
  cashout.document,
  cashout.cellphone,
];
