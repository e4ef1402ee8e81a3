import { Option, type Command } from 'commander';
import {
  CommandRefused,
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  readFrom,
  table,
  UTC_OPTION,
  type Connect,
  type Connection,
} from '../kit/command-line.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { toPercent } from './command-values.ts';
import type { EntriesOptions, ShownEntry } from './ask-ledger.ts';
import { ledgerChangeCommands } from './ledger-changes.cli.ts';

const merchants = () => import('../merchants/index.ts');
const readings = () => import('./read-ledger.ts');
const asking = () => import('./ask-ledger.ts');

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
    .action(async ({ merchant, network, service: isService, json }: BalancesOptions) => {
      const balances = await readFrom(connect, {
        here: async (connection) => {
          const { readAccounts } = await readings();
          if (merchant !== undefined) await (await merchants()).requireMerchant(connection, merchant);
          const account = network === undefined ? undefined : `network:${network}`;
          const found = await readAccounts(connection.db, { merchantId: merchant, account, isService: isService === true });
          return found.map(({ balanceMinor, ...of }) => ({ ...of, balance: formatAllDecimals(balanceMinor, of.currency) }));
        },
        there: async (service) => {
          if (network !== undefined || isService === true)
            throw new CommandRefused('With --url it is the balances of a merchant, by --merchant.', 2);
          return (await asking()).askBalances(service, merchant);
        },
      });
      if (json) return printJson(balances);
      if (balances.length === 0) return print('No money has moved there yet.\n');
      const rows = balances.map(({ account, balance: amount, currency }) => [account, { amount, currency }]);
      print(table(['ACCOUNT', 'BALANCE'], rows));
    });
}

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
    .action(async ({ utc, json, ...options }: EntriesOptions) => {
      const { entries, zone } = await readFrom(connect, {
        here: (connection) => readHere(connection, options, utc === true),
        there: async (service) => (await asking()).askEntries(service, options, utc === true),
      });
      if (json) return printJson(entries);
      if (entries.length === 0) return print('No matching entries.\n');
      const rows = entries.map(({ postedAt, merchant, transaction, kind, account, reason, ...money }) => [
        postedAt,
        merchant,
        transaction,
        kind,
        account,
        money,
        reason,
      ]);
      print(table(['POSTED', 'MERCHANT', 'TRANSACTION', 'KIND', 'ACCOUNT', 'AMOUNT', 'REASON'], rows, zone));
    });
}

async function readHere(
  connection: Connection,
  { merchant: merchantId, transaction: transactionId, ...rest }: EntriesOptions,
  isUtc: boolean,
): Promise<{ readonly entries: readonly ShownEntry[]; readonly zone: string }> {
  const [{ readEntries }, { requireMerchant, readSharedZone }] = await Promise.all([readings(), merchants()]);
  if (merchantId !== undefined) await requireMerchant(connection, merchantId);
  const found = await readEntries(connection.db, { merchantId, transactionId, ...rest });
  const entries = found.map(({ merchantId: merchant, transactionId: transaction, amountMinor, ...entry }) => ({
    merchant,
    transaction,
    ...entry,
    amount: formatAllDecimals(amountMinor, entry.currency),
  }));
  const shownIds = entries.map(({ merchant }) => merchant);
  return { entries, zone: await readSharedZone(connection.db, shownIds, isUtc) };
}

function addFees(ledger: Command, connect: Connect): void {
  ledger
    .command('fees')
    .description('what the service takes from a merchant, and what it took before')
    .requiredOption('--merchant <id>', 'from whom')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ merchant, utc, json }: { merchant: string; utc?: true; json?: true }) => {
      const { fees, zone } = await readFrom(connect, {
        here: async (connection) => {
          const [{ listFees }, { requireMerchant, readSharedZone }] = await Promise.all([import('./fees.ts'), merchants()]);
          await requireMerchant(connection, merchant);
          const found = await listFees(connection, merchant);
          const shown = found.map(({ kind, currency, percentPpm, fixedMinor, taxPpm, since, until }) => ({
            operation: kind,
            currency,
            percent: toPercent(percentPpm),
            fixed: formatAllDecimals(fixedMinor, currency),
            tax: toPercent(taxPpm),
            since,
            until,
          }));
          return { fees: shown, zone: await readSharedZone(connection.db, [merchant], utc === true) };
        },
        there: async (service) => (await asking()).askFees(service, merchant, utc === true),
      });
      if (json) return printJson(fees);
      if (fees.length === 0) return print(`The service takes nothing from ${merchant}.\n`);
      const rows = fees.map(({ operation, currency, percent, fixed, tax, since, until }) => [
        operation,
        percent,
        { amount: fixed, currency },
        tax,
        since,
        until,
      ]);
      print(table(['OPERATION', 'PERCENT', 'FIXED', 'TAX PERCENT', 'SINCE', 'UNTIL'], rows, zone));
    });
}
