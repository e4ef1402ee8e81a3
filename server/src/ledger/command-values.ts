import { parseOptionPercent } from '../kit/written/written-amount.ts';

// How commands and management operations of the ledger read and print percentages.

const PPM_PER_PERCENT = 10_000;

/** Reads a percentage of up to four decimals as millionths. Undefined: not such a percentage. */
export function readPercent(text: string): number | undefined {
  const [, whole = '', decimals = ''] = /^([0-9]{1,3})(?:\.([0-9]{1,4}))?$/.exec(text) ?? [];
  const ppm = Number(whole + decimals.padEnd(4, '0'));
  return whole === '' || ppm > 100 * PPM_PER_PERCENT ? undefined : ppm;
}

/** Reads a percentage of an option. */
export const parsePercent = (text: string): number => readPercent(parseOptionPercent(text)) as number;

/** Prints millionths as a percentage, without trailing zeros. */
export function toPercent(ppm: number): string {
  const decimals = String(ppm % PPM_PER_PERCENT).padStart(4, '0');
  return `${Math.floor(ppm / PPM_PER_PERCENT)}.${decimals}`.replace(/\.?0+$/, '');
}
