import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Db } from './db.ts';
import { statement } from './db.ts';
import type { Clock } from './clock.ts';

/** A 256-bit key that seals every other secret. Its id is a fingerprint: it stands beside what the key sealed and betrays nothing. */
export type MasterKey = { readonly id: string; readonly key: Buffer };

export type MasterKeys = {
  /** The key that seals from now on. */
  current(): MasterKey;
  /** The key of that id, or undefined when this process does not hold it. */
  find(id: string): MasterKey | undefined;
};

export type Sealed = { readonly masterKeyId: string; readonly sealed: Buffer };

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

/** Opens what `seal` made for the same place. Throws when the master key is unknown here, or anything was altered. */
export function unseal(keys: MasterKeys, { masterKeyId, sealed }: Sealed, place: string): Buffer {
  const found = keys.find(masterKeyId);
  if (found === undefined) throw new Error(`a secret is sealed under master key ${masterKeyId}, which this process does not hold`);
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', found.key, nonce).setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/** Where a service secret is sealed for. */
export const serviceSecretPlace = (name: string): string => `service_secrets/${name}`;

const INSERT_SERVICE_SECRET = statement(
  'kit.insert_service_secret',
  `insert into service_secrets (name, master_key_id, sealed, created_at) values ($1, $2, $3, $4) on conflict (name) do nothing`,
);
const SELECT_SERVICE_SECRET = statement(
  'kit.select_service_secret',
  `select master_key_id as "masterKeyId", sealed from service_secrets where name = $1`,
);

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
  const made = seal(keys, randomBytes(32), serviceSecretPlace(name));
  await db.query(INSERT_SERVICE_SECRET, [name, made.masterKeyId, made.sealed, clock.now()]);
  return (await read()) as Buffer;
}
