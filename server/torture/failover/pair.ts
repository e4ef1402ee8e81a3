import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { createLog } from '../../src/kit/log.ts';
import { makeDataDirectory, removeDataDirectory } from '../../src/testing/data-directory.ts';
import { processesOf } from '../../src/testing/postgres-processes.ts';
import { askOnce, askUnguarded, type StagedDatabase } from '../database.ts';
import { signal } from '../faults.ts';

/** How the standby follows: each commit waits for it, or none does. */
export type Following = 'synchronous' | 'asynchronous';

/** A primary and its standby, and the hands that fail over. They do by themselves what a cluster manager is for. */
export type Pair = StagedDatabase & {
  signalPrimary(name: 'SIGKILL' | 'SIGSTOP'): Promise<void>;
  /** A former primary that was stopped goes on, beside the one that replaced it. */
  wakePrimary(): Promise<void>;
  /** The standby gets no more of the log, and notices nothing. */
  holdStandby(): Promise<void>;
  /** Ends the primary in order: its standby has everything. */
  stopPrimary(): Promise<void>;
  /** Makes the standby the primary. The former primary becomes its standby in the background. */
  failOver(): Promise<void>;
};

/** What starts a server of the embedded PostgreSQL: its program, and the user that it runs as. */
type Program = { readonly file: string; readonly uid: number; readonly gid: number };
type Server = { readonly url: string; readonly cluster: string; readonly socketDir: string; start(): Promise<void> };

const NAME = 'caudal';
/** For what takes a second on an idle machine. */
const DEADLINE_MS = 60_000;
const POLL_MS = 20;
/** One process of the primary makes all commits wait, a moment after it has read that they must. */
const TOLD_MS = 300;
/** What is left of a former primary ends this long after the fail-over. */
const FENCED_MS = 1_500;
/** A standby whose copy begins here finds the log that was written since. */
const SETTINGS = ['listen_addresses=', 'wal_keep_size=256MB', 'max_wal_size=256MB', 'wal_receiver_timeout=5s', 'wal_sender_timeout=5s'];

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const endsAt = performance.now() + DEADLINE_MS; !(await holds());) {
    if (performance.now() > endsAt) throw new Error(`not within ${DEADLINE_MS} ms: ${what}`);
    await delay(POLL_MS);
  }
}

/** Makes a cluster of the embedded PostgreSQL in a directory. Shape: → what starts it. */
async function makeCluster(cluster: string): Promise<Program> {
  const dataDir = makeDataDirectory('caudal-failover-made-');
  const made = await startEmbeddedPostgres({ name: NAME, dataDir, command: 'npm run torture', log: createLog('silent') });
  const from = realpathSync(join(dataDir, 'postgres'));
  const file = readlinkSync(`/proc/${processesOf(from)[0]}/exe`);
  await made.stop();
  const { uid, gid } = statSync(from);
  cpSync(from, cluster, { recursive: true });
  removeDataDirectory(dataDir);
  const program = { file, uid, gid };
  own(program, cluster);
  return program;
}

function own({ uid, gid }: Program, directory: string): void {
  if (process.getuid?.() !== 0) return;
  for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) lchownSync(join(directory, name), uid, gid);
}

function openServer(home: string, name: string, program: Program): Server {
  const cluster = join(home, name);
  const socketDir = join(home, `${name}-socket`);
  mkdirSync(socketDir, { mode: 0o700 });
  if (process.getuid?.() === 0) chownSync(socketDir, program.uid, program.gid);
  const url = `postgres://${NAME}@${encodeURIComponent(socketDir)}/${NAME}`;
  const words = ['-D', cluster, '-k', socketDir, ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const identity = process.getuid?.() === 0 ? { uid: program.uid, gid: program.gid } : {};
  return {
    url,
    cluster,
    socketDir,
    start: async () => {
      const child = spawn(program.file, words, { ...identity, env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'ignore'] });
      const kill = (): void => void child.kill('SIGKILL');
      process.once('exit', kill);
      child.once('exit', () => process.off('exit', kill));
      await until(`${name} starts`, () =>
        askOnce(url, 'select 1').then(
          () => true,
          (error: unknown) => {
            if (child.exitCode === null && child.signalCode === null) return false;
            throw error;
          },
        ),
      );
    },
  };
}

/** Says whom a stopped server follows. */
function follow({ cluster }: Server, { socketDir }: Server, program: Program): void {
  const settings = [`primary_conninfo = 'host=${socketDir} user=${NAME}'`, `synchronous_standby_names = ''`];
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(cluster, 'standby.signal'), '');
  own(program, cluster);
}

