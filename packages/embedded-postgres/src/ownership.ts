import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresFailure, whoMayWrite } from './failure.ts';
import { replaceFile } from './no-follow.ts';

/** What the owner of a data directory publishes about itself. */
export type Owner = {
  processId: number;
  /** What it runs, as a person would type it. */
  command: string;
  /** Where it serves; absent until it does. */
  address?: string;
  /** Its database; absent until that accepts connections. */
  databaseUrl?: string;
  /** The same for the owner of the database; absent as long. */
  ownerUrl?: string;
};

/** A data directory that is ours until release(), or until this process ends for any reason. */
export type Ownership = {
  describe(part: Partial<Owner>): void;
  release(): void;
};

/** An owner takes the lock first and writes owner.json a moment later: readers wait this long for it. */
const OWNER_FILE_TIMEOUT_MS = 2_000;
const POLL_MS = 20;
const SQLITE_BUSY = 5;

/**
 * Takes a data directory, if it is free.
 * Shape: data directory, command → Ownership, or undefined where another process has it.
 * Effects: holds a lock of the operating system that ends with the process, and writes owner.json. SQLite, a part of Node, takes the lock
 * on an empty file: Node has no file lock of its own. A file or a socket as a mark would outlive a killed process.
 */
export function takeOwnership(dataDir: string, command: string): Ownership | undefined {
  const lock = takeLock(join(dataDir, 'owner.lock'));
  if (lock === undefined) return undefined;
  const path = join(dataDir, 'owner.json');
  let owner: Owner = { processId: process.pid, command };
  const describe = (part: Partial<Owner>) => {
    owner = { ...owner, ...part };
    replaceFile(path, `${JSON.stringify(owner)}\n`, 0o600);
  };
  const release = () => {
    rmSync(path, { force: true });
    lock.close();
  };
  try {
    describe({});
  } catch (error) {
    release();
    throw error;
  }
  return { describe, release };
}

/**
 * Makes the file before SQLite does, which would let other users read it. An existing file is not opened: closing it would end a lock
 * that this process holds on it.
 */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function takeLock(path: string): DatabaseSync | undefined {
  makePrivateFile(path);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    // A journal on the disk would need space there, and nothing is ever written.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as { errcode?: number; message: string };
    if (errcode === SQLITE_BUSY) return undefined;
    throw new EmbeddedPostgresFailure(`The embedded PostgreSQL cannot lock ${path}: ${whoMayWrite(path) ?? message}.`, { cause: error });
  }
}

/**
 * Reads who owns a data directory whose lock is taken.
 * Shape: data directory → Owner, or undefined when no living owner has published itself in time.
 */
export async function readOwner(dataDir: string): Promise<Owner | undefined> {
  const deadline = performance.now() + OWNER_FILE_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const owner = readOwnerOnce(dataDir);
    if (owner !== undefined) return owner;
    await delay(POLL_MS);
  }
  return undefined;
}

/** Where the server of a data directory serves now; undefined: none does. */
export const servedAt = (dataDir: string): string | undefined => readOwnerOnce(dataDir)?.address;

function readOwnerOnce(dataDir: string): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(join(dataDir, 'owner.json'), 'utf8')) as Owner;
    process.kill(owner.processId, 0); // Throws where a killed owner left the file.
    return owner;
  } catch {
    return undefined;
  }
}
