import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { chooseRunAs } from './run-as.ts';
import { NAME } from './testing/name.ts';
import { ask, isAlive, kill, POSTGRES_TIMEOUT_MS, useTestDirectory } from './testing/test-directory.ts';

const directory = useTestDirectory();

describe('a killed owner', () => {
  test('leaves no PostgreSQL behind, and the next start has all committed rows', async () => {
    const owner = directory.startOtherProcess();
    const { url } = await owner.next();
    await ask(url!, 'create table kept as select 1 as id');
    const processId = directory.postmaster();
    await kill(owner.child);
    await vi.waitFor(() => expect(isAlive(processId)).toBe(false), { timeout: POSTGRES_TIMEOUT_MS });
    expect(await ask((await directory.start()).ownerUrl, 'select id from kept')).toEqual([1]);
  });

  test('does not hinder a start in the same moment', async () => {
    const owner = directory.startOtherProcess();
    const { url } = await owner.next();
    await ask(url!, 'create table kept as select 1 as id');
    await kill(owner.child);
    expect(await ask((await directory.start()).ownerUrl, 'select id from kept')).toEqual([1]);
  });

  test('in the middle of the first start does not spoil the directory', async () => {
    const owner = directory.startOtherProcess();
    const clusters = () =>
      readdirSync(directory.dataDir).filter((name) => existsSync(join(directory.dataDir, name, 'cluster', 'PG_VERSION')));
    await vi.waitFor(() => expect(clusters()).toHaveLength(1), { timeout: POSTGRES_TIMEOUT_MS, interval: 5 });
    await kill(owner.child);
    expect(await ask((await directory.start()).ownerUrl, 'select 1')).toEqual([1]);
  });

  test.runIf(process.platform === 'linux')(
    'whose wrapper is killed too leaves a PostgreSQL that the next start stops before it starts its own',
    { timeout: 180_000 },
    async () => {
      const owner = directory.startOtherProcess();
      const { url } = await owner.next();
      await ask(url!, 'create table kept as select 1 as id');
      const left = directory.postmaster();
      killAllBut(left, owner.child.pid!);
      await once(owner.child, 'exit');
      expect(isAlive(left)).toBe(true);
      expect(await ask((await directory.start()).ownerUrl, 'select id from kept')).toEqual([1]);
      expect(isAlive(left)).toBe(false);
    },
  );
});

describe('a killed PostgreSQL', () => {
  test('is replaced, and committed rows are there', async () => {
    const { ownerUrl: url } = await directory.start({ durable: true });
    await ask(url, 'create table kept as select 1 as id');
    const killed = directory.postmaster();
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(async () => expect(await ask(url, 'select id from kept')).toEqual([1]), { timeout: POSTGRES_TIMEOUT_MS });
    expect(directory.postmaster()).not.toBe(killed);
  });

  test(
    'again and again comes back after two seconds at most, and after 0.2 seconds once it ran for a while',
    { timeout: 180_000 },
    async () => {
      const pauses: number[] = [];
      let returns = 0;
      const error = (fields: object): unknown => pauses.push((fields as { pauseMs: number }).pauseMs);
      const { ownerUrl: url } = await directory.start({ log: { info: () => returns++, warn: () => {}, error } });
      const now = performance.now.bind(performance);
      let aheadMs = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
      directory.atEnd.push(() => vi.restoreAllMocks());
      const killOnce = async (): Promise<void> => {
        const before = returns;
        process.kill(directory.postmaster(), 'SIGKILL');
        await vi.waitFor(() => expect(returns).toBe(before + 1), { timeout: POSTGRES_TIMEOUT_MS });
        expect(await ask(url, 'select 1')).toEqual([1]);
      };
      for (let times = 0; times < 6; times++) await killOnce();
      aheadMs = 11_000;
      await killOnce();
      expect(pauses).toEqual([200, 400, 800, 1_600, 2_000, 2_000, 200]);
    },
  );

  test('whose number another process has got is not mistaken for that process', async () => {
    const owner = directory.startOtherProcess();
    await owner.next();
    process.kill(directory.postmaster(), 'SIGQUIT');
    await kill(owner.child);
    await directory.postgresGone();
    // PostgreSQL checks only processes of its own user.
    const stranger = spawn('tail', ['-f', '/dev/null'], chooseRunAs(NAME).spawn);
    directory.atEnd.push(() => stranger.kill());
    const cluster = join(directory.dataDir, 'postgres');
    writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n`);
    expect(await ask((await directory.start()).ownerUrl, 'select 1')).toEqual([1]);
  });
});

/** The parent of a process, or undefined where it has ended: any process may end between two looks. */
function parentOf(processId: number): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))![1]);
  } catch {
    return undefined;
  }
}

/** Kills the owner and the shells between it and PostgreSQL, but not PostgreSQL. */
function killAllBut(postmasterId: number, ownerId: number): void {
  const wrapper = parentOf(postmasterId)!;
  const readers = readdirSync('/proc')
    .map(Number)
    .filter((processId) => processId > 0 && processId !== postmasterId && parentOf(processId) === wrapper);
  for (const processId of [...readers, wrapper, ownerId]) process.kill(processId, 'SIGKILL');
}
