import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** A log takes at most two files of about this size: the current one and the one before it. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** PostgreSQL's own log. */
export type LogFile = {
  path: string;
  write(text: string): void;
  close(): void;
};

/**
 * Opens a log file of bounded size. A full file becomes `<path>.1` and replaces the older one of that name.
 * Shape: path → LogFile.
 * Effects: writes at once. Ignores a failed write: a full disk must not stop the owner of the database.
 */
export function openLogFile(path: string): LogFile {
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  const startNextFile = () => {
    renameSync(path, `${path}.1`);
    closeSync(file);
    file = openSync(path, 'a', 0o600);
    size = 0;
  };
  return {
    path,
    write(text) {
      try {
        if (size > LIMIT_BYTES) startNextFile();
        size += writeSync(file, text);
      } catch {
        // The text is lost. The supervisor's own log has what matters.
      }
    },
    close() {
      closeSync(file);
      file = -1; // Later text must not go to another file that has got the same number.
    },
  };
}
