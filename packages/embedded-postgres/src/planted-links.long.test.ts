import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NAME } from './testing/name.ts';
import { ask, useTestDirectory } from './testing/test-directory.ts';

const directory = useTestDirectory();

let victim: string;
let cluster: string;

const UNTOUCHED = '1\nof root\n';

/** A stopped cluster, which is in the hands of PostgreSQL's user. */
beforeEach(async () => {
  await (await directory.start()).stop();
  victim = join(directory.parent, 'victim');
  writeFileSync(victim, UNTOUCHED, { mode: 0o600 });
  cluster = join(directory.dataDir, 'postgres');
});

function expectUntouched(): void {
  expect(readFileSync(victim, 'utf8')).toBe(UNTOUCHED);
  const { uid, mode } = statSync(victim);
  expect({ uid, mode: mode & 0o777 }).toEqual({ uid: process.getuid?.(), mode: 0o600 });
}

/** A process of root with these words in its command line, until `end`. */
function spawnAsRoot(words: readonly string[]) {
  const child = spawn('/bin/sh', ['-c', 'read -r line', 'sh', ...words], { stdio: ['pipe', 'ignore', 'ignore'] });
  directory.atEnd.push(() => child.stdin.end());
  return { pid: child.pid, isAlive: () => child.exitCode === null && child.signalCode === null };
}

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('what PostgreSQL’s user plants in its directory', () => {
  const PLACES = [`${NAME}.conf`, `${NAME}.conf.new`, 'PG_VERSION', 'postmaster.pid', 'postgresql.conf', 'pg_hba.conf', 'pg_wal/planted'];

  test.each(PLACES)('a link at %s: root neither writes through it nor gives its target away', async (name) => {
    rmSync(join(cluster, name), { force: true });
    symlinkSync(victim, join(cluster, name));
    const started = await directory.start().then(
      (postgres) => postgres,
      (error: Error) => error.message,
    );
    if (typeof started === 'string') expect(started).toContain(`${name} is not a plain file of the database`);
    else await started.stop();
    expectUntouched();
    rmSync(join(cluster, name), { force: true });
  });

  test.each(['PG_VERSION', 'postmaster.pid'])('a pipe at %s: the start says so, and does not wait', async (name) => {
    rmSync(join(cluster, name), { force: true });
    expect(spawnSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', join(cluster, name)]).status).toBe(0);
    await expect(directory.start()).rejects.toThrow(/not a plain file/);
    rmSync(join(cluster, name));
  });

  test('settings are read from beside the directory: those in it count for nothing', async () => {
    writeFileSync(join(cluster, 'postgresql.conf'), `archive_mode = on\narchive_command = 'touch ${victim}.ran'\n`);
    const { ownerUrl } = await directory.start();
    expect(await ask(ownerUrl, `select current_setting('archive_mode'), current_setting('hba_file')`)).toEqual([
      'off',
      join(directory.dataDir, `${NAME}.hba.conf`),
    ]);
    expect(readdirSync(cluster)).not.toContain(`${NAME}.conf`);
    expect(existsSync(`${victim}.ran`)).toBe(false);
  });

  test('a number of a process of somebody else in postmaster.pid: the stop leaves that process alone', async () => {
    const postgres = await directory.start();
    const others = spawnAsRoot(['-D', cluster, '']);
    const file = join(cluster, 'postmaster.pid');
    const owner = lstatSync(file).uid;
    writeFileSync(file, `${others.pid}\n`);
    chownSync(file, owner, owner);
    await postgres.stop();
    expect(others.isAlive()).toBe(true);
    rmSync(file, { force: true });
  });

  test('where the cluster was of nobody: links and second names in it stay what they are', async () => {
    const NOBODY = 65534;
    const outside = join(directory.parent, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), '');
    for (const entry of readdirSync(cluster)) chownSync(join(cluster, entry), NOBODY, NOBODY);
    symlinkSync(outside, join(cluster, 'base', 'planted'));
    expect(spawnSync('ln', [victim, join(cluster, 'pg_stat', 'planted')]).status).toBe(0);
    chownSync(cluster, NOBODY, NOBODY);
    await (await directory.start()).stop();
    expect([outside, join(outside, 'file')].map((path) => statSync(path).uid)).toEqual([0, 0]);
    expectUntouched();
  });
});
