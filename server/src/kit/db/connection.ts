import { Client } from 'pg';
import { exactTypes } from './parsers.ts';
import { splitServers, type ServerConfig } from './servers.ts';

/** How long connecting, or waiting for a free connection, may take. Then the request is answered 503. */
const CONNECT_TIMEOUT_MS = 1_500;
/**
 * How long a statement that serves requests may wait for a row that another transaction holds. Our own transactions hold a row for some
 * milliseconds. Most rows are asked for without waiting (kit/changes).
 */
const LOCK_TIMEOUT_MS = 500;
/** How much longer than the server's own statement time-out the client waits. Then it treats the connection as dead. */
const DEAD_CONNECTION_MARGIN_MS = 500;

/** True for a connection string that can be read. It does not connect. */
export const isDatabaseUrl = (text: string): boolean => splitServers(text) !== undefined;

const clientsOf = (url: string): readonly Client[] => (splitServers(url) ?? []).map((one) => new Client({ connectionString: one }));

/** Names the database of a connection string, and where it is. The text holds no user and no password. */
export function describeDatabase(url: string): string {
  const clients = clientsOf(url);
  return `${clients[0]?.database} on ${clients.map(({ host, port }) => (host.startsWith('/') ? host : `${host}:${port}`)).join(', ')}`;
}

/** The connection strings of the servers that one names: a primary and its standbys, or one alone. */
export const serversIn = (url: string | undefined): readonly string[] => (url === undefined ? [] : (splitServers(url) ?? []));

/** The users of a connection string, each with its password. */
export const loginsOf = (
  url: string | undefined,
): readonly { readonly user: string | undefined; readonly password: string | undefined }[] =>
  url === undefined
    ? []
    : clientsOf(url)
        .slice(0, 1)
        .map(({ user, password }) => ({ user, password: typeof password === 'string' ? password : undefined }));

/** The user of a connection string. */
export const userOf = (url: string): string | undefined => clientsOf(url)[0]?.user;

/** Hosts whose connections stay on this machine. A path is the directory of a Unix socket. */
const LOCAL_HOST = /^(?:\/.*|localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/** True where statements of this connection string would leave the machine without TLS, or to a server that proves nothing. */
export function mayBeReadOnTheWay(url: string): boolean {
  const clients = clientsOf(url) as unknown as readonly { host: string; ssl: boolean | { rejectUnauthorized?: boolean } }[];
  return clients.some(({ host, ssl }) => !LOCAL_HOST.test(host) && (typeof ssl === 'boolean' ? !ssl : ssl.rejectUnauthorized === false));
}

/** Dates and instants arrive in one known form, whatever the server's configuration says. */
const ONE_FORM = '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601 -c client_encoding=UTF8';
/**
 * No statement is compiled to machine code. PostgreSQL compiles what it expects to cost much, and a scan that BY_INDEX discourages counts as
 * 10,000,000,000. So it compiled the read of a table with a single row: 5.2 ms each time in place of 0.02, and 91 ms in a new session (15.18).
 */
const NOT_COMPILED = '-c jit=off';
/**
 * Every statement that serves requests has an index. These settings make PostgreSQL plan it once, and by index from the first row on.
 * A prepared statement keeps its plan, and a plan made on an empty table scans all of it.
 * With such a plan locking 64 orders among 100,000 took 60 ms until the next analyze.
 * By default PostgreSQL plans a list again for each call, because of its limit. That doubles the time of a page.
 * A bitmap reads all that a key has before the first row is known. In a table full of former versions those are thousands (decision 0053).
 */
const BY_INDEX =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/** The driver would take the options of a connection string in place of ours. They come after ours, so that each of them wins. */
function takeOptions(url: string): { readonly rest: string; readonly own: readonly string[] } {
  const [before, query] = url.split(/\?(.*)/s) as [string, string?];
  const parameters = new URLSearchParams(query);
  const own = parameters.getAll('options');
  if (own.length === 0) return { rest: url, own };
  parameters.delete('options');
  return { rest: parameters.size === 0 ? before : `${before}?${parameters.toString()}`, own };
}

/** Settings that all our connections share, also those outside the pool (listen, copy). A null time-out is for the command line. */
export function connectionConfig(url: string, statementTimeoutMs: number | null): ServerConfig {
  const { rest, own } = takeOptions(url);
  return {
    connectionString: rest,
    named: url,
    types: exactTypes,
    application_name: 'caudal',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: [ONE_FORM, NOT_COMPILED, ...(statementTimeoutMs === null ? [] : [BY_INDEX]), ...own].join(' '),
    keepAlive: true,
    ...(statementTimeoutMs === null
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          lock_timeout: LOCK_TIMEOUT_MS,
          query_timeout: statementTimeoutMs + DEAD_CONNECTION_MARGIN_MS,
          idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
        }),
  };
}
