import { startTorturedDatabase, type TorturedDatabase } from '../database.ts';
import type { Cells } from './faults.ts';

export const CELLS_BESIDE_HOME = 2;

/** Starts a database for home and one for each cell, each in a directory of its own. */
export async function startCells(): Promise<Cells> {
  const home = await startTorturedDatabase(false);
  const cells: TorturedDatabase[] = [];
  for (let cell = 1; cell <= CELLS_BESIDE_HOME; cell++) cells.push(await startTorturedDatabase(false));
  return {
    ...home,
    cells,
    close: async () => {
      for (const one of [home, ...cells]) await one.close();
    },
  };
}
