import { readFileSync, statSync } from 'node:fs';
import { CommandRefused } from '../command-line.ts';

const OTHERS_MAY_READ = 0o077;
const MOST_BYTES = 4_096;

/** Reads the text of a file that holds a secret. Throws: CommandRefused for one that others may read, that is too large, or not there. */
export function readPrivateFile(path: string): string {
  try {
    const { mode, size } = statSync(path);
    if (size > MOST_BYTES) throw new CommandRefused(`${path} is too large for a secret.`, 2);
    if (process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0)
      throw new CommandRefused(`Other users may read ${path}: chmod 600 ${path}`, 2);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    throw new CommandRefused(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`, 2);
  }
}
