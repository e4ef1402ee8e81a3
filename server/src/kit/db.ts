import { Client, DatabaseError, Pool, types as driverTypes, type ClientConfig, type CustomTypesConfig, type PoolClient } from 'pg';
import { exchange, type Parameter, type Part } from './db/letter.ts';
import type { Log } from './log.ts';

/** A prepared statement: parsed once per connection under its name. Text and name are fixed; only values vary. */
export type Statement = { readonly name: string; readonly text: string };

export type Value = string | number | bigint | boolean | null | Uint8Array | Temporal.Instant | Temporal.PlainDate | readonly Value[];

export type Tx = {
  /** Sends a statement and waits for its rows. The first one travels together with `begin`. */
  query<Row>(statement: Statement, values: readonly Value[]): Promise<Row[]>;
  /** Sends a statement that travels together with `commit`: its failure makes the whole transaction fail. */
  send(statement: Statement, values: readonly Value[]): void;
};

export type Db = {
  /** One transaction (read committed). `work` may run only statements of this `tx`; what it throws rolls everything back. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One statement, a transaction by itself. */
  query<Row>(statement: Statement, values: readonly Value[]): Promise<Row[]>;
  close(): Promise<void>;
};

export type DbOptions = {
  readonly url: string;
  readonly log: Log;
  /** Connections at most. Few suffice: a batch carries many requests on one. */
  readonly connections: number;
  /** A statement that takes longer is cut off; null for the command line, whose imports may take minutes. */
  readonly statementTimeoutMs: number | null;
};

/** The database cannot serve now: the caller answers 503 with Retry-After. Nothing is known to be written. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

const declared = new Map<string, Statement>();

/** Declares a statement. Names are unique in the whole service; a test prepares every declared statement against the schema. */
export function statement(name: string, text: string): Statement {
  if (declared.has(name)) throw new Error(`two statements are called ${name}`);
  const made = { name, text };
  declared.set(name, made);
  return made;
}

/** All declared statements, for the test that prepares them. */
export function declaredStatements(): readonly Statement[] {
  return [...declared.values()];
}

/** The rows of a page share few days, and a day never changes: each is made once. Emptied when full, which takes 270 years of days. */
const days = new Map<string, Temporal.PlainDate>();
const MAX_DAYS = 100_000;

/** A day as the database prints it, `YYYY-MM-DD`. */
export function storedDay(text: string): Temporal.PlainDate {
  let day = days.get(text);
  if (day === undefined) {
    if (days.size === MAX_DAYS) days.clear();
    day = Temporal.PlainDate.from(text);
    days.set(text, day);
  }
  return day;
}

/** The driver's own parsers lose data: days become instants of the local zone, microseconds vanish, numeric arrays become floats. */
const EXACT: readonly { readonly oid: number; readonly arrayOid: number; readonly parse: (text: string) => unknown }[] = [
  { oid: 20, arrayOid: 1016, parse: BigInt },
  { oid: 1082, arrayOid: 1182, parse: storedDay },
  { oid: 1184, arrayOid: 1185, parse: (timestamptz) => Temporal.Instant.from(timestamptz) },
  { oid: 1700, arrayOid: 1231, parse: (numeric) => numeric },
];
const driverParser: (oid: number, format?: 'text' | 'binary') => (text: string) => unknown = driverTypes.getTypeParser;
const TEXT_ARRAY_OID = 1009;
const parseTexts = driverParser(TEXT_ARRAY_OID) as (text: string) => (string | null)[];

const exactParsers: ReadonlyMap<number, (text: string) => unknown> = new Map(
  EXACT.flatMap(({ oid, arrayOid, parse }) => [
    [oid, parse],
    [arrayOid, (text: string) => parseTexts(text).map((one) => (one === null ? null : parse(one)))],
  ]),
);
const types: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : exactParsers.get(oid)) ?? driverParser(oid, format),
};

const partOf = ({ name, text }: Statement, values: readonly Value[]): Part => ({
  statement: { name, text },
  values: values.map(toParameter),
  rows: [],
});

function toParameter(value: Value): Parameter {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return isArray(value) ? arrayText(value) : scalarText(value);
}

const isArray: (value: Value) => value is readonly Value[] = Array.isArray;
const arrayText = (values: readonly Value[]): string => `{${values.map(elementText).join(',')}}`;

