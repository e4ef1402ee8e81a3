import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresFailure } from './failure.ts';
import type { RunAs } from './run-as.ts';

/** Where the parts of one embedded PostgreSQL live. */
export type Places = {
  /** The data directory, without symbolic links. */
  dataDir: string;
  /** What the user sees: `<dataDir>/postgres`, the cluster or a symbolic link to it. */
  entry: string;
  /** The cluster itself. */
  cluster: string;
  /** Private directory of the sockets; short enough for a socket's path. */
  socketDir: string;
  /** Directory that may hold a copy of the binaries. */
  copiesDirectory: string;
};

/** Clusters and binaries of a root user whose own directories are closed to `nobody`. */
const ROOT_STORE = '/var/lib/caudal';
/** Paths of Unix sockets have at most 103 bytes on macOS and 107 on Linux. */
const SOCKET_PATH_BYTES = 103;
/** The file beside a cluster in the root store that names the data directory it belongs to. */
export const BELONGS_TO = 'data-directory';

/**
 * Makes the data directory where it is missing.
 * Shape: path → the same place without symbolic links.
 * Effects: a new directory lets others pass through when we are root (its cluster belongs to `nobody`), else it is ours alone.
 */
export function makeDataDirectory(dataDir: string): string {
  const first = mkdirSync(dataDir, { recursive: true });
  if (first !== undefined) chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  return realpathSync(dataDir);
}

/**
 * Works out where everything lives: the same answer for a server and for a command beside it, once the cluster exists.
 * Shape: data directory without symbolic links, user → Places.
 * Refuses: an entry whose cluster is gone, or that belongs to another data directory (EmbeddedPostgresFailure).
 */
export function findPlaces(dataDir: string, runAs: RunAs): Places {
  const entry = join(dataDir, 'postgres');
  const asRoot = process.getuid?.() === 0;
  const cluster = existingCluster(dataDir, entry) ?? (runAs.canEnter(dataDir) ? entry : newRootCluster(dataDir));
  return {
    dataDir,
    entry,
    cluster,
    socketDir: socketDirectory(dirname(cluster), dataDir, runAs.uid),
    copiesDirectory: asRoot ? ROOT_STORE : dataDir,
  };
}

function existingCluster(dataDir: string, entry: string): string | undefined {
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isSymbolicLink()) return entry;
  const target = readlinkSync(entry);
  if (!existsSync(join(target, 'PG_VERSION'))) {
    throw new EmbeddedPostgresFailure(
      `The database of ${dataDir} was at ${target} and is not there any more. Bring it back, or remove the link ${entry} to start with an empty one.`,
    );
  }
  refuseAnothersCluster(dataDir, target);
  return target;
}

/** A copied data directory brings the link along: two servers would then take one cluster for theirs. A moved one may go on. */
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

/** The name is new each time: a directory that was removed and made again must not find the database of its past life. */
function newRootCluster(dataDir: string): string {
  return join(ROOT_STORE, `${hashOf(dataDir)}-${randomBytes(4).toString('hex')}`, 'postgres');
}

function socketDirectory(parent: string, dataDir: string, uid: number): string {
  const near = join(parent, 'socket');
  if (Buffer.byteLength(`${near}/.s.PGSQL.5432`) <= SOCKET_PATH_BYTES) return near;
  // Not os.tmpdir(): a command started with another TMPDIR must find the same place.
  return `/tmp/caudal-${hashOf(dataDir)}-${uid}`;
}

/**
 * Makes the socket directory, or checks that the one we find is private to the user: anyone can make a name in /tmp.
 * Refuses: a directory that is another user's or open to others (EmbeddedPostgresFailure).
 */
export function makeSocketDirectory(socketDir: string, runAs: RunAs): void {
  if (mkdirSync(socketDir, { recursive: true, mode: 0o700 }) !== undefined) runAs.own(socketDir);
  const stat = lstatSync(socketDir);
  if (!stat.isDirectory() || stat.uid !== runAs.uid || (stat.mode & 0o077) !== 0) {
    throw new EmbeddedPostgresFailure(
      `${socketDir} must be a directory of user ${runAs.uid} that is closed to others; remove it and start again.`,
    );
  }
}

/**
 * Removes the socket directory of a stopped PostgreSQL: in /tmp nobody else would.
 * Effects: leaves one that is not empty, and does not mind one that is gone.
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
