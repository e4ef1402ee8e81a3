import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { connectClient, connectionConfig, type Db, type Statement, statement } from './db.ts';
import { grantMissing, type TableRules } from './db/grants.ts';
import { statementsOf } from './db/split-sql.ts';

/** One file of the migrations directory. */
type Migration = { version: number; title: string; sql: string; checksum: string };

/** A migration that a database has. `worksFrom`: the oldest schema whose release works on it all the same; null: none does. */
type Applied = { readonly checksum: string; readonly worksFrom: number | null };

/** A database and migration files do not fit together, or a migration failed. The message is one line for the person who started the program. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/** Any number of our own. Two servers that start at once on one database take this session lock in turn. */
const LOCK_KEY = 7_228_325_001;

const HAS_TABLE = statement('migrate.has_table', `select to_regclass('schema_migrations') is not null as found`);
const READ_APPLIED = statement(
  'migrate.read_applied',
  `select version, checksum, works_from as "worksFrom" from schema_migrations order by version`,
);

/** Runs a statement without parameters on the connection that migrates. */
export type RunStatement = <Row>(statement: Statement) => Promise<Row[]>;

/**
 * How often a server asks whether another one has migrated. It does not wait inside a statement: that would hold a snapshot.
 * An index that is built concurrently waits for every snapshot.
 */
const AGAIN_MS = 100;

/** A file that begins so is not a transaction: its statements run one by one. Each can run again after a failure. */
const OUTSIDE = '-- Outside of a transaction.';

/** A file that says so changes nothing that these releases need: one step back needs no backup. The number is that of a schema. */
const WORKS_FROM = /^-- Releases from (\d{4}) on work with it\.$/m;

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/** The user that serves, where the owner of the tables is another one. */
export type ServiceUser = { readonly name: string; readonly rules: TableRules };

/** SQLSTATE insufficient_privilege. */
const NOT_PERMITTED = '42501';
/** SQLSTATE lock_not_available. */
const NOT_FREE = '55P03';
/**
 * How long a migration waits for a table that others use. Everybody who needs the table waits behind it. A statement that serves requests
 * waits half a second at most (db/connection.ts). So the migration lets them pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 300;
const PASS_MS = 700;

/** What a migration did to a database that is in use. */
export type AppliedMigration = {
  readonly version: number;
  readonly title: string;
  readonly milliseconds: number;
  /** The tables of before that others could not write to meanwhile. */
  readonly blocked: readonly string[];
};

/** Parts of a migration that may matter to its caller. */
export type MigrateHooks = {
  /** A last check, where something is pending. It may throw, and then nothing is changed. */
  readonly mayChange?: ((query: RunStatement) => Promise<void>) | undefined;
  readonly onApplied?: ((applied: AppliedMigration) => void) | undefined;
  /** A migration waits for tables that another transaction holds. It is called once for each. */
  readonly onHeld?: ((held: Pick<AppliedMigration, 'version' | 'title'>) => void) | undefined;
};

/**
 * Brings a database to the newest schema.
 * Shape: the owner's connection string, directory of NNNN-title.sql files, user that serves → the versions that were applied now, in order.
 * Refuses: SchemaMismatch for a database that is newer than the files. Its newer migrations may say that these releases work on it. Also
 * for an applied file that was changed since, a user that may not migrate, and a migration that failed. And for a new database that is
 * not UTF-8.
 * Effects: applies each file in a transaction of its own, or outside of one where it says so. Waits for another server that migrates the same
 * database. Waits for transactions that hold a table, and lets others pass meanwhile. Grants the user that serves its rights.
 */
export async function migrate(
  databaseUrl: string,
  directory: string,
  serviceUser?: ServiceUser,
  { mayChange, onApplied, onHeld }: MigrateHooks = {},
): Promise<number[]> {
  const migrations = readMigrations(directory);
  // A connection of its own: the lock belongs to the session, and a migration may take longer than a request.
  const client = await connectClient(connectionConfig(databaseUrl, null));
  try {
    const query: RunStatement = async <Row>({ text }: Statement) => (await client.query(text)).rows as Row[];
    // A user that serves may not even ask for a table to be made.
    if (serviceUser === undefined && pendingOf(migrations, await appliedVersions(query)).length === 0) return [];
    while (!(await lock(client))) await delay(AGAIN_MS);
    if ((await appliedVersions(query)).size === 0) await requireAllCharacters(query);
    await client.query(
      `create table if not exists schema_migrations (
         version int primary key, title text not null, checksum text not null, applied_at timestamptz not null default now(), works_from int
       )`,
    );
    const pending = pendingOf(migrations, await appliedVersions(query));
    if (pending.length > 0) await mayChange?.(query);
    for (const migration of pending) await applyWhenFree(client, migration, { onApplied, onHeld });
    if (serviceUser !== undefined) await grantMissing(client, serviceUser.name, serviceUser.rules);
    return pending.map((migration) => migration.version);
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_PERMITTED) throw error;
    const message = `The user ${client.user} may not bring the schema up to date (${(error as Error).message}): set CAUDAL_MIGRATIONS_DATABASE_URL to its owner.`;
    throw new SchemaMismatch(message, { cause: error });
  } finally {
    await client.end();
  }
}

const READ_ENCODING = statement('migrate.read_encoding', `select current_setting('server_encoding') as encoding`);

