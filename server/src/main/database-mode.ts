import { statement, type Db } from '../kit/db.ts';
import type { RunStatement } from '../kit/migrate.ts';
import type { Config } from './config.ts';

type Mode = Config['mode'];

/** The database belongs to the other mode. The message is one line for the person who started the program. */
export class WrongMode extends Error {
  override readonly name = 'WrongMode';
}

const HAS_TABLE = statement('main.has_mode', `select to_regclass('database_mode') is not null as known`);
const READ = statement('main.read_mode', 'select mode from database_mode');
const LEARN = statement('main.learn_mode', 'insert into database_mode (mode) values ($1) on conflict do nothing');

/**
 * Makes sure that a database is used in one mode only. The first program that opens it decides.
 * Throws: WrongMode.
 */
export async function requireMode(db: Db, mode: Mode): Promise<void> {
  refuseOther((await readMode(db)) ?? (await learnMode(db, mode)), mode);
}

/**
 * Refuses a database that is known to be of the other mode. For before a migration, when there may be no table for the mode yet.
 * Throws: WrongMode.
 */
export async function refuseOtherMode(query: RunStatement, mode: Mode): Promise<void> {
  const [table] = await query<{ known: boolean }>(HAS_TABLE);
  const [row] = table?.known === true ? await query<{ mode: Mode }>(READ) : [];
  refuseOther(row?.mode ?? mode, mode);
}

function refuseOther(known: Mode, mode: Mode): void {
  if (known !== mode)
    throw new WrongMode(
      `This database is of ${known === 'sandbox' ? 'a sandbox' : 'production'}, and CAUDAL_MODE is ${mode}: nothing was done. Set CAUDAL_MODE=${known}, or another database.`,
    );
}

async function learnMode(db: Db, mode: Mode): Promise<Mode> {
  await db.query(LEARN, [mode]);
  return (await readMode(db)) ?? mode;
}

/** The mode of a database. Undefined: no program has opened it yet. */
export async function readMode(db: Pick<Db, 'query'>): Promise<Mode | undefined> {
  const [row] = await db.query<{ mode: Mode }>(READ, []);
  return row?.mode;
}
