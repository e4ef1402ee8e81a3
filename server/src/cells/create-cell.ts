import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { firstIdOf, HOME, MOST_CELLS } from '../kit/per-cell.ts';
import { HOLD_MASTER_KEY, seal, type MasterKeys } from '../kit/secrets.ts';
import { CELL_NAME_PATTERN, HOME_NAME } from './cell-names.ts';
import { cellPlace, openUrls, readCells, type CellUrls } from './cell-rows.ts';

const INSERT = statement(
  'cells.insert',
  'insert into cells (cell, name, master_key_id, sealed, created_at) values ($1, $2, $3, $4, $5) on conflict do nothing returning cell',
);

/** SQL: all that a schema numbers here begins with the first id of a cell. What has been numbered beyond it stays. */
const numberingFrom = (firstId: string, schema: string): string =>
  `select count(setval(format('%I.%I', schemaname, sequencename)::regclass, min_value - 1 + ${firstId}, false)) from pg_sequences
    where schemaname = ${schema} and coalesce(last_value, 0) < min_value - 1 + ${firstId}`;

/** In the database of the cell, as its owner. */
const NUMBER = statement('cells.number_from', numberingFrom('$1::bigint', 'current_schema()'));
/** Each node of a Citus cluster numbers by itself, above its own number. It is not declared: a database by itself could not prepare it. */
const numberNodes = (firstId: bigint): Statement => ({
  name: 'cells.number_nodes',
  text: `select success, result from run_command_on_workers(
    replace($$${numberingFrom(String(firstId), '<schema>')}$$, '<schema>', quote_literal(current_schema())))`,
});
const IS_CLUSTER = statement('cells.is_cluster', `select to_regproc('run_command_on_workers') is not null as "isCluster"`);

/** Nothing that another cell has may be in the database of a new one: its merchants would be in two. */
const IS_EMPTY = statement('cells.is_empty', 'select not exists (select from merchants) as "isEmpty"');

export type CreateCell = { readonly name: string; readonly urls: CellUrls };
export type CreateCellRefusal = 'cell_name_invalid' | 'cell_exists' | 'cell_not_empty' | 'cells_too_many';

/**
 * Adds a cell: an empty database with the same schema, beside home.
 * Shape: its name, its connection strings; its database is migrated → its number, which it keeps.
 * Refuses: cell_name_invalid, cell_exists, cells_too_many, cell_not_empty.
 * Effects: the database numbers what it draws from its own first id on, before anybody can use the cell.
 */
export async function createCell(
  { db, owner, keys, clock }: { readonly db: Db; readonly owner: Pick<Db, 'query'>; readonly keys: MasterKeys; readonly clock: Clock },
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
    const [{ isEmpty } = { isEmpty: false }] = await owner.query<{ isEmpty: boolean }>(IS_EMPTY, []);
    if (!isEmpty) return refuse('cell_not_empty');
    await owner.query(NUMBER, [firstIdOf(cell)]);
    const [{ isCluster } = { isCluster: false }] = await owner.query<{ isCluster: boolean }>(IS_CLUSTER, []);
    const nodes = isCluster ? await owner.query<{ success: boolean; result: string }>(numberNodes(firstIdOf(cell)), []) : [];
    const failed = nodes.find(({ success }) => !success);
    if (failed !== undefined) throw new Error(`a node of the cluster could not be numbered: ${failed.result}`);
    const inserted = await db.transaction((tx) => {
      const { masterKeyId, sealed } = seal(keys, JSON.stringify(urls), cellPlace(cell));
      tx.send(HOLD_MASTER_KEY, []);
      return tx.query(INSERT, [cell, name, masterKeyId, sealed, clock.now()]);
    });
    // Another one has just got the number, or the name.
    if (inserted.length > 0) return { cell };
  }
}
