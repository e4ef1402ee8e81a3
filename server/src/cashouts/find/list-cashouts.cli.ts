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
    .action(async (options: Options) => {
      const { document, cellphone, currency, network, transaction } = options;
      const states = statesOf(options.state, CASHOUT_STATES);
      const filter = { states, amountMinor: amountsOf(options), document, cellphone, currency, network, transaction };
      const listed = await readFrom(connect, {
        here: (connection) => list(connection, options, filter),
        there: (service) => ask(service, options, filter),
      });
      printList(listed, options);
    });
}

type Listed = { readonly items: readonly ShownCashout[]; readonly isMore: boolean; readonly zone: string };

async function list(connection: Connection, options: Options, filter: CashoutFilter): Promise<Listed> {
  const { merchant: merchantId, limit } = options;
  const [{ requireMerchant, zoneOfMerchant }, { findCashouts }] = await Promise.all([
    import('../../merchants/index.ts'),
    import('./find-cashouts.ts'),
  ]);
  if (merchantId !== undefined) await requireMerchant(connection, merchantId);
  const zone = await zoneOfMerchant(connection, merchantId);
  const asked = { ...filter, updated: instantsOf(zone, options) };
  const now = connection.clock.now();
  const scope = merchantId === undefined ? 'everybody' : { merchantId };
  const { items, isMore } = await readAtMost(limit, (after: CashoutPlace | undefined, rows) =>
    findCashouts(connection.db, scope, asked, { after, limit: rows, now }),
  );
  return { items: items.map(shownCashout), isMore, zone };
}

/** Lists the cashouts of a running service. */
async function ask(service: Remote, options: Options, { states, document, cellphone }: CashoutFilter): Promise<Listed> {
  const [{ askZone }, { listCashoutsByFilter }] = await Promise.all([
    import('../../merchants/index.ts'),
    import('./list-cashouts.manage.ts'),
  ]);
  const zone = await askZone(service, options.merchant);
  const query = { ...parametersOf(options, 'updated'), state: states, document, cellphone };
  const { items, isMore } = await service.list(listCashoutsByFilter, options.limit, { query });
  return { items: items.map(toShown), isMore, zone };
}

/** Commands print no last day. */
function toShown({ merchant, cashout, state, version, amount, document, cellphone, createdAt, updatedAt }: Sent): ShownCashout {
  return withFlatAmount({ merchant, cashout, state, version, amount, document, cellphone, createdAt, updatedAt });
}

function printList({ items, isMore, zone }: Listed, { limit, json }: Options): void {
  if (json) return printJson(items);
  if (items.length === 0) return print('No matching cashouts.\n');
  print(table(['CHANGED', 'MERCHANT', 'CASHOUT', 'STATE', 'AMOUNT', 'DOCUMENT', 'CELLPHONE'], items.map(cellsOf), zone));
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

type ShownCashout = ReturnType<typeof shownCashout>;
/** A cashout as a service answers it. */
type Sent = Omit<ShownCashout, 'amount' | 'currency'> & { readonly amount: Pick<ShownCashout, 'amount' | 'currency'> };

const cellsOf = (cashout: ShownCashout): Cell[] => [
  Temporal.Instant.from(cashout.updatedAt),
  cashout.merchant,
  cashout.cashout,
  cashout.state,
  cashout,
  cashout.document,
  cashout.cellphone,
];
