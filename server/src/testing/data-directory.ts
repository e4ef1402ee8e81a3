import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes a data directory of one's own for a while. Run by root, PostgreSQL is another user's and has to pass through. */
export function makeDataDirectory(prefix = 'caudal-data-'): string {
  const dataDir = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(dataDir, 0o711);
  return dataDir;
}

/** Removes it, and the cluster behind its link, where root's temporary directory is closed to others. */
export function removeDataDirectory(dataDir: string): void {
  try {
    const cluster = realpathSync(join(dataDir, 'postgres'));
    if (dirname(cluster) !== realpathSync(dataDir)) rmSync(dirname(cluster), { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  rmSync(dataDir, { recursive: true, force: true });
}
