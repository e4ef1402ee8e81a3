import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import { statement, type Db } from './db.ts';
import type { SealedTable } from './reseal.ts';

/** A 256-bit key that seals every other secret. Its id is a fingerprint: it stands beside what the key sealed and betrays nothing. */
export type MasterKey = { readonly id: string; readonly key: Buffer };

export type MasterKeys = {
  /** The key that seals from now on. */
  current(): MasterKey;
  /** The key of that id, or undefined when this process does not hold it. */
  find(id: string): MasterKey | undefined;
};

export type Sealed = { readonly masterKeyId: string; readonly sealed: Buffer };

/**
 * A sealed secret does not open: the operator's to mend, not the caller's, who is answered 503 until it is. The message is one line for
 * the operator.
 */
export class SecretUnreadable extends Error {
  override readonly name: string = 'SecretUnreadable';
}

/** It is sealed under a master key that this process does not hold. */
export class MasterKeyMissing extends SecretUnreadable {
  override readonly name = 'MasterKeyMissing';

  constructor(masterKeyId: string) {
    super(`Secrets of this database are sealed under the master key ${masterKeyId}, which is not held here.`);
  }
}

/** Any number of our own, for the lock below. */
const MASTER_KEY_LOCK = 7_228_325_002;

/**
 * Goes first in every transaction that seals, before `seal` asks for the current key: a rotation that has put a new key in place
 * waits for those who may still hold the old one, so that nothing is sealed under a key that is about to go.
 */
export const HOLD_MASTER_KEY = statement('kit.hold_master_key', `select pg_advisory_xact_lock_shared(${MASTER_KEY_LOCK})`);
/** The other side: returns once every transaction that began to seal before has ended. */
export const AWAIT_MASTER_KEY_HOLDERS = statement('kit.await_master_key_holders', `select pg_advisory_xact_lock(${MASTER_KEY_LOCK})`);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const MASTER_KEY_BYTES = 32;

/** Makes a master key of 32 bytes. Throws on another length. */
export function masterKey(key: Buffer): MasterKey {
  if (key.length !== MASTER_KEY_BYTES) throw new Error(`a master key has ${MASTER_KEY_BYTES} bytes, this one has ${key.length}`);
  return { id: createHash('sha256').update('caudal master key id').update(key).digest('hex').slice(0, 12), key };
}

/** Reads a master key from its text: 64 hex digits or base64 of 32 bytes. Undefined when it is neither. */
export function parseMasterKey(text: string): MasterKey | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return masterKey(Buffer.from(trimmed, 'hex'));
  if (/^[A-Za-z0-9+/]{43}=?$/.test(trimmed)) return masterKey(Buffer.from(trimmed, 'base64'));
  return undefined;
}

/**
 * The key ring of one of the service's own keys (serviceSecret), to seal many rows with: a rotation of the master key then seals that
 * one key anew, and no row.
 */
export function ringOf(key: Buffer): MasterKeys {
  const only = masterKey(key);
  return { current: () => only, find: (id) => (id === only.id ? only : undefined) };
}

/** 128 bits of randomness in 32 hex digits: a merchant's secret, as existing clients expect to receive it. */
export function randomSecret(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Seals a secret with AES-256-GCM under the current master key.
 * `place` names where it is stored (table, merchant, kind): a sealed value copied to another row does not open there.
 */
export function seal(keys: MasterKeys, plain: string | Buffer, place: string): Sealed {
  const { id, key } = keys.current();
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { masterKeyId: id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
}

/** Opens what `seal` made for the same place. Throws: MasterKeyMissing; SecretUnreadable when a byte was altered or the place is another. */
export function unseal(keys: MasterKeys, { masterKeyId, sealed }: Sealed, place: string): Buffer {
  const found = keys.find(masterKeyId);
  if (found === undefined) throw new MasterKeyMissing(masterKeyId);
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', found.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new SecretUnreadable(`A secret does not open at ${place}: it was altered, or belongs elsewhere.`, { cause: error });
  }
}

const serviceSecretPlace = (name: string): string => `service_secrets/${name}`;

const INSERT_SERVICE_SECRET = statement(
  'kit.insert_service_secret',
  `insert into service_secrets (name, master_key_id, sealed, created_at) values ($1, $2, $3, $4) on conflict (name) do nothing`,
);
const SELECT_SERVICE_SECRET = statement(
  'kit.select_service_secret',
  `select master_key_id as "masterKeyId", sealed from service_secrets where name = $1`,
);

/** The service's own secrets, as the rotation of the master key goes through them. */
export const SERVICE_SECRETS: SealedTable<Sealed & { readonly name: string }> = {
  count: statement(
    'kit.count_service_secrets',
    `select master_key_id as "masterKeyId", count(*) as secrets from service_secrets group by master_key_id`,
  ),
  selectOthers: statement(
    'kit.select_service_secrets_under_other_keys',
    `select name, master_key_id as "masterKeyId", sealed from service_secrets where master_key_id <> $1 and name > $3 order by name limit $2 for update`,
  ),
  update: statement('kit.reseal_service_secret', `update service_secrets set master_key_id = $1, sealed = $2 where name = $3`),
  key: ({ name }) => [name],
  beforeFirst: [''],
  place: ({ name }) => serviceSecretPlace(name),
};

/**
 * Gives the service's own key of that name (32 bytes), made on first use.
 * Servers that start at once agree on one: the first to insert wins, all read it back.
 */
export async function serviceSecret(db: Db, keys: MasterKeys, clock: Clock, name: string): Promise<Buffer> {
  const read = async (): Promise<Buffer | undefined> => {
    const [row] = await db.query<Sealed>(SELECT_SERVICE_SECRET, [name]);
    return row && unseal(keys, row, serviceSecretPlace(name));
  };
  const existing = await read();
  if (existing !== undefined) return existing;
  await db.transaction(async (tx) => {
    await tx.query(HOLD_MASTER_KEY, []);
    const made = seal(keys, randomBytes(32), serviceSecretPlace(name));
    tx.send(INSERT_SERVICE_SECRET, [name, made.masterKeyId, made.sealed, clock.now()]);
  });
  return (await read()) as Buffer;
}
