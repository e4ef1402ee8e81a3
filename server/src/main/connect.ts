import { openEmbeddedPostgres, servedAt } from '@caudal/embedded-postgres';
import { chainCheck, openChainSigner, type ChainSigner } from '../audit/index.ts';
import { cashoutChecks } from '../cashouts/index.ts';
import { homeOf, type Connection, type OpenHere } from '../kit/command-line.ts';
import { systemClock } from '../kit/clock.ts';
import { describeDatabase, Unavailable } from '../kit/db.ts';
import { guardClock } from '../kit/db/clock-guard.ts';
import type { Check } from '../kit/checks/finding.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { createLog } from '../kit/log.ts';
import { figureChecks } from '../figures/index.ts';
import { ledgerChecks } from '../ledger/index.ts';
import { settlementChecks } from '../settlements/index.ts';
import { openMessages, type CollectedAt, type Messages } from '../messages/index.ts';
import { enabledOf, readNetworks, serves } from '../networks/index.ts';
import { noticeChecks } from '../notices/index.ts';
import { orderChecks } from '../orders/index.ts';
import type { PersonalData } from '../people/index.ts';
import { readSandboxClock } from '../sandbox/index.ts';
import { connectionFor, type OwnConnection } from './commands/act-on-connection.ts';
import type { Doing } from './commands/command-acts.ts';
import { openOperations } from './commands/open-operations.ts';
import { openCells, openForCommand } from './cells/open-cells.ts';
import { readConfig } from './config.ts';
import { requireMode } from './database-mode.ts';
import { openMasterKeys, requireMasterKeys } from './keys/master-keys.ts';
import { externalUrls, prepareSchema } from './migrations.ts';
import { personalDataOf } from './personal-data.ts';

// What a command runs on. The program loads it with the first command that runs, so that help comes without it.

/**
 * Opens the database of DATABASE_URL, or the embedded one of the data directory, and migrates it.
 * Says on standard error which one that is, unless it is the one of a running sandbox in the data directory.
 * Where a server runs the embedded one, the command uses it too. Else the command starts it and stops it at its end.
 * Throws: ConfigFaults, Unavailable, SchemaMismatch, EmbeddedPostgresFailure, MasterKeyFault; each is one line to act on.
 */
async function openWithAnyKey(): Promise<OwnConnection> {
  const config = readConfig(process.env);
  const log = createLog('silent');
  const { databaseUrl, dataDir } = config;
  const database =
    databaseUrl === undefined
      ? await openEmbeddedPostgres({ name: 'caudal', dataDir, command: `caudal ${process.argv[2] ?? ''}`, log })
      : { ...externalUrls(config), isShared: false, stop: async () => undefined };
  if (database.isShared !== true)
    process.stderr.write(`Database: ${databaseUrl === undefined ? `embedded, in ${dataDir}` : describeDatabase(databaseUrl)}\n`);
  const db = openForCommand(database.url);
  const closers = [() => db.close()];
  const close = async (): Promise<void> => {
    await Promise.all(closers.map((one) => one()));
    await database.stop();
  };
  try {
    await prepareSchema(database, config.mode);
    await requireMode(db, config.mode);
    const clock = config.mode === 'sandbox' ? await readSandboxClock(db, systemClock) : systemClock;
    const keys = openMasterKeys(config);
    const others = await openCells(db, keys, config.mode);
    closers.push(...others.opened.map((one) => () => one.db.close()));
    for (const { name, reason } of others.away) process.stderr.write(`The cell ${name} cannot be used: ${reason}\n`);
    const own = { url: database.url, db, keys, clock, isSandbox: config.mode === 'sandbox', others, close };
    return databaseUrl === undefined ? { ...own, embeddedOwnerUrl: database.ownerUrl } : own;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A command that writes does so by the clock of its machine, as a server does. */
async function requireClock({ db, isSandbox }: OwnConnection, { act }: Doing): Promise<void> {
  if (isSandbox || act === undefined) return;
  const guard = guardClock({ db, clock: systemClock, log: createLog('silent') });
  await guard.compare();
  const reason = guard.reason();
  if (reason !== undefined) throw new Unavailable(`${reason}: let both follow a time server (docs/operations/incidents.md)`);
}

/** Opens a connection for a command that needs no key. */
export async function connectWithAnyKey(doing: Doing): Promise<Connection> {
  const connection = await openWithAnyKey();
  try {
    await requireClock(connection, doing);
    return connectionFor(connection, doing);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Refuses to work without the servers' master keys: servers could not open what a command seals under another key. */
export async function connect(doing: Doing): Promise<Connection> {
  const connection = await openWithAnyKey();
  try {
    await requireClock(connection, doing);
    for (const { db } of [connection, ...(connection.others?.opened ?? [])]) await requireMasterKeys(db, connection.keys);
    return connectionFor(connection, doing);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A command only writes messages. The servers send them, with the same settings. */
export async function openOutbox(connection: Connection): Promise<Messages> {
  const { db, keys, clock, isSandbox } = connection;
  const { ownDb } = homeOf(connection);
  const { mail, sms, keptDays, messagesPerHour: perHour, operatorName } = readConfig(process.env);
  const { byName } = await openServiceKeys({ db: ownDb, keys, clock }, ['messages']);
  const log = createLog('silent');
  const collectedAt: CollectedAt = async (country, currency) => {
    const networks = enabledOf(await readNetworks(ownDb, keys));
    return networks.filter((network) => serves(network, country, currency)).map(({ name }) => name);
  };
  const surroundings = { collectedAt, operatorName };
  return openMessages({ db, clock, log, key: byName.messages, mail, sms, isSandbox, keptDays: keptDays.messages, perHour, surroundings });
}

/** Where links of mails lead: the address of the server that has the data directory, also where its port is another one. */
export function readConsoleUrl(): string {
  const { consoleUrl, address, databaseUrl, dataDir } = readConfig(process.env);
  const url = consoleUrl ?? (databaseUrl === undefined ? servedAt(dataDir) : undefined);
  return url ?? `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
}

/** All that holds personal data. */
export async function openPersonalData(connection: Connection): Promise<readonly PersonalData[]> {
  const { db, keys, clock } = connection;
  const { ownDb } = homeOf(connection);
  const { byName } = await openServiceKeys({ db: ownDb, keys, clock }, ['kept-answers']);
  return personalDataOf(db, byName['kept-answers']);
}

/** What signs the chain of the audit log. */
export async function openSigner(connection: Connection): Promise<ChainSigner> {
  const { keys, clock } = connection;
  const { ownDb: db } = homeOf(connection);
  const { byName } = await openServiceKeys({ db, keys, clock }, ['audit-log']);
  return openChainSigner(byName['audit-log']);
}

/** What operations of the management API depend on, with the settings of this environment. */
export const openHere: OpenHere = async (connection) => {
  const config = readConfig(process.env);
  const consoleUrl = readConsoleUrl();
  const checkoutUrl = config.checkoutUrl ?? `${consoleUrl}/checkout`;
  return openOperations(connection, openOutbox, { ...config, checkoutUrl, consoleUrl, machineClock: systemClock });
};

/** What `caudal verify` proves, in its order. */
export const openChecks = async (connection: Connection): Promise<readonly Check[]> => [
  ...ledgerChecks,
  ...orderChecks,
  ...settlementChecks,
  ...cashoutChecks,
  ...noticeChecks,
  ...figureChecks,
  chainCheck(await openSigner(connection)),
];
