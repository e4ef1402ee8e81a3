import type { HttpServer } from '../kit/http.ts';
import { parseQuery } from '../kit/query-string.ts';
import { readInbox, type InboxEntry, type InboxFilter, type InboxRoom } from './inbox.ts';
import type { SandboxSchemas } from './sandbox-schemas.wire.ts';
import { PARAMETER_INVALID, sendDone, sendRefused } from './sandbox.wire.ts';

// GET /sandbox/v1/inbox: contract §7.6.

const MERCHANT = /^[A-Za-z0-9_.-]{1,50}$/;
const LIMIT = /^[1-9][0-9]{0,2}$/;
const MOST_ENTRIES = 500;
const DEFAULT_ENTRIES = 50;

/** Adds the inbox for programs. */
export function addInbox(app: HttpServer, room: InboxRoom, schemas: SandboxSchemas): void {
  app.get('/sandbox/v1/inbox', { schema: schemas.readInbox }, async (request, reply) => {
    const filter = readInboxFilter(request.raw.url as string);
    if (filter === undefined) return sendRefused(reply, PARAMETER_INVALID, `The parameters are merchant and limit, 1 to ${MOST_ENTRIES}`);
    return sendDone(reply, { messages: (await readInbox(room, filter)).map(renderEntry) });
  });
}

/** Reads `merchant` and `limit`, both optional; undefined where one is misshapen. */
export function readInboxFilter(url: string): InboxFilter | undefined {
  const query = parseQuery(url);
  if (!(query instanceof Map)) return undefined;
  const merchantId = query.get('merchant') || undefined;
  const limit = query.get('limit') || String(DEFAULT_ENTRIES);
  if ((merchantId !== undefined && !MERCHANT.test(merchantId)) || !LIMIT.test(limit) || Number(limit) > MOST_ENTRIES) return undefined;
  return { merchantId, limit: Number(limit) };
}

function renderEntry({ merchantId, subjectId, id, at, ...rest }: InboxEntry): object {
  return { id: id.toString(), merchant: merchantId, about: subjectId, at: at.toString(), ...rest };
}
