import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a size that can be changed. */
export type Volume = {
  /** Takes all free room away. */
  fill(): void;
  /** Gives it back. */
  empty(): void;
  close(): void;
};

const MOST_TRIES = 100;

/** Root of a machine or a container that permits it can make file systems. */
export function canMakeVolumes(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'caudal-torture-'));
  try {
    openVolume(directory, 1).close();
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(directory);
  }
}

/** Makes a file system in memory at a directory. */
export function openVolume(directory: string, megabytes: number): Volume {
  const size = megabytes * 2 ** 20;
  run('mount', '-t', 'tmpfs', '-o', `size=${size},mode=0711`, 'caudal-torture', directory);
  chmodSync(directory, 0o711);
  const resize = (bytes: number): void => run('mount', '-o', `remount,size=${bytes}`, directory);
  return {
    fill: () => {
      // What is written meanwhile needs more: then the kernel refuses the size.
      for (let tries = 1; ; tries++) {
        const { blocks, bfree, bsize } = statfsSync(directory);
        try {
          return resize((blocks - bfree) * bsize);
        } catch (error) {
          if (tries === MOST_TRIES) throw error;
        }
      }
    },
    empty: () => resize(size),
    close: () => run('umount', '--lazy', directory),
  };
}

function run(command: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
}
