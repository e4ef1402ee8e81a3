import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { CASHOUT_CHECKS } from '../../cashouts/index.ts';
import { openUrls, readCells } from '../../cells/index.ts';
import { systemClock } from '../../kit/clock.ts';
import { classify, connectClient, connectionConfig, openDb, Unavailable, type Db } from '../../kit/db.ts';
import { fault, warning, when, type Ailment, type DoctorCheck } from '../../kit/checks/doctor.ts';
import { createLog } from '../../kit/log.ts';
import { migrationCheck, SchemaMismatch } from '../../kit/migrate.ts';
import { unseal, type MasterKeys } from '../../kit/secrets.ts';
import { MERCHANT_CHECKS } from '../../merchants/index.ts';
import { MESSAGE_CHECKS } from '../../messages/index.ts';
import { NETWORK_CHECKS } from '../../networks/index.ts';
import { CALENDAR_CHECKS } from '../../settlements/index.ts';
import { NOTICE_CHECKS } from '../../notices/index.ts';
import { ORDER_CHECKS } from '../../orders/index.ts';
import { readSandboxClock } from '../../sandbox/index.ts';
import { ConfigFaults, readConfig, type Config } from '../config.ts';
import { explainFault } from '../explain-fault.ts';
import { openMasterKeys, requireMasterKeys, sealingKeyId, readKeyUse } from '../keys/master-keys.ts';
import { MIGRATIONS } from '../migrations.ts';
import { BACKUP_CHECK } from './backup-age.ts';
import { CERTIFICATE_CHECKS } from './certificates.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import { MACHINE_CHECKS } from './machine-checks.ts';
import { SECRETS_CHECK } from './secret-checks.ts';
import { BOUNDS, THIS_MACHINE, type BackupPlace, type Bounds, type Machine, type ExaminedServer } from './served.ts';

/** What one check found. `problem`: why it could not look. */
export type Examination = { readonly check: string; readonly found: readonly Ailment[]; readonly problem?: string };

/** `except`: checks that are left out. `backups`: where they are. A test says more. */
export type Examining = {
  readonly machine?: Machine;
  readonly bounds?: Bounds;
  readonly except?: readonly string[];
  readonly backups?: BackupPlace;
};

const OF_THE_SERVICE: readonly DoctorCheck<ExaminedServer>[] = [
  ...MERCHANT_CHECKS,
  ...NETWORK_CHECKS,
  ...NOTICE_CHECKS,
  ...MESSAGE_CHECKS,
  ...ORDER_CHECKS,
  ...CASHOUT_CHECKS,
  ...CALENDAR_CHECKS,
];

/** These need no database. */
const OF_THE_MACHINE: readonly DoctorCheck<ExaminedServer>[] = [...MACHINE_CHECKS, SECRETS_CHECK, ...CERTIFICATE_CHECKS, BACKUP_CHECK];

/** The checks that may be left out. Without the schema and its keys nothing is served. */
export const CHECK_NAMES: readonly string[] = [...OF_THE_MACHINE, ...DATABASE_CHECKS, ...OF_THE_SERVICE].map(({ name }) => name);

/**
 * Looks at the settings, the machine, the database and the service, one check after another. It changes nothing, and migrates nothing.
 * Without a database the checks that need one are left out: why is a fault.
 */
export async function* examine(
  environment: NodeJS.ProcessEnv,
  { machine = THIS_MACHINE, bounds = BOUNDS, except = [], backups }: Examining = {},
): AsyncGenerator<Examination, void> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    yield { check: 'settings', found: error.message.split('\n').map((line) => fault(line, 'docs/operations.md, "Settings"')) };
    return;
  }
  const log = createLog('silent');
  const isEmbedded = config.databaseUrl === undefined;
  let keys: MasterKeys | undefined;
  const nowhere: ExaminedServer = {
    config,
    isEmbedded,
    machine,
    bounds,
    now: systemClock.now(),
    isSandbox: config.mode === 'sandbox',
    query: async () => [],
    offsetAt: machine.offsetAt,
    openSecret: (sealed, place) => unseal((keys ??= openMasterKeys(config)), sealed, place).toString('utf8'),
    backups,
  };
  const wanted = ({ name }: { readonly name: string }): boolean => !except.includes(name);
  for (const check of OF_THE_MACHINE.filter(wanted)) yield await look(check, nowhere);
  if (isEmbedded && !existsSync(join(config.dataDir, 'postgres'))) {
    yield { check: 'the database', found: [fault(`there is none yet in ${config.dataDir}`, 'npm start makes it; or set DATABASE_URL')] };
    return;
  }
  let database: Pick<EmbeddedPostgres, 'url' | 'ownerUrl' | 'stop'>;
  try {
    database = isEmbedded
      ? await openEmbeddedPostgres({ name: 'caudal', dataDir: config.dataDir, command: 'caudal doctor', log })
      : { url: config.databaseUrl as string, ownerUrl: config.databaseUrl as string, stop: async () => undefined };
  } catch (error) {
    yield away(error);
    return;
  }
  try {
    yield* examineDatabase(nowhere, database, wanted);
  } catch (error) {
    if (!(classify(error) instanceof Unavailable) && explainFault(error) === undefined) throw error;
    yield away(error);
  } finally {
    await database.stop();
  }
}

