import { chmodSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NAME } from './testing/name.ts';
import { ask, useTestDirectory } from './testing/test-directory.ts';

const directory = useTestDirectory();

const link = (): string => readlinkSync(join(directory.dataDir, 'postgres'));

describe.runIf(process.getuid?.() === 0)('under a directory that only root may enter', () => {
  beforeEach(() => chmodSync(directory.parent, 0o700));

  test('the cluster is in the root store and a link leads there', async () => {
    const { ownerUrl: url } = await directory.start();
    await ask(url, 'create table kept as select 1 as id');
    expect(link()).toMatch(new RegExp(`^/var/lib/${NAME}/\\w{16}-\\w{8}/postgres$`));
    expect((await directory.open()).ownerUrl).toBe(url);
  });

  test('the next start finds the cluster; a directory that was removed and made again gets a new one', async () => {
    const first = await directory.start();
    await ask(first.ownerUrl, 'create table kept as select 1 as id');
    await first.stop();
    const again = await directory.start();
    expect(await ask(again.ownerUrl, 'select id from kept')).toEqual([1]);
    await again.stop();
    const old = dirname(link());
    directory.atEnd.push(() => rmSync(old, { recursive: true }));
    rmSync(directory.dataDir, { recursive: true });
    expect(await ask((await directory.start()).ownerUrl, `select to_regclass('kept')`)).toEqual([null]);
  });

  test('a copy of the directory does not take the database of its original', async () => {
    await (await directory.start()).stop();
    const original = directory.dataDir;
    const cluster = link();
    directory.dataDir = join(directory.parent, 'copy');
    mkdirSync(directory.dataDir);
    symlinkSync(cluster, join(directory.dataDir, 'postgres'));
    await expect(directory.start()).rejects.toThrow(`leads to the database of ${realpathSync(original)}`);
    rmSync(directory.dataDir, { recursive: true });
    directory.dataDir = original;
  });

  test('a link whose database is gone is refused in one line', async () => {
    await (await directory.start()).stop();
    rmSync(dirname(link()), { recursive: true });
    await expect(directory.start()).rejects.toThrow(/is not there any more/);
    unlinkSync(join(directory.dataDir, 'postgres'));
    expect(await ask((await directory.start()).ownerUrl, 'select 1')).toEqual([1]);
  });
});
