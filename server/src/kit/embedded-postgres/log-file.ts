import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** Two files of this size at most: the current one and the one before it. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** PostgreSQL's own log. */
export type LogFile = {
  path: string;
  write(text: string): void;
  close(): void;
};

/**
 * Opens a log file that stays bounded: a full one becomes `<path>.1`, in place of the one before.
 * Shape: path → LogFile.
 * Effects: writes at once, and swallows a failing write: a full disk must not stop the database's owner.
 */
export function openLogFile(path: string): LogFile {
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  const turn = () => {
    renameSync(path, `${path}.1`);
    closeSync(file);
    file = openSync(path, 'a', 0o600);
    size = 0;
  };
  return {
    path,
    write(text) {
      try {
        if (size > LIMIT_BYTES) turn();
        size += writeSync(file, text);
      } catch {
        // What could not be written is lost; the caller tells its own log what matters.
      }
    },
    close() {
      closeSync(file);
      file = -1; // What still arrives must not end up in a file that got the number since.
    },
  };
}
