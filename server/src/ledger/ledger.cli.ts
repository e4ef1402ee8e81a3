import { Option, type Command } from 'commander';
import {
  columns,
  instantText,
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  withConnection,
  type Connect,
} from '../kit/command-line.ts';
import { requireMerchant } from '../merchants/index.ts';
import { toAmount, toPercent } from './command-values.ts';
import { listFees } from './fees.ts';
import { ledgerChangeCommands } from './ledger-changes.cli.ts';
import { readAccounts, readEntries } from './read-ledger.ts';

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
        if (merchant !== undefined) await requireMerchant(connection, merchant);
        const account = network === undefined ? undefined : `network:${network}`;
        const balances = (await readAccounts(connection.db, { merchantId: merchant, account, isService: service === true })).map(
          ({ balanceMinor, ...of }) => ({ ...of, balance: toAmount(balanceMinor, of.currency) }),
        );
        if (json) return printJson(balances);
        if (balances.length === 0) return print('No money has moved there yet.\n');
        print(
          columns([['ACCOUNT', 'CURRENCY', 'BALANCE'], ...balances.map(({ account, currency, balance }) => [account, currency, balance])]),
        );
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
    .option(...JSON_OPTION)
    .action(({ merchant: merchantId, transaction: transactionId, json, ...rest }: EntriesOptions) =>
      withConnection(connect, async (connection) => {
        if (merchantId !== undefined) await requireMerchant(connection, merchantId);
        const entries = (await readEntries(connection.db, { merchantId, transactionId, ...rest })).map(
          ({ merchantId, transactionId, amountMinor, ...entry }) => ({
            merchant: merchantId,
            transaction: transactionId,
            ...entry,
            amount: toAmount(amountMinor, entry.currency),
          }),
        );
        if (json) return printJson(entries);
        if (entries.length === 0) return print('There is no such entry.\n');
        const heading = ['POSTED', 'MERCHANT', 'TRANSACTION', 'KIND', 'ACCOUNT', 'AMOUNT', 'CURRENCY', 'REASON'];
        print(
          columns([
            heading,
            ...entries.map(
              ({ postedAt, merchant, transaction, kind, account, amount, currency, reason }) =>
                [instantText(postedAt), merchant, transaction, kind, account, amount, currency, reason ?? ''] as const,
            ),
          ]),
        );
      }),
    );
}

function addFees(ledger: Command, connect: Connect): void {
  ledger
    .command('fees')
    .description('what the service takes from a merchant, and what it took before')
    .requiredOption('--merchant <id>', 'from whom')
    .option(...JSON_OPTION)
    .action(({ merchant, json }: { merchant: string; json?: true }) =>
      withConnection(connect, async (connection) => {
        await requireMerchant(connection, merchant);
        const fees = (await listFees(connection, merchant)).map(({ kind, currency, percentPpm, fixedMinor, taxPpm, since, until }) => ({
          operation: kind,
          currency,
          percent: toPercent(percentPpm),
          fixed: toAmount(fixedMinor, currency),
          tax: toPercent(taxPpm),
          since,
          until,
        }));
        if (json) return printJson(fees);
        if (fees.length === 0) return print(`The service takes nothing from ${merchant}.\n`);
        print(
          columns([
            ['OPERATION', 'CURRENCY', 'PERCENT', 'FIXED', 'TAX PERCENT', 'SINCE', 'UNTIL'],
            ...fees.map(
              ({ operation, currency, percent, fixed, tax, since, until }) =>
                [operation, currency, percent, fixed, tax, instantText(since), until === null ? '' : instantText(until)] as const,
            ),
          ]),
        );
      }),
    );
}
