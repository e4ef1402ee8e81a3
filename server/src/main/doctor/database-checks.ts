import { asking as askingExamined, fault, warning, when, type Ailment, type DoctorCheck } from '../../kit/checks/doctor.ts';
import type { Served } from './served.ts';

const OLDEST_POSTGRES = 150_000;
/** Seconds between the database's clock and ours. Tokens, locks and expiry are decided by ours. */
const CLOCKS = { fault: 30, warning: 2 } as const;
const LONG_MINUTES = 5;
const LAG_SECONDS = 30;
/** Of two thousand million transaction numbers. Beyond, PostgreSQL stops writes. */
const WRAPAROUND = { fault: 1_500_000_000, warning: 500_000_000 } as const;
const MANY_DEAD = { rows: 100_000, share: 0.3 } as const;
/** Connections of listeners, jobs and commands beside the pool. */
const BESIDE_POOL = 8;

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape of a row
const asking = <Row>(name: string, text: string, judge: (row: Row, served: Served) => readonly Ailment[]): DoctorCheck<Served> =>
  askingExamined<Row, Served>(name, text, judge);

/** What PostgreSQL says of itself. */
export const DATABASE_CHECKS: readonly DoctorCheck<Served>[] = [
  asking<{ number: number; version: string }>(
    'version of PostgreSQL',
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    ({ number, version }) => when(number < OLDEST_POSTGRES, () => fault(`this is PostgreSQL ${version}`, 'use PostgreSQL 15 or newer')),
  ),
  {
    name: 'clocks',
    look: async ({ query }) => {
      const before = Date.now();
      const [row] = await query<{ ms: number }>(`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`);
      const apart = Math.abs((row?.ms ?? 0) - (before + Date.now()) / 2) / 1_000;
      const says = `this machine and the database are ${apart.toFixed(1)} seconds apart`;
      const remedy = 'let both follow a time server (chrony or systemd-timesyncd)';
      if (apart > CLOCKS.fault) return [fault(says, remedy)];
      return when(apart > CLOCKS.warning, () => warning(says, remedy));
    },
  },
  asking<{ used: number; most: number }>(
    'connections',
    `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
    ({ used, most }, { config }) => {
      const needed = (config.databaseConnections + BESIDE_POOL) * config.processes * config.servers;
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
  asking<{ names: string; attached: number }>(
    'synchronous standbys',
    `select current_setting('synchronous_standby_names') as names,
            (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as attached`,
    ({ names, attached }) =>
      when(names !== '' && attached === 0, () =>
        fault(
          'commits wait for a synchronous standby, and none is attached',
          'bring the standby back, or take it out of synchronous_standby_names',
        ),
      ),
  ),
  asking<{ name: string; seconds: number | null }>(
    'replication',
    `select coalesce(nullif(application_name, ''), client_addr::text, 'a standby') as name, extract(epoch from replay_lag)::float8 as seconds
       from pg_stat_replication where extract(epoch from replay_lag) > ${LAG_SECONDS}`,
    ({ name, seconds }) => [
      warning(
        `${name} is ${Math.round(seconds ?? 0)} seconds behind`,
        'see its load, disk and network; until then a fail-over loses that much',
      ),
    ],
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
  asking<{ failed: boolean; since: string }>(
    'archive of the log',
    `select last_failed_time > coalesce(last_archived_time, '-infinity') as failed, last_failed_time::text as since from pg_stat_archiver
      where last_failed_time is not null`,
    ({ failed, since }) =>
      when(failed, () =>
        fault(
          `the log is not archived any more, since ${since}`,
          'see the log of PostgreSQL for archive_command; no backup reaches further',
        ),
      ),
  ),
  asking<{ pid: number; minutes: number; state: string; name: string }>(
    'long transactions',
    `select pid, (extract(epoch from clock_timestamp() - xact_start) / 60)::float8 as minutes, state, coalesce(nullif(application_name, ''), usename) as name
       from pg_stat_activity
      where xact_start < clock_timestamp() - interval '${LONG_MINUTES} minutes' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    ({ pid, minutes, state, name }) => [
      warning(
        `a transaction of ${name} is open for ${Math.round(minutes)} minutes (${state}), so nothing is cleared away`,
        `end it: select pg_terminate_backend(${pid})`,
      ),
    ],
  ),
  asking<{ name: string; since: string }>(
    'prepared transactions',
    `select gid as name, prepared::text as since from pg_prepared_xacts`,
    ({ name, since }) => [warning(`the prepared transaction ${name} holds its locks since ${since}`, `rollback prepared '${name}'`)],
  ),
  asking<{ age: number }>(
    'transaction numbers',
    `select age(datfrozenxid)::int as age from pg_database where datname = current_database()`,
    ({ age }) => {
      const says = `the oldest row is ${age.toLocaleString('en')} transactions old; PostgreSQL stops writes at 2,000,000,000`;
      const remedy = 'end old transactions and slots, then: vacuum (freeze)';
      return age > WRAPAROUND.fault ? [fault(says, remedy)] : when(age > WRAPAROUND.warning, () => warning(says, remedy));
    },
  ),
  asking<{ name: string; dead: number }>(
    'rows to clear away',
    `select relname as name, n_dead_tup::int as dead from pg_stat_user_tables
      where n_dead_tup > ${MANY_DEAD.rows} and n_dead_tup > ${MANY_DEAD.share} * n_live_tup`,
    ({ name, dead }) => [
      warning(
        `${name} has ${dead.toLocaleString('en')} old row versions`,
        `find the old transaction that keeps them; then: vacuum ${name}`,
      ),
    ],
  ),
  asking<{ name: string }>('indexes', `select indexrelid::regclass::text as name from pg_index where not indisvalid`, ({ name }) => [
    fault(`the index ${name} is not usable`, `reindex index concurrently ${name}`),
  ]),
];
