import { setTimeout } from 'node:timers/promises';
import { Pool, type ClientConfig, type PoolClient } from 'pg';
import { abandonConnections } from './abandon.ts';
import type { Log } from '../log.ts';
import { connectionConfig } from './connection.ts';
import { classify, Unavailable } from './faults.ts';
import { gatherReads } from './gather-reads.ts';
import { currentLane, shareOut } from './lanes.ts';
import type { Value } from './parameters.ts';
import { readTogether } from './read-together.ts';
import { hasStandbys, SchemaElsewhere, ServerClient, serversOf, watchServers } from './servers.ts';
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

/** The connections of all lanes. `awaited`: how many are asked for while all are in use. */
export type Connections = { readonly used: number; readonly idle: number; readonly awaited: number };

type DbOptions = {
  readonly url: string;
  readonly log: Log;
  /** Connections at most, of requests: a batch carries many of them on one. Views and jobs have some beside them. */
  readonly connections: number;
  /** How long a statement may take; null for the command line, whose imports may take minutes. It has one lane for all. */
  readonly statementTimeoutMs: number | null;
  readonly tracer?: Tracer | undefined;
};

/** So many connections fail before anybody is refused without a try. */
const FIRST_FAILURES = 10;
/** How long nobody tries after another one failed. Well below what anybody notices of a database that is back. */
const REFUSED_MS = 100;

/** How long the nodes of a cluster may disagree about which of them has our schema. */
const MOVING_MS = 1_000;
const ASK_AGAIN_MS = 20;

/** What the pool says where all its connections are in use. The database is not away then. */
const NONE_FREE = 'timeout exceeded when trying to connect';

/**
 * Opens the pools of connections. They connect when first used: with a database that is down the first query throws Unavailable.
 * Of several servers it uses the one that takes writes. An outage is logged once, and its end.
 * Throws (from queries): Unavailable when the database cannot be reached, refuses connections, runs out of disk or does not answer
 * in time; the driver's error otherwise.
 */
export function openDb({ url, log, connections, statementTimeoutMs, tracer }: DbOptions): Db & { connections(): Connections } {
  const config = connectionConfig(url, statementTimeoutMs);
  const servers = serversOf(config);
  const pools = openPools(config, connections, statementTimeoutMs !== null);
  const stopWatching = statementTimeoutMs === null ? () => undefined : watchServers(config);
  const closing = new AbortController();
  const { abandon, isCommitWaiting } = abandonConnections({ config, statementTimeoutMs: statementTimeoutMs ?? 0, closing: closing.signal });
  const outage = watchOutage(pools.all, log, closing.signal);

  const connectTo = async (pool: Pool): Promise<PoolClient> => {
    outage.mayTry(pool);
    const patientUntilMs = performance.now() + MOVING_MS;
    for (let failures = 0; ;) {
      const { current } = servers;
      try {
        const client = await pool.connect();
        if (!(client as unknown as ServerClient).isLeft) return client;
        // Our schema has moved to another node. Each connection is left once.
        client.release(true);
      } catch (error) {
        failures++;
        // Where the server was left, the next one may take writes. While a schema changes its node, for a moment none says that it has it.
        if (servers.current !== current && failures < servers.urls.length) continue;
        if (error instanceof SchemaElsewhere && performance.now() < patientUntilMs) {
          await setTimeout(ASK_AGAIN_MS);
          continue;
        }
        if ((error as Error).message.startsWith(NONE_FREE)) throw classify(error, 'connecting');
        throw outage.failed(pool, error as Error);
      }
    }
  };

  /** The standby takes commits in their order. So the next one would wait as well. */
  const refuseWhileWaiting = async (): Promise<void> => {
    if (await isCommitWaiting()) throw new Unavailable('database: a commit was not answered yet');
  };
  const refuseStandbysWait = async (): Promise<void> => (hasStandbys(servers) ? refuseWhileWaiting() : undefined);
  const gather = (pool: Pool, mostTogether?: number): Db['query'] =>
    gatherReads({ connect: () => connectTo(pool), abandon, isCommitWaiting, ...(mostTogether && { mostTogether }) }, tracer);
  // What is heavy leaves alone: those that are sent together are answered together.
  const gathered = { requests: gather(pools.reads), views: gather(pools.views, 1), jobs: gather(pools.jobs, 1) };

  const query: Db['query'] = (read, values) => gathered[currentLane()](read, values);

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing.abort();
    stopWatching();
    await Promise.all(pools.all.map((pool) => pool.end()));
  };

  return {
    transaction: async (work) => {
      await refuseWhileWaiting();
      return runTransaction(await connectTo(pools.writesOf()), abandon, work, tracer?.current());
    },
    // Of several servers, also what only reads ends with a commit that waits.
    query: servers.urls.length > 1 ? (read, values) => refuseStandbysWait().then(() => query(read, values)) : query,
    readTogether: async (work) => {
      await refuseStandbysWait();
      return readTogether(await connectTo(pools.readsOf()), abandon, work, tracer?.current());
    },
    connections: () => pools.count(),
    close: () => (closed ??= close()),
  };
}