function elementText(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${value.replace(/[\\"]/g, '\\$&')}"`;
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return isArray(value) ? arrayText(value) : scalarText(value);
}

const scalarText = (value: number | bigint | boolean | Temporal.Instant | Temporal.PlainDate): string =>
  typeof value === 'object' ? storedTime(value) : String(value);

/** An instant or a day as PostgreSQL reads it: the end of the last day there is lies in the year that ISO 8601 writes +010000 and PostgreSQL 10000. */
export function storedTime(time: Temporal.Instant | Temporal.PlainDate): string {
  const text = time.toString();
  return text.startsWith('+0') ? text.slice(2) : text;
}

/** Time that a connection attempt, or the wait for a free connection, may take before the request is answered 503. */
const CONNECT_TIMEOUT_MS = 1_500;
/** What the client waits beyond the server's own statement time-out before it takes the connection for dead. */
const DEAD_CONNECTION_MARGIN_MS = 500;

/** True for a connection string that the driver can read; whether anything answers there is another question. */
export function isDatabaseUrl(text: string): boolean {
  try {
    return /^postgres(ql)?:\/\//.test(text) && new Client({ connectionString: text }).host !== '';
  } catch {
    return false;
  }
}

/** Dates and instants arrive in one known form, whatever the server's configuration says. */
const ONE_FORM = '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601 -c client_encoding=UTF8';
/**
 * A prepared statement keeps its plan, and one that was planned on a table that was still empty is a scan of all of it: locking 64 orders
 * among 100,000 took 60 ms until the next analyze. Every statement that serves has an index; with these it is planned so from the first row on,
 * and once: left to itself PostgreSQL plans the list anew for every call, because of its limit, which doubles the time of a page.
 */
const BY_INDEX = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/** Connection settings that every connection to our database shares, also those made outside the pool (listen, copy). */
export function connectionConfig(url: string, statementTimeoutMs: number | null): ClientConfig {
  return {
    connectionString: url,
    types,
    application_name: 'caudal',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: statementTimeoutMs === null ? ONE_FORM : `${ONE_FORM} ${BY_INDEX}`,
    keepAlive: true,
    ...(statementTimeoutMs === null
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          query_timeout: statementTimeoutMs + DEAD_CONNECTION_MARGIN_MS,
          idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
        }),
  };
}

/** Single statements under way at once, in as many letters, unless those take long. */
const READERS = 4;
/** Most statements of one letter. They are answered together, so a slow one keeps the others waiting. */
const MAX_TOGETHER = 4;
/** A letter leaves after this time though all readers are busy: one slow statement must not keep everyone waiting. */
const PATIENCE_MS = 5;

/**
 * Gathers single statements that are asked for at the same time: they travel together, on one connection. For whoever asks
 * each is a transaction by itself: what another one undoes runs again.
 * Shape: as Db.query. As with batches there is no timer for a lone statement, and under load the letters grow by themselves.
 */
function gatherReads(connect: () => Promise<PoolClient>): Db['query'] {
  type Read = Part & { readonly resolve: (rows: unknown[]) => void; readonly reject: (error: unknown) => void };
  let waiting: Read[] = [];
  let reading = 0;
  let patience: NodeJS.Timeout | undefined;

  async function read(together: readonly Read[]): Promise<void> {
    let client: PoolClient;
    try {
      client = await connect();
    } catch (error) {
      for (const { reject } of together) reject(error);
      return;
    }
    const failure = await exchange(client, together, types);
    if (failure === undefined) {
      for (const { resolve, rows } of together) resolve(rows);
      return client.release();
    }
    const { at, error } = failure;
    const fault = classify(error);
    client.release(fault instanceof Unavailable);
    // Where the database has refused one it has undone the whole letter: the others run again, each alone. So does one that fell victim to them.
    const again =
      error instanceof DatabaseError && together.length > 1 ? together.filter((_, index) => index !== at || isRetryable(error)) : [];
    for (const one of together) if (!again.includes(one)) one.reject(fault);
    await Promise.all(again.map((one) => read([{ ...one, rows: [] }])));
  }

  function leave(): void {
    clearTimeout(patience);
    patience = undefined;
    const together = waiting.slice(0, MAX_TOGETHER);
    waiting = waiting.slice(MAX_TOGETHER);
    reading++;
    void read(together).finally(() => {
      reading--;
      leaveIfFree();
    });
    leaveIfFree();
  }

  function leaveIfFree(): void {
    if (waiting.length === 0) return;
    if (reading < READERS) leave();
    else patience ??= setTimeout(leave, PATIENCE_MS);
  }

  return <Row>(statement: Statement, values: readonly Value[]) =>
    new Promise<Row[]>((resolve, reject) => {
      waiting.push({ ...partOf(statement, values), resolve: resolve as (rows: unknown[]) => void, reject });
      if (waiting.length === 1) setImmediate(leaveIfFree);
    });
}

const BEGIN: Statement = { name: 'begin', text: 'begin' };
const COMMIT: Statement = { name: 'commit', text: 'commit' };
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback' };

/**
 * Opens a pool of connections. Connects lazily: a database that is down at start is met as Unavailable by the first query.
 * Throws (from queries): Unavailable when the database cannot be reached, refuses connections, runs out of disk or does not answer
 * in time; the driver's error otherwise.
 */
export function openDb({ url, log, connections, statementTimeoutMs }: DbOptions): Db {
  const pool = new Pool({ ...connectionConfig(url, statementTimeoutMs), max: connections });
  // An idle connection that breaks is replaced when needed; without a listener the event would end the process.
  pool.on('error', (error) => log.warn({ error }, 'an idle database connection broke'));
  // So would that of one in use. Its statements fail with the same error, and the pool does not take it back.
  pool.on('connect', (client) => void client.on('error', () => undefined));

  const connect = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw classify(error, 'connecting');
    }
  };

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await connect();
    let pending: Part[] = [partOf(BEGIN, [])];
    let posted = Promise.resolve();
    let posting: Promise<void> | undefined;

    /** Everything that waits leaves in one letter, once the one before it is answered. */
    const post = (): Promise<void> => {
      posted = posted.then(async () => {
        const parts = pending;
        pending = [];
        const failure = parts.length === 0 ? undefined : await exchange(client, parts, types);
        if (failure !== undefined) throw failure.error;
      });
      return posted;
    };
    /** The queries of one tick leave together. */
    const postSoon = (): Promise<void> =>
      (posting ??= new Promise((resolve) => {
        process.nextTick(() => {
          posting = undefined;
          resolve(post());
        });
      }));

    try {
      const result = await work({
        query: async <Row>(statement: Statement, values: readonly Value[]) => {
          const part = partOf(statement, values);
          pending.push(part);
          await postSoon();
          return part.rows as Row[];
        },
        send: (statement, values) => void pending.push(partOf(statement, values)),
      });
      pending.push(partOf(COMMIT, []));
      await post(); // Throws too where a query failed before, whatever the work made of it.
      client.release();
      return result;
    } catch (error) {
      pending = [];
      await posted.catch(() => undefined);
      const fault = classify(error);
      const isRolledBack = !(fault instanceof Unavailable) && (await exchange(client, [partOf(ROLLBACK, [])], types)) === undefined;
      client.release(!isRolledBack);
      throw fault;
    }
  }

  return {
    transaction,
    query: gatherReads(connect),
    close: () => pool.end(),
  };
}

/** SQLSTATE classes and codes that say "not now" rather than "not so". */
const UNAVAILABLE_STATES = /^(08|53|57P0[1-5]|57014|58|25006|55P03|25P0[3-4])/;
const RETRYABLE_STATES = new Set(['40001', '40P01', '23505']);

const sqlState = (error: unknown): string | undefined => (error instanceof DatabaseError ? error.code : undefined);

/** True for the loss of a race in the database (unique key, deadlock, serialization): the same work may succeed when run again. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && RETRYABLE_STATES.has(state);
}

/** Turns what the driver throws when the database is away into Unavailable; any other error stays as it is. */
export function classify(error: unknown, doing: 'connecting' | 'querying' = 'querying'): Error {
  if (error instanceof Unavailable) return error;
  const state = sqlState(error);
  if (state !== undefined) {
    const away = doing === 'connecting' || UNAVAILABLE_STATES.test(state);
    return away ? new Unavailable(`database: ${(error as Error).message}`, { cause: error }) : (error as Error);
  }
  // The driver reports lost sockets and time-outs as plain errors or system errors, never as DatabaseError.
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  const lost =
    doing === 'connecting' ||
    typeof code === 'string' ||
    /^(Connection terminated|Query read timeout|timeout exc|Client (was closed|has encountered)|Cannot use a pool)/i.test(message);
  return lost ? new Unavailable(`database: ${message}`, { cause: error }) : error instanceof Error ? error : new Error(message);
}
