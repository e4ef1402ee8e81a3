import { InvalidArgumentError, Option } from 'commander';
import { parseIsoDay } from '../calendar.ts';
import { CommandRefused, requireCurrency } from '../command-line.ts';
import { limitOption, readBy } from '../remote/client-commands.ts';
import { optionAmountText } from '../written/written-amount.ts';

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
};

/** Reads an option that is a day. */
export function parseDay(text: string): Temporal.PlainDate {
  const day = parseIsoDay(text);
  if (day === undefined) throw new InvalidArgumentError('It takes a day, such as 2026-11-21.');
  return day;
}

/** Options of ListOptions that a search has too. `rows`: what is listed. `when`: what `--from` and `--to` are about. */
export const filterOptions = (rows: string, when: string): readonly Option[] => [
  new Option('--merchant <id>', 'of one merchant; of all where absent'),
  readBy('--from <day>', `${when} on this day or later, in the merchant's zone`, parseDay),
  readBy('--to <day>', `${when} on this day or earlier`, parseDay),
  new Option('--currency <code>', `${rows} of this currency`),
  new Option('--amount-from <amount>', 'of this amount or more; needs --currency'),
  new Option('--amount-to <amount>', 'of this amount or less; needs --currency'),
  new Option('--network <netname>', 'paid at this network'),
];

/** All options of ListOptions. */
export const listOptions = (rows: string, when: string): readonly Option[] => [
  ...filterOptions(rows, when),
  new Option('--transaction <id>', 'paid by this transaction'),
  limitOption,
];

/** Says that a list goes on. */
export const moreText = (isMore: boolean, limit: number): string => (isMore ? `There are more: --limit shows more than ${limit}.\n` : '');

/** Reads states that are separated by commas. Refuses: any other than those of `all`. */
export function statesOf<State extends string>(text: string | undefined, all: readonly State[]): readonly State[] | undefined {
  const states = text?.split(',');
  if (states?.some((state) => !(all as readonly string[]).includes(state)))
    throw new CommandRefused(`--state takes some of ${all.join(', ')}, with commas between them.`, 2);
  return states as readonly State[] | undefined;
}

/**
 * The parameters by which the management API filters a list. `when`: what `--from` and `--to` are about.
 * Throws: CommandRefused for an unknown currency, for amounts without one, and for texts that are not an amount.
 */
export const parametersOf = (
  { merchant, from, to, currency, amountFrom, amountTo, network, transaction }: Omit<ListOptions, 'limit'>,
  when: 'created' | 'updated',
) => {
  if (currency !== undefined) requireCurrency(currency);
  else if (amountFrom !== undefined || amountTo !== undefined)
    throw new CommandRefused('--amount-from and --amount-to need --currency.', 2);
  return {
    merchant,
    currency,
    amountFrom: amountFrom && optionAmountText('--amount-from', amountFrom, currency ?? ''),
    amountTo: amountTo && optionAmountText('--amount-to', amountTo, currency ?? ''),
    network,
    transaction,
    [`${when}From`]: from?.toString(),
    [`${when}To`]: to?.toString(),
  };
};
