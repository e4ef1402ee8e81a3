import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresFailure } from './failure.ts';
import type { RunAs } from './run-as.ts';

/** Where the parts of one embedded PostgreSQL are. */
export type Places = {
  /** The data directory, without symbolic links. */
  dataDir: string;
  /** `<dataDir>/postgres`: the cluster, or a symbolic link to it. */
  entry: string;
  /** The cluster itself. */
  cluster: string;
  /** The files of its settings, in a directory that its user cannot change. */
  settings: { main: string; access: string };
  /** Private directory of the sockets, with a path that is short enough for them. */
  socketDir: string;
  /** Directory that may hold a copy of the binaries. */
  copiesDirectory: string;
};

/** Holds the clusters and binaries of root where another user may not enter root's own directories. */
const rootStore = (name: string): string => `/var/lib/${name}`;
/** Paths of Unix sockets have at most 103 bytes on macOS and 107 on Linux. */
const SOCKET_PATH_BYTES = 103;
/** The file beside a cluster in the root store that names its data directory. */
export const BELONGS_TO = 'data-directory';

/**
 * Makes the data directory where it is missing.
 * Shape: path → the same place without symbolic links.
 * Effects: started by root, a new directory lets others pass through, because its cluster belongs to another user. Else it is ours alone.
 */
export function makeDataDirectory(dataDir: string): string {
  const named = lstatSync(dataDir, { throwIfNoEntry: false });
  if (named?.isSymbolicLink() === true && !existsSync(dataDir))
    throw new EmbeddedPostgresFailure(
      `${dataDir} is a link to ${readlinkSync(dataDir)}, which is not there: make that directory, or remove the link.`,
    );
  const first = mkdirSync(dataDir, { recursive: true });
  if (first !== undefined) chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  return realpathSync(dataDir);
}

/**
 * Makes a directory that other users may pass through, though not list.
 * Effects: an existing directory keeps its mode. chmod ignores the umask, which could close a new one.
 */
export function makePassable(directory: string): void {
  if (mkdirSync(directory, { recursive: true }) !== undefined) chmodSync(directory, 0o711);
}

/**
 * Finds the place of each part. Once the cluster exists, a server and a command beside it get the same answer.
 * Shape: name of the program, data directory without symbolic links, user → Places.
 * Refuses: an entry whose cluster is gone, or that belongs to another data directory (EmbeddedPostgresFailure).
 */
export function findPlaces(name: string, dataDir: string, runAs: RunAs): Places {
  const entry = join(dataDir, 'postgres');
  const store = rootStore(name);
  const cluster = existingCluster(dataDir, entry) ?? (runAs.canEnter(dataDir) ? entry : newStoredCluster(store, dataDir));
  return {
    dataDir,
    entry,
    cluster,
    settings: { main: join(dirname(cluster), `${name}.conf`), access: join(dirname(cluster), `${name}.hba.conf`) },
    socketDir: socketDirectory(name, dirname(cluster), dataDir, runAs.uid),
    copiesDirectory: process.getuid?.() === 0 ? store : dataDir,
  };
}

function existingCluster(dataDir: string, entry: string): string | undefined {
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isSymbolicLink()) return entry;
  const target = readlinkSync(entry);
  if (lstatSync(join(target, 'PG_VERSION'), { throwIfNoEntry: false }) === undefined) {
    throw new EmbeddedPostgresFailure(
      `The database of ${dataDir} was at ${target} and is not there any more. Bring it back, or remove the link ${entry} to start with an empty one.`,
    );
  }
  refuseAnothersCluster(dataDir, target);
  return target;
}

/** A copy of a data directory has the same link: two servers would use one cluster. A moved data directory keeps its cluster. */
function refuseAnothersCluster(dataDir: string, cluster: string): void {
  const note = join(dirname(cluster), BELONGS_TO);
  const owner = existsSync(note) ? readFileSync(note, 'utf8').trim() : dataDir;
  if (owner === dataDir) return;
  const theirs = lstatSync(join(owner, 'postgres'), { throwIfNoEntry: false });
  if (theirs?.isSymbolicLink() && readlinkSync(join(owner, 'postgres')) === cluster) {
    throw new EmbeddedPostgresFailure(
      `${join(dataDir, 'postgres')} leads to the database of ${owner}: remove the link to start with an empty database here.`,
    );
  }
}

/** The path is new each time: a directory that was removed and made again must not get the old database. */
function newStoredCluster(store: string, dataDir: string): string {
  return join(store, `${hashOf(dataDir)}-${randomBytes(4).toString('hex')}`, 'postgres');
}

function socketDirectory(name: string, parent: string, dataDir: string, uid: number): string {
  const near = join(parent, 'socket');
  if (Buffer.byteLength(`${near}/.s.PGSQL.5432`) <= SOCKET_PATH_BYTES) return near;
  // Not os.tmpdir(): a command with another TMPDIR must find the same place.
  return `/tmp/${name}-${hashOf(dataDir)}-${uid}`;
}

/**
 * Makes the socket directory, or checks that an existing one is private to the user. In /tmp anyone can make one of that name.
 * Refuses: a directory that is another user's or open to others (EmbeddedPostgresFailure).
 */
export function makeSocketDirectory(socketDir: string, runAs: RunAs): void {
  removeThatOfAnother(socketDir, runAs);
  if (mkdirSync(socketDir, { recursive: true, mode: 0o700 }) !== undefined) runAs.own(socketDir);
  const stat = lstatSync(socketDir);
  if (!stat.isDirectory() || stat.uid !== runAs.uid || (stat.mode & 0o077) !== 0) {
    throw new EmbeddedPostgresFailure(
      `${socketDir} must be a directory of user ${runAs.uid} that is closed to others; remove it and start again.`,
    );
  }
}

/** A killed owner whose PostgreSQL ran as another user may have left it. */
function removeThatOfAnother(socketDir: string, runAs: RunAs): void {
  const stat = lstatSync(socketDir, { throwIfNoEntry: false });
  const isNear = basename(socketDir) === 'socket';
  if (process.getuid?.() === 0 && isNear && stat !== undefined && stat.uid !== runAs.uid) rmSync(socketDir, { recursive: true });
}

/**
 * Removes the socket directory of a stopped PostgreSQL: in /tmp nobody else would.
 * Effects: keeps a directory that is not empty, and ignores one that is gone.
 */
export function removeSocketDirectory(socketDir: string): void {
  try {
    rmdirSync(socketDir);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
