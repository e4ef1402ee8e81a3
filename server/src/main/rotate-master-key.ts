import { Client } from 'pg';
import { connectionConfig, type Db } from '../kit/db.ts';
import { reseal } from '../kit/reseal.ts';
import { AWAIT_MASTER_KEY_HOLDERS } from '../kit/secrets.ts';
import { newMasterKey, readMasterKeyFile, replaceMasterKeyFile } from './master-key-file.ts';
import {
  MasterKeyFault,
  masterKeyPath,
  openMasterKeys,
  readKeyUse,
  requireMasterKeys,
  SEALED_TABLES,
  type MasterKeySource,
} from './master-keys.ts';

/** The key under which everything lies now, and how many secrets were under another. */
export type RotatedMasterKey = { readonly masterKeyId: string; readonly resealed: number };

/** Any number of our own: one rotation at a time on a database. */
const ROTATION_LOCK = 7_228_325_003;

/**
 * Seals every secret anew while servers run: under the first key of CAUDAL_MASTER_KEY, or under a new key in the file.
 * The secrets themselves do not change, so what servers hold in memory stays right.
 * Throws: MasterKeyFault when a rotation is under way, or a secret does not open here.
 * Effects: the new key stands in the file before the first secret lies under it, and the old ones leave it after the last: a crash at
 * any point leaves all readable, and the next rotation finishes the work.
 */
export async function rotateMasterKey(
  { db, url }: { readonly db: Db; readonly url: string },
  source: MasterKeySource,
): Promise<RotatedMasterKey> {
  return alone(url, async () => {
    const keys = openMasterKeys(source);
    await requireMasterKeys(db, keys);
    if (source.masterKeys.length > 0) return resealAll(db, source);

    const path = masterKeyPath(source.dataDir);
    const added = newMasterKey();
    keys.current(); // Makes the file where nothing was ever sealed.
    replaceMasterKeyFile(path, [added, ...readMasterKeyFile(path)]);
    const rotated = await resealAll(db, source);
    await removeIdleKeys(db, path);
    return rotated;
  });
}

async function resealAll(db: Db, source: MasterKeySource): Promise<RotatedMasterKey> {
  // Whoever asked for the current key before the file was replaced has sealed, and committed, after this.
  await db.query(AWAIT_MASTER_KEY_HOLDERS, []);
  const keys = openMasterKeys(source);
  let resealed = 0;
  for (const table of SEALED_TABLES) resealed += await reseal(db, keys, table);
  return { masterKeyId: keys.current().id, resealed };
}

/** What the database uses decides, not what this rotation did: a key that is needed never leaves the file. */
async function removeIdleKeys(db: Db, path: string): Promise<void> {
  const used = new Set((await readKeyUse(db)).map(({ masterKeyId }) => masterKeyId));
  replaceMasterKeyFile(
    path,
    readMasterKeyFile(path).filter(({ id }, index) => index === 0 || used.has(id)),
  );
}

/** A session lock on a connection of its own: it ends with this process, however that ends. */
async function alone<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new Client(connectionConfig(url, null));
  client.on('error', () => undefined); // The lock is lost with it; two rotations at once would only work more, not lose a key.
  await client.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [ROTATION_LOCK]);
    if (rows[0]?.taken !== true) throw new MasterKeyFault('Another rotation of the master key is under way.');
    return await work();
  } finally {
    await client.end();
  }
}
