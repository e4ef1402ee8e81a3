import type { Db, Statement, Value } from '../db.ts';
import { HOME, type PerCell } from '../per-cell.ts';
import type { Finding } from './finding.ts';

/** One promise about what cells have claimed at home, and the program that checks it. The databases are read one after the other. */
export type ClaimCheck = {
  readonly promise: string;
  /** Stops at the first difference. `checked` is the number of rows that were compared. */
  readonly run: (dbs: PerCell<Pick<Db, 'query'>>) => Promise<{ readonly checked: number; readonly finding?: Finding }>;
};

/** How many rows of a cell are looked for at home together. */
const PAGE = 1_000;

type Claims<Row extends Finding> = {
  readonly promise: string;
  /** In the cell: its rows behind a key, in its order, with `values` and the limit as parameters. */
  readonly page: Statement;
  /** The key of a row. `undefined`: the parameters before the first row. */
  readonly keyOf: (row: Row | undefined) => readonly Value[];
  /** At home: which of the keys, in columns, the cell has claimed, by their places from 1 on. The cell is the last parameter. */
  readonly claimed: Statement;
};

/**
 * Checks that each row of each cell beside home has its claim there. Home has one row for a key, which names one cell: so no two cells have one.
 * A cell claims before it writes. Its rows are read first, so their claims are there. A row whose claim has gone meanwhile has gone
 * as well: what seems to be missing is looked for again.
 */
export const claimCheck = <Row extends Finding>({ promise, page, keyOf, claimed }: Claims<Row>): ClaimCheck => {
  const missingOf = async (dbs: PerCell<Pick<Db, 'query'>>, cell: number, rows: readonly Row[]): Promise<readonly Row[]> => {
    const keys = rows.map(keyOf);
    const columns = (keys[0] ?? []).map((_, part) => keys.map((key) => key[part] as string));
    const found = await dbs.home.query<{ place: number }>(claimed, [...columns, cell]);
    const places = new Set(found.map(({ place }) => place));
    return rows.filter((_, index) => !places.has(index + 1));
  };
  return {
    promise,
    run: async (dbs) => {
      let checked = 0;
      for (const [cell, db] of dbs.all) {
        if (cell === HOME) continue;
        const read = (after: Row | undefined): Promise<Row[]> => db.query<Row>(page, [...keyOf(after), PAGE]);
        for (let after: Row | undefined, rows = await read(after); rows.length > 0; after = rows.at(-1), rows = await read(after)) {
          checked += rows.length;
          const missing = await missingOf(dbs, cell, rows);
          if (missing.length === 0) continue;
          const names = new Set(missing.map((row) => keyOf(row).join(' ')));
          const still = (await read(after)).filter((row) => names.has(keyOf(row).join(' ')));
          const [finding] = still.length === 0 ? [] : await missingOf(dbs, cell, still);
          if (finding !== undefined) return { checked, finding };
        }
      }
      return { checked };
    },
  };
};
