import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig, PoolClient } from 'pg';
import { connectClient } from './servers.ts';

/** How often the database is asked about an abandoned statement. */
const AGAIN_MS = 1_000;

/**
 * Ends a statement, unless it is a commit that waits for a standby. Returns a row while the statement is there.
 * A younger statement is another one. Then the server is another one, or the process serves somebody else by now.
 */
const CANCEL = `select case when wait_event is distinct from 'SyncRep' then pg_cancel_backend(pid) end from pg_stat_activity
  where pid = $1 and state = 'active' and query_start <= clock_timestamp() - $2 * interval '1 millisecond'`;

type Abandoning = { readonly config: ClientConfig; readonly statementTimeoutMs: number; readonly closing: AbortSignal };

export type Abandoned = {
  /** Ends the statement of a connection, then the connection. It counts as taken until both are gone. */
  abandon(client: PoolClient): Promise<void>;
  /** Whether an abandoned statement may still be under way. */
  isWaiting(): boolean;
};

/**
 * Gives up connections whose statement was not answered in time, such as a commit that waits for a standby.
 * PostgreSQL ends no commit by a time-out of its own, and we cancel none. Once cancelled, it is kept by this server alone, and everybody reads it.
 * A repeated request would then be acknowledged by what a fail-over loses.
 * The caller was answered before: whether anything was written is unknown.
 */
export function abandonConnections({ config, statementTimeoutMs, closing }: Abandoning): Abandoned {
  let turn = Promise.resolve();
  let waiting = 0;

  /** True where the server runs no such statement. One after the other: they take few connections beside the pool's. */
  async function isOver(processId: number): Promise<boolean> {
    try {
      const canceller = await connectClient(config);
      const { rowCount } = await canceller
        .query(CANCEL, [processId, statementTimeoutMs])
        .finally(() => void canceller.end().catch(() => undefined));
      return rowCount === 0;
    } catch {
      return false;
    }
  }

  async function cancel(processId: number, answered: AbortSignal): Promise<void> {
    while (!answered.aborted) {
      const asked = turn.then(() => answered.aborted || isOver(processId));
      turn = asked.then(() => undefined);
      if (await asked) return;
      await delay(AGAIN_MS, undefined, { signal: answered }).catch(() => undefined);
    }
  }

  return {
    isWaiting: () => waiting > 0,
    abandon: async (client) => {
      waiting++;
      const answered = new AbortController();
      const stop = (): void => answered.abort();
      client.once('drain', stop);
      client.once('end', stop);
      const { processID } = client as unknown as { readonly processID: number };
      await cancel(processID, AbortSignal.any([answered.signal, closing]));
      waiting--;
      client.release(true);
    },
  };
}
