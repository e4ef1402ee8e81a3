import { setTimeout as delay } from 'node:timers/promises';
import { openUrls, type CellUrls } from '../../cells/index.ts';
import { CommandRefused, homeOf, reachedCells, type Connection } from '../../kit/command-line.ts';
import { connectClient, connectionConfig, describeDatabase, userOf } from '../../kit/db.ts';
import { readConfig } from '../config.ts';
import { BOUNDS } from '../doctor/served.ts';
import { lookAt, openHomeOwner, reconnectAs, requireCell, requireUrls } from './create-cell-database.ts';
import { prepareCell } from './prepare-cell.ts';

type Client = Awaited<ReturnType<typeof connectClient>>;

/** Whoever else is connected, such as servers and commands. What follows by replication is none, and what the database does by itself. */
const USERS = `select count(*)::int as users from pg_stat_activity
  where datname = current_database() and usename is not null and pid <> pg_backend_pid() and pid not in (select pid from pg_stat_replication)`;

/** What has been written here, and whether each that follows by logical replication has it. */
const NOW = 'select pg_current_wal_insert_lsn()::text as lsn';
const FOLLOWED = `select coalesce(bool_and(confirmed_flush_lsn >= $1::pg_lsn), true) as "isFollowed" from pg_replication_slots
  where slot_type = 'logical' and database = current_database()`;
const FOLLOW_SECONDS = 60;

const TABLES = `select tablename as name from pg_tables where schemaname = current_schema() order by tablename`;
/** Every row counts, whatever its place: the rows, and the sum of a hash of each. */
const sumOf = (table: string): string =>
  `select count(*)::text as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from "${table}" t`;

const SEQUENCES = `select sequencename as name, last_value::text as last from pg_sequences
  where schemaname = current_schema() and last_value is not null order by 1`;

/**
 * Has home use another database for a cell: a copy that its operator has made, by logical replication or otherwise.
 * Refuses: a cell that there is not; the same database; a server older than PostgreSQL 15; a cell that somebody still uses; a copy that has
 * not all rows, or others.
 * Effects: waits for what follows by replication; sets the copy's sequences, which replication leaves as they were, and its rights; home
 * seals the new connection strings in place of the former ones. The user that serves cannot connect to the former database any more.
 */
export async function moveCell(connection: Connection, name: string, urls: CellUrls): Promise<{ readonly cell: number }> {
  const config = readConfig(process.env);
  requireUrls(config, urls);
  const home = homeOf(connection);
  const row = await requireCell(home.ownDb, name);
  const former = openUrls(home.keys, row);
  const [there, here] = [await lookAt(urls.ownerUrl), await lookAt(former.ownerUrl)];
  if (there.number < BOUNDS.oldestPostgres)
    throw new CommandRefused(`This is PostgreSQL ${there.version}: a cell needs PostgreSQL 15 or newer.`);
  if (there.identity === here.identity) throw new CommandRefused(`This is the database that ${name} has now.`);
  // This command looked at the cell when it began.
  const { connections } = reachedCells(connection);
  if (connections.has(row.cell)) await connections.of(row.cell).db.close();
  const [source, copy] = [await connectTo(former.ownerUrl), await connectTo(urls.ownerUrl)];
  try {
    await requireUnused(source, name);
    const open = await shut(source, former.url);
    try {
      await waitForFollowers(source);
      await prepareCell(row.cell, urls, config.mode);
      await requireEqual(source, copy, describeDatabase(urls.url));
      for (const sequence of (await source.query<{ name: string; last: string }>(SEQUENCES)).rows)
        await copy.query('select setval(quote_ident($1)::regclass, $2::bigint)', [sequence.name, sequence.last]);
      await requireUnused(source, name);
      return await reconnectAs(openHomeOwner(connection, config), home.keys, row.cell, urls);
    } catch (error) {
      await open();
      throw error;
    }
  } finally {
    await Promise.all([source.end(), copy.end()]);
  }
}

const connectTo = (url: string): Promise<Client> => connectClient(connectionConfig(url, null));

async function requireUnused(source: Client, name: string): Promise<void> {
  const { rows } = await source.query<{ users: number }>(USERS);
  const users = rows[0]?.users ?? 0;
  if (users > 0)
    throw new CommandRefused(
      `${users} other connections use ${name}: what they write now would be lost. Start the servers with CAUDAL_CELLS that does not name it, one by one, then try again.`,
    );
}

/**
 * Lets the user that serves connect to the former database no more: a server that was cut off could come back to it later.
 * Shape: → what lets it in again.
 */
async function shut(source: Client, servingUrl: string): Promise<() => Promise<void>> {
  const users = ['public', source.escapeIdentifier(userOf(servingUrl) ?? 'public')];
  const say = async (what: 'grant' | 'revoke'): Promise<void> => {
    for (const user of users)
      await source.query(
        `${what} connect on database ${source.escapeIdentifier(source.database ?? '')} ${what === 'grant' ? 'to' : 'from'} ${user}`,
      );
  };
  await say('revoke');
  return () => say('grant');
}

async function waitForFollowers(source: Client): Promise<void> {
  const lsn = (await source.query<{ lsn: string }>(NOW)).rows[0]?.lsn;
  for (let tries = 0; tries < 10 * FOLLOW_SECONDS; tries++) {
    const { rows } = await source.query<{ isFollowed: boolean }>(FOLLOWED, [lsn]);
    if (rows[0]?.isFollowed === true) return;
    await delay(100);
  }
  throw new CommandRefused(`The copy is still behind after ${FOLLOW_SECONDS} seconds: see pg_stat_subscription there.`);
}

/** Compares all rows of all tables. */
async function requireEqual(source: Client, copy: Client, where: string): Promise<void> {
  const { rows: tables } = await source.query<{ name: string }>(TABLES);
  for (const { name: table } of tables) {
    const [ours, theirs] = await Promise.all(
      [source, copy].map(async (one) => (await one.query<Record<string, string>>(sumOf(table))).rows[0]),
    );
    if (ours?.['rows'] !== theirs?.['rows'] || ours?.['sum'] !== theirs?.['sum'])
      throw new CommandRefused(
        `${where} is no copy: ${table} has ${theirs?.['rows']} rows there and ${ours?.['rows']} here, or other values.`,
      );
  }
}
