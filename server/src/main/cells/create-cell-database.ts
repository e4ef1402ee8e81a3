import { createCell, openUrls, readCells, readPlaced, reconnectCell, type CellRow, type CellUrls } from '../../cells/index.ts';
import { CommandRefused, homeOf, type Connection } from '../../kit/command-line.ts';
import { connectClient, connectionConfig, describeDatabase, isDatabaseUrl, mayBeReadOnTheWay, openDb, type Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { HOME_NAME, noSuchCell } from '../../kit/per-cell.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import { MERCHANT_READS, readMerchantIds } from '../../merchants/index.ts';
import { readConfig, type Config } from '../config.ts';
import { requireMode } from '../database-mode.ts';
import { keepDistributed } from '../distributed-schema.ts';
import { BOUNDS } from '../doctor/served.ts';
import { prepareSchema } from '../migrations.ts';
import { prepareCell } from './prepare-cell.ts';

/** SQLSTATE undefined_table: a database that was never migrated. */
const NO_TABLE = '42P01';

const REFUSED = {
  cell_name_invalid: 'The name of a cell is 1 to 30 small letters, digits or -, and starts with a letter; "home" is the first database.',
  cell_exists: 'There is another cell of this name: ./caudal cells list shows them.',
  cell_not_empty: 'This database has merchants: a cell begins empty.',
  cells_too_many: 'There are 255 cells, and no more are possible.',
} as const;

/**
 * Makes a database a cell: checks that it can be one, migrates it as its owner, and adds it to those of home.
 * Refuses: a server older than PostgreSQL 15; the database of home or of another cell, by whichever name; one with merchants; one of the
 * other mode; a name that is taken.
 * Effects: one that was cut off is carried on when it is run again.
 */
export async function createCellDatabase(connection: Connection, name: string, urls: CellUrls): Promise<{ readonly cell: number }> {
  const config = readConfig(process.env);
  requireUrls(config, urls);
  const home = homeOf(connection);
  await requireNewDatabase(home, name, urls);
  await prepareSchema({ ...urls, mayBePooled: true }, config.mode);
  await keepDistributed(urls, { distributes: true });
  const [owner, serving, homeOwner] = [open(urls.ownerUrl), open(urls.url), openHomeOwner(connection, config)];
  try {
    await requireMode(serving, config.mode);
    const { keys, clock } = home;
    const created = await createCell({ db: homeOwner, owner, keys, clock, countMerchants: MERCHANT_READS.count }, { name, urls });
    if (isRefusal(created)) throw new CommandRefused(REFUSED[created.refusal], created.refusal === 'cell_name_invalid' ? 2 : 1);
    return created;
  } finally {
    await Promise.all([owner, serving, homeOwner].map((one) => one.close()));
  }
}

const open = (url: string) => openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });

/** Connects to home as its owner: the user that serves may add and move no cell. Each transaction records the act of the command. */
export function openHomeOwner(connection: Connection, { migrationsUrl }: Pick<Config, 'migrationsUrl'>): Db {
  const home = homeOf(connection);
  const owner = open(connection.embeddedOwnerUrl ?? migrationsUrl ?? home.url);
  return {
    ...owner,
    transaction: (work) =>
      owner.transaction(async (tx) => {
        const done = await work(tx);
        home.recordIn?.(tx, {});
        return done;
      }),
  };
}

/**
 * Replaces the connection strings of a cell by others that lead to the same database; or to a restored one, where the former is gone: one
 * that still answers could be written to beside it.
 * Refuses: another database while the former answers; one that does not hold the merchants of the cell, or holds others; one of the other
 * mode, or schema.
 */
