import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MASTER_KEY_BYTES, masterKey, parseMasterKey, type MasterKey } from '../../kit/secrets.ts';

/** Master keys of this process are missing or wrong, or others can read them. The message is one line for the operator. */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault';
}

/**
 * Reads the file of master keys: one per line in hex, newest first.
 * Shape: path → keys; none when there is no file.
 * Throws: MasterKeyFault for a file that other users can read, or with other content.
 */
export function readMasterKeyFile(path: string): readonly MasterKey[] {
  let text: string;
  try {
    refuseOpenFile(path);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    if (error instanceof MasterKeyFault) throw error;
    throw new MasterKeyFault(`The master key cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const keys = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseMasterKey);
  if (keys.length === 0 || keys.includes(undefined)) {
    throw new MasterKeyFault(`${path} holds something else than master keys (64 hex digits a line): bring back a copy of it.`);
  }
  return keys as MasterKey[];
}

/**
 * Makes the file with one new key if there is none.
 * Effects: the file appears whole or not at all. If two processes make it at once, the first one's stays: read it back.
 */
export function createMasterKeyFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const written = `${path}.${randomBytes(6).toString('hex')}`;
  writeKeys(written, [newMasterKey()]);
  try {
    // A link, not a rename: it does not replace the file of a faster process.
    linkSync(written, path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(written);
  }
  flush(dirname(path));
}

/** Replaces the file by one with these keys, newest first. A crash leaves the old file or the new one, whole. */
export function replaceMasterKeyFile(path: string, keys: readonly MasterKey[]): void {
  writeKeys(`${path}.new`, keys);
  renameSync(`${path}.new`, path);
  flush(dirname(path));
}

/** A new random master key. */
export function newMasterKey(): MasterKey {
  return masterKey(randomBytes(MASTER_KEY_BYTES));
}

function writeKeys(path: string, keys: readonly MasterKey[]): void {
  const lines = keys.map(({ key }) => `${key.toString('hex')}\n`);
  writeFileSync(path, lines.join(''), { mode: 0o600, flush: true });
}

/** A new name in a directory is durable only after the directory is flushed. Windows neither has nor needs that call. */
function flush(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuseOpenFile(path: string): void {
  const mode = statSync(path).mode & 0o777;
  // Windows has no such bits.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new MasterKeyFault(`Other users have access to the master key ${path} (mode ${mode.toString(8)}): run chmod 600 ${path}`);
}
