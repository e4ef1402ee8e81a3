import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';

/** A database connection with a hand on the wire: for tests of what happens between the client and PostgreSQL. */
export type DatabaseProxy = {
  readonly url: string;
  /** Keeps every answer of the database back, as a network or a database that hangs does. */
  hold(): void;
  /** Pipelines (kit/db/pipeline.ts) that the database has answered since hold(); the client has seen none of these answers. */
  pipelinesHeld(): number;
  /** Pipelines that the database has answered since the proxy opened: each is one round trip. */
  pipelines(): number;
  /** Sends every client these bytes, as if the database had. */
  inject(bytes: Buffer): void;
  release(): void;
  /** Resets every connection; new ones get through. */
  cut(): void;
  /** From now on a connection is reset as soon as it is made, or not any more. */
  refuse(refusing: boolean): void;
  close(): Promise<void>;
};

const BIND_COMPLETE = '2'.charCodeAt(0);
const READY_FOR_QUERY = 'Z'.charCodeAt(0);

/** Opens a proxy in front of the database of a connection string. */
export async function openDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const { host, port, user, password, database } = new Client({ connectionString: url });
  const options = new URLSearchParams(url.split('?')[1]).get('options');
  const pairs = new Set<readonly [Socket, Socket]>();
  let held: Map<Socket, Buffer[]> | undefined;
  let answered = 0;
  let answeredBeforeHold = 0;
  let refusing = false;

  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => undefined);
    if (refusing) return void client.resetAndDestroy();
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ port, host, noDelay: true });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    upstream.on('error', () => client.destroy());
    const countPipelines = pipelineCounter();
    upstream.on('data', (bytes: Buffer) => {
      answered += countPipelines(bytes);
      if (held === undefined) client.write(bytes);
      else held.set(client, [...(held.get(client) ?? []), bytes]);
    });
    client.on('data', (bytes: Buffer) => upstream.write(bytes));
    for (const one of pair)
      one.on('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const credentials = `${encodeURIComponent(user ?? '')}${password ? `:${encodeURIComponent(password)}` : ''}`;

  const cut = (): void => pairs.forEach(([client]) => client.resetAndDestroy());
  return {
    url: `postgres://${credentials}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}${options === null ? '' : `?options=${encodeURIComponent(options)}`}`,
    hold: () => {
      if (held === undefined) answeredBeforeHold = answered;
      held ??= new Map();
    },
    pipelinesHeld: () => (held === undefined ? 0 : answered - answeredBeforeHold),
    pipelines: () => answered,
    inject: (bytes) => pairs.forEach(([client]) => client.write(bytes)),
    release: () => {
      for (const [client, bytes] of held ?? []) client.write(Buffer.concat(bytes));
      held = undefined;
    },
    cut,
    refuse: (yes) => void (refusing = yes),
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Counts the pipelines that the answers on one connection end.
 * The database ends its answer to each pipeline with one "ready for query". A plain query ends with one too, but binds nothing.
 * A connection that listens sends such queries as a sign of life. A message: its kind, its length, its content.
 */
function pipelineCounter(): (bytes: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let hasBound = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let count = 0;
    let at = 0;
    while (at + 5 <= rest.length && at + 1 + rest.readUInt32BE(at + 1) <= rest.length) {
      if (rest[at] === BIND_COMPLETE) hasBound = true;
      if (rest[at] === READY_FOR_QUERY) {
        if (hasBound) count++;
        hasBound = false;
      }
      at += 1 + rest.readUInt32BE(at + 1);
    }
    rest = rest.subarray(at);
    return count;
  };
}
