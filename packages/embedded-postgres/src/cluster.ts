import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresFailure, lastComplaint } from './failure.ts';
import { readNoFollow, replaceFile } from './no-follow.ts';
import { BELONGS_TO, makePassable, type Places } from './places.ts';
import type { RunAs } from './run-as.ts';
import { ACCESS, settings } from './settings.ts';
import { spawnTied } from './tied-process.ts';

/** Each start uses another name for its unfinished cluster. The initdb of a killed start may still write to its own. */
const UNFINISHED = '.unfinished-';

/** What it takes to make a cluster; `name` is that of its superuser. `restore` fills it with the files of a backup. */
export type ClusterPlan = {
  name: string;
  places: Places;
  binaries: Binaries;
  runAs: RunAs;
  durable: boolean;
  restore: ((cluster: string) => Promise<void>) | undefined;
};

/**
 * Makes the cluster where there is none, and writes the current settings beside it: in it, PostgreSQL's user could lead us elsewhere.
 * Refuses: a cluster of another major version (EmbeddedPostgresFailure).
 * Effects: a new cluster gets its name only when it is complete. A cluster outside the data directory gets a link in it.
 */
export async function prepareCluster(plan: ClusterPlan): Promise<void> {
  const { places, binaries, durable } = plan;
  if (lstatSync(join(places.cluster, 'PG_VERSION'), { throwIfNoEntry: false }) === undefined) await createCluster(plan);
  else refuseOtherVersion(places.cluster, binaries.major);
  const { main, access } = places.settings;
  for (const [path, text] of [
    [main, settings(durable, access)],
    [access, ACCESS],
  ] as const) {
    replaceFile(path, text, 0o644);
    chmodSync(path, 0o644); // PostgreSQL's user must read it, whatever the umask.
  }
}

function refuseOtherVersion(cluster: string, major: number): void {
  const found = readNoFollow(join(cluster, 'PG_VERSION'))?.trim() ?? 'nothing';
  if (found === String(major)) return;
  throw new EmbeddedPostgresFailure(
    `${cluster} was written by PostgreSQL ${found} and this version brings ${major}: dump it with pg_dump ${found} while the older version ` +
      `runs, move the directory away, start this version and restore the dump with psql.`,
  );
}

async function createCluster(plan: ClusterPlan): Promise<void> {
  const { places, runAs } = plan;
  if (places.cluster !== places.entry) makeStoredHome(places);
  removeUnfinished(places.cluster);
  const unfinished = `${places.cluster}${UNFINISHED}${process.pid}`;
  const made = join(unfinished, 'cluster');
  // Only the group passes through: other programs of the user of initdb are not in it.
  mkdirSync(unfinished);
  chmodSync(unfinished, 0o710); // The umask does not count.
  runAs.admitOnly(unfinished);
  mkdirSync(made, { mode: 0o700 });
  runAs.ownForInitdb(made);
  try {
    if (plan.restore === undefined) await initdb(made, plan);
    else await fillFromBackup(made, plan.restore, plan.binaries.major);
    runAs.ownAll(made);
    renameSync(made, places.cluster);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  if (places.cluster !== places.entry) symlinkSync(places.cluster, places.entry);
}

function makeStoredHome(places: Places): void {
  const home = dirname(places.cluster);
  makePassable(dirname(home));
  makePassable(home);
  writeFileSync(join(home, BELONGS_TO), `${places.dataDir}\n`);
}

async function fillFromBackup(directory: string, restore: (cluster: string) => Promise<void>, major: number): Promise<void> {
  await restore(directory);
  refuseOtherVersion(directory, major);
}

async function initdb(directory: string, { name, binaries, runAs, durable }: ClusterPlan): Promise<void> {
  const options = ['-D', directory, '-U', name, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'];
  const child = spawnTied([binaries.initdb, ...(durable ? options : [...options, '--no-sync'])], runAs.spawnInitdb, () => {});
  if ((await child.exited) === 0) return;
  const output = child.lastOutput();
  const reason = lastComplaint(output) ?? output.trim().split('\n').at(-1);
  throw new EmbeddedPostgresFailure(`The embedded PostgreSQL cannot make its database in ${dirname(directory)}: ${reason}`);
}

function removeUnfinished(cluster: string): void {
  const home = dirname(cluster);
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(`${basename(cluster)}${UNFINISHED}`))) {
    try {
      rmSync(join(home, name), { recursive: true, force: true });
    } catch (error) {
      // The initdb of a start that was just killed still writes. The next start removes its directory.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}
