import { chmodSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder in memory, on Linux. */
const MEMORY = '/dev/shm';
/** More than the databases of a test run ever take, with their log. */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Where a cluster is quickest that may be lost: in memory, where there is room.
 * A run makes hundreds of databases, of 300 files each. On a disk they take several times the processor time.
 */
export function quickestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Makes a data directory of one's own for a while. Run by root, PostgreSQL is another user's and has to pass through. */
export function makeDataDirectory(prefix = 'caudal-data-', folder = tmpdir()): string {
  const dataDir = mkdtempSync(join(folder, prefix));
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
