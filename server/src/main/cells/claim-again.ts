import { readPlaced } from '../../cells/index.ts';
import { nameOfCell, reachedCells, type Connection } from '../../kit/command-line.ts';
import type { Finding } from '../../kit/checks/finding.ts';
import type { Db } from '../../kit/db.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { HOME, mapCells, type PerCell } from '../../kit/per-cell.ts';
import { openPlacing, readMerchantIds } from '../../merchants/index.ts';
import { passGivenUpClaims } from '../../orders/index.ts';
import { readConfig } from '../config.ts';
import { CLAIM_CHECKS } from './claim-checks.ts';

/** What home knew of cells and was told again, by what it is; and what it says another cell has: the names of both. */
type ClaimedAgain = {
  readonly claimed: Readonly<Record<string, number>>;
  readonly left: readonly (Omit<Finding, 'id'> & { readonly id: string | null; readonly cell: string; readonly owner: string })[];
};

/**
 * Tells home again what its cells have, after home or a cell was restored to an earlier moment: merchants, references,
 * transactions.
 * Shape: a service of one database has nothing to tell.
 * Effects: what home knows already stays as it is, so it may be cut off and run again, also while servers run.
 */
export async function claimAgain(connection: Connection): Promise<ClaimedAgain> {
  const { connections } = reachedCells(connection);
  const { home } = connections;
  const dbs = mapCells(connections, ({ ownDb }) => ownDb);
  const nameOf = (cell: number): string => nameOfCell(connection, cell);
  const merchants = await placeAgain(dbs, home, nameOf);
  await passGivenUpClaims(dbs);
  const rules = { clock: home.clock, restDays: readConfig(process.env).referenceRestDays };
  const claimed: Record<string, number> = { merchants: merchants.placed };
  const left = [...merchants.left];
  for (const check of CLAIM_CHECKS) {
    const done = await check.claimAgain(dbs, rules);
    claimed[check.of] = done.claimed;
    left.push(...done.left.map((one) => ({ ...one, cell: nameOf(one.cell), owner: nameOf(one.owner) })));
  }
  await home.ownDb.transaction(async (tx) => home.recordIn?.(tx, { claimed }));
  return { claimed, left };
}

async function placeAgain(dbs: PerCell<Db>, { clock }: Connection, nameOf: (cell: number) => string) {
  const placedIn = new Map((await readPlaced(dbs.home)).map(({ merchantId, cell }) => [merchantId, cell]));
  const place = openPlacing({ db: dbs.home, clock, served: dbs });
  const left: ClaimedAgain['left'][number][] = [];
  let placed = 0;
  for (const [cell, db] of dbs.all) {
    if (cell === HOME) continue;
    for (const merchantId of await readMerchantIds(db)) {
      if (placedIn.get(merchantId) === cell) continue;
      const done = await place(merchantId, nameOf(cell));
      if (!isRefusal(done)) placed++;
      else
        left.push({
          merchantId,
          id: null,
          problem: 'is in two cells',
          cell: nameOf(cell),
          owner: nameOf(placedIn.get(merchantId) ?? HOME),
        });
    }
  }
  return { placed, left };
}
