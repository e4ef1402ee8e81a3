import type { Db, Statement, Value } from '../db.ts';
import { seal, unseal, type MasterKeys, type Sealed } from '../secrets.ts';

/** A table with sealed secrets, described by the room that owns it. */
export type SealedTable<Row extends Sealed = Sealed> = {
  /** → rows of KeyUse. */
  readonly count: Statement;
  /** $1 a master key's id, $2 most rows, then a row's key → later rows under any other master key, locked. */
  readonly selectOthers: Statement;
  /** $1 master key's id, $2 sealed, then the row's key. */
  readonly update: Statement;
  key(row: Row): readonly Value[];
  /** A row's key before all others. */
  readonly beforeFirst: readonly Value[];
  place(row: Row): string;
};

/** How many secrets are sealed under one master key. */
export type KeyUse = { readonly masterKeyId: string; readonly secrets: bigint };

/** Rows of one transaction. Few, so that their locks last only milliseconds. */
const ROWS_AT_ONCE = 200;

/**
 * Seals every secret of a table again, under the current master key. The secrets themselves stay the same.
 * Shape: → the number of secrets that were under another key.
 * Throws: MasterKeyMissing for a secret under a key that this process does not have. Every secret stays readable.
 */
export async function reseal<Row extends Sealed>(db: Db, keys: MasterKeys, table: SealedTable<Row>): Promise<number> {
  // Walks from key to key, so that no row comes twice. Repeats the walk until one finds no row.
  let total = 0;
  let after = table.beforeFirst;
  for (;;) {
    const rows = await resealRows(db, keys, table, after);
    total += rows.length;
    const last = rows.at(-1);
    if (last === undefined && after === table.beforeFirst) return total;
    after = last === undefined ? table.beforeFirst : table.key(last);
  }
}

function resealRows<Row extends Sealed>(db: Db, keys: MasterKeys, table: SealedTable<Row>, after: readonly Value[]): Promise<Row[]> {
  const { id } = keys.current();
  return db.transaction(async (tx) => {
    const rows = await tx.query<Row>(table.selectOthers, [id, ROWS_AT_ONCE, ...after]);
    for (const row of rows) {
      const place = table.place(row);
      const { masterKeyId, sealed } = seal(keys, unseal(keys, row, place), place);
      tx.send(table.update, [masterKeyId, sealed, ...table.key(row)]);
    }
    return rows;
  });
}

/** Counts the secrets of some tables of databases by master key: one entry per key, in order of ids. */
export async function countKeyUse(
  dbs: readonly Pick<Db, 'query'>[],
  tables: readonly Pick<SealedTable, 'count'>[],
): Promise<readonly KeyUse[]> {
  const sums = new Map<string, bigint>();
  for (const db of dbs) {
    for (const { count } of tables) {
      for (const { masterKeyId, secrets } of await db.query<KeyUse>(count, [])) {
        sums.set(masterKeyId, (sums.get(masterKeyId) ?? 0n) + secrets);
      }
    }
  }
  return [...sums].map(([masterKeyId, secrets]) => ({ masterKeyId, secrets })).toSorted((a, b) => (a.masterKeyId < b.masterKeyId ? -1 : 1));
}
