import { connectClient, connectionConfig, type Db } from '../../kit/db.ts';
import { reseal } from '../../kit/keys/reseal.ts';
import { AWAIT_MASTER_KEY_HOLDERS } from '../../kit/secrets.ts';
import { MasterKeyFault, newMasterKey, readMasterKeyFile, replaceMasterKeyFile } from './master-key-file.ts';
import { masterKeyPath, openMasterKeys, readKeyUse, requireMasterKeys, SEALED_TABLES, type MasterKeySource } from './master-keys.ts';

/** The key that seals everything now, and how many secrets were under another one. */
type RotatedMasterKey = { readonly masterKeyId: string; readonly resealed: number };

/** An arbitrary number. The lock permits one rotation at a time on a database. */
const ROTATION_LOCK = 7_228_325_003;

/**
 * Seals every secret of all cells again while servers run: under the first key of CAUDAL_MASTER_KEY, or a new key in the file.
 * The secrets do not change, so the copies in the servers' memory stay valid.
 * Throws: MasterKeyFault when a rotation is under way, or a secret does not open here.
 * Effects: the file gets the new key before it seals the first secret. The old keys leave the file after the last one.
 * After a crash all secrets are readable, and the next rotation finishes the work.
 */
export async function rotateMasterKey(
  { db, url, others = [] }: { readonly db: Db; readonly url: string; readonly others?: readonly Db[] },
  source: MasterKeySource,
): Promise<RotatedMasterKey> {
  return alone(url, async () => {
    const dbs = [db, ...others];
    const keys = openMasterKeys(source);
    for (const one of dbs) await requireMasterKeys(one, keys);
    if (source.masterKeys.length > 0) return resealAll(dbs, source);

    const path = masterKeyPath(source.dataDir);
    const added = newMasterKey();
    keys.current(); // Makes the file if nothing was ever sealed.
    replaceMasterKeyFile(path, [added, ...readMasterKeyFile(path)]);
    const rotated = await resealAll(dbs, source);
    await removeIdleKeys(dbs, path);
    return rotated;
  });
}

async function resealAll(dbs: readonly Db[], source: MasterKeySource): Promise<RotatedMasterKey> {
  // Wait for transactions that read the current key before the file was replaced: then their rows are committed.
  for (const db of dbs) await db.query(AWAIT_MASTER_KEY_HOLDERS, []);
  const keys = openMasterKeys(source);
  let resealed = 0;
  for (const db of dbs) for (const table of SEALED_TABLES) resealed += await reseal(db, keys, table);
  return { masterKeyId: keys.current().id, resealed };
}

/** Removes keys that no row of a database uses. A key that a row needs never leaves the file. */
async function removeIdleKeys(dbs: readonly Db[], path: string): Promise<void> {
  const used = new Set((await readKeyUse(...dbs)).map(({ masterKeyId }) => masterKeyId));
  replaceMasterKeyFile(
    path,
    readMasterKeyFile(path).filter(({ id }, index) => index === 0 || used.has(id)),
  );
}

/** Holds a session lock on its own connection. The lock ends with this process, also in a crash. */
async function alone<T>(url: string, work: () => Promise<T>): Promise<T> {
  // Where it breaks, the lock is lost too. Two rotations at once do more work but lose no key.
  const client = await connectClient(connectionConfig(url, null));
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [ROTATION_LOCK]);
    if (rows[0]?.taken !== true) throw new MasterKeyFault('Another rotation of the master key is under way.');
    return await work();
  } finally {
    await client.end();
  }
}