const away = (error: unknown): Examination => ({
  check: 'the database',
  found: [
    fault(
      explainFault(error) ?? (error as Error).message,
      'nothing is served until it is back: see DATABASE_URL, and the log of PostgreSQL',
    ),
  ],
});

/** What is asked of each database. `home`: the time of the service, which home alone knows. */
type Place = Pick<EmbeddedPostgres, 'url' | 'ownerUrl'> & { readonly home?: { readonly now: Temporal.Instant } };

/** The cells beside home. What is found in one has its name; one that cannot be used is one finding, and the others go on. */
async function* examineCells(
  served: ExaminedServer,
  home: Db,
  wanted: (check: DoctorCheck<ExaminedServer>) => boolean,
): AsyncGenerator<Examination, void> {
  for (const row of await readCells(home)) {
    const check = `cell ${row.name}`;
    try {
      const urls = openUrls(openMasterKeys(served.config), row);
      const config = { ...served.config, databaseUrl: urls.url, migrationsUrl: urls.ownerUrl };
      const place = { url: urls.url, ownerUrl: urls.url, home: { now: served.now } };
      // Networks are at home.
      const own = (one: DoctorCheck<ExaminedServer>): boolean => wanted(one) && !NETWORK_CHECKS.some(({ name }) => name === one.name);
      for await (const seen of examineDatabase({ ...served, config, isEmbedded: false }, place, own))
        yield { ...seen, check: `${check}: ${seen.check}` };
    } catch (error) {
      const line = explainFault(error);
      if (line === undefined) throw error;
      yield { check, found: [fault(line, 'its merchants get 503 until it is back: docs/operations/cells.md')] };
    }
  }
}

/** The owner of an embedded database sees all of it. */
async function* examineDatabase(
  served: ExaminedServer,
  { url, ownerUrl, home }: Place,
  wanted: (check: DoctorCheck<ExaminedServer>) => boolean,
): AsyncGenerator<Examination, void> {
  const client = await connectClient(connectionConfig(ownerUrl, null));
  const db = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  try {
    await client.query('set default_transaction_read_only = on');
    await client.query(`set statement_timeout = '10s'`);
    const query: ExaminedServer['query'] = async (text, values = []) => (await client.query(text, [...values])).rows as never;
    for (const check of DATABASE_CHECKS.filter(wanted)) yield await look(check, { ...served, query });
    const schema = await look({ name: 'schema', look: () => lookAtSchema(db) }, served);
    yield schema;
    // Without our tables there is nothing more to see.
    if (schema.found.some(({ level }) => level === 'fault')) return;
    yield await look({ name: 'master keys', look: ({ config }) => lookAtKeys(db, config) }, served);
    const now = home?.now ?? (served.isSandbox ? (await readSandboxClock(db, systemClock)).now() : systemClock.now());
    for (const check of OF_THE_SERVICE.filter(wanted)) yield await look(check, { ...served, query, now });
    if (home === undefined) yield* examineCells({ ...served, now }, db, wanted);
  } finally {
    await db.close();
    await client.end();
  }
}

async function look(check: DoctorCheck<ExaminedServer>, served: ExaminedServer): Promise<Examination> {
  try {
    return { check: check.name, found: await check.look(served) };
  } catch (error) {
    return { check: check.name, found: [], problem: (error as Error).message };
  }
}

async function lookAtSchema(db: Parameters<ReturnType<typeof migrationCheck>>[0]): Promise<readonly Ailment[]> {
  try {
    const isPending = await migrationCheck(MIGRATIONS)(db);
    return when(isPending, () =>
      fault('the database lacks migrations of this release', 'start one server with CAUDAL_MIGRATIONS_DATABASE_URL'),
    );
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    return [fault(error.message, 'run the release that the database was brought to')];
  }
}

/** Every secret is sealed under a master key. */
async function lookAtKeys(db: Parameters<typeof requireMasterKeys>[0], config: Config): Promise<readonly Ailment[]> {
  try {
    await requireMasterKeys(db, openMasterKeys(config));
  } catch (error) {
    const line = explainFault(error);
    if (line === undefined) throw error;
    return [fault(line, 'bring the master key back: without it no secret of this database can be read')];
  }
  const sealing = sealingKeyId(config);
  const others = (await readKeyUse(db)).filter(({ masterKeyId }) => masterKeyId !== sealing);
  return when(others.length > 0, () => warning('a rotation of the master key has not ended', './caudal master-key rotate goes on with it'));
}
