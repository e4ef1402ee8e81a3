import { InvalidArgumentError, type Command } from 'commander';
import { endOfDay, parseIsoDay, startOfDay } from '../calendar.ts';
import { CommandRefused, JSON_OPTION, MAX_LISTED, parseLimit, requireCurrency } from '../command-line.ts';
import { optionAmountText, readOptionAmount } from '../written/written-amount.ts';
import type { Between, From, Page } from './walks.ts';

/** Options that every command of a list has. */
export type ListOptions = {
  readonly merchant?: string;
  readonly from?: Temporal.PlainDate;
  readonly to?: Temporal.PlainDate;
  readonly currency?: string;
  readonly amountFrom?: string;
  readonly amountTo?: string;
  readonly network?: string;
  readonly transaction?: string;
  readonly limit: number;
  readonly json?: true;
};

/** Reads an option that is a day. */
export function parseDay(text: string): Temporal.PlainDate {
  const day = parseIsoDay(text);
  if (day === undefined) throw new InvalidArgumentError('It takes a day, such as 2026-11-21.');
  return day;
}

/** Adds options of ListOptions that a search has too. `rows`: what is listed. `when`: what `--from` and `--to` are about. */
export const withFilterOptions = (command: Command, rows: string, when: string): Command =>
  command
    .option('--merchant <id>', 'of one merchant; of all where absent')
    .option('--from <day>', `${when} on this day or later, in the merchant's zone; in UTC without --merchant`, parseDay)
    .option('--to <day>', `${when} on this day or earlier`, parseDay)
    .option('--currency <code>', `${rows} of this currency`)
    .option('--amount-from <amount>', 'of this amount or more; needs --currency')
    .option('--amount-to <amount>', 'of this amount or less; needs --currency')
    .option('--network <netname>', 'paid at this network')
    .option(...JSON_OPTION);

/** Adds all options of ListOptions. */
export const withListOptions = (command: Command, rows: string, when: string): Command =>
  withFilterOptions(command, rows, when)
    .option('--transaction <id>', 'paid by this transaction')
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50);

/** Reads the range of amounts. Refuses: amounts without a currency, and texts that are no amount. */
export function amountsOf({
  currency,
  amountFrom,
  amountTo,
}: Pick<ListOptions, 'currency' | 'amountFrom' | 'amountTo'>): Between<bigint> | undefined {
  if (currency !== undefined) requireCurrency(currency);
  if (amountFrom === undefined && amountTo === undefined) return undefined;
  if (currency === undefined) throw new CommandRefused('--amount-from and --amount-to need --currency.', 2);
  const read = (option: string, text: string | undefined): bigint | undefined =>
    text === undefined ? undefined : readOptionAmount(option, text, currency);
  return { from: read('--amount-from', amountFrom), to: read('--amount-to', amountTo) };
}

/** Reads states that are separated by commas. Refuses: any other than those of `all`. */
export function statesOf<State extends string>(text: string | undefined, all: readonly State[]): readonly State[] | undefined {
  const states = text?.split(',');
  if (states?.some((state) => !(all as readonly string[]).includes(state)))
    throw new CommandRefused(`--state takes some of ${all.join(', ')}, with commas between them.`, 2);
  return states as readonly State[] | undefined;
}

/** The instants from the start of one day to the end of another, in a zone. */
export const instantsOf = (
  zone: string,
  { from, to }: { readonly from?: Temporal.PlainDate | undefined; readonly to?: Temporal.PlainDate | undefined },
): From<Temporal.Instant> => ({ from: from && startOfDay(from, zone), before: to && endOfDay(to, zone) });

/** The parameters by which the management API filters a list. `when`: what `--from` and `--to` are about. */
export const parametersOf = (
  { merchant, from, to, currency, amountFrom, amountTo, network, transaction }: Omit<ListOptions, 'limit'>,
  when: 'created' | 'updated',
) => ({
  merchant,
  currency,
  amountFrom: amountFrom && optionAmountText('--amount-from', amountFrom, currency ?? ''),
  amountTo: amountTo && optionAmountText('--amount-to', amountTo, currency ?? ''),
  network,
  transaction,
  [`${when}From`]: from?.toString(),
  [`${when}To`]: to?.toString(),
});

/** Reads pages until there are `limit` items, or no more. Shape: → the items, and whether more follow. */
export async function readAtMost<Item, Place>(
  limit: number,
  read: (after: Place | undefined, limit: number) => Promise<Page<Item, Place>>,
): Promise<{ readonly items: readonly Item[]; readonly isMore: boolean }> {
  const items: Item[] = [];
  let after: Place | undefined;
  do {
    const page = await read(after, limit - items.length);
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined && items.length < limit);
  return { items, isMore: after !== undefined };
}
