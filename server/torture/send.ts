import { signingSecretOf } from '../src/networks/index.ts';
import { signatureHeaders } from '../src/requests/index.ts';
import { Contradiction } from './possible.ts';

export type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object | undefined;
  readonly key?: string | undefined;
  /** The secret of the network that signs it. */
  readonly signedBy?: string | undefined;
  /** The access token of a request of the management API. */
  readonly bearer?: string | undefined;
};
/** An answer that decides: success or a refusal. */
export type Answer = { readonly code: string; readonly data: Readonly<Record<string, unknown>>; readonly version: string | null };

/** A client gives a request up after this time. */
const PATIENCE_MS = 8_000;
const DECIDED = new Set([200, 412, 422]);
/** In the management API, whose problems have names. */
const DECIDED_BY_NAME = new Set([200, 201, 404, 409, 412, 422]);

/**
 * Sends a request over HTTP. Undefined: nobody knows whether it was carried out.
 * Throws: Contradiction for an answer that no operation has, such as a status 500.
 */
export async function send(origin: string, { method, path, body, key, signedBy, bearer }: Request): Promise<Answer | undefined> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const content = { method, url: path, body: Buffer.from(payload ?? '') };
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(signedBy === undefined ? {} : signatureHeaders(signingSecretOf(signedBy), content, Temporal.Now.instant())),
  };
  let reply: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    reply = await fetch(origin + path, { method, headers, signal, redirect: 'error', ...(payload === undefined ? {} : { body: payload }) });
    text = await reply.text();
  } catch {
    return undefined;
  }
  if (reply.status === 503 && reply.headers.get('retry-after') === null)
    throw new Contradiction(`${method} ${path}: 503 without Retry-After`);
  if (bearer !== undefined && DECIDED_BY_NAME.has(reply.status)) return managedAnswer(reply, text);
  // 409: the same request is being carried out.
  if (reply.status === 503 || reply.status === 409) return undefined;
  if (!DECIDED.has(reply.status)) throw new Contradiction(`${method} ${path} was answered HTTP ${reply.status}: ${text}`);
  const { CODE, DATA, code = CODE, data = DATA } = JSON.parse(text) as Record<string, string> & { DATA?: object; data?: object };
  return { code: String(code), data: (data ?? {}) as Answer['data'], version: reply.headers.get('etag') };
}

/** An answer of the management API. A request whose key is in flight is not decided yet. */
function managedAnswer(reply: Response, text: string): Answer | undefined {
  const data = JSON.parse(text) as Answer['data'];
  const code = reply.ok ? '0000' : String(data['type']).replace('/docs/problems/', '');
  return code === 'key_in_flight' ? undefined : { code, data, version: reply.headers.get('etag') };
}
