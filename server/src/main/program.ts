import { readFileSync } from 'node:fs';
import { openEmbeddedPostgres } from '@caudal/embedded-postgres';
import { Command } from 'commander';
import { cashoutChecks, cashoutCommands, endUserData } from '../cashouts/index.ts';
import type { Connect, Connection } from '../kit/command-line.ts';
import { systemClock } from '../kit/clock.ts';
import { describeDatabase, openDb } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { exportCommands } from '../exports/index.ts';
import { ledgerChecks, ledgerCommands } from '../ledger/index.ts';
import { messageCommands, openMessages, type Messages } from '../messages/index.ts';
import { merchantCommands } from '../merchants/index.ts';
import { networkCommands } from '../networks/index.ts';
import { noticeChecks, noticeCommands, noticePeople } from '../notices/index.ts';
import { orderChecks, orderCommands, payerData } from '../orders/index.ts';
import { peopleCommands, type OpenPersonalData } from '../people/index.ts';
import { answerPeople } from '../requests/index.ts';
import { findCommand } from '../search/index.ts';
import { readSandboxClock } from '../sandbox/index.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { tokenCommands, userCommands } from '../users/index.ts';
import { readConfig } from './config.ts';
import { requireMode } from './database-mode.ts';
import { masterKeyCommands } from './keys/master-key.cli.ts';
import { openMasterKeys, requireMasterKeys } from './keys/master-keys.ts';
import { externalUrls, prepareSchema } from './migrations.ts';
import { serviceKeyCommands } from './keys/service-keys.cli.ts';
import { verifyCommand } from './verify.cli.ts';

/** Commands run one after another. A second connection is for those that copy while they read. */
const CONNECTIONS = 2;

/**
 * Opens the database of DATABASE_URL, or the embedded one of the data directory, and migrates it.
 * Says on standard error which one that is.
 * Where a server runs the embedded one, the command uses it too. Else the command starts it and stops it at its end.
 * Throws: ConfigFaults, Unavailable, SchemaMismatch, EmbeddedPostgresFailure, MasterKeyFault; each is one line to act on.
 */
async function connectWithAnyKey(): Promise<Connection> {
  const config = readConfig(process.env);
  const log = createLog('silent');
  const { databaseUrl, dataDir } = config;
  const database =
    databaseUrl === undefined
      ? await openEmbeddedPostgres({ name: 'caudal', dataDir, command: `caudal ${process.argv[2] ?? ''}`, log })
      : { ...externalUrls(config), stop: async () => undefined };
  process.stderr.write(`Database: ${databaseUrl === undefined ? `embedded, in ${dataDir}` : describeDatabase(databaseUrl)}\n`);
  const db = openDb({ url: database.url, log, connections: CONNECTIONS, statementTimeoutMs: null });
  const close = async (): Promise<void> => {
    await db.close();
    await database.stop();
  };
  try {
    await prepareSchema(database, config.mode);
    await requireMode(db, config.mode);
    const clock = config.mode === 'sandbox' ? await readSandboxClock(db, systemClock) : systemClock;
    return { url: database.url, db, keys: openMasterKeys(config), clock, isSandbox: config.mode === 'sandbox', close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Refuses to work without the servers' master keys: servers could not open what a command seals under another key. */
const connect: Connect = async () => {
  const connection = await connectWithAnyKey();
  try {
    await requireMasterKeys(connection.db, connection.keys);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
};

/** A command only writes messages. The servers send them, with the same settings. */
async function openOutbox({ db, keys, clock, isSandbox }: Connection): Promise<Messages> {
  const { mail, sms, keptDays, messagesPerHour: perHour } = readConfig(process.env);
  const { byName } = await openServiceKeys({ db, keys, clock }, ['messages']);
  const log = createLog('silent');
  return openMessages({ db, clock, log, key: byName.messages, mail, sms, isSandbox, keptDays: keptDays.messages, perHour });
}

/** Where links of mails lead. A command cannot know that a server listens at another address. */
function consoleUrl(): string {
  const { consoleUrl: url, address } = readConfig(process.env);
  return url ?? `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
}

/** All that holds personal data. Orders and cashouts come first: their messages are found by them. */
export const openPersonalData: OpenPersonalData = async ({ db, keys, clock }) => {
  const { byName } = await openServiceKeys({ db, keys, clock }, ['kept-answers']);
  return [payerData(db), endUserData(db), noticePeople(db), answerPeople(db, byName['kept-answers'])];
};

/** The command line: the commands of every room in one program. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('caudal')
    .description('Caudal: payment orders and cashouts, on your own servers.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      '\nThe database is that of DATABASE_URL, or else the embedded one in CAUDAL_DATA_DIR (default ./data), also while a server runs on it.' +
        '\nExit codes: 0 done, 1 could not be done, 2 wrong command line, 3 done, but rows were skipped or open records are left.',
    )
    .exitOverride();
  merchantCommands(program, connect);
  networkCommands(program, connect);
  orderCommands(program, connect, openOutbox);
  cashoutCommands(program, connect, openOutbox);
  findCommand(program, connect);
  ledgerCommands(program, connect);
  noticeCommands(program, connect);
  verifyCommand(program, connect, [...ledgerChecks, ...orderChecks, ...cashoutChecks, ...noticeChecks]);
  peopleCommands(program, connect, openPersonalData);
  exportCommands(program, connect, EXPORTED_LISTS);
  userCommands(program, connect, { openOutbox, consoleUrl, clock: systemClock });
  tokenCommands(program, connect, systemClock);
  messageCommands(program, connect, () => readConfig(process.env));
  serviceKeyCommands(program, connect, () => readConfig(process.env));
  masterKeyCommands(program, connectWithAnyKey, () => readConfig(process.env));
  return program;
}
