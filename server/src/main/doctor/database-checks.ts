import { Client } from 'pg';
import { checkOfRow, fault, warning, when, type Ailment, type DoctorCheck } from '../../kit/checks/doctor.ts';
import { connectionConfig, describeDatabase, JOBS, requireSessions, serversIn, SessionsShared, VIEWS } from '../../kit/db.ts';
import { judgeServer } from './certificates.ts';
import { judgeDisk } from './machine-checks.ts';
import type { ExaminedServer } from './served.ts';

/** Connections of listeners, exports and commands. Views and jobs have some more. */
const BESIDE_POOLS = 8;

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape of a row
const asking = <Row>(
  name: string,
  text: string,
  judge: (row: Row, served: ExaminedServer) => readonly Ailment[],
  values?: (served: ExaminedServer) => readonly unknown[],
): DoctorCheck<ExaminedServer> => checkOfRow<Row, ExaminedServer>(name, text, judge, values);

/** A check of other sessions. PostgreSQL shows most users only that there are some: they would look idle, and standbys missing. */
const seeingSessions = ({ name, look }: DoctorCheck<ExaminedServer>): DoctorCheck<ExaminedServer> => ({
  name,
  look: async (served) => {
    const [row] = await served.query<{ sees: boolean; user: string }>(
      `select pg_has_role('pg_read_all_stats', 'usage') as sees, quote_ident(current_user) as user`,
    );
    if (row?.sees !== true) throw new Error(`this user does not see other sessions: grant pg_monitor to ${row?.user}`);
    return look(served);
  },
});

/** A socket or a port of this machine may lead into a container, whose directories are not seen here. */
const isNotSeen = (error: unknown): boolean => /^(ENOENT|ENOTDIR|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '');

