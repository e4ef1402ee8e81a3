import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { openShares } from '../../kit/limits/shares.ts';

/** Recommended by OWASP for Argon2id: 19 MiB and two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** One hash takes some ten milliseconds of one core. Payments keep the others. */
const MOST_AT_ONCE = 1;
/** Hashes of one owner that wait for their turn. The last one has waited about a second. */
const MOST_WAITING = 16;
const SHAPE = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export type PasswordHasher = {
  /**
   * Makes what is kept of a password: its hash with parameters and salt, in the usual text form.
   * `owner`: who asks, a user or a network of addresses. Owners take turns.
   */
  hash(password: string, owner: string): Promise<string>;
  /** Compares. `kept` undefined: there is no password; that takes the same time. */
  matches(password: string, kept: string | undefined, owner: string): Promise<boolean>;
};

const compute = promisify(argon2);

/**
 * Opens the one place that hashes passwords. Few run at a time, so that signing in cannot stop payments, and those who ask take turns, so
 * that nobody's many requests keep others from signing in.
 * Throws: Overloaded where its turn does not come in time.
 */
export function openPasswordHasher(): PasswordHasher {
  const inTurn = openShares({ atOnce: MOST_AT_ONCE, perOwner: MOST_AT_ONCE, mostWaiting: MOST_WAITING });
  const dummy = textOf(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));
  return {
    hash: (password, owner) =>
      inTurn(owner, async () => {
        const nonce = randomBytes(SALT_BYTES);
        return textOf(COST, nonce, await compute('argon2id', { ...COST, message: normal(password), nonce, tagLength: TAG_BYTES }));
      }),
    matches: (password, kept, owner) =>
      inTurn(owner, async () => {
        const [, memory, passes, parallelism, salt = '', tag = ''] = SHAPE.exec(kept ?? dummy) ?? [];
        if (memory === undefined) throw new Error('a kept password has another form than Argon2id');
        const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
        const expected = Buffer.from(tag, 'base64');
        const parameters = { ...cost, message: normal(password), nonce: Buffer.from(salt, 'base64'), tagLength: expected.length };
        const isSame = timingSafeEqual(await compute('argon2id', parameters), expected);
        return isSame && kept !== undefined;
      }),
  };
}

/** Keyboards write one character in several ways. */
const normal = (password: string): string => password.normalize('NFKC');

function textOf({ memory, passes, parallelism }: typeof COST, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