/** A PostgreSQL that was installed without a language makes databases that count bytes, not characters. One with data goes on. */
async function requireAllCharacters(query: RunStatement): Promise<void> {
  const [{ encoding } = { encoding: '' }] = await query<{ encoding: string }>(READ_ENCODING);
  if (encoding === 'UTF8') return;
  const remedy = `make it again with encoding 'UTF8' template template0: docs/operations/database.md`;
  throw new SchemaMismatch(`This database has the encoding ${encoding}, which does not know all characters: ${remedy}.`);
}

/**
 * Opens a check of whether a database lacks migrations of this release. The server must not serve it yet. The files are read once.
 * Shape: directory → database → whether any is pending.
 * Refuses: as migrate.
 */
export function migrationCheck(directory: string): (db: Pick<Db, 'query'>) => Promise<boolean> {
  const migrations = readMigrations(directory);
  return async (db) => pendingOf(migrations, await appliedVersions((asked) => db.query(asked, []))).length > 0;
}

/** Reads the number of the newest migration that a database has. */
export const readNewestMigration = async (query: RunStatement): Promise<number> => Math.max(0, ...(await appliedVersions(query)).keys());

async function appliedVersions(query: RunStatement): Promise<Map<number, Applied>> {
  const [table] = await query<{ found: boolean }>(HAS_TABLE);
  if (!table!.found) return new Map();
  const rows = await query<Applied & { readonly version: number }>(READ_APPLIED);
  return new Map(rows.map((row) => [row.version, row]));
}

function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  return names.map((name, index) => {
    const [, digits, title] = FILE_NAME.exec(name) ?? [];
    if (digits === undefined || title === undefined) throw new SchemaMismatch(`${name} is not named like 0001-title.sql.`);
    const version = Number(digits);
    if (version !== index + 1) throw new SchemaMismatch(`${name} should have number ${index + 1}: migrations are numbered without gaps.`);
    const sql = readFileSync(join(directory, name), 'utf8');
    // The checksum ignores line ends: a checkout on Windows may have others.
    return { version, title, sql, checksum: createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex') };
  });
}

function pendingOf(migrations: Migration[], applied: Map<number, Applied>): Migration[] {
  const [first] = migrations;
  if (first !== undefined && applied.has(1) && applied.get(1)?.checksum !== first.checksum)
    throw new SchemaMismatch(
      'Another program made this database, or a Caudal from before the first release: take another database or data directory, or the files that made it.',
    );
  const newestApplied = Math.max(0, ...applied.keys());
  const newer = [...applied].filter(([version]) => version > migrations.length);
  if (newer.some(([, { worksFrom }]) => worksFrom === null || worksFrom > migrations.length)) {
    throw new SchemaMismatch(
      `This database has schema version ${newestApplied}; this Caudal knows up to ${migrations.length}. Start a newer Caudal.`,
    );
  }
  const changed = migrations.find(({ version, checksum }) => applied.has(version) && applied.get(version)?.checksum !== checksum);
  if (changed !== undefined) {
    throw new SchemaMismatch(
      `Migration ${changed.version} (${changed.title}) is not the one that this database was made with: it was changed after it was applied.`,
    );
  }
  return migrations.filter(({ version }) => !applied.has(version));
}

const lock = async (client: Client): Promise<boolean> =>
  (await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK_KEY])).rows[0]!.locked;

/** Writers wait for these locks of this transaction. Nobody writes yet to a table that the migration made itself. */
const BLOCKED = `select name from unnest($1::oid[], $2::text[]) as before (id, name)
  where id in (select relation from pg_locks where pid = pg_backend_pid()
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) order by name collate "C"`;
const TABLES = `select oid::int, oid::regclass::text as name from pg_class where relkind in ('r', 'p')`;

async function applyWhenFree(client: Client, migration: Migration, { onApplied, onHeld }: MigrateHooks): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await apply(client, migration, onApplied);
    } catch (error) {
      const { code } = (error as Error).cause as { code?: unknown };
      if (code !== NOT_FREE || isOutsideOf(migration)) throw error;
      await client.query('rollback');
      if (tries === 1) onHeld?.(migration);
      await delay(PASS_MS);
    }
  }
}

const isOutsideOf = ({ sql }: Migration): boolean => sql.startsWith(OUTSIDE);

async function apply(client: Client, migration: Migration, onApplied: MigrateHooks['onApplied']): Promise<void> {
  const { version, title, sql, checksum } = migration;
  const isOutside = isOutsideOf(migration);
  try {
    const startedAt = performance.now();
    const tables = onApplied && (await client.query<{ oid: number; name: string }>(TABLES)).rows;
    if (!isOutside) {
      await client.query('begin');
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    }
    // One by one: a schema that is distributed takes no two in one call.
    for (const one of statementsOf(sql)) await client.query(one);
    if (isOutside) await client.query('begin');
    const locks =
      tables && (await client.query<{ name: string }>(BLOCKED, [tables.map(({ oid }) => oid), tables.map(({ name }) => name)])).rows;
    await client.query('insert into schema_migrations (version, title, checksum) values ($1, $2, $3)', [version, title, checksum]);
    const worksFrom = WORKS_FROM.exec(sql)?.[1];
    if (worksFrom !== undefined)
      await client.query('update schema_migrations set works_from = $2 where version = $1', [version, Number(worksFrom)]);
    await client.query('commit');
    onApplied?.({ version, title, milliseconds: performance.now() - startedAt, blocked: locks?.map(({ name }) => name) ?? [] });
  } catch (error) {
    const ending = isOutside ? 'failed, and runs again at the next start' : 'failed and was rolled back';
    throw new SchemaMismatch(`Migration ${version} (${title}) ${ending}: ${(error as Error).message}`, { cause: error });
  }
}