/**
 * Watches whether the database is away: says so once in the log, and once when it is back.
 * Of many requests that come meanwhile one asks whether it still is: to connect in vain costs more than to refuse.
 */
function watchOutage(pools: readonly Pool[], log: Log, closing: AbortSignal) {
  let awaySince: number | undefined;
  let failures = 0;
  /** Those of another pool may be enough. */
  const refused = new Map<Pool, { readonly error: Error; readonly untilMs: number }>();
  const noteAway = ({ message: reason }: Error): void => {
    if (awaySince !== undefined || closing.aborted) return;
    awaySince = performance.now();
    log.warn({ reason }, 'the database is away');
  };
  for (const pool of pools) {
    // An idle connection that breaks is replaced when needed. Without a listener the event would end the process.
    pool.on('error', noteAway);
    pool.on('connect', () => {
      if (awaySince !== undefined) log.warn({ seconds: Math.round((performance.now() - awaySince) / 1000) }, 'the database is back');
      awaySince = undefined;
      failures = 0;
      refused.clear();
    });
  }
  return {
    /** Throws: Unavailable where another one has just tried. */
    mayTry: (pool: Pool): void => {
      const last = refused.get(pool);
      if (last !== undefined && pool.idleCount === 0 && performance.now() < last.untilMs) throw last.error;
    },
    /** Notes a connection that failed. Shape: why → what its caller gets. */
    failed: (pool: Pool, error: Error): Error => {
      noteAway(error);
      const away = classify(error, 'connecting');
      if (++failures > FIRST_FAILURES) refused.set(pool, { error: away, untilMs: performance.now() + REFUSED_MS });
      return away;
    },
  };
}

/** Opens the pools of all lanes; one for all, where they are not apart. */
function openPools(config: ClientConfig, connections: number, areApart: boolean) {
  const open = (max: number): Pool => new Pool({ ...config, max, Client: ServerClient as never });
  const most = shareOut(connections);
  const alone = areApart ? undefined : open(connections);
  const [writes, reads, views, jobs] = [most.writes, most.reads, most.views, most.jobs].map((max) => alone ?? open(max)) as [
    Pool,
    Pool,
    Pool,
    Pool,
  ];
  const all = [...new Set([writes, reads, views, jobs])];
  const sum = (pick: (pool: Pool) => number): number => all.reduce((total, pool) => total + pick(pool), 0);
  const beside = { views, jobs };
  const ofLane = (own: Pool): Pool => {
    const lane = currentLane();
    return lane === 'requests' ? own : beside[lane];
  };
  return {
    all,
    reads,
    views,
    jobs,
    writesOf: () => ofLane(writes),
    readsOf: () => ofLane(reads),
    count: (): Connections => ({
      used: sum(({ totalCount, idleCount }) => totalCount - idleCount),
      idle: sum(({ idleCount }) => idleCount),
      awaited: sum(({ waitingCount }) => waitingCount),
    }),
  };
}
