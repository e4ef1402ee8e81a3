// Percentages are stored in millionths: 19 % is 190000. People and programs write a plain decimal with four decimals at most.

const PPM_PER_PERCENT = 10_000;
const PERCENT = /^([0-9]+)(?:\.([0-9]{1,4}))?$/;

/** Reads a percentage of 0 to 100. Shape: `19.5` → 195000. Undefined: not such a percentage. */
export function parsePercent(text: string): number | undefined {
  const [, whole, decimals = ''] = PERCENT.exec(text) ?? [];
  const ppm = Number(whole + decimals.padEnd(4, '0'));
  return whole === undefined || ppm > 100 * PPM_PER_PERCENT ? undefined : ppm;
}

/** Prints millionths without zeros at the end: 195000 → `19.5`. */
export const formatPercent = (ppm: number): string =>
  `${Math.floor(ppm / PPM_PER_PERCENT)}.${String(ppm % PPM_PER_PERCENT).padStart(4, '0')}`.replace(/\.?0+$/, '');
