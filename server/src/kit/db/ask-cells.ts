import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLost, Unavailable } from './faults.ts';
import type { PerCell } from '../per-cell.ts';

/**
 * Asks all cells at once. Those that are away are left out.
 * Shape: returns the answers, and the numbers of the cells that gave none.
 * Throws: what a cell throws that is not away; Unavailable where all of them are.
 */
export async function askAll<Part, Answer>(
  { all }: PerCell<Part>,
  ask: (part: Part, cell: number) => Answer | Promise<Answer>,
): Promise<{ readonly answers: readonly Answer[]; readonly away: readonly number[] }> {
  const settled = await Promise.allSettled(all.map(async ([cell, part]) => ask(part, cell)));
  const failed = all.flatMap(([cell], index) => {
    const one = settled[index];
    return one?.status === 'rejected' ? [{ cell, reason: one.reason as unknown }] : [];
  });
  const fault = failed.find(({ reason }) => !(reason instanceof Unavailable)) ?? (failed.length === all.length ? failed[0] : undefined);
  if (fault !== undefined) throw fault.reason;
  return { answers: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])), away: failed.map(({ cell }) => cell) };
}

/**
 * How long a cell is waited for that did not answer the last time. Once what it was asked is answered, it has its time
 * again.
 */
const IMPATIENT_MS = 50;
async function beingImpatient(): Promise<never> {
  await delay(IMPATIENT_MS, undefined, { ref: false });
  throw new Unavailable('the cell does not answer in time');
}

/**
 * Reads from all cells, as askAll does. One that hangs would hold up each answer of all cells for as long as a
 * statement may take: it holds up one.
 */
export const readAll = <Part, Answer>(cells: PerCell<Part>, read: (part: Part) => Answer | Promise<Answer>) =>
  askAll(cells, (part, cell) => {
    const { late } = cells;
    const wasLate = late.has(cell);
    const reading = (async () => read(part))();
    reading.then(
      () => late.delete(cell),
      (error: unknown) => isConnectionLost(error) && late.add(cell),
    );
    return wasLate ? Promise.race([reading, beingImpatient()]) : reading;
  });
