import type { Db, Statement, Value } from '../db.ts';
import { HOME, type PerCell } from '../per-cell.ts';
import type { Finding } from './finding.ts';

type Cells = PerCell<Pick<Db, 'query'>>;

/**
 * One promise about what cells have claimed at home, and the programs that check and repair it. The databases are read
 * one after the other.
 */
export type ClaimCheck<Rules = unknown> = {
  readonly promise: string;
  /** What is claimed, in the plural. */
  readonly of: string;
  /** Stops at the first difference. `checked` is the number of rows that were compared. */
  readonly run: (dbs: Cells) => Promise<{ readonly checked: number; readonly finding?: Finding }>;
  /**
   * Claims what cells have and home does not know, as after home was restored to an earlier moment.
   * Shape: returns how many were claimed. `left`: those that another cell has claimed, or home has.
   * Effects: each page is written at once, so it may be cut off and run again, also while servers run.
   */
  readonly claimAgain: (
    dbs: PerCell<Db>,
    rules: Rules,
  ) => Promise<{ readonly claimed: number; readonly left: readonly ClaimedElsewhere[] }>;
};

/** A row of a cell which home says is `owner`'s. */
type ClaimedElsewhere = Finding & { readonly cell: number; readonly owner: number };

/** How many rows of a cell are looked for at home together. */
const PAGE = 1_000;

type Claims<Row extends Finding, Rules> = Pick<ClaimCheck, 'promise' | 'of'> & {
  /** In the cell: its rows behind a key, in its order. The parameters are the parts of the key, and the limit. */
  readonly page: Statement;
  /** The key of a row. `undefined`: the parameters before the first row. */
  readonly keyOf: (row: Row | undefined) => readonly Value[];
  /** At home: which of the keys, in columns, have a row, by their places from 1 on, and its cell; null is home. */
  readonly owners: Statement;
  /** Claims rows for a cell, where home has none. */
  readonly claim: (dbs: PerCell<Db>, cell: number, rows: readonly Row[], rules: Rules) => Promise<unknown>;
};

/**
 * Checks that each row of each cell beside home has its claim there. Home has one row for a key, which names one cell:
 * so no two cells have one. A cell claims before it writes. Its rows are read first, so their claims are there. A row
 * whose claim has gone meanwhile has gone as well: what seems to be missing is looked for again.
 */
export const claimCheck = <Row extends Finding, Rules = unknown>({
  page,
  keyOf,
  owners,
  claim,
  ...named
}: Claims<Row, Rules>): ClaimCheck<Rules> => {
  type Missing = { readonly row: Row; readonly owner: number };
  const missingOf = async (dbs: Cells, cell: number, rows: readonly Row[]): Promise<readonly Missing[]> => {
    const keys = rows.map(keyOf);
    const columns = (keys[0] ?? []).map((_, part) => keys.map((key) => key[part] as string));
    const found = await dbs.home.query<{ place: number; cell: number | null }>(owners, columns);
    const ownerAt = new Map(found.map((one) => [one.place, one.cell ?? HOME]));
    return rows.flatMap((row, index) => (ownerAt.get(index + 1) === cell ? [] : [{ row, owner: ownerAt.get(index + 1) ?? HOME }]));
  };
  /** `again`: looks for some rows of the page again, here and there. */
  async function* pagesOf(dbs: Cells) {
    for (const [cell, db] of dbs.all) {
      if (cell === HOME) continue;
      const readAfter = (after: Row | undefined): Promise<Row[]> => db.query<Row>(page, [...keyOf(after), PAGE]);
      const againAfter = (after: Row | undefined) => async (some: readonly Missing[]) => {
        const names = new Set(some.map(({ row }) => keyOf(row).join(' ')));
        const still = some.length === 0 ? [] : (await readAfter(after)).filter((row) => names.has(keyOf(row).join(' ')));
        return still.length === 0 ? [] : missingOf(dbs, cell, still);
      };
      for (let after: Row | undefined, rows = await readAfter(after); rows.length > 0; after = rows.at(-1), rows = await readAfter(after))
        yield { cell, checked: rows.length, missing: await missingOf(dbs, cell, rows), again: againAfter(after) };
    }
  }
  return {
    ...named,
    run: async (dbs) => {
      let checked = 0;
      for await (const { missing, again, ...counted } of pagesOf(dbs)) {
        checked += counted.checked;
        const [finding] = await again(missing);
        if (finding !== undefined) return { checked, finding: finding.row };
      }
      return { checked };
    },
    claimAgain: async (dbs, rules) => {
      const left: ClaimedElsewhere[] = [];
      let claimed = 0;
      for await (const { cell, missing, again } of pagesOf(dbs)) {
        if (missing.length === 0) continue;
        const rows = missing.map(({ row }) => row);
        await claim(dbs, cell, rows, rules);
        const still = await again(missing);
        claimed += rows.length - still.length;
        left.push(...still.map(({ row: { merchantId, id, problem }, owner }) => ({ merchantId, id, problem, cell, owner })));
      }
      return { claimed, left };
    },
  };
};
