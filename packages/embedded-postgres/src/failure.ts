import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A failure that a person can fix. Its message says how in one line; a stack would not help. */
export class EmbeddedPostgresFailure extends Error {
  override name = 'EmbeddedPostgresFailure';
}

const CAUSES: Record<string, string> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'a file is in the way',
  ENOTDIR: 'a part of the path is not a directory',
};

/**
 * Turns an error of the file system into one line that names the path. Returns any other error unchanged.
 * Shape: unknown error, the data directory for an error without a path → error to throw, with the original as its cause.
 */
export function explainFileFault(error: unknown, dataDir: string): unknown {
  const { code, path } = error as { code?: string; path?: string };
  const cause = code === undefined ? undefined : CAUSES[code];
  if (cause === undefined) return error;
  const denied = code === 'EACCES' || code === 'EPERM' ? whoMayWrite(path ?? dataDir) : undefined;
  return new EmbeddedPostgresFailure(`The embedded PostgreSQL cannot use ${path ?? dataDir}: ${denied ?? cause}.`, { cause: error });
}

/** Says whose a path is, where it is another user's than ours; of a path that is not there, whose its directory is. */
export function whoMayWrite(path: string): string | undefined {
  try {
    const { uid } = statSync(path);
    const own = process.getuid?.();
    if (uid === own) return undefined;
    return `permission denied. ${path} belongs to user ${uid}, and this is user ${own}: run it as that user, or name a directory of your own`;
  } catch (error) {
    const parent = dirname(path);
    return ['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '') && parent !== path ? whoMayWrite(parent) : undefined;
  }
}

/**
 * Finds the line in which a PostgreSQL program gave its reason for ending.
 * Shape: its standard error → the last line with FATAL, PANIC or error, without the text up to that word; undefined without such a line.
 */
export function lastComplaint(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => /\b(?:FATAL|PANIC|error):/.test(line));
  return lines.at(-1)?.replace(/^.*?\b(?:FATAL|PANIC|error):\s*/, '');
}
