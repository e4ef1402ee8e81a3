import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';

/** The user that PostgreSQL runs as: our own, or `nobody` when we are root. PostgreSQL refuses to run as root. */
export type RunAs = {
  uid: number;
  /** Options for spawn: the environment, and the ids unless the user is our own. */
  spawn: { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  /** Gives that user a path that we made. */
  own(path: string): void;
  /** Whether that user can enter the directory. */
  canEnter(directory: string): boolean;
};

/**
 * The whole environment of a child. Ours may hold secrets. Other processes of the child's user can read a child's, and so can SQL.
 * The shell needs PATH.
 */
const environment = (): NodeJS.ProcessEnv => (process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] });

/**
 * Chooses the user that PostgreSQL runs as.
 * Effects: as root it looks up the ids of `nobody`.
 */
export function chooseRunAs(): RunAs {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0) return { uid, spawn: { env: environment() }, own: () => {}, canEnter: () => true };
  const nobody = { env: environment(), uid: idOfNobody('-u'), gid: idOfNobody('-g') };
  return {
    uid: nobody.uid,
    spawn: nobody,
    own: (path) => chownSync(path, nobody.uid, nobody.gid),
    // Mode bits are not enough: access lists and mounts count too. So that user tries it.
    canEnter: (directory) => spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...nobody, cwd: '/' }).status === 0,
  };
}

function idOfNobody(flag: '-u' | '-g'): number {
  try {
    const id = Number(execFileSync('id', [flag, 'nobody'], { env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    // macOS prints -2; the system call needs it as an unsigned number.
    return id >>> 0;
  } catch {
    return 65534; // The usual id, for systems without `nobody` in their user list.
  }
}
