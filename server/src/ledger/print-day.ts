import type { Static } from 'typebox';
import { table, type Cell, type ShownMoney } from '../kit/command-line.ts';
import type { readStatement } from './day.manage.ts';

// How `caudal day` prints a merchant's day.

type Statement = Static<NonNullable<(typeof readStatement)['shows']>>;
type ShownDay = Statement['currencies'][number];

export function dayText({ merchant, day, timeZone, currencies, addsUp }: Statement): string {
  const heading = `${merchant} on ${day}, ${timeZone}\n`;
  if (currencies.length === 0) return `${heading}No money has moved there yet.\n`;
  const statements = currencies.map((one) => `\n${toStatement(one)}\n${toTable(one)}`).join('');
  if (addsUp) return `${heading}${statements}\nIt adds up.\n`;
  const faults = currencies.flatMap(({ currency, faults: ofOne }) => ofOne.map((fault) => `${currency}: ${fault}.\n`));
  return `${heading}${statements}\nIt does not add up; "caudal verify" finds where.\n${faults.join('')}`;
}

export const dayToJson = ({ merchant, day: date, timeZone: zone, from, until, currencies, addsUp }: Statement): object => ({
  merchant,
  date,
  zone,
  from,
  until,
  currencies: currencies.map(toJson),
  addsUp,
});

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
