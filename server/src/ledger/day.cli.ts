import type { Command } from 'commander';
import { formatIsoDay } from '../kit/calendar.ts';
import { carryOut, JSON_OPTION, print, printJson, table, type Cell, type Connect } from '../kit/command-line.ts';
import { parseDay } from '../kit/lists/list-options.ts';
import type { showDay } from './day.manage.ts';

const operations = () => import('./day.manage.ts');

/** The refusal of a service that has no such merchant. */
const UNKNOWN = { not_found: (id: string): readonly [string, 1] => [`There is no merchant ${id}.`, 1] };

type Options = { readonly merchant: string; readonly date?: Temporal.PlainDate; readonly json?: true };

/** Adds `caudal day`. */
export function dayCommand(program: Command, connect: Connect): void {
  program
    .command('day')
    .description("a merchant's money on one day: before, what came in and went out, after")
    .requiredOption('--merchant <id>', 'whose money')
    .option('--date <day>', "the day in the merchant's zone; today where absent", parseDay)
    .option(...JSON_OPTION)
    .action((options: Options) => printDay(connect, options));
}

async function printDay(connect: Connect, { merchant, date, json }: Options): Promise<void> {
  const shown = await carryOut(connect, UNKNOWN, merchant, {
    here: async (connection) => {
      const [{ requireMerchant }, { readMerchantDay }, { showDay }] = await Promise.all([
        import('../merchants/index.ts'),
        import('./read-day.ts'),
        operations(),
      ]);
      await requireMerchant(connection, merchant);
      return showDay(merchant, await readMerchantDay(connection, merchant, date));
    },
    there: async (service) => {
      const day = date === undefined ? 'today' : formatIsoDay(date);
      return service.call((await operations()).readStatement, { path: { merchant, day } });
    },
  });
  const { day, timeZone: zone, from, until, currencies, addsUp } = shown;
  if (!addsUp) process.exitCode = 1;
  if (json) return printJson({ merchant, date: day, zone, from, until, currencies: currencies.map(toJson), addsUp });
  print(`${merchant} on ${day}, ${zone}\n`);
  if (currencies.length === 0) return print('No money has moved there yet.\n');
  for (const one of currencies) print(`\n${toStatement(one)}\n${toTable(one)}`);
  const faults = currencies.flatMap(({ currency, faults: ofOne }) => ofOne.map((fault) => `${currency}: ${fault}.\n`));
  print(addsUp ? '\nIt adds up.\n' : `\nIt does not add up; "caudal verify" finds where.\n${faults.join('')}`);
}

type ShownMoney = { readonly amount: string; readonly currency: string };
type ShownDay = ReturnType<typeof showDay>['currencies'][number];

const textOf = ({ amount }: ShownMoney): string => amount;
const namedAmounts = (amounts: readonly { readonly account: string; readonly amount: ShownMoney }[]): object =>
  Object.fromEntries(amounts.map(({ account, amount }) => [account, textOf(amount)]));
const namedBalances = (balances: ShownDay['start']): object =>
  Object.fromEntries(balances.map(({ account, balance }) => [account, textOf(balance)]));

const toJson = ({ currency, opening, lines, closing, start, movements, end, faults }: ShownDay): object => ({
  currency,
  statement: {
    opening: textOf(opening),
    lines: lines.map(({ kind, transactions, amount, fees, tax, net, parts }) => ({
      kind,
      transactions,
      amount: textOf(amount),
      fees: textOf(fees),
      tax: textOf(tax),
      net: textOf(net),
      parts: parts.map((part) => ({ account: part.account, transactions: part.transactions, amount: textOf(part.amount) })),
    })),
    closing: textOf(closing),
  },
  start: namedBalances(start),
  movements: movements.map(({ kind, transactions, amounts }) => ({ kind, transactions, amounts: namedAmounts(amounts) })),
  end: namedBalances(end),
  faults,
});

/** The day from the merchant's side. In each row amount, fees and tax add up to the net. The last column adds up from first to last row. */
const toStatement = ({ opening, lines, closing }: ShownDay): string =>
  table(
    ['', 'NUMBER', 'AMOUNT', 'FEES', 'TAX', 'NET'],
    [
      ['at the start', null, null, null, null, opening],
      ...lines.flatMap(({ kind, transactions, amount, fees, tax, net, parts }): Cell[][] => [
        [kind, transactions, amount, fees, tax, net],
        ...parts.map((part): Cell[] => [`  ${part.account}`, part.transactions, part.amount, null, null, null]),
      ]),
      ['at the end', null, null, null, null, closing],
    ],
  );

/** The same by account. Each row sums to zero. Each column adds up from the first row to the last. */
function toTable({ currency, start, movements, end }: ShownDay): string {
  const accounts = end.map(({ account }) => account);
  const cells = (amounts: ReadonlyMap<string, ShownMoney>): Cell[] =>
    accounts.map((account) => amounts.get(account) ?? { amountMinor: 0n, currency });
  const balances = (listed: ShownDay['start']): Cell[] => cells(new Map(listed.map(({ account, balance }) => [account, balance])));
  return table(
    ['', 'NUMBER', ...accounts.map((account) => account.toUpperCase())],
    [
      ['at the start', null, ...balances(start)],
      ...movements.map(({ kind, transactions, amounts }): Cell[] => [
        kind,
        transactions,
        ...cells(new Map(amounts.map(({ account, amount }) => [account, amount]))),
      ]),
      ['at the end', null, ...balances(end)],
    ],
  );
}
