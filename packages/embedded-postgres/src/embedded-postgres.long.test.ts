import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DataDirectoryInUse } from './embedded-postgres.ts';
import { NAME } from './testing/name.ts';
import { ask, useTestDirectory } from './testing/test-directory.ts';

const directory = useTestDirectory();
const FAILURE = fileURLToPath(new URL('failure.ts', import.meta.url));

describe('a data directory', () => {
  test('gets a durable database on the first start, and keeps it', async () => {
    const first = await directory.start({ durable: true });
    expect(
      await ask(first.ownerUrl, `select current_database(), current_user, current_setting('fsync'), current_setting('synchronous_commit')`),
    ).toEqual([NAME, NAME, 'on', 'on']);
    expect(
      await ask(first.ownerUrl, `select pg_encoding_to_char(encoding), datcollate from pg_database where datname = '${NAME}'`),
    ).toEqual(['UTF8', 'C.UTF-8']);
    await ask(first.ownerUrl, 'create table kept as select 1 as id');
    await first.stop();
    const second = await directory.start();
    expect(await ask(second.ownerUrl, 'select id from kept')).toEqual([1]);
  });

  test('has a user that serves, who owns nothing and is no superuser', async () => {
    const { url, ownerUrl } = await directory.start();
    await ask(ownerUrl, 'create table seen (id int)');
    await ask(ownerUrl, `grant select on seen to ${NAME}_service`);
    const rights = `select current_user, rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user`;
    expect(await ask(url, rights)).toEqual([`${NAME}_service`, false, false, false]);
    expect(await ask(url, 'select * from seen')).toEqual([]);
    await expect(ask(url, 'create table mine (id int)')).rejects.toMatchObject({ code: '42501' });
  });

  test('is closed to other users and to the network', async () => {
    const { ownerUrl: url } = await directory.start();
    expect(await ask(url, `select current_setting('listen_addresses'), current_setting('unix_socket_permissions')`)).toEqual(['', '0700']);
    const socketDir = new URL(url.replace('@/', '@socket/')).searchParams.get('host')!;
    expect(statSync(socketDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory.dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  });

  test('that is a link to nowhere is refused, and the refusal says so', async () => {
    symlinkSync(join(directory.parent, 'nowhere'), directory.dataDir);
    await expect(directory.start()).rejects.toThrow(/is a link to .*nowhere, which is not there: make that directory/);
    rmSync(directory.dataDir);
  });

  test.runIf(process.getuid?.() === 0)('of another user says whose it is', () => {
    mkdirSync(directory.dataDir, { mode: 0o700 });
    // The code is read first: where it lies may be closed to that user, as /root is.
    const asNobody = `const { whoMayWrite } = require(${JSON.stringify(FAILURE)}); process.setuid(65534); console.log(whoMayWrite(process.argv[1]))`;
    const { stdout } = spawnSync(process.execPath, ['-e', asNobody, join(directory.dataDir, 'owner.lock')], { encoding: 'utf8' });
    expect(stdout).toMatch(/belongs to user 0, and this is user 65534: run it as that user/);
  });

  test('refuses a second owner in one line that names the first', async () => {
    const postgres = await directory.start();
    const dataDir = realpathSync(directory.dataDir);
    await expect(directory.start()).rejects.toThrow(new DataDirectoryInUse(dataDir, { processId: process.pid, command: 'app serve' }));
    postgres.announce('http://127.0.0.1:3000');
    const refusal = `The data directory ${dataDir} is in use by process ${process.pid} (app serve at http://127.0.0.1:3000).`;
    await expect(directory.start()).rejects.toThrow(refusal);
    expect(await directory.startOtherProcess().next()).toEqual({ refused: refusal });
  });

  test('has one owner when several start at once on an empty one', async () => {
    const owners = Array.from({ length: 3 }, () => directory.startOtherProcess());
    const answers = await Promise.all(owners.map((owner) => owner.next()));
    expect(answers.filter((answer) => answer['url'] !== undefined)).toHaveLength(1);
    expect(answers.filter((answer) => answer['refused']?.includes('is in use by process'))).toHaveLength(2);
  });

  test('works under a path that is too long for a socket', async () => {
    directory.dataDir = join(directory.parent, 'long'.repeat(30), 'data');
    const { ownerUrl: url } = await directory.start();
    expect(await ask(url, 'select 1')).toEqual([1]);
    expect((await directory.open()).ownerUrl).toBe(url);
  });

  test('works under a path with spaces and quotes', async () => {
    directory.dataDir = join(directory.parent, `it's "my" data $HOME`);
    const { ownerUrl: url } = await directory.start();
    expect(await ask(url, 'select 1')).toEqual([1]);
  });

  test('refuses a database of another major version and says what to do', async () => {
    await (await directory.start()).stop();
    writeFileSync(join(directory.dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(directory.start()).rejects.toThrow(/was written by PostgreSQL 17 and this version brings 18: dump it with pg_dump/);
  });

  test('refuses another name than that it was made with, in one line and at once', async () => {
    await (await directory.start()).stop();
    await expect(directory.start({ name: 'other' })).rejects.toMatchObject({
      name: 'EmbeddedPostgresFailure',
      message: expect.stringMatching(/^The database in .*postgres cannot be used as other: role "other" does not exist\.$/),
    });
    expect(await ask((await directory.start()).ownerUrl, 'select 1')).toEqual([1]);
  });

  test('that cannot be made is refused in one line', async () => {
    writeFileSync(directory.dataDir, 'a file');
    await expect(directory.start()).rejects.toMatchObject({
      name: 'EmbeddedPostgresFailure',
      message: expect.stringMatching(/^The embedded PostgreSQL cannot use .*data: .*\.$/),
    });
  });

  test('shows the reason of PostgreSQL itself when that does not start, and is free again', async () => {
    await (await directory.start()).stop();
    const settings = join(directory.dataDir, 'postgres', 'postgresql.auto.conf');
    writeFileSync(settings, 'shared_buffers = nonsense\n');
    await expect(directory.start()).rejects.toThrow(/does not start: configuration file .* contains errors \(more in .*postgres\.log\)\.$/);
    writeFileSync(settings, '');
    expect(await ask((await directory.start()).ownerUrl, 'select 1')).toEqual([1]);
  });
});

describe('a name', () => {
  test('may be a word of SQL', async () => {
    const { ownerUrl: url } = await directory.start({ name: 'user' });
    expect(await ask(url, 'select current_database(), current_user')).toEqual(['user', 'user']);
  });

  test.each(['', 'pg_app', 'my app', `a"b`, 'a/b', 'App', 'a'.repeat(32)])('is refused where it is no plain word: "%s"', async (name) => {
    await expect(directory.start({ name })).rejects.toThrow('The name of an embedded PostgreSQL must match');
  });
});

describe('a command', () => {
  test('beside an owner uses its database and leaves it running', async () => {
    const { ownerUrl: url } = await directory.start();
    const command = await directory.open();
    expect(command.ownerUrl).toBe(url);
    await command.stop();
    expect(await ask(url, 'select 1')).toEqual([1]);
  });

  test('waits for an owner that is just starting', async () => {
    const owner = directory.startOtherProcess();
    const command = directory.startOtherProcess('--beside');
    const [one, other] = await Promise.all([owner.next(), command.next()]);
    expect(one['url'] ?? other['url']).toBe(other['url']);
  });

  test('without an owner starts the database and stops it at its end', async () => {
    const command = await directory.open();
    expect(await ask(command.ownerUrl, 'select 1')).toEqual([1]);
    await command.stop();
    await expect(ask(command.ownerUrl, 'select 1')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
