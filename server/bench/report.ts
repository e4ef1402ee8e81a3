import { arch, cpus, platform, release, totalmem } from 'node:os';
import { boundsOfMedian, median, quartiles, type Figure } from './measurement.ts';

/** Describes the machine and the runtime. */
export function describeMachine(): Record<string, string> {
  const all = cpus();
  return {
    machine: `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
  };
}

/** Prints a table: medians over the rounds or slices, their ratio, the target, and whether it is met. */
export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => {
    const { name, what, unit, ours, against, target } = figure;
    const reference = against === undefined ? undefined : median(against.values);
    const value = against === undefined ? median(ours) : median(ours) / (reference as number);
    const isMeasured = !Number.isNaN(value);
    return [
      name,
      what,
      figure.isOfSlices === true ? printSlices(ours) : `${print(median(ours))} ${unit}`,
      reference === undefined || Number.isNaN(reference) ? '–' : `${print(reference)} ${unit}`,
      against?.what ?? '–',
      against === undefined || !isMeasured ? '–' : value.toFixed(2),
      target === undefined ? '–' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`,
      isMeasured ? judge(value, target) : 'not measured',
    ];
  });
  printRows(['#', 'What', 'Ours', 'Reference', 'which is', 'Ratio', 'Target', ''], rows);
}

/** Prints a table in Markdown. */
export function printRows(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] as string).length)));
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows])
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`);
}

/** The median of many slices and its bounds, with the quartiles: half of the slices are between these. */
function printSlices(values: readonly number[]): string {
  const [first, middle, third] = quartiles(values).map((value) => value.toFixed(3));
  const [low, high] = boundsOfMedian(values).map((value) => value.toFixed(3));
  return `${middle}, 95 in 100: ${low} to ${high} (quartiles ${first} to ${third}, ${values.length} pairs)`;
}

function judge(value: number, target: Figure['target']): string {
  if (target === undefined) return '';
  return ('atLeast' in target ? value >= target.atLeast : value <= target.atMost) ? 'met' : 'MISSED';
}

/** Prints whole numbers from a hundred on, else three digits. */
export const print = (value: number): string =>
  value >= 100 || value === 0 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
