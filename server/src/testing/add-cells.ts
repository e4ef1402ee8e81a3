import { createCell } from '../cells/index.ts';
import type { Clock } from '../kit/clock.ts';
import { openDb } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { MERCHANT_READS } from '../merchants/index.ts';
import type { CellUrls } from '../cells/index.ts';

const connect = (url: string) => openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });

/** Makes migrated databases cells of a home, called `cell-1` and so on, as the owners of all. */
export async function addCells(
  homeUrl: string,
  others: readonly CellUrls[],
  deps: { readonly keys: MasterKeys; readonly clock: Clock },
): Promise<void> {
  if (others.length === 0) return;
  const db = connect(homeUrl);
  for (const [index, urls] of others.entries()) {
    const owner = connect(urls.ownerUrl);
    const created = await createCell({ ...deps, db, owner, countMerchants: MERCHANT_READS.count }, { name: `cell-${index + 1}`, urls });
    if (isRefusal(created)) throw new Error(`cell-${index + 1} was refused: ${created.refusal}`);
    await owner.close();
  }
  await db.close();
}