/** What PostgreSQL says of itself. */
export const DATABASE_CHECKS: readonly DoctorCheck<ExaminedServer>[] = [
  asking<{ number: number; version: string }>(
    'version of PostgreSQL',
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    ({ number, version }, { bounds }) =>
      when(number < bounds.oldestPostgres, () => fault(`this is PostgreSQL ${version}`, 'use PostgreSQL 15 or newer')),
  ),
  asking<{ encoding: string }>('encoding', `select current_setting('server_encoding') as encoding`, ({ encoding }) =>
    when(encoding !== 'UTF8', () =>
      fault(
        `the database has the encoding ${encoding}: requests with characters that it does not know fail, or are counted wrong`,
        'dump it, and restore it into one that was made as docs/operations/database.md says',
      ),
    ),
  ),
  asking<{ isStandby: boolean }>('role of the server', `select pg_is_in_recovery() as "isStandby"`, ({ isStandby }) =>
    when(isStandby, () =>
      fault(
        'DATABASE_URL names a standby alone, which takes no writes',
        'name the primary as well, before a comma: docs/operations/database.md',
      ),
    ),
  ),
  { name: 'servers of the database', look: lookAtServers },
  { name: 'sessions of the database', look: lookAtSessions },
  {
    name: 'clocks',
    look: async ({ query, machine, bounds }) => {
      const before = machine.nowMs();
      const [row] = await query<{ ms: number }>(`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`);
      const apart = Math.abs((row?.ms ?? 0) - (before + machine.nowMs()) / 2) / 1_000;
      const says = `this machine and the database are ${apart.toFixed(1)} seconds apart`;
      const remedy = 'let both follow a time server (chrony or systemd-timesyncd)';
      if (apart > bounds.clockFault) return [fault(says, remedy)];
      return when(apart > bounds.clockWarning, () => warning(says, remedy));
    },
  },
  {
    name: 'disk of the database',
    look: async ({ query, machine, bounds }) => {
      const [row] = await query<{ isHere: boolean; maySee: boolean; user: string }>(
        `select coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true) as "isHere",
                pg_has_role('pg_read_all_settings', 'usage') as "maySee", quote_ident(current_user) as user`,
      );
      if (row?.isHere !== true) throw new Error('it is on another machine: watch it there');
      if (!row.maySee) throw new Error(`this user may not ask where it is: grant pg_monitor to ${row.user}`);
      const [{ place } = { place: '' }] = await query<{ place: string }>(`select current_setting('data_directory') as place`);
      return judgeDisk(place, machine, bounds).catch((error: unknown) => {
        throw isNotSeen(error)
          ? new Error(`this machine, or this container, does not show ${place}: watch it where PostgreSQL runs`)
          : error;
      });
    },
  },
  seeingSessions(
    asking<{ used: number; most: number }>(
      'connections',
      `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
      ({ used, most }, { config }) => {
        const needed = (config.databaseConnections + VIEWS + JOBS + BESIDE_POOLS) * config.processes * config.servers;
        return [
          ...when(needed > most, () =>
            fault(
              `the service may need ${needed} connections, and the database gives ${most}`,
              'raise max_connections, or lower CAUDAL_DATABASE_CONNECTIONS',
            ),
          ),
          ...when(used > most * 0.9, () =>
            warning(`${used} of ${most} connections are in use`, 'see who holds them in pg_stat_activity; raise max_connections'),
          ),
        ];
      },
    ),
  ),
  asking<{ isSuper: boolean; isOwner: boolean; name: string }>(
    'rights of the user that serves',
    `select rolsuper as "isSuper", rolname as name,
            exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relowner = pg_roles.oid) as "isOwner"
       from pg_roles where rolname = current_user`,
    ({ isSuper, isOwner, name }, { config, isEmbedded }) =>
      when(config.mode === 'production' && !isEmbedded && (isSuper || isOwner), () =>
        warning(
          `${name} ${isSuper ? 'is a superuser' : 'owns the tables'}, so a fault of the service could change what must not change`,
          'serve as a user that owns nothing: docs/operations/database.md, "Two users of the database"',
        ),
      ),
  ),
  asking<{ name: string; value: string }>(
    'durability',
    `select name, setting as value from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
    ({ name }) => [fault(`${name} is off: a crash loses what was acknowledged`, `alter system set ${name} = on`)],
  ),
  asking<{ value: string }>('autovacuum', `select setting as value from pg_settings where name = 'autovacuum'`, ({ value }) =>
    when(value !== 'on', () => fault('autovacuum is off: tables grow, and writes will stop', 'alter system set autovacuum = on')),
  ),
  seeingSessions(
    asking<{ names: string; attached: number; following: number }>(
      'synchronous standbys',
      `select current_setting('synchronous_standby_names') as names,
              count(*) filter (where sync_state in ('sync', 'quorum'))::int as attached,
              count(*) filter (where state in ('catchup', 'streaming'))::int as following
         from pg_stat_replication`,
      ({ names, attached, following }, { config }) => [
        ...when(names !== '' && attached === 0, () =>
          fault(
            'commits wait for a synchronous standby, and none is attached',
            "bring the standby back; or, until then: alter system set synchronous_standby_names = ''; select pg_reload_conf()",
          ),
        ),
        ...when(names === '' && (following > 0 || serversIn(config.databaseUrl).length > 1), () =>
          warning(
            'no commit waits for a standby, so a fail-over loses the last ones: synchronous_standby_names is empty',
            `alter system set synchronous_standby_names = 'ANY 1 (*)'; select pg_reload_conf(). With Patroni: synchronous_mode: true`,
          ),
        ),
      ],
    ),
  ),
  seeingSessions(
    asking<{ name: string; seconds: number | null }>(
      'replication',
      `select coalesce(nullif(application_name, ''), client_addr::text, 'a standby') as name, extract(epoch from replay_lag)::float8 as seconds
       from pg_stat_replication where extract(epoch from replay_lag) > $1::float8`,
      ({ name, seconds }) => [
        warning(
          `${name} is ${Math.round(seconds ?? 0)} seconds behind`,
          'see its load, disk and network; until then a fail-over loses that much',
        ),
      ],
      ({ bounds }) => [bounds.lagSeconds],
    ),
  ),
  asking<{ name: string; megabytes: number }>(
    'replication slots',
    `select slot_name as name, (pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) / 1e6)::float8 as megabytes
       from pg_replication_slots where not active and restart_lsn is not null`,
    ({ name, megabytes }) => [
      warning(
        `nobody reads the replication slot ${name}, and ${Math.round(megabytes)} MB of log are kept for it`,
        `bring its reader back, or: select pg_drop_replication_slot('${name}')`,
      ),
    ],
  ),
  asking<{ isKept: boolean; failed: boolean; since: string }>(
    'archive of the log',
    // Barman and pg_receivewal take the log as a standby does, under these names.
    `select failed and isOn as failed, since, isOn or exists (select from pg_stat_replication where application_name ~ 'receive_?wal') as "isKept"
       from (select last_failed_time > coalesce(last_archived_time, '-infinity') as failed, last_failed_time::text as since,
                    (select setting <> 'off' from pg_settings where name = 'archive_mode') as isOn from pg_stat_archiver) as archive`,
    ({ isKept, failed, since }, { isEmbedded, isSandbox, backups }) => [
      ...when(failed, () =>
        fault(
          `the log is not archived any more, since ${since}`,
          'see the log of PostgreSQL for archive_command; no backup reaches further',
        ),
      ),
      ...when(!isKept && !isEmbedded && !isSandbox && backups === undefined, () =>
        warning(
          'archive_mode is off, and no backup is known: what is lost with the disk of the database may be lost for good',
          'keep backups and an archive of the log, as of pgBackRest; or name backups with --backups DIR: docs/operations/backup.md',
        ),
      ),
    ],
  ),
  seeingSessions(
    asking<{ pid: number; minutes: number; state: string; name: string }>(
      'long transactions',
      `select pid, (extract(epoch from clock_timestamp() - xact_start) / 60)::float8 as minutes, state, coalesce(nullif(application_name, ''), usename) as name
       from pg_stat_activity
      where xact_start < clock_timestamp() - $1::float8 * interval '1 minute' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      ({ pid, minutes, state, name }) => [
        warning(
          `a transaction of ${name} is open for ${Math.round(minutes)} minutes (${state}), so nothing is cleared away`,
          `end it: select pg_terminate_backend(${pid})`,
        ),
      ],
      ({ bounds }) => [bounds.longMinutes],
    ),
  ),
  asking<{ name: string; since: string }>(
    'prepared transactions',
    `select gid as name, prepared::text as since from pg_prepared_xacts`,
    ({ name, since }) => [warning(`the prepared transaction ${name} holds its locks since ${since}`, `rollback prepared '${name}'`)],
  ),
  asking<{ age: number }>(
    'transaction numbers',
    `select age(datfrozenxid)::int as age from pg_database where datname = current_database()`,
    ({ age }, { bounds }) => {
      const says = `the oldest row is ${age.toLocaleString('en')} transactions old; PostgreSQL stops writes at 2,000,000,000`;
      const remedy = 'end old transactions and slots, then: vacuum (freeze)';
      return age > bounds.wraparoundFault ? [fault(says, remedy)] : when(age > bounds.wraparoundWarning, () => warning(says, remedy));
    },
  ),
  asking<{ name: string; dead: number }>(
    'rows to clear away',
    `select relname as name, n_dead_tup::int as dead from pg_stat_user_tables
      where n_dead_tup > $1::bigint and n_dead_tup > $2::float8 * n_live_tup`,
    ({ name, dead }) => [
      warning(
        `${name} has ${dead.toLocaleString('en')} old row versions`,
        `find the old transaction that keeps them; then: vacuum ${name}`,
      ),
    ],
    ({ bounds }) => [bounds.deadRows, bounds.deadShare],
  ),
  asking<{ name: string }>('indexes', `select indexrelid::regclass::text as name from pg_index where not indisvalid`, ({ name }) => [
    fault(`the index ${name} is not usable`, `reindex index concurrently ${name}`),
  ]),
];

/** A start refuses a pooler in between. Here it is seen where one came since. */
async function lookAtSessions({ config }: ExaminedServer): Promise<readonly Ailment[]> {
  const found: Ailment[] = [];
  for (const url of new Set([config.databaseUrl, config.migrationsUrl].filter((one) => one !== undefined)))
    await requireSessions(url).catch((error: unknown) => {
      if (!(error instanceof SessionsShared)) throw error;
      found.push(fault(error.message, 'docs/operations/database.md, "No pooler in between"'));
    });
  return found;
}

/** Each server that the settings name: whether it can be used, and how long its certificate is valid. */
async function lookAtServers(served: ExaminedServer): Promise<readonly Ailment[]> {
  const found: Ailment[] = [];
  for (const url of serversIn(served.config.databaseUrl)) {
    // Not one of ours: it may be a standby, also where the connection string asks for a primary.
    const client = new Client(connectionConfig(url, null));
    client.on('error', () => undefined);
    try {
      await client.connect();
      found.push(...judgeServer(describeDatabase(url), client, served));
      await client.end();
    } catch (error) {
      const says = `${describeDatabase(url)} cannot be used, so a fail-over to it is not possible: ${(error as Error).message}`;
      found.push(warning(says, 'bring it back, or take it out of DATABASE_URL'));
    }
  }
  return found;
}
