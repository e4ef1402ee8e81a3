import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { statement } from './db.ts';

/** A 256-bit key that seals every other secret. Its id is a fingerprint, stored beside each sealed value; it reveals nothing of the key. */
export type MasterKey = { readonly id: string; readonly key: Buffer };

export type MasterKeys = {
  /** The key that seals new values. */
  current(): MasterKey;
  /** The key with that id, or undefined when this process does not have it. */
  find(id: string): MasterKey | undefined;
};

export type Sealed = { readonly masterKeyId: string; readonly sealed: Buffer };

/**
 * A sealed secret does not open. Only the operator can repair that; until then a caller gets 503. The message is one line for the
 * operator.
 */
export class SecretUnreadable extends Error {
  override readonly name: string = 'SecretUnreadable';
}

/** The secret is sealed under a master key that this process does not have. */
export class MasterKeyMissing extends SecretUnreadable {
  override readonly name = 'MasterKeyMissing';

  constructor(masterKeyId: string) {
    super(`Secrets of this database are sealed under the master key ${masterKeyId}, which is not held here.`);
  }
}

/** Identifies the lock below. Any number that no other lock has. */
const MASTER_KEY_LOCK = 7_228_325_002;

/**
 * The first statement of every transaction that seals, before `seal` asks for the current key. A rotation that has set a new key waits
 * for the transactions that may still use the old one. So nothing is sealed under a key that is about to be removed.
 */
export const HOLD_MASTER_KEY = statement('kit.hold_master_key', `select pg_advisory_xact_lock_shared(${MASTER_KEY_LOCK})`);
/** The statement of the rotation: it returns when every transaction with HOLD_MASTER_KEY has ended. */
export const AWAIT_MASTER_KEY_HOLDERS = statement('kit.await_master_key_holders', `select pg_advisory_xact_lock(${MASTER_KEY_LOCK})`);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const MASTER_KEY_BYTES = 32;

/** Makes a master key of 32 bytes. Throws on another length. */
export function masterKey(key: Buffer): MasterKey {
  if (key.length !== MASTER_KEY_BYTES) throw new Error(`a master key has ${MASTER_KEY_BYTES} bytes, this one has ${key.length}`);
  return { id: fingerprintOf(key), key };
}

/** Names a key by twelve hex digits, which reveal nothing of it. */
export function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update('caudal master key id').update(key).digest('hex').slice(0, 12);
}

/** Reads a master key from its text: 64 hex digits, or base64 of 32 bytes. Returns undefined for any other text. */
export function parseMasterKey(text: string): MasterKey | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return masterKey(Buffer.from(trimmed, 'hex'));
  if (/^[A-Za-z0-9+/]{43}=?$/.test(trimmed)) return masterKey(Buffer.from(trimmed, 'base64'));
  return undefined;
}

/** 128 random bits as 32 hex digits: the form in which existing clients expect a merchant's secret. */
export function randomSecret(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Seals a secret with AES-256-GCM under the current master key.
 * `place` names where it is stored (table, merchant, kind). A sealed value that is copied to another row does not open there.
 */
export function seal(keys: MasterKeys, plain: string | Buffer, place: string): Sealed {
  const { id, key } = keys.current();
  return { masterKeyId: id, sealed: encrypt(key, plain, place) };
}

/** Opens a value that `seal` made for the same place. Throws: MasterKeyMissing; SecretUnreadable for an altered value or another place. */
export function unseal(keys: MasterKeys, { masterKeyId, sealed }: Sealed, place: string): Buffer {
  const found = keys.find(masterKeyId);
  if (found === undefined) throw new MasterKeyMissing(masterKeyId);
  return decrypt(found.key, sealed, place);
}

/** Encrypts with AES-256-GCM. Shape: → nonce, tag, ciphertext. */
export function encrypt(key: Buffer, plain: string | Buffer, place: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Decrypts what `encrypt` made for the same place. Throws: SecretUnreadable for an altered value or another place. */
export function decrypt(key: Buffer, sealed: Buffer, place: string): Buffer {
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new SecretUnreadable(`A secret does not open at ${place}: it was altered, or belongs elsewhere.`, { cause: error });
  }
}
