import { startEmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { connectionConfig } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { makeDataDirectory, removeDataDirectory } from '../src/testing/data-directory.ts';

/** A PostgreSQL server for the measurements. `url` names one of its databases. */
export type Postgres = { readonly url: string; readonly isEmbedded: boolean; stop(): Promise<void> };

/** P2 needs 256 connections for pgbench beside the service's own. */
const NEEDED_CONNECTIONS = 300;

/**
 * Returns the server of DATABASE_URL, or starts an embedded one with durable settings.
 * Effects: raises max_connections of an embedded one. Without `keep` it lives in a temporary directory that stop() removes.
 * Throws: with one line when the server of DATABASE_URL allows too few connections.
 */
export async function openPostgres(keep: string | undefined): Promise<Postgres> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') {
    if ((await maxConnections(given)) < NEEDED_CONNECTIONS)
      throw new Error(`The server of DATABASE_URL needs max_connections = ${NEEDED_CONNECTIONS} or more for this benchmark.`);
    return { url: given, isEmbedded: false, stop: async () => {} };
  }
  const dataDir = keep ?? makeDataDirectory('caudal-bench-');
  const start = () => startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'npm run bench', log: createLog('warn', process.stderr) });
  let server = await start();
  if ((await maxConnections(server.ownerUrl)) < NEEDED_CONNECTIONS) {
    await ask(server.ownerUrl, `alter system set max_connections = ${NEEDED_CONNECTIONS}`);
    await server.stop();
    server = await start();
  }
  return {
    url: server.ownerUrl,
    isEmbedded: true,
    stop: async () => {
      await server.stop();
      if (keep === undefined) removeDataDirectory(dataDir);
    },
  };
}

/** Runs one statement on a new connection. */
export async function ask<Row>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Reads the settings that decide how durable a commit is, and how much memory the server may use. */
export async function readSettings(url: string): Promise<Record<string, string>> {
  const names = [
    'server_version',
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'wal_sync_method',
    'wal_compression',
    'shared_buffers',
  ];
  const rows = await ask<{ name: string; value: string }>(
    url,
    `select name, current_setting(name) as value from unnest($1::text[]) as name`,
    [[...names, 'max_wal_size', 'max_connections', 'jit']],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Processor time in seconds of all processes of the server, and all that its log ever had. */
type Work = { readonly seconds: number; readonly logBytes: number };

/**
 * A process says its own time in nanoseconds. Its line of /proc has that of its children that ended, in hundredths of a second after its name.
 */
const WORK = `
  with processes as (
    select pid, false as is_parent from pg_stat_activity
    union all select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer, true
  )
  select sum(split_part(pg_read_file('/proc/' || pid || '/schedstat', true), ' ', 1)::float / 1e9
             + case when is_parent then (time[14]::float + time[15]::float) / 100 else 0 end) as seconds,
         (pg_current_wal_lsn() - '0/0')::float as "logBytes"
    from processes, string_to_array(regexp_replace(pg_read_file('/proc/' || pid || '/stat', true), '^.*\\) ', ''), ' ') as time`;

/** Reads what the server did so far. Only on Linux, and for a superuser. */
export async function readWork(url: string): Promise<Work> {
  const [work] = await ask<Work>(url, WORK).catch(() => []);
  return work ?? { seconds: NaN, logBytes: NaN };
}

async function maxConnections(url: string): Promise<number> {
  const [row] = await ask<{ value: string }>(url, `select current_setting('max_connections') as value`);
  return Number(row?.value);
}