/** Copies the cluster of a server that works into that of one that does not. */
async function copyBase(from: Server, to: Server): Promise<void> {
  rmSync(to.cluster, { recursive: true, force: true });
  const client = new Client({ connectionString: from.url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('torture', true)`);
    // Files that vanish meanwhile are not needed: the log has what became of them.
    const copy = spawn('cp', ['-a', from.cluster, to.cluster], { stdio: 'ignore' });
    await once(copy, 'exit');
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(to.cluster, 'backup_label'), (rows[0] as (typeof rows)[number]).labelfile);
  } finally {
    await client.end();
  }
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal']) rmSync(join(to.cluster, name), { recursive: true, force: true });
  mkdirSync(join(to.cluster, 'pg_wal'), { mode: 0o700 });
  chmodSync(to.cluster, 0o700);
}

const isGone = (processId: number): boolean => {
  try {
    return !process.kill(processId, 0);
  } catch {
    return true;
  }
};

async function endAll(processes: readonly number[]): Promise<void> {
  for (const processId of processes) signal(processId, 'SIGKILL');
  await until('the former primary is gone', () => processes.every(isGone));
}

/** All processes of a server. Its first one makes no more from now on. */
function freeze({ cluster }: Server): readonly number[] {
  for (const processId of processesOf(cluster).slice(0, 1)) signal(processId, 'SIGSTOP');
  return processesOf(cluster);
}

/** Waits until the standby streams. Then commits of its primary wait for it, where they are to. */
async function settle(primary: Server, following: Following): Promise<void> {
  const isAt = (condition: string) => async (): Promise<boolean> =>
    (await askOnce(primary.url, `select 1 from pg_stat_replication where state = 'streaming' and ${condition}`)).length === 1;
  await until('the standby streams', isAt('true'));
  if (following === 'asynchronous') return;
  await askOnce(primary.url, `alter system set synchronous_standby_names = '*'`);
  await askOnce(primary.url, 'select pg_reload_conf()');
  await until('the standby is synchronous', isAt(`sync_state = 'sync'`));
  await delay(TOLD_MS);
}

/** Starts a primary and its standby with durable settings, in a directory of their own. */
export async function startPair(following: Following): Promise<Pair> {
  const home = makeDataDirectory('caudal-failover-');
  const program = await makeCluster(join(home, 'a'));
  const servers = [openServer(home, 'a', program), openServer(home, 'b', program)] as const;
  const now = { primary: servers[0], standby: servers[1], halted: [] as readonly number[] };
  const joinPair = async (): Promise<void> => {
    follow(now.standby, now.primary, program);
    await now.standby.start();
    await settle(now.primary, following);
  };
  const rejoin = async (): Promise<void> => {
    if (now.halted.length > 0) {
      await delay(FENCED_MS);
      await endAll([...now.halted, ...freeze(now.standby)]);
      now.halted = [];
      await copyBase(now.primary, now.standby);
    }
    await joinPair();
  };
  await now.primary.start();
  await copyBase(now.primary, now.standby);
  await joinPair();
  let rejoined = Promise.resolve();
  return {
    url: `postgres://${NAME}@${servers.map(({ socketDir }) => encodeURIComponent(socketDir)).join(',')}/${NAME}`,
    urls: servers.map(({ url }) => url),
    whole: () => rejoined,
    signalPrimary: async (name) => {
      now.halted = freeze(now.primary);
      for (const processId of now.halted) signal(processId, name);
    },
    wakePrimary: async () => {
      for (const processId of now.halted) signal(processId, 'SIGCONT');
    },
    holdStandby: async () => {
      await askOnce(now.standby.url, `alter system set primary_conninfo = ''`);
      await askOnce(now.standby.url, 'select pg_reload_conf()');
      await until('nobody follows', async () => (await askOnce(now.primary.url, 'select 1 from pg_stat_replication')).length === 0);
    },
    stopPrimary: async () => {
      const processes = processesOf(now.primary.cluster);
      for (const processId of processes.slice(0, 1)) process.kill(processId, 'SIGINT');
      await until('the primary ends', () => processes.every(isGone));
    },
    failOver: async () => {
      await askOnce(now.standby.url, 'select pg_promote()');
      [now.primary, now.standby] = [now.standby, now.primary];
      rejoined = rejoin();
      rejoined.catch(() => undefined); // It is thrown where the next fail-over begins.
    },
    askUnguarded: async (text, values) => {
      await rejoined;
      return askUnguarded(now.primary.url, text, values);
    },
    close: async () => {
      await rejoined.catch(() => undefined);
      await endAll([...now.halted, ...freeze(now.primary), ...freeze(now.standby)]);
      removeDataDirectory(home);
    },
  };
}
