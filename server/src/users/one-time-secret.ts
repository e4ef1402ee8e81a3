import { createHash, randomBytes } from 'node:crypto';

/** What somebody holds, and the hash that is kept of it. With 256 random bits, a fast hash is as strong as a slow one. */
export type OneTimeSecret = { readonly text: string; readonly hash: Buffer };

const BYTES = 32;

/** Draws a secret that begins with `prefix`. */
export function newSecret(prefix = ''): OneTimeSecret {
  const text = prefix + randomBytes(BYTES).toString('base64url');
  return { text, hash: hashOf(text) };
}

/** What is kept of a link, a session, an access token or a recovery code. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What is found of each of these hashes. Undefined: nothing is. */
export function inOrderOf<Row extends { readonly hash: Buffer }, Found>(
  hashes: readonly Buffer[],
  rows: readonly Row[],
  foundOf: (row: Row) => Found,
): readonly (Found | undefined)[] {
  const byHash = new Map(rows.map((row) => [row.hash.toString('hex'), foundOf(row)]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')));
}
