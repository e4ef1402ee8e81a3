import { InvalidArgumentError } from 'commander';
import { CommandRefused, requireCurrency } from '../kit/command-line.ts';
import { parseAmount, parseCost } from '../kit/money.ts';

// How commands and managed operations of the ledger read amounts and percentages, and print percentages.

/** Reads an amount above zero, in minor units. `option` names it where it is refused. */
export function readAmount(option: string, text: string, currency: string): bigint {
  return parseAmount(text, currency) ?? refuseAmount(option, 'above zero', currency);
}

/** Reads an amount that may be zero, in minor units. */
export function readFixed(option: string, text: string, currency: string): bigint {
  return parseCost(text, currency) ?? refuseAmount(option, 'or zero', currency);
}

function refuseAmount(option: string, bound: string, currency: string): never {
  requireCurrency(currency);
  const problem = `${option} takes a plain decimal ${bound}, such as 45000.50, with no more decimals than ${currency} has.`;
  throw new CommandRefused(problem, 2);
}

const PPM_PER_PERCENT = 10_000;

/** Reads a percentage of up to four decimals as millionths. Shape: undefined where it is none. */
export function readPercent(text: string): number | undefined {
  const [, whole = '', decimals = ''] = /^([0-9]{1,3})(?:\.([0-9]{1,4}))?$/.exec(text) ?? [];
  const ppm = Number(whole + decimals.padEnd(4, '0'));
  return whole === '' || ppm > 100 * PPM_PER_PERCENT ? undefined : ppm;
}

/** Reads a percentage of an option. */
export function parsePercent(text: string): number {
  const ppm = readPercent(text);
  if (ppm === undefined) throw new InvalidArgumentError('It takes 0 to 100, with at most four decimals.');
  return ppm;
}

/** Prints millionths as a percentage, without trailing zeros. */
export function toPercent(ppm: number): string {
  const decimals = String(ppm % PPM_PER_PERCENT).padStart(4, '0');
  return `${Math.floor(ppm / PPM_PER_PERCENT)}.${decimals}`.replace(/\.?0+$/, '');
}
