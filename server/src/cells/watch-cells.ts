import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import { readCells, type CellRow, type ServedCell } from './cell-rows.ts';

const EVERY_MS = 2_000;

/** The cells that this process does not serve. */
export type UnservedCells = {
  readonly names: () => readonly string[];
  readonly isNone: () => boolean;
  /** Looks again: a cell that was added since this process started is not served by it. */
  readonly job: Job;
};

/** Watches the list of cells at home. Shape: the list as it was just read, and those that are served. */
export function watchCells(home: Pick<Db, 'query'>, listed: readonly CellRow[], served: readonly ServedCell[]): UnservedCells {
  const known = new Set(served.map(({ cell }) => cell));
  let names: readonly string[] = [];
  let nextMs = 0;
  const note = (rows: readonly CellRow[]): void => {
    names = rows.filter(({ cell }) => !known.has(cell)).map(({ name }) => name);
    nextMs = performance.now() + EVERY_MS;
  };
  note(listed);
  return {
    names: () => names,
    isNone: () => names.length === 0,
    job: {
      name: 'cells.watch',
      step: async () => {
        if (performance.now() >= nextMs) note(await readCells(home));
        return false;
      },
    },
  };
}
