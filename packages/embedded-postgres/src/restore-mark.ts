import { closeSync, existsSync, fsyncSync, lstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresFailure } from './failure.ts';

/** It is in the data directory from before the first file of a restore until the restore is whole. */
const markOf = (dataDir: string): string => join(dataDir, 'restore-unfinished');

/**
 * Marks a data directory: a restore is under way.
 * Refuses: a directory that holds a database, or what an earlier restore left (EmbeddedPostgresFailure).
 */
export function beginRestore(dataDir: string): void {
  refuseUnfinishedRestore(dataDir);
  if (lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }) !== undefined)
    throw new EmbeddedPostgresFailure(`${dataDir} holds a database already: restore into another directory.`);
  closeSync(openSync(markOf(dataDir), 'wx', 0o600));
  flush(dataDir);
}

/** Removes the mark. A crash before that leaves it. */
export function endRestore(dataDir: string): void {
  rmSync(markOf(dataDir));
  flush(dataDir);
}

/** Refuses a directory in which a restore began and did not end (EmbeddedPostgresFailure). */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(markOf(dataDir))) return;
  throw new EmbeddedPostgresFailure(`A restore into ${dataDir} did not come to its end: remove the directory, and restore again.`);
}

/** A name in a directory is durable only after the directory is flushed. */
function flush(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
