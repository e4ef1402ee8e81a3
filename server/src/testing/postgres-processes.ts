import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The processes of a cluster: the postmaster, and then its children. Empty while it does not run. */
export function processesOf(cluster: string): readonly number[] {
  try {
    const postmaster = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [postmaster, ...children];
  } catch {
    return []; // It is being started.
  }
}
