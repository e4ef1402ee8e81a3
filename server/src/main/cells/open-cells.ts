import { openUrls, readCells, type CellRow } from '../../cells/index.ts';
import type { AwayCell } from '../../kit/command-line.ts';
import { openDb, type Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import type { Config } from '../config.ts';
import { requireMode } from '../database-mode.ts';
import { explainFault } from '../explain-fault.ts';
import { prepareCell } from './prepare-cell.ts';

/** The database of a cell beside home. */
type OpenedCell = { readonly cell: number; readonly name: string; readonly url: string; readonly db: Db };

export type OpenedCells = { readonly opened: readonly OpenedCell[]; readonly away: readonly AwayCell[] };

/** Commands run one after another. A second connection is for those that copy while they read. */
const CONNECTIONS = 2;

/** Opens a database for a command, whose statements may take as long as they like. */
export const openForCommand = (url: string): Db =>
  openDb({ url, log: createLog('silent'), connections: CONNECTIONS, statementTimeoutMs: null });

/**
 * Opens the cells beside home for a command, and migrates them. One that cannot be used is left out, with the reason: commands go on with
 * the others.
 */
export async function openCells(home: Pick<Db, 'query'>, keys: MasterKeys, mode: Config['mode']): Promise<OpenedCells> {
  const openOne = async (row: CellRow): Promise<OpenedCell | AwayCell> => {
    const { cell, name } = row;
    let db: Db | undefined;
    try {
      const urls = openUrls(keys, row);
      await prepareCell(cell, urls, mode);
      db = openForCommand(urls.url);
      await requireMode(db, mode);
      return { cell, name, url: urls.url, db };
    } catch (error) {
      await db?.close();
      const line = explainFault(error);
      if (line === undefined) throw error;
      return { cell, name, reason: line.replace(/^The database cannot be used: /, '') };
    }
  };
  const all = await Promise.all((await readCells(home)).map(openOne));
  return { opened: all.filter((one) => 'db' in one), away: all.filter((one) => 'reason' in one) };
}
