import { openUrls, readCells } from '../../cells/index.ts';
import type { AwayCell } from '../../kit/command-line.ts';
import { openDb, type Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import type { Config } from '../config.ts';
import { requireMode } from '../database-mode.ts';
import { explainFault } from '../explain-fault.ts';
import { prepareCell } from './prepare-cell.ts';

/** The database of a cell beside home. */
type OpenedCell = { readonly cell: number; readonly name: string; readonly url: string; readonly ownerUrl: string; readonly db: Db };

export type OpenedCells = { readonly opened: readonly OpenedCell[]; readonly away: readonly AwayCell[] };

/** Commands run one after another. A second connection is for those that copy while they read. */
const CONNECTIONS = 2;

/**
 * Opens the cells beside home for a command, and migrates them. One that cannot be used is left out, with the reason: commands go on with
 * the others.
 */
export async function openCells(home: Pick<Db, 'query'>, keys: MasterKeys, mode: Config['mode']): Promise<OpenedCells> {
  const opened: OpenedCell[] = [];
  const away: AwayCell[] = [];
  for (const row of await readCells(home)) {
    const { cell, name } = row;
    let db: Db | undefined;
    try {
      const urls = openUrls(keys, row);
      await prepareCell(cell, urls, mode);
      db = openDb({ url: urls.url, log: createLog('silent'), connections: CONNECTIONS, statementTimeoutMs: null });
      await requireMode(db, mode);
      opened.push({ cell, name, ...urls, db });
    } catch (error) {
      await db?.close();
      const line = explainFault(error);
      if (line === undefined) throw error;
      away.push({ cell, name, reason: line.replace(/^The database cannot be used: /, '') });
    }
  }
  return { opened, away };
}
