import { statement, type Db } from '../kit/db.ts';
import type { SealedTable } from '../kit/keys/reseal.ts';
import { HOME } from '../kit/per-cell.ts';
import { unseal, type MasterKeys, type Sealed } from '../kit/secrets.ts';

/** The connection strings of a cell's database: of the user that serves, and of the owner, who migrates. They hold passwords. */
export type CellUrls = { readonly url: string; readonly ownerUrl: string };

/** A cell that a process serves. */
export type ServedCell = CellUrls & { readonly cell: number; readonly name: string };

export type CellRow = Sealed & { readonly cell: number; readonly name: string; readonly createdAt: Temporal.Instant };

const SELECT_ALL = statement(
  'cells.select',
  `select cell, name, created_at as "createdAt", master_key_id as "masterKeyId", sealed from cells order by cell`,
);

/** The place that the connection strings of a cell are sealed for. */
export const cellPlace = (cell: number): string => `cells/${cell}`;

export const openUrls = (keys: MasterKeys, row: CellRow): CellUrls =>
  JSON.parse(unseal(keys, row, cellPlace(row.cell)).toString('utf8')) as CellUrls;

/** All cells beside home, by their numbers. */
export const readCells = (db: Pick<Db, 'query'>): Promise<CellRow[]> => db.query<CellRow>(SELECT_ALL, []);

/** Whether there is a cell of this number, home or another one. A made-up id may name one that never was. `db`: home. */
export const isCellKnown = async (db: Pick<Db, 'query'>, cell: number): Promise<boolean> =>
  cell === HOME || (await readCells(db)).some((row) => row.cell === cell);

/**
 * The cells beside home that a process serves: those of the names, or all of them.
 * Throws: UnknownCell for a name that no cell has.
 */
export function servedCells(rows: readonly CellRow[], keys: MasterKeys, names: readonly string[] | undefined): readonly ServedCell[] {
  const unknown = names?.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new UnknownCell(unknown);
  return rows
    .filter(({ name }) => names === undefined || names.includes(name))
    .map((row) => ({ cell: row.cell, name: row.name, ...openUrls(keys, row) }));
}

export class UnknownCell extends Error {
  override readonly name = 'UnknownCell';

  constructor(name: string) {
    super(`CAUDAL_CELLS: there is no cell ${name}; caudal cells list shows them`);
  }
}

/** The connection strings of cells, for the rotation of the master key. */
export const CELL_SECRETS: SealedTable<CellRow> = {
  count: statement('cells.count_secrets', `select master_key_id as "masterKeyId", count(*) as secrets from cells group by master_key_id`),
  selectOthers: statement(
    'cells.select_under_other_keys',
    `select cell, name, created_at as "createdAt", master_key_id as "masterKeyId", sealed from cells
      where master_key_id <> $1 and cell > $3 order by cell limit $2 for update`,
  ),
  update: statement('cells.reseal', `update cells set master_key_id = $1, sealed = $2 where cell = $3`),
  key: ({ cell }) => [cell],
  beforeFirst: [0],
  place: ({ cell }) => cellPlace(cell),
};
