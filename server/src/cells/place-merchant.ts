import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement, type Tx } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { HOME } from '../kit/per-cell.ts';
import { HOME_NAME } from './cell-names.ts';
import { readCells } from './cell-rows.ts';

/** Whoever creates a merchant at home, or takes an id for another cell, does so alone: both look at two tables. */
const LOCK = statement('cells.lock_merchant_ids', `select pg_advisory_xact_lock(hashtext('merchant ids'))`);
const FIND = statement('cells.find_merchant', 'select cell from merchant_cells where merchant_id = $1');
const TAKE = statement('cells.take_merchant_id', 'insert into merchant_cells (merchant_id, cell, placed_at) values ($1, $2, $3)');
const COUNT = statement('cells.count_merchants', 'select cell, count(*) as merchants from merchant_cells group by cell');

/** In the transaction that creates a merchant at home: whether its id belongs to another cell. */
export async function isPlacedElsewhere(tx: Tx, merchantId: string): Promise<boolean> {
  const [, found] = await Promise.all([tx.query(LOCK, []), tx.query(FIND, [merchantId])]);
  return found.length > 0;
}

/**
 * Takes the id of a new merchant for a cell.
 * Shape: the name of the wanted cell; undefined: the one with the fewest merchants → its number.
 * Refuses: cell_unknown.
 * Effects: an id that was taken before stays in its cell, so a creation that was cut off is carried on there.
 */
export async function placeMerchant(
  { db, clock, ofHome }: Placing,
  merchantId: string,
  wanted: string | undefined,
): Promise<number | Refusal<'cell_unknown'>> {
  const others = await readCells(db);
  const cellsOf = [{ cell: HOME, name: HOME_NAME }, ...others];
  const named = cellsOf.find(({ name }) => name === wanted);
  if (wanted !== undefined && named === undefined) return refuse('cell_unknown');
  return db.transaction(async (tx) => {
    const [, [placed], counts, atHome, [home]] = await Promise.all([
      tx.query(LOCK, []),
      tx.query<{ cell: number }>(FIND, [merchantId]),
      tx.query<{ cell: number; merchants: bigint }>(COUNT, []),
      tx.query(ofHome.find, [merchantId]),
      tx.query<{ merchants: bigint }>(ofHome.count, []),
    ]);
    if (placed !== undefined) return placed.cell;
    if (atHome.length > 0) return HOME;
    const held = new Map(counts.map(({ cell, merchants }) => [cell, merchants])).set(HOME, home?.merchants ?? 0n);
    const { cell } =
      named ?? cellsOf.reduce((least, one) => ((held.get(one.cell) ?? 0n) < (held.get(least.cell) ?? 0n) ? one : least));
    if (cell !== HOME) tx.send(TAKE, [merchantId, cell, clock.now()]);
    return cell;
  });
}

type Placing = {
  /** Home. */
  readonly db: Db;
  readonly clock: Clock;
  /** What the room of merchants reads of home: rows of one merchant, by its id; how many there are. */
  readonly ofHome: { readonly find: Statement; readonly count: Statement };
};
