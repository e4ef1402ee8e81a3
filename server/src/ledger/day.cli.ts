import type { Command } from 'commander';
import { formatIsoDay } from '../kit/calendar.ts';
import { JSON_OPTION, print, printJson, table, withConnection, type Cell, type Connect } from '../kit/command-line.ts';
import { parseDay } from '../kit/lists/list-options.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { statementOf } from './day-statement.ts';
import type { LedgerDay } from './read-day.ts';

type Options = { readonly merchant: string; readonly date?: Temporal.PlainDate; readonly json?: true };

/** Adds `caudal day`. */
export function dayCommand(program: Command, connect: Connect): void {
  program
    .command('day')
    .description("a merchant's money on one day: before, what came in and went out, after")
    .requiredOption('--merchant <id>', 'whose money')
    .option('--date <day>', "the day in the merchant's zone; today where absent", parseDay)
    .option(...JSON_OPTION)
    .action((options: Options) => showDay(connect, options));
}

async function showDay(connect: Connect, { merchant, date, json }: Options): Promise<void> {
  await withConnection(connect, async (connection) => {
    const [{ requireMerchant }, { readMerchantDay }] = await Promise.all([import('../merchants/index.ts'), import('./read-day.ts')]);
    await requireMerchant(connection, merchant);
    const { day, zone, from, until, days, addsUp } = await readMerchantDay(connection, merchant, date);
    if (!addsUp) process.exitCode = 1;
    if (json) return printJson({ merchant, date: formatIsoDay(day), zone, from, until, currencies: days.map(toJson), addsUp });
    print(`${merchant} on ${formatIsoDay(day)}, ${zone}\n`);
    if (days.length === 0) return print('No money has moved there yet.\n');
    for (const one of days) print(`\n${toStatement(one)}\n${toTable(one)}`);
    const faults = days.flatMap(({ currency, faults: ofOne }) => ofOne.map((fault) => `${currency}: ${fault}.\n`));
    print(addsUp ? '\nIt adds up.\n' : `\nIt does not add up; "caudal verify" finds where.\n${faults.join('')}`);
  });
}

function toJson(day: LedgerDay): object {
  const { currency, start, movements, end, faults } = day;
  const { openingMinor, lines, closingMinor } = statementOf(day);
  const text = (amountMinor: bigint): string => formatAllDecimals(amountMinor, currency);
  const shown = (amounts: ReadonlyMap<string, bigint>): object =>
    Object.fromEntries([...amounts].map(([account, amountMinor]) => [account, text(amountMinor)]));
  return {
    currency,
    statement: {
      opening: text(openingMinor),
      lines: lines.map(({ kind, transactions, amountMinor, feesMinor, taxMinor, netMinor, parts }) => ({
        kind,
        transactions: Number(transactions),
        amount: text(amountMinor),
        fees: text(feesMinor),
        tax: text(taxMinor),
        net: text(netMinor),
        parts: parts.map((part) => ({ account: part.account, transactions: Number(part.transactions), amount: text(part.amountMinor) })),
      })),
      closing: text(closingMinor),
    },
    start: shown(start),
    movements: movements.map(({ kind, transactions, amounts }) => ({ kind, transactions: Number(transactions), amounts: shown(amounts) })),
    end: shown(end),
    faults,
  };
}

/** The day from the merchant's side. In each row amount, fees and tax add up to the net. The last column adds up from first to last row. */
function toStatement(day: LedgerDay): string {
  const { currency } = day;
  const { openingMinor, lines, closingMinor } = statementOf(day);
  const money = (amountMinor: bigint): Cell => ({ amountMinor, currency });
  return table(
    ['', 'NUMBER', 'AMOUNT', 'FEES', 'TAX', 'NET'],
    [
      ['at the start', null, null, null, null, money(openingMinor)],
      ...lines.flatMap(({ kind, transactions, amountMinor, feesMinor, taxMinor, netMinor, parts }): Cell[][] => [
        [kind, transactions, ...[amountMinor, feesMinor, taxMinor, netMinor].map(money)],
        ...parts.map((part): Cell[] => [`  ${part.account}`, part.transactions, money(part.amountMinor), null, null, null]),
      ]),
      ['at the end', null, null, null, null, money(closingMinor)],
    ],
  );
}

/** The same by account. Each row sums to zero. Each column adds up from the first row to the last. */
function toTable({ currency, start, movements, end }: LedgerDay): string {
  const accounts = [...end.keys()];
  const cells = (amounts: ReadonlyMap<string, bigint>): Cell[] =>
    accounts.map((account) => ({ amountMinor: amounts.get(account) ?? 0n, currency }));
  return table(
    ['', 'NUMBER', ...accounts.map((account) => account.toUpperCase())],
    [
      ['at the start', null, ...cells(start)],
      ...movements.map(({ kind, transactions, amounts }): Cell[] => [kind, transactions, ...cells(amounts)]),
      ['at the end', null, ...cells(end)],
    ],
  );
}
