import { join } from 'node:path';
import type { Db } from '../../kit/db.ts';
import { countKeyUse, type KeyUse, type SealedTable } from '../../kit/keys/reseal.ts';
import { unseal, type MasterKey, type MasterKeys, type Sealed } from '../../kit/secrets.ts';
import { SERVICE_SECRETS } from '../../kit/keys/service-keys.ts';
import { CELL_SECRETS } from '../../cells/index.ts';
import { MERCHANT_SECRETS } from '../../merchants/index.ts';
import { NETWORK_SECRETS } from '../../networks/index.ts';
import { USER_CODE_SECRETS } from '../../users/index.ts';
import type { Config } from '../config.ts';
import { createMasterKeyFile, MasterKeyFault, readMasterKeyFile } from './master-key-file.ts';

export type MasterKeySource = Pick<Config, 'masterKeys' | 'dataDir'>;

/** Every table with sealed secrets. A rotation of the master key seals all of them again. */
export const SEALED_TABLES: readonly SealedTable[] = [MERCHANT_SECRETS, NETWORK_SECRETS, SERVICE_SECRETS, USER_CODE_SECRETS, CELL_SECRETS];

/** The file of the keys when CAUDAL_MASTER_KEY is not set. */
export const masterKeyPath = (dataDir: string): string => join(dataDir, 'master-key');

/**
 * Opens the master keys: those of CAUDAL_MASTER_KEY, else those of the file in the data directory.
 * Sealing the first secret makes the file. Every sealing, and every unknown key, reads it again: so a rotation reaches
 * running servers.
 * Throws: MasterKeyFault, here or from the keys' functions, for a file that others can read or that is damaged.
 */
export function openMasterKeys({ masterKeys, dataDir }: MasterKeySource): MasterKeys {
  const [newest] = masterKeys;
  if (newest !== undefined) return { current: () => newest, find: (id) => masterKeys.find((key) => key.id === id) };
  return openFileKeys(masterKeyPath(dataDir));
}

function openFileKeys(path: string): MasterKeys {
  // Keys that left the file stay known here: a row read before a rotation may be opened after it.
  const seen = new Map<string, MasterKey>();
  const read = (): MasterKey | undefined => {
    const keys = readMasterKeyFile(path);
    for (const key of keys) seen.set(key.id, key);
    return keys[0];
  };
  read();
  return {
    current: () => {
      const newest = read();
      if (newest !== undefined) return newest;
      createMasterKeyFile(path);
      return read() as MasterKey;
    },
    find: (id) => {
      if (!seen.has(id)) read();
      return seen.get(id);
    },
  };
}

/** The id of the key that seals, without making one. Undefined: nothing was ever sealed. */
export function sealingKeyId({ masterKeys, dataDir }: MasterKeySource): string | undefined {
  return (masterKeys[0] ?? readMasterKeyFile(masterKeyPath(dataDir))[0])?.id;
}

/** Counts the secrets of databases under each master key. */
export const readKeyUse = (...dbs: readonly Pick<Db, 'query'>[]): Promise<readonly KeyUse[]> => countKeyUse(dbs, SEALED_TABLES);

/**
 * Checks that every secret of the database opens here. Else a command would seal secrets that the servers cannot open.
 * Throws: MasterKeyFault with the ids of the missing keys.
 */
export async function requireMasterKeys(db: Pick<Db, 'query'>, keys: MasterKeys): Promise<void> {
  const missing = (await readKeyUse(db)).filter(({ masterKeyId }) => keys.find(masterKeyId) === undefined);
  if (missing.length === 0) return;
  throw new MasterKeyFault(
    `The secrets of this database are sealed under the master key ${missing.map(({ masterKeyId }) => masterKeyId).join(', ')}, ` +
      'which is not held here: set CAUDAL_MASTER_KEY, or CAUDAL_DATA_DIR, as the servers have it.',
  );
}

/**
 * Proves the master keys on a database: every key is held, and a secret of each table opens.
 * Shape: → the fingerprints of the keys in use. Throws: MasterKeyFault, SecretUnreadable.
 */
export async function proveMasterKeys(db: Db, keys: MasterKeys): Promise<readonly string[]> {
  await requireMasterKeys(db, keys);
  await db.transaction(async (tx) => {
    for (const table of SEALED_TABLES) {
      // No key has the empty name: all rows are under another one.
      const [row] = await tx.query<Sealed>(table.selectOthers, ['', 1, ...table.beforeFirst]);
      if (row !== undefined) unseal(keys, row, table.place(row));
    }
  });
  return (await readKeyUse(db)).map(({ masterKeyId }) => masterKeyId);
}
