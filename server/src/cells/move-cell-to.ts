import { statement, type Db } from '../kit/db.ts';
import { HOLD_MASTER_KEY, seal, type MasterKeys } from '../kit/secrets.ts';
import { cellPlace, type CellUrls } from './cell-rows.ts';

const MOVE = statement('cells.move', 'update cells set master_key_id = $2, sealed = $3 where cell = $1');

/** Seals other connection strings for a cell. Shape: `db` connects to home as its owner. */
export async function moveCellTo(
  { db, keys }: { readonly db: Db; readonly keys: MasterKeys },
  cell: number,
  urls: CellUrls,
): Promise<void> {
  const { masterKeyId, sealed } = seal(keys, JSON.stringify(urls), cellPlace(cell));
  await db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    tx.send(MOVE, [cell, masterKeyId, sealed]);
  });
}
