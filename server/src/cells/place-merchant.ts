import type { Clock } from '../kit/clock.ts';
import { statement, turnStatement, type Db, type Statement, type Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOME, HOME_NAME, type PerCell } from '../kit/per-cell.ts';
import { readCells } from './cell-rows.ts';

/** Whoever creates a merchant at home, or takes an id for another cell, does so alone: both look at two tables. */
const LOCK = turnStatement('cells.lock_merchant_ids');
const FIND = statement('cells.find_merchant', 'select cell from merchant_cells where merchant_id = $1');
const TAKE = statement('cells.take_merchant_id', 'insert into merchant_cells (merchant_id, cell, placed_at) values ($1, $2, $3)');
const PLACED = statement('cells.placed', 'select merchant_id as "merchantId", cell from merchant_cells order by merchant_id');
const COUNT = statement('cells.count_merchants', 'select cell, count(*) as merchants from merchant_cells group by cell');

/** Finds the cell that an id was taken for. Home where it was taken for none: the merchant is there, or nowhere. */
export async function cellOfMerchant(home: Pick<Db, 'query'>, merchantId: string): Promise<number> {
  const [found] = await home.query<{ cell: number }>(FIND, [merchantId]);
  return found?.cell ?? HOME;
}

/** The cell of each merchant that is not at home, also of those that were not created yet. */
export const readPlaced = (home: Pick<Db, 'query'>): Promise<{ merchantId: string; cell: number }[]> => home.query(PLACED, []);

/** In the transaction that creates a merchant at home: whether its id belongs to another cell. */
export async function isPlacedElsewhere(tx: Tx, merchantId: string): Promise<boolean> {
  const [, found] = await Promise.all([tx.query(LOCK, []), tx.query(FIND, [merchantId])]);
  return found.length > 0;
}

/**
 * Takes the id of a new merchant for a cell.
 * Shape: the name of the wanted cell; undefined: of those that are served here, the one with the fewest merchants → its number.
 * Refuses: cell_unknown, cell_not_served, merchant_elsewhere.
 * Effects: an id that was taken before stays in its cell, so a creation that was cut off is carried on there.
 */
export async function placeMerchant(
  { db, clock, ofHome, served }: Placing,
  merchantId: string,
  wanted: string | undefined,
): Promise<number | Refusal<'cell_unknown' | 'cell_not_served' | 'merchant_elsewhere'>> {
  const cells = [{ cell: HOME, name: HOME_NAME }, ...(await readCells(db))];
  const named = cells.find(({ name }) => name === wanted);
  if (wanted !== undefined && named === undefined) return refuse('cell_unknown');
  const outcome = await db.transaction(async (tx) => {
    const [, [placed], counts, atHome, [home]] = await Promise.all([
      tx.query(LOCK, []),
      tx.query<{ cell: number }>(FIND, [merchantId]),
      tx.query<{ cell: number; merchants: bigint }>(COUNT, []),
      tx.query(ofHome.find, [merchantId]),
      tx.query<{ merchants: bigint }>(ofHome.count, []),
    ]);
    const before = placed?.cell ?? (atHome.length > 0 ? HOME : undefined);
    const held = new Map(counts.map(({ cell, merchants }) => [cell, merchants])).set(HOME, home?.merchants ?? 0n);
    const emptiest = (): (typeof cells)[number] =>
      cells
        .filter(({ cell }) => served.has(cell))
        .reduce((least, one) => ((held.get(one.cell) ?? 0n) < (held.get(least.cell) ?? 0n) ? one : least));
    const chosen = (before === undefined ? named : cells.find(({ cell }) => cell === before)) ?? emptiest();
    if (!served.has(chosen.cell)) return refuse('cell_not_served');
    // Home holds whatever no other cell has taken.
    if (before === undefined && chosen.cell !== HOME) tx.send(TAKE, [merchantId, chosen.cell, clock.now()]);
    if (wanted !== undefined && chosen.name !== wanted) return refuse('merchant_elsewhere');
    // What was so before is no act.
    return { cell: chosen.cell, isRepeated: before !== undefined };
  });
  return isRefusal(outcome) ? outcome : outcome.cell;
}

/** What the room of merchants reads of a database: rows of one merchant, by its id; how many there are. */
export type MerchantReads = { readonly find: Statement; readonly count: Statement };

export type Placing = {
  /** Home. */
  readonly db: Db;
  readonly clock: Clock;
  readonly ofHome: MerchantReads;
  /** The cells that this process reaches: it creates merchants in no other. */
  readonly served: Pick<PerCell<unknown>, 'has'>;
};
