import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readNoFollow } from './no-follow.ts';

/**
 * Finds the running postmaster (PostgreSQL's main process) of a cluster, ours or one that a killed owner left.
 * Shape: cluster → process id, or undefined. Another process that has got the number of a dead postmaster does not count.
 */
export function findPostmaster(cluster: string): number | undefined {
  const processId = recordedProcessId(cluster);
  return processId !== undefined && isPostmasterOf(processId, cluster) ? processId : undefined;
}

/**
 * Removes a postmaster.pid whose postmaster is dead and whose number another process has got. That is usual in containers, where numbers
 * are small, and PostgreSQL would refuse to start. It still refuses to start beside processes that use the old one's memory.
 * Effects: removes the file. Call it only as the owner and with no postmaster running.
 */
export function clearReusedProcessId(cluster: string): void {
  const processId = recordedProcessId(cluster);
  if (processId !== undefined && isAlive(processId)) rmSync(join(cluster, 'postmaster.pid'));
}

function recordedProcessId(cluster: string): number | undefined {
  const processId = Number.parseInt(readNoFollow(join(cluster, 'postmaster.pid')) ?? '', 10);
  return processId > 0 ? processId : undefined;
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isPostmasterOf(processId: number, cluster: string): boolean {
  if (!isAlive(processId)) return false;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(processId)], { env: {}, encoding: 'utf8' }).stdout.includes(`-D ${cluster} `);
  }
  try {
    // The file is of PostgreSQL's user: it must not make us end a process of somebody else.
    if (statSync(`/proc/${processId}`).uid !== statSync(cluster).uid) return false;
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8').includes(`\0-D\0${cluster}\0`);
  } catch {
    return false; // The process has ended since.
  }
}
