import type { InjectOptions } from 'fastify';
import type { Answer } from './model/model.ts';
import type { Server } from './servers.ts';

/** An answer that no operation may send. */
class Fault extends Error {
  override readonly name = 'Fault';
}

type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
};

/** Sends a request. Undefined: its answer was lost. Throws: Fault for a status that no decision has. */
export async function inject(server: Server, { method, url, headers, body }: HttpRequest, decided: ReadonlySet<number>) {
  const options: InjectOptions = { method, url, headers, ...(body === undefined ? {} : { payload: JSON.stringify(body) }) };
  const reply = await server.service.app.inject(options).catch((error: unknown) => {
    // A server that is closing takes no requests.
    if (server.isClosing()) return undefined;
    throw error;
  });
  if (reply === undefined || reply.statusCode === 503) return undefined;
  if (!decided.has(reply.statusCode)) throw new Fault(`${method} ${url} was answered HTTP ${reply.statusCode}: ${reply.body}`);
  return reply;
}

/** What a query shows of an order without a payment. */
const NO_TRANSACTION = { 'TRANSACTION.ID': '', 'TRANSACTION.SOURCE': '', 'TRANSACTION.NUMBER': '', 'TRANSACTION.STATE': '' };

/** Turns all values into texts. Members of an object get its name before theirs. */
export function flatten(shown: object, under = ''): Answer {
  const flat: Record<string, string> = 'TRANSACTION' in shown ? { ...NO_TRANSACTION } : {};
  for (const [name, value] of Object.entries(shown)) {
    if (typeof value === 'object' && value !== null) Object.assign(flat, flatten(value as object, `${under}${name}.`));
    else if (name !== 'checkout') flat[`${under}${name}`] = String(value);
  }
  return flat;
}
