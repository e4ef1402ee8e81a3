import { Pool, type PoolClient } from 'pg';
import { abandonConnections } from './abandon.ts';
import type { Log } from '../log.ts';
import { connectionConfig } from './connection.ts';
import { classify } from './faults.ts';
import { gatherReads } from './gather-reads.ts';
import type { Value } from './parameters.ts';
import { readTogether } from './read-together.ts';
import type { Statement } from './statement.ts';
import { runTransaction, type Tx } from './transaction.ts';

export type Db = {
  /** One transaction (read committed). `work` may run only statements of this `tx`; what it throws rolls everything back. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One statement, a transaction by itself. */
  query<Row>(statement: Statement, values: readonly Value[]): Promise<Row[]>;
  /** Statements that read, in one round trip and of one state of the database. `work` asks for all of them before it waits for any. */
  readTogether<T>(work: (db: Pick<Tx, 'query'>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type DbOptions = {
  readonly url: string;
  readonly log: Log;
  /** Connections at most. Few suffice: a batch carries many requests on one. */
  readonly connections: number;
  /** How long a statement may take; null for the command line, whose imports may take minutes. */
  readonly statementTimeoutMs: number | null;
};

/**
 * Opens a pool of connections. It connects when first used: with a database that is down the first query throws Unavailable.
 * Throws (from queries): Unavailable when the database cannot be reached, refuses connections, runs out of disk or does not answer
 * in time; the driver's error otherwise.
 */
export function openDb({ url, log, connections, statementTimeoutMs }: DbOptions): Db {
  const config = connectionConfig(url, statementTimeoutMs);
  const pool = new Pool({ ...config, max: connections });
  const closing = new AbortController();
  const abandon = abandonConnections({ config, statementTimeoutMs: statementTimeoutMs ?? 0, closing: closing.signal });
  // An idle connection that breaks is replaced when needed. Without a listener the event would end the process.
  pool.on('error', (error) => log.warn({ error }, 'an idle database connection broke'));
  // So would the same event of a connection in use. Its statements fail with that error, and the pool drops it.
  pool.on('connect', (client) => void client.on('error', () => undefined));

  const connect = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw classify(error, 'connecting');
    }
  };

  return {
    transaction: async (work) => runTransaction(await connect(), abandon, work),
    query: gatherReads(connect, abandon),
    readTogether: async (work) => readTogether(await connect(), abandon, work),
    close: () => {
      closing.abort();
      return pool.end();
    },
  };
}
