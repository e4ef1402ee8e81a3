import { callbackify } from 'node:util';
import { Client, DatabaseError, type ClientConfig } from 'pg';
import { classify, isConnectionLost, TakesNoWrites, Unavailable } from './faults.ts';

/** User and password, servers, then database and options. What has a meaning of its own elsewhere is percent-encoded. */
const CONNECTION_STRING = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)((?:\/[^/?#@]*)?(?:\?[^#@]*)?)$/;

/** What a server must be for us. The other values of libpq name servers that take no writes. */
const WRITING = new Set(['read-write', 'primary']);

/** The connection strings of the servers that a connection string names, in its order. Undefined: it cannot be read. */
export function splitServers(text: string): readonly string[] | undefined {
  const [, before, hosts, after] = CONNECTION_STRING.exec(text) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) return undefined;
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  return urls.every(isReadable) && (urls.length === 1 || hosts.split(',').every((host) => host !== '')) ? urls : undefined;
}

function isReadable(url: string): boolean {
  try {
    const { host, target_session_attrs: target } = optionsOf(url);
    return (
      (host === null || !host.includes(',')) &&
      (target === null || WRITING.has(target)) &&
      new Client({ connectionString: url }).host !== ''
    );
  } catch {
    return false;
  }
}

function optionsOf(url: string): { readonly host: string | null; readonly target_session_attrs: string | null } {
  const options = new URLSearchParams(/\?.*$/.exec(url)?.[0]);
  return { host: options.get('host'), target_session_attrs: options.get('target_session_attrs') };
}

/**
 * The servers of a connection string, and what this process knows of them. One of them takes writes, and the others are its standbys.
 * Or they are the nodes of a Citus cluster, one of which holds our schema.
 */
export type Servers = {
  readonly urls: readonly string[];
  /** Whether each new connection asks its server whether it takes writes. */
  readonly areAsked: boolean;
  /** The server that took writes last, as a place in `urls`. Until one did: the next one to try. */
  current: number;
  /** The node of a cluster that was last seen to hold our schema, as a place in `urls`. Undefined: they are no nodes of a cluster. */
  holder: number | undefined;
  /** The newest timeline that a server was on. Each promotion of a standby begins one. */
  timeline: number;
  readonly clients: Set<ServerClient>;
};

const known = new Map<string, Servers>();

/**
 * `named`: the connection string as it was given, with the options that may name a schema. Absent: it has none. `takesAnyNode`: it looks at
 * no table, so any node of a cluster will do: none holds our schema before it is made.
 */
export type ServerConfig = ClientConfig & { readonly named?: string; readonly takesAnyNode?: true };

/** All connections of the process share what is known of the servers of one connection string. Two schemas may be on two nodes. */
export function serversOf({ connectionString: url = '', named = url }: ServerConfig): Servers {
  let servers = known.get(named);
  if (servers === undefined) {
    const urls = splitServers(url) ?? [url];
    const areAsked = urls.length > 1 || optionsOf(url).target_session_attrs !== null;
    known.set(named, (servers = { urls, areAsked, current: 0, holder: undefined, timeline: 0, clients: new Set() }));
  }
  return servers;
}

/** A primary that was replaced goes on for a while where the network is cut. It is known by its older timeline. */
const ASK_SERVER = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
  to_regclass('pg_catalog.pg_dist_placement') is not null as "isNode",
  case when pg_is_in_recovery() then 0 else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;

/**
 * Whether this node of a Citus cluster holds the tables of our schema. Where the schema is not distributed, the node that has it does.
 * Any other node carries each statement out there, at twice the work. It has locks, messages and numbers of transactions of its own.
 */
const HOLDS_SCHEMA = `select coalesce((
    select p.groupid = l.groupid from pg_dist_shard s join pg_dist_placement p using (shardid) cross join pg_dist_local_group l
     where s.logicalrelid = to_regclass('schema_migrations')), to_regclass('schema_migrations') is not null) as "isHere"`;

/** Citus makes no plan of some statements before it knows their values. PostgreSQL then keeps a general one only where that costs no more. */
const PLAN_BY_VALUES = 'set plan_cache_mode = auto';

/** Another node of the cluster holds our schema. */
export class SchemaElsewhere extends Unavailable {}

/** How long a connection is kept to a server that takes no writes. */
const TRY_AGAIN_MS = 1_000;

/**
 * A connection to the current server of a connection string that may name several.
 * A server that cannot be reached, takes no writes, was replaced by another primary or does not hold our schema is left. Then the next
 * one is current.
 * A connection that breaks fails its statements. It raises no event that would end the process.
 */
export class ServerClient extends Client {
  readonly #servers: Servers;
  readonly #takesAnyNode: boolean;
  readonly at: number;
  #connectedMs = 0;

  constructor(config: ServerConfig, at?: number) {
    const servers = serversOf(config);
    const place = at ?? servers.current;
    super({ ...config, connectionString: servers.urls[place] as string });
    this.#servers = servers;
    this.#takesAnyNode = config.takesAnyNode ?? false;
    this.at = place;
    this.on('error', () => undefined);
    this.once('end', () => servers.clients.delete(this));
  }

  /** Whether another server may be the primary without this one knowing. */
  get isOneOfSeveral(): boolean {
    return hasStandbys(this.#servers);
  }

  /** Whether our schema has moved to another node. What is under way is carried out; nothing more should begin here. */
  get isLeft(): boolean {
    return this.#servers.holder !== undefined && this.at !== this.#servers.holder;
  }

  /**
   * Whether the connection should be closed after this fault. One that was made while its server took no writes stays like that, so another
   * one tries. Not at each request: to connect is dearer for the server than to refuse.
   */
  isOverAfter(fault: unknown): boolean {
    const isYoung = performance.now() - this.#connectedMs < TRY_AGAIN_MS;
    return isConnectionLost(fault) && !(fault instanceof TakesNoWrites && isYoung);
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | void {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    callbackify(() => connected)(callback);
  }

  async #connect(): Promise<Client> {
    try {
      await super.connect();
      if (this.#servers.areAsked) await this.#requireWriting();
    } catch (error) {
      if (this.#servers.current === this.at) this.#servers.current = (this.at + 1) % this.#servers.urls.length;
      void this.end().catch(() => undefined);
      throw error;
    }
    this.#servers.clients.add(this);
    this.#connectedMs = performance.now();
    return this;
  }

  async #requireWriting(): Promise<void> {
    const { rows } = await this.query<{ isReadOnly: boolean; isNode: boolean; timeline: number }>(ASK_SERVER);
    const { isReadOnly, isNode, timeline } = rows[0] as (typeof rows)[number];
    if (isReadOnly) throw new Unavailable(`${this.host}:${this.port} takes no writes`);
    if (isNode) return this.#takesAnyNode ? undefined : this.#requireSchema();
    if (timeline < this.#servers.timeline) throw new Unavailable(`${this.host}:${this.port} was replaced by another primary`);
    if (timeline === this.#servers.timeline) return;
    this.#servers.timeline = timeline;
    this.#servers.current = this.at;
    for (const client of this.#servers.clients) if (client.at !== this.at) client.breakOff();
  }

  /** A schema is moved by the cluster, while it is written to. Connections to the node that had it end with what they carry out now. */
  async #requireSchema(): Promise<void> {
    const { rows } = await this.query<{ isHere: boolean }>(HOLDS_SCHEMA);
    if (rows[0]?.isHere !== true) throw new SchemaElsewhere(`${this.host}:${this.port} does not hold the schema`);
    await this.query(PLAN_BY_VALUES);
    this.#servers.current = this.at;
    this.#servers.holder = this.at;
  }

  /** Ends the connection at once, and fails what is under way on it. */
  breakOff(): void {
    (this as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** True where one of several servers is the primary, and the others are its standbys. */
export const hasStandbys = ({ urls, holder }: Servers): boolean => urls.length > 1 && holder === undefined;

/**
 * Connects to the server that takes writes.
 * Throws: Unavailable where there is none; the driver's error where a server refuses the user or the database.
 */
export async function connectClient(config: ServerConfig): Promise<ServerClient> {
  const { urls } = serversOf(config);
  const errors: Error[] = [];
  while (errors.length < urls.length) {
    const client = new ServerClient(config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      errors.push(error as Error);
    }
  }
  const refusal = errors.find((error) => error instanceof DatabaseError);
  if (refusal !== undefined) throw refusal;
  throw errors.length === 1
    ? classify(errors[0], 'connecting')
    : classify(new AggregateError(errors, errors.map(({ message }) => message).join('; ')), 'connecting');
}

/** How often the other servers are asked whether one of them has become the primary. */
const WATCH_MS = 1_000;

/**
 * Asks the other servers, again and again, whether one of them was promoted, or was given our schema, while ours still answers. Then all
 * connections move there. A primary that is cut off from its standbys would else go on answering us.
 * Shape: returns a function that ends it. With one server there is nothing to watch.
 */
export function watchServers(config: ServerConfig): () => void {
  const servers = serversOf(config);
  if (servers.urls.length === 1) return () => undefined;
  const watch = setInterval(() => {
    for (const [at] of servers.urls.entries()) if (at !== servers.current) void ask(at);
  }, WATCH_MS);
  watch.unref();

  async function ask(at: number): Promise<void> {
    const client = new ServerClient(config, at);
    await client.connect().catch(() => undefined);
    await client.end().catch(() => undefined);
  }
  return () => clearInterval(watch);
}
