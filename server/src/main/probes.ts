import { statement, type Db } from '../kit/db.ts';
import { sendJson, type HttpServer } from '../kit/http.ts';
import type { Log } from '../kit/log.ts';

const APPLIED_VERSION = statement('main.applied_version', `select max(version) as version from schema_migrations`);

/**
 * GET /healthz: this process is alive. GET /readyz: it can serve – the database answers and has the schema of this release.
 * For load balancers and orchestrators; 503 from /readyz means "send requests elsewhere", not "restart me".
 */
export function registerProbes(
  app: HttpServer,
  { db, log, newestVersion }: { readonly db: Db; readonly log: Log; readonly newestVersion: number },
): void {
  app.get('/healthz', (_request, reply) => sendJson(reply, { status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = await notReady();
    if (reason === undefined) return sendJson(reply, { status: 'ready' });
    return sendJson(reply.header('retry-after', '1'), { status: 'not ready', reason }, 503);
  });

  async function notReady(): Promise<string | undefined> {
    try {
      const [row] = await db.query<{ version: number | null }>(APPLIED_VERSION, []);
      return row?.version === newestVersion ? undefined : 'the database has another schema version';
    } catch (error) {
      log.warn({ error }, 'not ready');
      return 'the database does not answer';
    }
  }
}