export async function reconnectCellDatabase(connection: Connection, name: string, urls: CellUrls): Promise<{ readonly cell: number }> {
  const config = readConfig(process.env);
  requireUrls(config, urls);
  const { ownDb, keys } = homeOf(connection);
  const row = await requireCell(ownDb, name);
  const [former, next] = [await lookAt(openUrls(keys, row).ownerUrl).catch(() => undefined), await lookAt(urls.ownerUrl)];
  if (former !== undefined && former.identity !== next.identity)
    throw new CommandRefused(
      `The former database of ${name} still answers, so both could be written to: use "cells move", or shut the former one for good.`,
    );
  await prepareCell(row.cell, urls, config.mode);
  const serving = open(urls.url);
  try {
    await requireMode(serving, config.mode);
    const placed = new Set((await readPlaced(ownDb)).flatMap(({ merchantId, cell }) => (cell === row.cell ? [merchantId] : [])));
    const held = new Set(await readMerchantIds(serving));
    if (!held.isSubsetOf(placed) || (held.size === 0 && placed.size > 0))
      throw new CommandRefused(`This is not the database of ${name}: it does not hold the same merchants.`);
  } finally {
    await serving.close();
  }
  return reconnectAs(openHomeOwner(connection, config), keys, row.cell, urls);
}

/** The row of a cell, by its name. Refuses: one that there is not. */
export async function requireCell(home: Pick<Db, 'query'>, name: string): Promise<CellRow> {
  const row = (await readCells(home)).find((one) => one.name === name);
  if (row === undefined) throw new CommandRefused(noSuchCell(name));
  return row;
}

/** Seals other connection strings for a cell, as the owner of home, whose connection it ends. */
export async function reconnectAs(owner: Db, keys: MasterKeys, cell: number, urls: CellUrls): Promise<{ readonly cell: number }> {
  try {
    await reconnectCell({ db: owner, keys }, cell, urls);
    return { cell };
  } finally {
    await owner.close();
  }
}

/** Refuses connection strings that cannot be read, and those whose passwords others could read on the way. */
export function requireUrls({ mayBePlain }: Pick<Config, 'mayBePlain'>, { url: serving, ownerUrl }: CellUrls): void {
  for (const url of [serving, ownerUrl]) {
    if (!isDatabaseUrl(url)) throw new CommandRefused('This is no connection string: postgres://user:password@host:port/database.', 2);
    if (!mayBePlain && mayBeReadOnTheWay(url))
      throw new CommandRefused('A database of another machine needs TLS in production: add ?sslmode=verify-full.', 2);
  }
}

/** Nothing is changed before this. */
async function requireNewDatabase(home: Connection, name: string, { ownerUrl }: CellUrls): Promise<void> {
  const { number, version, merchants, ...place } = await lookAt(ownerUrl);
  if (number < BOUNDS.oldestPostgres) throw new CommandRefused(`This is PostgreSQL ${version}: a cell needs PostgreSQL 15 or newer.`);
  if (merchants > 0n) throw new CommandRefused(REFUSED.cell_not_empty);
  const known = [
    [HOME_NAME, home.url] as const,
    ...(await readCells(home.ownDb)).map((row) => [row.name, openUrls(home.keys, row).url] as const),
  ];
  for (const [other, url] of known) {
    if (other === name) continue;
    // One that is away is compared by its address.
    const { identity } = await lookAt(url).catch(() => ({ identity: undefined }));
    if (identity === place.identity || describeDatabase(url) === describeDatabase(ownerUrl))
      throw new CommandRefused(`This is the database of ${other === HOME_NAME ? other : `the cell ${other}`}: a cell has one of its own.`);
  }
}

type Seen = { readonly number: number; readonly version: string; readonly identity: string; readonly merchants: bigint };

/** One cluster may hold several cells, so the name of the database and of its schema belong to what it is. */
const WHAT_IT_IS = `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
  (select system_identifier from pg_control_system()) || '/' || current_database() || '/' || current_schema() as identity`;

export async function lookAt(url: string): Promise<Seen> {
  const client = await connectClient(connectionConfig(url, null));
  try {
    const [seen] = (await client.query<Omit<Seen, 'merchants'>>(WHAT_IT_IS)).rows;
    const counted = await client.query<{ merchants: bigint }>(MERCHANT_READS.count.text).catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code === NO_TABLE) return { rows: [] };
      throw error;
    });
    return { ...(seen as Omit<Seen, 'merchants'>), merchants: counted.rows[0]?.merchants ?? 0n };
  } finally {
    await client.end();
  }
}
