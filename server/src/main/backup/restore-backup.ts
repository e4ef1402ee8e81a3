import { mkdirSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresFailure, ONLY_OURS, startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { CommandRefused } from '../../kit/command-line.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import { MasterKeyFault } from '../keys/master-key-file.ts';
import { findForeignCode } from './foreign-code.ts';
import { RECOVERY_SETTINGS, unpackBackup, type Plan } from './unpack-backup.ts';

const POLL_MS = 50;
const CONNECT_MS = 1_500;

const ignore = (): void => undefined;

/** Refuses where a master key is not held, before anything is written. */
export function requireKeysOf({ manifest }: Plan, keys: MasterKeys): void {
  const missing = manifest.masterKeys.filter((id) => keys.find(id) === undefined);
  if (missing.length > 0)
    throw new MasterKeyFault(
      `The secrets of this backup are sealed under the master key ${missing.join(', ')}, which is not held here: set CAUDAL_MASTER_KEY, or put the file master-key into the directory.`,
    );
}

/**
 * Restores a backup into a data directory, and runs it.
 * Shape: → the database, which has recovered and takes writes. No other program starts it before `restored()`.
 * Refuses: a directory that holds anything but the file of the master key; a backup that was altered; a time that it does not reach.
 */
export async function restoreBackup(plan: Plan, dataDir: string): Promise<EmbeddedPostgres> {
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  if (readdirSync(dataDir).some((name) => name !== 'master-key'))
    throw new CommandRefused(`${dataDir} is not empty: restore into a new directory, which may hold the file master-key alone.`);
  let fault: string | undefined;
  const database = await startEmbeddedPostgres({
    name: 'caudal',
    dataDir,
    command: 'caudal restore',
    log: { info: ignore, warn: ignore, error: (fields) => (fault ??= String((fields as { reason?: unknown }).reason)) },
    restore: (cluster) => unpackBackup(plan, cluster),
  });
  try {
    await untilRecovered(database.ownerUrl, plan.mustBeOurs, () => fault);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** A standby answers while it recovers. Recovery of a long log takes as long as it takes. */
async function untilRecovered(ownerUrl: string, mustBeOurs: boolean, fault: () => string | undefined): Promise<void> {
  for (;;) {
    const reason = fault();
    if (reason !== undefined) throw new EmbeddedPostgresFailure(`The database does not recover: ${reason}.`);
    if (await hasRecovered(ownerUrl, mustBeOurs)) return;
    await delay(POLL_MS);
  }
}

async function hasRecovered(ownerUrl: string, mustBeOurs: boolean): Promise<boolean> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_MS, options: ONLY_OURS });
  client.on('error', () => undefined); // A broken connection fails its statement too.
  try {
    if (!(await takesWrites(client))) return false;
    if (mustBeOurs) await refuseForeignCode(client);
    for (const name of RECOVERY_SETTINGS) await client.query(`alter system reset ${name}`);
    await client.query('select pg_reload_conf()');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Before a statement of ours may call it as the superuser. */
async function refuseForeignCode(client: Client): Promise<void> {
  const found = await findForeignCode(client);
  if (found.length === 0) return;
  throw new CommandRefused(
    `Nobody sealed this backup, and it holds what Caudal never makes: ${found.slice(0, 5).join('; ')}. Nothing of it ran. ` +
      'If it is yours, name it by --trust.',
  );
}

async function takesWrites(client: Client): Promise<boolean> {
  try {
    await client.connect();
    const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers');
    return rows[0]?.recovers === false;
  } catch {
    return false; // It ended, or starts: the reason comes by the log.
  }
}
