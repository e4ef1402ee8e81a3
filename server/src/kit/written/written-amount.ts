import { InvalidArgumentError } from 'commander';
import { CommandRefused, requireCurrency } from '../command-line.ts';
import { currencyExponent, formatAllDecimals, parseAmount, parseCost } from '../money.ts';
import { readText, type UnreadableNumber } from './written-number.ts';

// Numbers that a person or a spreadsheet wrote where nobody knows in which language: options of commands, cells of files.

type Bound = 'above zero' | 'or zero';

/** What the writer of a refused number may write instead; empty where nobody can tell. */
export function whatToWrite({ fault, meant }: UnreadableNumber, text: string): string {
  if (meant.length === 0) return '';
  const instead = `write ${meant.join(' or ')}`;
  return fault === 'ambiguous' && meant.length > 1 ? `“${text}” can be read in two ways: ${instead}` : `for “${text}” ${instead}`;
}

/** Without three decimals nothing looks like thousands. */
const USUAL = /^[0-9]{1,13}(?:\.[0-9]{1,2})?$/;

/**
 * Reads an amount of a file.
 * Shape: minor units. Refuses: a text that two languages read differently, or with more decimals than the currency has, with what to
 * write instead; a text that is not an amount.
 */
export function readWrittenAmount(text: string, currency: string, bound: Bound = 'above zero'): bigint | UnreadableNumber {
  const parse = bound === 'above zero' ? parseAmount : parseCost;
  // Most texts of a large file are read alike everywhere.
  const usual = USUAL.test(text) ? parse(text, currency) : undefined;
  if (usual !== undefined) return usual;
  const read = readText(text, currencyExponent(currency) ?? 0);
  if (!('plain' in read)) return { ...read, meant: read.meant.filter((one) => parse(one, currency) !== undefined) };
  return parse(read.plain, currency) ?? { fault: 'form', meant: [] };
}

/** Reads an amount of an option, in minor units. Throws: CommandRefused with what to write instead. */
export function readOptionAmount(option: string, text: string, currency: string, bound: Bound = 'above zero'): bigint {
  requireCurrency(currency);
  const read = readWrittenAmount(text, currency, bound);
  if (typeof read === 'bigint') return read;
  const rule = `${option} takes a plain decimal ${bound}, such as 45000.50, with no more decimals than ${currency} has`;
  const hint = whatToWrite(read, text);
  throw new CommandRefused(`${rule}${hint === '' ? '' : `: ${hint}`}.`, 2);
}

/** Reads an amount of an option as the management API takes it: a plain decimal with all decimals of its currency. */
export const optionAmountText = (option: string, text: string, currency: string, bound?: Bound): string =>
  formatAllDecimals(readOptionAmount(option, text, currency, bound), currency);

/** The most decimals of a percentage. */
const PERCENT_DECIMALS = 4;

/** Reads a percentage of an option as the management API takes it: `19,5` → `19.5`. */
export function parseOptionPercent(text: string): string {
  const read = readText(text, PERCENT_DECIMALS, undefined, false);
  const rule = 'It takes 0 to 100, with at most four decimals';
  if ('plain' in read && /^(?:[0-9]{1,2}(?:\.[0-9]+)?|100(?:\.0*)?)$/.test(read.plain)) return read.plain;
  const hint = 'plain' in read ? '' : whatToWrite({ ...read, meant: read.meant.filter((one) => Number(one) <= 100) }, text);
  throw new InvalidArgumentError(`${rule}${hint === '' ? '' : `: ${hint}`}.`);
}
