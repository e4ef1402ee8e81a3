/** A failure of the embedded database whose message is one line for the person who started us: no stack helps there. */
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
 * Turns a fault of the file system into one line that names the path; anything else comes back unchanged.
 * Shape: unknown error, the data directory for a fault without a path → error to throw, the original as its cause.
 */
export function explainFileFault(error: unknown, dataDir: string): unknown {
  const { code, path } = error as { code?: string; path?: string };
  const cause = code === undefined ? undefined : CAUSES[code];
  if (cause === undefined) return error;
  return new EmbeddedPostgresFailure(`The embedded PostgreSQL cannot use ${path ?? dataDir}: ${cause}.`, { cause: error });
}

/**
 * Finds the line by which a PostgreSQL program said why it gave up.
 * Shape: its standard error → the last line that says FATAL, PANIC or error, without the marks before it.
 */
export function lastComplaint(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => /\b(?:FATAL|PANIC|error):/.test(line));
  return lines.at(-1)?.replace(/^.*?\b(?:FATAL|PANIC|error):\s*/, '');
}
