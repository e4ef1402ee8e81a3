import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig, PoolClient } from 'pg';
import { connectClient } from './servers.ts';

/** How often the database is asked about an abandoned statement. */
const AGAIN_MS = 1_000;
/** How long a write waits for the first of these answers. A database that does not answer it would not answer the write. */
const PATIENCE_MS = 1_500;

/**
 * Ends a statement, unless it is a commit that waits for a standby, or may come to that: where a standby is named, no commit is cancelled.
 * Returns a row while the statement is there, with whether it is such a commit.
 * A younger statement is another one. Then the server is another one, or the process serves somebody else by now.
 */
const CANCEL = `select "isCommit", case when not "isCommit" then pg_cancel_backend(pid) end
  from (select pid, wait_event is not distinct from 'SyncRep' or $3 and current_setting('synchronous_standby_names') <> '' as "isCommit"
          from pg_stat_activity
         where pid = $1 and state = 'active' and query_start <= clock_timestamp() - $2 * interval '1 millisecond') as abandoned`;

type Abandoning = { readonly config: ClientConfig; readonly statementTimeoutMs: number; readonly closing: AbortSignal };

/** What is known of an abandoned statement. `unknown`: of a commit, until the database has answered once. */
type Standing = 'over' | 'statement' | 'commit' | 'unknown';

/** Gives up a connection. `wrote`: the commit of a transaction that wrote was sent on it, and not answered. */
export type Abandon = (client: PoolClient, wrote: boolean) => Promise<void>;

export type Abandoned = {
  /** Ends the statement of a connection, then the connection. It counts as taken until both are gone. */
  readonly abandon: Abandon;
  /**
   * Whether a commit waits for a standby. Only a commit can, and only where a standby is named synchronous: the database is asked that.
   * No read makes anybody wait here.
   */
  readonly isCommitWaiting: () => boolean | Promise<boolean>;
};

/**
 * Gives up connections whose statement was not answered in time, such as a commit that waits for a standby.
 * PostgreSQL ends no commit by a time-out of its own, and we cancel none. Once cancelled, it is kept by this server alone, and everybody reads it.
 * A repeated request would then be acknowledged by what a fail-over loses.
 * The caller was answered before: whether anything was written is unknown.
 */
export function abandonConnections({ config, statementTimeoutMs, closing }: Abandoning): Abandoned {
  let turn = Promise.resolve();
  /** Commits that wait, or that nobody could ask for. */
  let commits = 0;
  /** Commits of which nothing is known yet. */
  const unknown = new Set<Promise<unknown>>();

  /** Asks the server. One after the other: they take few connections beside the pool's. */
  async function look(processId: number, wrote: boolean): Promise<Standing> {
    try {
      const canceller = await connectClient(config);
      const { rows } = await canceller
        .query<{ isCommit: boolean }>(CANCEL, [processId, statementTimeoutMs, wrote])
        .finally(() => void canceller.end().catch(() => undefined));
      if (rows[0] === undefined) return 'over';
      return rows[0].isCommit ? 'commit' : 'statement';
    } catch {
      return 'unknown';
    }
  }

  async function untilOver(processId: number, wrote: boolean, answered: AbortSignal, onLook: () => void): Promise<void> {
    let isCounted = false;
    const count = (isCommit: boolean): void => {
      if (isCommit !== isCounted) commits += isCommit ? 1 : -1;
      isCounted = isCommit;
    };
    while (!answered.aborted) {
      const asked = turn.then(() => (answered.aborted ? 'over' : look(processId, wrote)));
      turn = asked.then(() => undefined);
      const standing = await asked;
      count(!answered.aborted && (standing === 'commit' || (standing === 'unknown' && wrote)));
      onLook();
      if (standing === 'over') break;
      await delay(AGAIN_MS, undefined, { signal: answered }).catch(() => undefined);
    }
    count(false);
    onLook();
  }

  return {
    isCommitWaiting: () => {
      if (commits > 0 || unknown.size === 0) return commits > 0;
      const patience = delay(PATIENCE_MS, 'late' as const, { ref: false });
      return Promise.race([Promise.all(unknown), patience]).then((known) => known === 'late' || commits > 0);
    },
    abandon: async (client, wrote) => {
      const answered = new AbortController();
      const stop = (): void => answered.abort();
      client.once('drain', stop);
      client.once('end', stop);
      const looked = Promise.withResolvers<void>();
      if (wrote) unknown.add(looked.promise);
      const { processID } = client as unknown as { readonly processID: number };
      await untilOver(processID, wrote, AbortSignal.any([answered.signal, closing]), () => {
        unknown.delete(looked.promise);
        looked.resolve();
      });
      client.release(true);
    },
  };
}
