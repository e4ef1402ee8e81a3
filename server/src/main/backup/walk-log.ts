import { lstatSync } from 'node:fs';
import { Client } from 'pg';
import { CommandRefused } from '../../kit/command-line.ts';
import { connectionConfig } from '../../kit/db.ts';
import type { Origin } from './backup-folder.ts';

/** A connection of the owner to a cluster of this machine, whose files this process reads. */
export type Cluster = Origin & {
  readonly client: Client;
  readonly directory: string;
  /** The user of PostgreSQL, whom this process does not trust with what it reads. */
  readonly owner: number;
  readonly segmentBytes: number;
  readonly postgres: string;
};

const DESCRIBE = `select s.system_identifier::text as "systemIdentifier", c.timeline_id as timeline,
  current_setting('data_directory') as directory, current_setting('server_version') as postgres,
  pg_size_bytes(current_setting('wal_segment_size')) as "segmentBytes"
  from pg_control_system() s, pg_control_checkpoint() c`;

/** Any two numbers of our own. A folder of backups takes one backup and one log at a time. */
const LOCKS = { backup: 7_228_325_011, log: 7_228_325_012 } as const;

/** Works on a cluster under a lock of its own. Refuses: where another command holds the lock. */
export async function withCluster<T>(ownerUrl: string, lock: keyof typeof LOCKS, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const client = new Client(connectionConfig(ownerUrl, null));
  client.on('error', () => undefined); // A broken connection fails its statement too.
  await client.connect();
  try {
    if (!(await readValue<boolean>(client, `pg_try_advisory_lock(${LOCKS[lock]})`)))
      throw new CommandRefused(`Another command is at work on the ${lock} of this database.`);
    const { rows } = await client.query(DESCRIBE);
    const { segmentBytes, ...described } = rows[0] as Omit<Cluster, 'client' | 'owner' | 'segmentBytes'> & {
      segmentBytes: bigint | number;
    };
    return await work({ client, ...described, owner: lstatSync(client.host).uid, segmentBytes: Number(segmentBytes) });
  } finally {
    await client.end();
  }
}

/** Reads one value of the database. */
export async function readValue<Value>(client: Client, expression: string): Promise<Value> {
  const { rows } = await client.query<{ value: Value }>(`select ${expression} as value`);
  return rows[0]!.value;
}

/** The instant of the database, with its microseconds, as text. */
export const readNow = (client: Client): Promise<string> =>
  readValue<string>(client, `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/**
 * Ends the segment that is being written. A commit is at its end, later than every instant that was read before.
 * Recovery to such an instant therefore finds where to stop.
 * Shape: → the name of the last whole segment.
 */
export async function endSegment(client: Client): Promise<string> {
  await client.query('select pg_current_xact_id()');
  return readValue<string>(client, 'pg_walfile_name(pg_switch_wal())');
}

/** The name of a segment: eight hex digits each of the timeline, the log and the segment in it. */
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/;

export const isSegment = (name: string): boolean => SEGMENT.test(name);

const digits = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');

/** The name of the segment after this one. */
export function nextSegment(name: string, segmentBytes: number): string {
  const [, timeline = '', log = '', part = ''] = SEGMENT.exec(name) ?? [];
  const perLog = 2 ** 32 / segmentBytes;
  const number = Number.parseInt(log, 16) * perLog + Number.parseInt(part, 16) + 1;
  return `${timeline}${digits(Math.floor(number / perLog))}${digits(number % perLog)}`;
}

/** All segments from one to another. Names of one timeline are in the order of their text. */
export function segmentsBetween(first: string, last: string, segmentBytes: number): readonly string[] {
  const names: string[] = [];
  for (let name = first; name <= last; name = nextSegment(name, segmentBytes)) names.push(name);
  return names;
}
