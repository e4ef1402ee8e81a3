import type { Db, Statement, Value } from './db.ts';
import { seal, unseal, type MasterKeys, type Sealed } from './secrets.ts';

/** A table with sealed secrets, described by whoever owns it. */
export type SealedTable<Row extends Sealed = Sealed> = {
  /** → rows of KeyUse. */
  readonly count: Statement;
  /** $1 a master key's id, $2 rows at most → rows under any other key, locked in one order. */
  readonly selectOthers: Statement;
  /** $1 master key's id, $2 sealed, then the key of the row. */
  readonly update: Statement;
  key(row: Row): readonly Value[];
  place(row: Row): string;
};

/** How many secrets are sealed under one master key. */
export type KeyUse = { readonly masterKeyId: string; readonly secrets: bigint };

/** Rows of one transaction: their locks are held for milliseconds, so that nothing else notices. */
const ROWS_AT_ONCE = 200;

/**
 * Seals every secret of a table anew under the current master key. The secrets themselves stay the same.
 * Shape: → the number of secrets that were under another key.
 * Throws: MasterKeyMissing for a secret under a key that is not held here; what was resealed before stays so, and all stays readable.
 */
export async function reseal<Row extends Sealed>(db: Db, keys: MasterKeys, table: SealedTable<Row>): Promise<number> {
  for (let total = 0; ;) {
    const { id } = keys.current();
    const resealed = await db.transaction(async (tx) => {
      const rows = await tx.query<Row>(table.selectOthers, [id, ROWS_AT_ONCE]);
      for (const row of rows) {
        const place = table.place(row);
        const { masterKeyId, sealed } = seal(keys, unseal(keys, row, place), place);
        tx.send(table.update, [masterKeyId, sealed, ...table.key(row)]);
      }
      return rows.length;
    });
    if (resealed === 0) return total;
    total += resealed;
  }
}

/** Tells under which master keys the secrets of some tables are sealed: one entry per key, by id. */
export async function countKeyUse(db: Pick<Db, 'query'>, tables: readonly Pick<SealedTable, 'count'>[]): Promise<readonly KeyUse[]> {
  const sums = new Map<string, bigint>();
  for (const { count } of tables) {
    for (const { masterKeyId, secrets } of await db.query<KeyUse>(count, [])) {
      sums.set(masterKeyId, (sums.get(masterKeyId) ?? 0n) + secrets);
    }
  }
  return [...sums].map(([masterKeyId, secrets]) => ({ masterKeyId, secrets })).toSorted((a, b) => (a.masterKeyId < b.masterKeyId ? -1 : 1));
}
