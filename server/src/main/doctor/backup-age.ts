import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fault, warning, when, type Ailment, type DoctorCheck } from '../../kit/checks/doctor.ts';
import { namesIn, readBackups, readKeyFile } from '../backup/backup-folder.ts';
import type { BackupPlace, ExaminedServer } from './served.ts';

const DAY_MS = 86_400_000;

/** How old the newest backup is. Those of your own PostgreSQL are known by the manifest that is written last. */
export const BACKUP_CHECK: DoctorCheck<ExaminedServer> = {
  name: 'backups',
  look: async ({ isEmbedded, isSandbox, machine, bounds, backups: place }) => {
    if (place === undefined) {
      if (isSandbox) return [];
      throw new Error('no directory of backups is known: name it with --backups DIR, or leave this out with --except backups');
    }
    const newest = isEmbedded ? await newestOfOurs(place) : await newestManifest(place.dir);
    const how = isEmbedded ? `./caudal backup ${place.dir}` : 'see the tool that makes them';
    return judgeAge(newest === undefined ? undefined : (machine.nowMs() - newest) / DAY_MS, place.dir, how, bounds);
  },
};

function judgeAge(days: number | undefined, dir: string, how: string, bounds: ExaminedServer['bounds']): readonly Ailment[] {
  const remedy = `make one now, and one each day: ${how}; docs/operations/backup.md`;
  if (days === undefined) return [fault(`there is no whole backup in ${dir}`, remedy)];
  const says = `the newest backup in ${dir} is ${days.toFixed(1)} days old`;
  if (days > bounds.backupFaultDays) return [fault(says, remedy)];
  return when(days > bounds.backupWarningDays, () => warning(says, remedy));
}

async function newestOfOurs({ dir, keyFile }: BackupPlace): Promise<number | undefined> {
  const finishedAt = (await readBackups(resolve(dir), await readKeyFile(keyFile))).at(-1)?.finishedAt;
  return finishedAt === undefined ? undefined : Temporal.Instant.from(finishedAt).epochMilliseconds;
}

/** Of `pg_basebackup` and of pgBackRest. Until a backup is whole, pgBackRest's has another name. */
const MANIFESTS = ['backup_manifest', 'backup.manifest'];

/** When the newest manifest was written, in the directory or one of its own. */
async function newestManifest(dir: string): Promise<number | undefined> {
  const places = [dir, ...(await namesIn(dir)).map((name) => join(dir, name))];
  const files = places.flatMap((place) => MANIFESTS.map((manifest) => join(place, manifest)));
  const times = await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs));
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
