import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { EmbeddedPostgresFailure } from './failure.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** More than any file that we read of a cluster has. */
const MOST_BYTES = 4096;

/**
 * Opens a file in a directory of another user, who may have put anything there: a link to a file of ours, a pipe that never ends.
 * Refuses: anything but a plain file (EmbeddedPostgresFailure).
 */
function openNoFollow(path: string): number {
  const file = openAsItIs(path);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw planted(path);
}

function openAsItIs(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (['ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw planted(path);
    throw error;
  }
}

const planted = (path: string): EmbeddedPostgresFailure =>
  new EmbeddedPostgresFailure(`${path} is not a plain file of the database. PostgreSQL makes no such file: find out who put it there.`);

/** Reads a short file of a cluster; undefined: there is none. Refuses: as openNoFollow. */
export function readNoFollow(path: string): string | undefined {
  let file: number;
  try {
    file = openNoFollow(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Replaces a file in one step, and writes through no link. */
export function replaceFile(path: string, text: string, mode: number): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode, flag: 'wx' });
  renameSync(next, path);
}
