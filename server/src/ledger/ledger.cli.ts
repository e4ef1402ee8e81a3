import { Option, type Command } from 'commander';
import {
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  table,
  UTC_OPTION,
  withConnection,
  type Connect,
} from '../kit/command-line.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { toPercent } from './command-values.ts';
import { ledgerChangeCommands } from './ledger-changes.cli.ts';

const merchants = () => import('../merchants/index.ts');
const readings = () => import('./read-ledger.ts');

/** Adds `caudal ledger …` to the program. */
export function ledgerCommands(program: Command, connect: Connect): void {
  const ledger = program.command('ledger').description('show the money, entry by entry; top up, adjust, and set fees');
  addBalances(ledger, connect);
  addEntries(ledger, connect);
  addFees(ledger, connect);
  ledgerChangeCommands(ledger, connect);
}

type BalancesOptions = { merchant?: string; network?: string; service?: true; json?: true };

function addBalances(ledger: Command, connect: Connect): void {
  ledger
    .command('balances')
    .description('balances by account and currency, summed over all merchants; above zero: owed to the owner of the account')
    .option('--merchant <id>', 'of one merchant')
    .option('--network <name>', 'of one network')
    .addOption(new Option('--service', 'of the service itself').conflicts('network'))
    .option(...JSON_OPTION)
    .action(({ merchant, network, service, json }: BalancesOptions) =>
      withConnection(connect, async (connection) => {
        const { readAccounts } = await readings();
        if (merchant !== undefined) await (await merchants()).requireMerchant(connection, merchant);
        const account = network === undefined ? undefined : `network:${network}`;
        const balances = await readAccounts(connection.db, { merchantId: merchant, account, isService: service === true });
        if (json)
          return printJson(balances.map(({ balanceMinor, ...of }) => ({ ...of, balance: formatAllDecimals(balanceMinor, of.currency) })));
        if (balances.length === 0) return print('No money has moved there yet.\n');
        const rows = balances.map(({ account, currency, balanceMinor }) => [account, { amountMinor: balanceMinor, currency }]);
        print(table(['ACCOUNT', 'BALANCE'], rows));
      }),
    );
}

type EntriesOptions = {
  merchant?: string;
  account?: string;
  transaction?: string;
  currency?: string;
  from?: Temporal.Instant;
  until?: Temporal.Instant;
  limit: number;
  utc?: true;
  json?: true;
};

function addEntries(ledger: Command, connect: Connect): void {
  ledger
    .command('entries')
    .description('entries, newest first; without --merchant the whole ledger is read')
    .option('--merchant <id>', 'of one merchant')
    .option('--account <name>', 'of one account, such as available or network:NAME')
    .option('--transaction <id>', 'of one transaction, such as cashout/W-77/paid')
    .option('--currency <code>', 'in one currency')
    .option('--from <instant>', 'posted at or after it, such as 2026-11-21T00:00:00-05:00', parseInstant)
    .option('--until <instant>', 'posted before it', parseInstant)
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50)
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(({ merchant: merchantId, transaction: transactionId, utc, json, ...rest }: EntriesOptions) =>
      withConnection(connect, async (connection) => {
        const [{ readEntries }, { requireMerchant, readSharedZone }] = await Promise.all([readings(), merchants()]);
        if (merchantId !== undefined) await requireMerchant(connection, merchantId);
        const entries = await readEntries(connection.db, { merchantId, transactionId, ...rest });
        if (json)
          return printJson(
            entries.map(({ merchantId, transactionId, amountMinor, ...entry }) => ({
              merchant: merchantId,
              transaction: transactionId,
              ...entry,
              amount: formatAllDecimals(amountMinor, entry.currency),
            })),
          );
        if (entries.length === 0) return print('There is no such entry.\n');
        const rows = entries.map(({ postedAt, merchantId, transactionId, kind, account, reason, ...money }) => [
          postedAt,
          merchantId,
          transactionId,
          kind,
          account,
          money,
          reason,
        ]);
        const shownIds = entries.map(({ merchantId }) => merchantId);
        const zone = await readSharedZone(connection.db, shownIds, utc === true);
        print(table(['POSTED', 'MERCHANT', 'TRANSACTION', 'KIND', 'ACCOUNT', 'AMOUNT', 'REASON'], rows, zone));
      }),
    );
}

function addFees(ledger: Command, connect: Connect): void {
  ledger
    .command('fees')
    .description('what the service takes from a merchant, and what it took before')
    .requiredOption('--merchant <id>', 'from whom')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(({ merchant, utc, json }: { merchant: string; utc?: true; json?: true }) =>
      withConnection(connect, async (connection) => {
        const [{ listFees }, { requireMerchant, readSharedZone }] = await Promise.all([import('./fees.ts'), merchants()]);
        await requireMerchant(connection, merchant);
        const fees = (await listFees(connection, merchant)).map(({ kind, currency, percentPpm, fixedMinor, taxPpm, since, until }) => ({
          operation: kind,
          currency,
          percent: toPercent(percentPpm),
          fixed: formatAllDecimals(fixedMinor, currency),
          tax: toPercent(taxPpm),
          since,
          until,
        }));
        if (json) return printJson(fees);
        if (fees.length === 0) return print(`The service takes nothing from ${merchant}.\n`);
        const rows = fees.map(({ operation, currency, percent, fixed, tax, since, until }) => [
          operation,
          percent,
          `${fixed} ${currency}`,
          tax,
          since,
          until,
        ]);
        const zone = await readSharedZone(connection.db, [merchant], utc === true);
        print(table(['OPERATION', 'PERCENT', 'FIXED', 'TAX PERCENT', 'SINCE', 'UNTIL'], rows, zone));
      }),
    );
}
