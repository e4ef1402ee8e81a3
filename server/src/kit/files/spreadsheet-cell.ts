import { formatIsoDay, parseCompactDay, parseIsoDay } from '../calendar.ts';

// How a cell of a CSV comes back from a spreadsheet, whose language nobody knows.

/** `="0102030405"` is how an export keeps a spreadsheet from making a number of an id. */
const KEPT = /^="(.*)"$/s;
/** The quote before what would run as a formula. */
const GUARDED = /^'(?=\s*[=+@\-＝＋＠－']|[\t\r\n])/u;

/** The value of a cell: without what an export for spreadsheets put around it. */
export function cellValue(cell: string): string {
  // An import reads millions of cells.
  if (cell[0] !== '=' && cell[0] !== "'") return cell;
  const kept = KEPT.exec(cell);
  return kept === null ? cell.replace(GUARDED, '') : (kept[1] as string).replaceAll('""', '"');
}

const YES = ['true', 'yes', 'verdadero', 'sí', 'si', 'verdadeiro', 'sim'];
const NO = ['false', 'no', 'falso', 'não', 'nao'];
const FLAGS: ReadonlyMap<string, boolean> = new Map([...YES.map((one) => [one, true] as const), ...NO.map((one) => [one, false] as const)]);

/** Reads a yes or no as spreadsheets write it in Spanish, English and Portuguese, in capitals or not. Undefined: it is neither. */
export const readFlag = (cell: string): boolean | undefined => FLAGS.get(cell.trim().toLowerCase());

/**
 * Reads a day.
 * Shape: `20261121`, `2026-11-21`, or `21/11/2026` → a day. Refuses: `03/11/2026`, which is the third of November here and the eleventh
 * of March elsewhere, with the days that it may mean; undefined: no day.
 */
export function readDayCell(cell: string): Temporal.PlainDate | readonly string[] | undefined {
  const day = parseCompactDay(cell) ?? parseIsoDay(cell);
  if (day !== undefined) return day;
  const [, first = '', second = '', year = ''] = /^([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})$/.exec(cell.trim()) ?? [];
  const [head, middle] = [first.padStart(2, '0'), second.padStart(2, '0')];
  const read = [`${year}-${middle}-${head}`, `${year}-${head}-${middle}`].map(parseIsoDay);
  const [one, other] = read.filter((found) => found !== undefined);
  if (one === undefined || other === undefined) return one;
  return one.equals(other) ? one : [one, other].map((found) => formatIsoDay(found).replaceAll('-', ''));
}

/** Writes a text so that no spreadsheet runs it as a formula. */
export const guardedCell = (text: string): string => (/^\s*[=+@\-＝＋＠－]|^[\t\r\n]/u.test(text) ? `'${text}` : text);
