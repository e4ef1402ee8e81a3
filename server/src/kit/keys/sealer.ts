import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, SecretUnreadable } from '../secrets.ts';
import type { KeyGeneration, ServiceKey } from './service-keys.ts';

/** Seals the rows of a table under a key of the service. A rotation of the master key seals that one key again, and no row. */
export type Sealer = {
  seal(plain: string, place: string): Buffer;
  /** Throws: SecretUnreadable for an altered value, another place, or a key that has ended. */
  unseal(sealed: Buffer, place: string): Buffer;
  /** The key of the service that sealed a value. Throws: SecretUnreadable when it has ended. */
  keyOf(sealed: Buffer): Buffer;
};

const ID_BYTES = 6;
const SALT_BYTES = 16;
const HEAD_BYTES = ID_BYTES + SALT_BYTES;
/** Values that one derived key seals. With so few, two equal nonces of 96 random bits are practically impossible. */
const VALUES_PER_KEY = 2 ** 20;
/** Derived keys in memory. A server seals under one; those that it opens are of the servers of the last days. */
const MOST_DERIVED = 256;

/**
 * Opens a sealer. It derives the keys that seal from the key of the service by HKDF-SHA256, with a random salt.
 * It draws a new salt when it is opened, after VALUES_PER_KEY values, and after a rotation. A derivation takes as long as ten sealings,
 * so derived keys stay in memory.
 * Shape of a value: the id of the key, the salt, then what `encrypt` makes.
 */
export function openSealer(serviceKey: ServiceKey, valuesPerKey: number = VALUES_PER_KEY): Sealer {
  const derived = new Map<string, Buffer>();
  let head: Buffer | undefined;
  let sealedBy: KeyGeneration | undefined;
  let values = 0;

  function derive({ key, id }: KeyGeneration, salt: Buffer): Buffer {
    const name = `${id}${salt.toString('latin1')}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const [oldest] = derived.keys();
    if (derived.size >= MOST_DERIVED && oldest !== undefined) derived.delete(oldest);
    const made = Buffer.from(hkdfSync('sha256', key, salt, 'caudal sealed value', 32));
    derived.set(name, made);
    return made;
  }

  function headOf(current: KeyGeneration): Buffer {
    if (head === undefined || sealedBy !== current || values >= valuesPerKey) {
      head = Buffer.concat([Buffer.from(current.id, 'hex'), randomBytes(SALT_BYTES)]);
      sealedBy = current;
      values = 0;
    }
    values += 1;
    return head;
  }

  function generationOf(sealed: Buffer): KeyGeneration {
    const id = sealed.toString('hex', 0, ID_BYTES);
    const found = serviceKey.valid().find((one) => one.id === id);
    if (found === undefined) throw new SecretUnreadable('A value is sealed under a key of the service that has ended.');
    return found;
  }

  return {
    seal: (plain, place) => {
      const current = serviceKey.current();
      const start = headOf(current);
      return Buffer.concat([start, encrypt(derive(current, start.subarray(ID_BYTES)), plain, place)]);
    },
    unseal: (sealed, place) => {
      const generation = generationOf(sealed);
      return decrypt(derive(generation, sealed.subarray(ID_BYTES, HEAD_BYTES)), sealed.subarray(HEAD_BYTES), place);
    },
    keyOf: (sealed) => generationOf(sealed).key,
  };
}
