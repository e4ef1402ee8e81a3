import { Pool, type PoolClient } from 'pg';
import { abandonConnections } from './abandon.ts';
import type { Log } from '../log.ts';
import { connectionConfig } from './connection.ts';
import { classify, Unavailable } from './faults.ts';
import { gatherReads } from './gather-reads.ts';
import type { Value } from './parameters.ts';
import { readTogether } from './read-together.ts';
import { ServerClient, serversOf, watchServers } from './servers.ts';
import type { Statement } from './statement.ts';
import { runTransaction, type Tx } from './transaction.ts';
import type { Tracer } from '../traces/tracer.ts';

export type Db = {
  /** One transaction (read committed). `work` may run only statements of this `tx`; what it throws rolls everything back. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One statement, a transaction by itself. */
  query<Row>(statement: Statement, values: readonly Value[]): Promise<Row[]>;
  /** Statements that read, in one round trip and of one state of the database. `work` asks for all of them before it waits for any. */
  readTogether<T>(work: (db: Pick<Tx, 'query'>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** The connections of a pool. `awaited`: how many are asked for while all are in use. */
export type Connections = { readonly used: number; readonly idle: number; readonly awaited: number };

type DbOptions = {
  readonly url: string;
  readonly log: Log;
  /** Connections at most. Few suffice: a batch carries many requests on one. */
  readonly connections: number;
  /** How long a statement may take; null for the command line, whose imports may take minutes. */
  readonly statementTimeoutMs: number | null;
  readonly tracer?: Tracer | undefined;
};

/** What the pool says where all its connections are in use. The database is not away then. */
const NONE_FREE = 'timeout exceeded when trying to connect';

/**
 * Opens a pool of connections. It connects when first used: with a database that is down the first query throws Unavailable.
 * Of several servers it uses the one that takes writes. An outage is logged once, and its end.
 * Throws (from queries): Unavailable when the database cannot be reached, refuses connections, runs out of disk or does not answer
 * in time; the driver's error otherwise.
 */
export function openDb({ url, log, connections, statementTimeoutMs, tracer }: DbOptions): Db & { connections(): Connections } {
  const config = connectionConfig(url, statementTimeoutMs);
  const servers = serversOf(url);
  const pool = new Pool({ ...config, max: connections, Client: ServerClient as never });
  const stopWatching = statementTimeoutMs === null ? () => undefined : watchServers(config);
  const closing = new AbortController();
  const { abandon, isWaiting } = abandonConnections({ config, statementTimeoutMs: statementTimeoutMs ?? 0, closing: closing.signal });
  let awaySince: number | undefined;
  const noteAway = ({ message: reason }: Error): void => {
    if (awaySince !== undefined || pool.ending) return;
    awaySince = performance.now();
    log.warn({ reason }, 'the database is away');
  };
  // An idle connection that breaks is replaced when needed. Without a listener the event would end the process.
  pool.on('error', noteAway);
  pool.on('connect', () => {
    if (awaySince !== undefined) log.warn({ seconds: Math.round((performance.now() - awaySince) / 1000) }, 'the database is back');
    awaySince = undefined;
  });

  const connect = async (): Promise<PoolClient> => {
    for (let tries = 1; ; tries++) {
      const { current } = servers;
      try {
        return await pool.connect();
      } catch (error) {
        // Where the server was left, the next one may take writes.
        if (servers.current !== current && tries < servers.urls.length) continue;
        if (!(error as Error).message.startsWith(NONE_FREE)) noteAway(error as Error);
        throw classify(error, 'connecting');
      }
    }
  };

  /** The standby takes commits in their order. So the next one would wait as well. */
  const refuseWhileWaiting = (): void => {
    if (isWaiting()) throw new Unavailable('database: a commit was not answered yet');
  };
  const gathered = gatherReads(connect, abandon, () => !isWaiting(), tracer);
  const isOneOfSeveral = servers.urls.length > 1;

  return {
    transaction: async (work) => {
      refuseWhileWaiting();
      return runTransaction(await connect(), abandon, work, tracer?.current());
    },
    // Of several servers, also what only reads ends with a commit that waits.
    query: isOneOfSeveral ? async (read, values) => (refuseWhileWaiting(), gathered(read, values)) : gathered,
    readTogether: async (work) => {
      if (isOneOfSeveral) refuseWhileWaiting();
      return readTogether(await connect(), abandon, work, tracer?.current());
    },
    connections: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, awaited: pool.waitingCount }),
    close: () => {
      closing.abort();
      stopWatching();
      return pool.end();
    },
  };
}
