import { hostname, userInfo } from 'node:os';
import { linkActs, openActingDb, openReadingDb, recordActs, type ActingDb } from '../../audit/index.ts';
import { merchantBrandFacts, networkBrandFacts } from '../../brands/index.ts';
import { CommandRefused, type Connection } from '../../kit/command-line.ts';
import type { Act, DoneAct } from '../../kit/changes/act.ts';
import type { Db } from '../../kit/db.ts';
import { merchantFacts } from '../../merchants/index.ts';
import { networkFacts } from '../../networks/index.ts';
import type { Doing } from './command-acts.ts';

/** A connection that records nothing yet. */
export type OwnConnection = Omit<Connection, 'ownDb' | 'actor' | 'recordIn' | 'close'> & { close(): Promise<void> };

const FACTS = {
  merchant: merchantFacts,
  network: networkFacts,
  merchantBrand: merchantBrandFacts,
  networkBrand: networkBrandFacts,
} as const;

/**
 * Makes the connection of a command that is about to do something. Its database records the act in each of its transactions.
 * What no transaction has recorded is recorded before the connection closes, and then the acts are linked.
 * A command that reads gets a database that refuses to write.
 */
export function connectionFor(connection: OwnConnection, { act: command, as }: Doing): Connection {
  const { db: ownDb, clock } = connection;
  const user = systemUser();
  const name = as ?? user;
  const actor = `command:${name}` as const;
  if (command === undefined) return { ...connection, db: openReadingDb(ownDb), ownDb, actor };
  const { shows, ...deed } = command;
  const act: Act = { ...deed, actor: { kind: 'command', id: user, name }, source: hostname(), requestId: null };
  const acting = openActingDb({ db: ownDb, clock, facts: shows && FACTS[shows.kind](shows.id) }, act);
  const close = async (failure?: unknown): Promise<void> => {
    try {
      await finishAct(ownDb, acting, { ...act, at: clock.now() }, failure);
    } finally {
      await connection.close();
    }
  };
  return { ...connection, db: acting.db, ownDb, actor, recordIn: acting.recordIn, close };
}

/** The name of the system's user. A container may have a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** A command that failed for another reason than a refusal is not recorded: nobody knows what it did. */
async function finishAct(db: Db, acting: ActingDb, act: Omit<DoneAct, 'outcome'>, failure: unknown): Promise<void> {
  if (!acting.isRecorded()) {
    if (failure !== undefined && !(failure instanceof CommandRefused)) return;
    const outcome = failure === undefined ? 'done' : (`refused:${acting.refusal() ?? 'command'}` as const);
    await db.transaction(async (tx) => recordActs(tx, [{ ...act, outcome }]));
  }
  await linkActs(db);
}
