import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { HOME, HOME_NAME, MOST_CELLS } from '../kit/per-cell.ts';
import { HOLD_MASTER_KEY, seal, type MasterKeys } from '../kit/secrets.ts';
import { CELL_NAME_PATTERN } from './cell-names.ts';
import { CELL_SECRETS, cellPlace, openUrls, readCells, type CellUrls } from './cell-rows.ts';
import { numberCell } from './number-cell.ts';

const INSERT = statement(
  'cells.insert',
  'insert into cells (cell, name, master_key_id, sealed, created_at) values ($1, $2, $3, $4, $5) on conflict do nothing returning cell',
);

export type CreateCell = { readonly name: string; readonly urls: CellUrls };
type CreatingCell = {
  /** Home. */
  readonly db: Db;
  readonly owner: Pick<Db, 'query'>;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  /** Counts the merchants of a database. Those that a new cell held already would be in two cells. */
  readonly countMerchants: Statement;
};
export type CreateCellRefusal = 'cell_name_invalid' | 'cell_exists' | 'cell_not_empty' | 'cells_too_many';

/** Replaces the connection strings of a cell: another password, or another place of the same data. */
export const reconnectCell = ({ db, keys }: Pick<CreatingCell, 'db' | 'keys'>, cell: number, urls: CellUrls): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(HOLD_MASTER_KEY, []);
    const { masterKeyId, sealed } = seal(keys, JSON.stringify(urls), cellPlace(cell));
    tx.send(CELL_SECRETS.update, [masterKeyId, sealed, cell]);
  });

/**
 * Adds a cell: an empty database with the same schema, beside home.
 * Shape: its name, its connection strings; its database is migrated → its number, which it keeps.
 * Refuses: cell_name_invalid, cell_exists, cells_too_many, cell_not_empty.
 * Throws: Unavailable while a node of its cluster is away.
 * Effects: the database numbers what it draws from its own first id on, before anybody can use the cell.
 */
export async function createCell(
  { db, owner, keys, clock, countMerchants }: CreatingCell,
  { name, urls }: CreateCell,
): Promise<{ readonly cell: number } | Refusal<CreateCellRefusal>> {
  if (!new RegExp(CELL_NAME_PATTERN).test(name) || name === HOME_NAME) return refuse('cell_name_invalid');
  for (;;) {
    const known = await readCells(db);
    const before = known.find((row) => row.name === name);
    // One that was cut off is carried on.
    if (before !== undefined) return openUrls(keys, before).url === urls.url ? { cell: before.cell } : refuse('cell_exists');
    const cell = Math.max(HOME, ...known.map((row) => row.cell)) + 1;
    if (cell >= MOST_CELLS) return refuse('cells_too_many');
    const [held] = await owner.query<{ merchants: bigint }>(countMerchants, []);
    if (held?.merchants !== 0n) return refuse('cell_not_empty');
    await numberCell(owner, cell, false);
    const inserted = await db.transaction(async (tx) => {
      await tx.query(HOLD_MASTER_KEY, []);
      const { masterKeyId, sealed } = seal(keys, JSON.stringify(urls), cellPlace(cell));
      return tx.query(INSERT, [cell, name, masterKeyId, sealed, clock.now()]);
    });
    // Another one has just got the number, or the name.
    if (inserted.length > 0) return { cell };
  }
}
