import { numberCell, type CellUrls } from '../../cells/index.ts';
import { openDb } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import type { Config } from '../config.ts';
import { keepDistributed } from '../distributed-schema.ts';
import { prepareSchema } from '../migrations.ts';

/**
 * Migrates the database of a cell as its owner. What a migration adds is numbered from the first id of the cell on, before anybody uses it;
 * also after a crash in between.
 * Refuses: as prepareSchema.
 */
export async function prepareCell(cell: number, urls: CellUrls, mode: Config['mode']): Promise<readonly number[]> {
  const applied = await prepareSchema({ ...urls, mayBePooled: true }, mode);
  await keepDistributed(urls);
  const owner = openDb({ url: urls.ownerUrl, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  try {
    await numberCell(owner, cell);
  } finally {
    await owner.close();
  }
  return applied;
}
