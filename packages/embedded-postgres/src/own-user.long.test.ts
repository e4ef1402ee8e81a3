import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, useTestDirectory } from './testing/test-directory.ts';

const directory = useTestDirectory();
const NOBODY = 65534;

/** What another user of the machine can do: connect, read a file of the cluster, send a signal. */
const TRY = `
const [user, socket, file, postmaster] = process.argv.slice(1);
process.setgroups([]); process.setgid(Number(user)); process.setuid(Number(user));
const attempt = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
const read = attempt(() => require('node:fs').readFileSync(file));
const signal = attempt(() => process.kill(Number(postmaster), 0));
const print = (connect) => { console.log(JSON.stringify({ connect, read, signal })); process.exit(); };
require('node:net').connect(socket).on('connect', () => print('done')).on('error', (error) => print(error.code));
`;

function tryAs(user: number): unknown {
  const [socket, file] = [join(directory.dataDir, 'socket', '.s.PGSQL.5432'), join(directory.dataDir, 'postgres', 'PG_VERSION')];
  const words = [user, socket, file, directory.postmaster()].map(String);
  return JSON.parse(spawnSync(process.execPath, ['-e', TRY, ...words], { cwd: '/', encoding: 'utf8' }).stdout);
}

const userOf = (path: string): number => statSync(path).uid;

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('started by root, PostgreSQL', () => {
  test('runs as a user that nothing else has: no other user can connect, read or send a signal', async () => {
    await directory.start();
    const user = userOf(`/proc/${directory.postmaster()}`);
    expect([0, NOBODY]).not.toContain(user);
    expect(spawnSync('id', ['-nu', String(user)]).status, 'the user has a name').not.toBe(0);
    expect(tryAs(user), 'the attempts work').toEqual({ connect: 'done', read: 'done', signal: 'done' });
    for (const other of [NOBODY, 1, 1000]) expect(tryAs(other)).toEqual({ connect: 'EACCES', read: 'EACCES', signal: 'EPERM' });
  });

  test('takes over a cluster that ran as nobody, and what a killed owner left', async () => {
    const first = await directory.start();
    await ask(first.ownerUrl, 'create table kept as select 1 as id');
    await first.stop();
    const cluster = join(directory.dataDir, 'postgres');
    const sockets = join(directory.dataDir, 'socket');
    mkdirSync(sockets, { mode: 0o700 });
    writeFileSync(join(sockets, '.s.PGSQL.5432.lock'), '1\n', { mode: 0o600 });
    for (const top of [cluster, sockets]) {
      for (const entry of readdirSync(top, { recursive: true, encoding: 'utf8' })) lchownSync(join(top, entry), NOBODY, NOBODY);
      chownSync(top, NOBODY, NOBODY);
    }
    const { ownerUrl } = await directory.start();
    expect(await ask(ownerUrl, 'select id from kept')).toEqual([1]);
    const files = readdirSync(cluster, { recursive: true, encoding: 'utf8' }).map((entry) => userOf(join(cluster, entry)));
    expect([...new Set(files)]).toEqual([userOf(`/proc/${directory.postmaster()}`)]);
  });

  test('enters its directory, also where the umask closes new ones', async () => {
    const before = process.umask(0o077);
    onTestFinished(() => void process.umask(before));
    expect(await ask((await directory.start()).ownerUrl, 'select 1')).toEqual([1]);
    expect(userOf(join(directory.dataDir, 'postgres'))).not.toBe(0);
  });
});
