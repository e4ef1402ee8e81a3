import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, closeSync, constants, lchownSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The user that PostgreSQL runs as: our own. PostgreSQL refuses to run as root. So where we are root, it is a user that nothing else of
 * the machine has. `nobody` has other programs, which could stop PostgreSQL and read its memory.
 */
export type RunAs = {
  uid: number;
  /** Options for spawn: the environment, and the ids unless the user is our own. */
  spawn: SpawnAs;
  /** The same for initdb, which asks the machine for the user's name. A user of our choice has none, so it is `nobody`, in our group. */
  spawnInitdb: SpawnAs;
  /** Gives that user a path that we made. */
  own(path: string): void;
  /** Gives that user a directory and all in it. It may be of initdb's user. */
  ownAll(directory: string): void;
  /** Gives a path that we made to the user of initdb. */
  ownForInitdb(path: string): void;
  /** Lets the group of that user pass through a directory of ours, and nobody else. */
  admitOnly(directory: string): void;
  /** Whether that user can enter the directory. */
  canEnter(directory: string): boolean;
};

type SpawnAs = { env: NodeJS.ProcessEnv; uid?: number; gid?: number };

/** Users that neither Linux distributions nor systemd give to anyone. They exist in a container with the usual 65,536 users too. */
const UIDS = { first: 60_578, count: 606 };

/**
 * The whole environment of a child. Ours may hold secrets. Other processes of the child's user can read a child's, and so can SQL.
 * The shell needs PATH.
 */
const environment = (): NodeJS.ProcessEnv => (process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] });

const nothing = (): void => {};

/**
 * Chooses the user that PostgreSQL runs as.
 * Shape: name of the program → RunAs. As root, a program has the same user on every start.
 * Effects: as root it looks up the id of `nobody`.
 */
export function chooseRunAs(name: string): RunAs {
  const uid = process.getuid?.() ?? -1;
  const env = environment();
  if (uid !== 0) {
    const spawn = { env };
    return {
      uid,
      spawn,
      spawnInitdb: spawn,
      own: nothing,
      ownAll: nothing,
      ownForInitdb: nothing,
      admitOnly: nothing,
      canEnter: () => true,
    };
  }
  const id = UIDS.first + (createHash('sha256').update(name).digest().readUInt32BE() % UIDS.count);
  const ours = { env, uid: id, gid: id };
  const initdb = { env, uid: idOfNobody(), gid: id };
  return {
    uid: id,
    spawn: ours,
    spawnInitdb: initdb,
    own: (path) => lchownSync(path, id, id),
    ownAll: (directory) => {
      if (statSync(directory).uid === id) return;
      // The other user enters it no more. Its mode says so until the last step: a killed start is repeated.
      chownSync(directory, 0, 0);
      chownInside(directory, id);
      chownSync(directory, id, id);
    },
    ownForInitdb: (path) => chownSync(path, initdb.uid, id),
    admitOnly: (directory) => chownSync(directory, 0, id),
    // Mode bits are not enough: access lists and mounts count too. So that user tries it.
    canEnter: (directory) => spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...ours, cwd: '/' }).status === 0,
  };
}

/**
 * Gives a user all in a directory, without following links: an earlier user may still have it open, and change it under us. So each
 * directory is held open, and a file with a second name stays as it is: that name may be elsewhere.
 */
function chownInside(directory: string, id: number): void {
  const held = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const here = process.platform === 'linux' ? `/proc/self/fd/${held}` : directory;
    for (const name of readdirSync(here)) {
      const path = join(here, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) chownInside(path, id);
      if (stat.isDirectory() || stat.nlink === 1) lchownSync(path, id, id);
    }
  } finally {
    closeSync(held);
  }
}

function idOfNobody(): number {
  try {
    const id = Number(execFileSync('id', ['-u', 'nobody'], { env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    // macOS prints -2; the system call needs it as an unsigned number.
    return id >>> 0;
  } catch {
    return 65534; // The usual id, for systems without `nobody` in their user list.
  }
}
