import { randomBytes } from 'node:crypto';
import { systemClock } from '../src/kit/clock.ts';
import { openDb, type Db } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { migrate } from '../src/kit/migrate.ts';
import { isRefusal, type Refusal } from '../src/kit/outcome.ts';
import { masterKey } from '../src/kit/secrets.ts';
import { topUp } from '../src/ledger/index.ts';
import { postingDb } from '../src/testing/posting-db.ts';
import { requireMode } from '../src/main/database-mode.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { createMerchant, openPlacing } from '../src/merchants/index.ts';
import { createNetwork } from '../src/networks/index.ts';
import { makeToken } from '../src/users/access-tokens.ts';
import type { StagedDatabase, TorturedDatabase } from './database.ts';
import { openLink, type Link } from './link.ts';
import type { Contradiction } from './possible.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { environmentOf, runCommand, startTorturedServer, type TorturedServer } from './server-process.ts';
import type { Merchant, Network } from './subject.ts';
import { commandActor } from '../src/manage/run-here.ts';

/** Everything that a run tortures: two servers on one database or on several, and what is around them. */
export type Stage<Database extends StagedDatabase = TorturedDatabase> = {
  readonly database: Database;
  /** The networks between all servers and each cell beside home. */
  readonly cellLinks: readonly Link[];
  readonly servers: readonly [TorturedServer, TorturedServer];
  readonly receiver: Receiver;
  readonly merchants: readonly Merchant[];
  readonly network: Network;
  readonly officeToken: string;
  /** Settlements that a client works on: another one leaves them alone. */
  readonly adopted: Set<string>;
  /** A server that ended though nobody killed it. */
  readonly ended: readonly Contradiction[];
  /** Runs `caudal verify`, and with cells `caudal cells verify`. Throws: Contradiction. */
  verify(): Promise<void>;
  close(): Promise<void>;
};

export const FUND = 1_000_000_000_000;
const OFFICE = [
  'ledger:read',
  'ledger:write',
  'settlements:write',
  'orders:read',
  'orders:write',
  'refunds:write',
  'payments:write',
  'audit:read',
] as const;
const MERCHANTS = ['libros', 'tienda', 'viajes', 'apuestas'];

/** Opens a stage on a new database. */
export async function openStage<Database extends StagedDatabase>(startDatabase: () => Promise<Database>): Promise<Stage<Database>> {
  const key = randomBytes(32);
  const masterKeyHex = key.toString('hex');
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    const database = await startDatabase();
    closers.push(() => database.close());
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    await migrate(database.url, MIGRATIONS);
    const environment = environmentOf(database.url, masterKeyHex);
    const cellLinks: Link[] = [];
    for (const cell of database.cells ?? []) {
      const link = await openLink(cell.urls);
      closers.push(() => link.close());
      cellLinks.push(link);
      const name = `cell-${cellLinks.length}`;
      await runCommand(environment, 'cells', 'create', name, '--database-url', link.url, '--owner-url', cell.url);
    }
    const prepared = await prepare([database.url, ...cellLinks.map(({ url }) => url)], key, receiver);
    const ended: Contradiction[] = [];
    const start = async (name: string): Promise<TorturedServer> => {
      const server = await startTorturedServer(name, { urls: database.urls, masterKeyHex, report: (error) => void ended.push(error) });
      closers.push(() => server.stop());
      return server;
    };
    const servers = [await start('A'), await start('B')] as const;
    const verify = async (): Promise<void> => {
      await runCommand(environment, 'verify');
      if (cellLinks.length > 0) await runCommand(environment, 'cells', 'verify');
    };
    return { database, cellLinks, servers, receiver, ...prepared, adopted: new Set(), ended, verify, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes the merchants, in the databases in turn, and what all of them share. Shape: connection strings, home's first. */
async function prepare(
  urls: readonly string[],
  key: Buffer,
  receiver: Receiver,
): Promise<Pick<Stage, 'merchants' | 'network' | 'officeToken'>> {
  const only = masterKey(key);
  const dbs = urls.map((url) => openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null }));
  const db = dbs[0] as Db;
  const deps = { db, keys: { current: () => only, find: () => only }, clock: systemClock };
  const place = openPlacing({ ...deps, served: new Set(dbs.keys()) });
  const merchants: Merchant[] = [];
  try {
    await requireMode(db, 'sandbox');
    for (const [index, merchantId] of MERCHANTS.entries()) {
      const cell = index % dbs.length;
      if (cell > 0) granted(await place(merchantId, `cell-${cell}`));
      const ofCell = { ...deps, db: dbs[cell] as Db, cell };
      const { fixedHash } = granted(await createMerchant(ofCell, { merchantId, country: '343', noticeUrl: receiver.urlOf(merchantId) }));
      granted(
        await topUp(
          { ...deps, db: postingDb(ofCell.db, systemClock, merchantId) },
          { merchantId, currency: 'COP', amountMinor: BigInt(FUND) * 100n },
        ),
      );
      merchants.push({ merchantId, fixedHash, cell });
    }
    const { netname, secret } = granted(await createNetwork(deps, { netname: 'efectivo' }));
    const terms = { name: 'office', permissions: OFFICE, merchantId: null, days: 30 };
    const made = granted(
      await db.transaction(async (tx) => makeToken(tx, commandActor('test'), { userId: null }, terms, systemClock.now())),
    );
    return { merchants, network: { netname, secret }, officeToken: made.token };
  } finally {
    for (const one of dbs) await one.close();
  }
}

function granted<T>(outcome: T | Refusal): Exclude<T, Refusal> {
  if (isRefusal(outcome)) throw new Error(`the stage was refused: ${outcome.refusal}`);
  return outcome as Exclude<T, Refusal>;
}
