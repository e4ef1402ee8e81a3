import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../kit/db.ts';
import { sendJson, type HttpServer } from '../kit/http.ts';
import type { Log } from '../kit/log.ts';
import type { PerCell } from '../kit/per-cell.ts';
import { migrationCheck, SchemaMismatch } from '../kit/migrate.ts';
import { MIGRATIONS } from './migrations.ts';

/** A balancer waits for a second or two. A cell that hangs keeps no server from it. */
const ANSWER_MS = 800;

/** A cell, as far as the probes ask: why nothing is written to it now, where the clocks are apart. */
type ProbedCell = { readonly name: string; readonly db: Db; readonly notWriting: () => string | undefined };

/**
 * GET /healthz: this process is alive. GET /readyz: the database answers and has the schema of this release, and the clocks agree.
 * They are for load balancers. 503 from /readyz means "send requests elsewhere", not "restart me". Of several cells one is enough, since
 * another server reaches those that are away no more than this one; the answer names them.
 */
export function registerProbes(app: HttpServer, { cells, log }: { readonly cells: PerCell<ProbedCell>; readonly log: Log }): void {
  app.get('/healthz', (_request, reply) => sendJson(reply, { status: 'alive' }));
  const isPending = migrationCheck(MIGRATIONS);
  let asking: Promise<readonly (readonly [name: string, reason: string | undefined])[]> | undefined;
  const inTime = async (cell: ProbedCell): Promise<string | undefined> => {
    if (cells.isAlone) return notReady(cell);
    const late = delay(ANSWER_MS, 'the database does not answer in time', { ref: false });
    return Promise.race([notReady(cell), late]);
  };
  const askAll = () => Promise.all(cells.all.map(async ([, cell]) => [cell.name, await inTime(cell)] as const));
  app.get('/readyz', async (_request, reply) => {
    // Requests that come together share one answer of the databases.
    const answers = await (asking ??= askAll().finally(() => (asking = undefined)));
    const away = answers.filter(([, reason]) => reason !== undefined);
    if (away.length === 0) return sendJson(reply, { status: 'ready' });
    if (away.length < answers.length) return sendJson(reply, { status: 'ready', away: Object.fromEntries(away) });
    return sendJson(reply.header('retry-after', '1'), { status: 'not ready', reason: away[0]?.[1] }, 503);
  });

  async function notReady({ db, notWriting }: ProbedCell): Promise<string | undefined> {
    try {
      return (await isPending(db)) ? 'the database lacks migrations of this release' : notWriting();
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'not ready');
      return error instanceof SchemaMismatch ? 'the database has the schema of another release' : 'the database does not answer';
    }
  }
}
