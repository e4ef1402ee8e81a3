import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';

/** The user that PostgreSQL runs as: ourselves, or `nobody` when we are root (PostgreSQL refuses to run as root). */
export type RunAs = {
  uid: number;
  /** Options for spawn: empty when it is ourselves. */
  spawn: { uid?: number; gid?: number };
  /** Gives a path that we made to that user. */
  own(path: string): void;
  /** Whether that user can enter the directory. */
  canEnter(directory: string): boolean;
};

/**
 * Says as whom PostgreSQL shall run.
 * Effects: as root it looks up the ids of `nobody`.
 */
export function chooseRunAs(): RunAs {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0) return { uid, spawn: {}, own: () => {}, canEnter: () => true };
  const nobody = { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
  return {
    uid: nobody.uid,
    spawn: nobody,
    own: (path) => chownSync(path, nobody.uid, nobody.gid),
    // Asking the system beats computing it from mode bits: access lists and mounts count too.
    canEnter: (directory) => spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...nobody, cwd: '/' }).status === 0,
  };
}

function idOfNobody(flag: '-u' | '-g'): number {
  try {
    const id = Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    // macOS says -2, which the system call wants as an unsigned number.
    return id >>> 0;
  } catch {
    return 65534; // The customary id, on systems without that name in their user list.
  }
}
