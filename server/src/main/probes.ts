import type { Db } from '../kit/db.ts';
import { sendJson, type HttpServer } from '../kit/http.ts';
import type { Log } from '../kit/log.ts';
import { migrationCheck, SchemaMismatch } from '../kit/migrate.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * GET /healthz: this process is alive. GET /readyz: the database answers and has the schema of this release, and the clocks agree.
 * They are for load balancers. 503 from /readyz means "send requests elsewhere", not "restart me".
 */
export function registerProbes(
  app: HttpServer,
  { db, log, notWriting }: { readonly db: Db; readonly log: Log; readonly notWriting?: () => string | undefined },
): void {
  app.get('/healthz', (_request, reply) => sendJson(reply, { status: 'alive' }));
  const isPending = migrationCheck(MIGRATIONS);
  let asking: Promise<string | undefined> | undefined;
  app.get('/readyz', async (_request, reply) => {
    // Requests that come together share one answer of the database.
    const reason = await (asking ??= notReady().finally(() => (asking = undefined)));
    if (reason === undefined) return sendJson(reply, { status: 'ready' });
    return sendJson(reply.header('retry-after', '1'), { status: 'not ready', reason }, 503);
  });

  async function notReady(): Promise<string | undefined> {
    try {
      return (await isPending(db)) ? 'the database lacks migrations of this release' : notWriting?.();
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'not ready');
      return error instanceof SchemaMismatch ? 'the database has the schema of another release' : 'the database does not answer';
    }
  }
}
