import { readFileSync } from 'node:fs';
import { sendJson, type HttpServer } from '../kit/http.ts';
import { managementDocument, type ManagementOperation } from '../manage/index.ts';
import { boundSchemas } from './bound-schemas.ts';

/** Adds the OpenAPI document of the management API. Nobody has to be signed in to read it. */
export function serveManageDocument(app: HttpServer, operations: readonly ManagementOperation<never>[]): void {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  let document: string | undefined;
  app.get('/manage/v1/openapi.json', (_request, reply) =>
    sendJson(reply, (document ??= JSON.stringify(boundSchemas(managementDocument(operations, version)), null, 2))),
  );
}
