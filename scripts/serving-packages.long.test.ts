import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../server/src/testing/captured.ts';
import { serveForTest } from '../server/src/testing/child-server.ts';
import { makeDataDirectory, removeDataDirectory } from '../server/src/testing/data-directory.ts';
import { printedCommands, runPrinted } from '../server/src/testing/served-shop.ts';

/** What package-lock.json says of one folder of an installation. */
type Locked = {
  version?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
};

const ROOT = join(import.meta.dirname, '..');
const locked = (JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }).packages;
const isPackage = ([folder, { link }]: [string, Locked]): boolean => folder.includes('node_modules/') && link !== true;
const forServing = Object.fromEntries(Object.entries(locked).filter(([, { dev }]) => dev !== true));
const isOurs = (path: string): boolean => !['node_modules', 'data', 'dist'].includes(basename(path));
const nameOf = (folder: string): string => folder.split('node_modules/').at(-1)!;

describe('an installation with the packages of serving only', () => {
  let copy: string;
  let dataDir: string;

  beforeEach(() => {
    dataDir = makeDataDirectory();
    copy = mkdtempSync(join(tmpdir(), 'caudal-serving-'));
    for (const name of [
      'caudal',
      'console',
      'contract',
      'docs',
      'packages',
      'scripts',
      'sdk',
      'server',
      'package.json',
      'package-lock.json',
    ])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isOurs });
    linkPackages(copy);
  });
  afterEach(() => {
    removeDataDirectory(dataDir);
    rmSync(copy, { recursive: true });
  });

  test('serves, changes an order and runs commands, and nothing more is installed', async () => {
    const settings = { CAUDAL_DATA_DIR: dataDir };
    const server = serveForTest(settings, [join(copy, 'scripts/run.mjs'), 'server/src/main/serve.ts']);
    await server.origin;
    const update = printedCommands(server.stdout()).find((command) => command.includes('-X PATCH'));
    expect(JSON.parse((await runPrinted(update!)).stdout)).toMatchObject({ CODE: '0000', DATA: { Operacion: 'ACTUALIZADO' } });
    const environment = { ...settings, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    expect(await runProgram(join(copy, 'caudal'), ['verify'], environment)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('True: ') as string,
    });
    expect(server.stderr()).not.toContain('Installing');
  });
});

/** Makes node_modules with the packages of serving, as npm lays them out, and npm's record of them. */
function linkPackages(root: string): void {
  for (const [folder, { link, resolved }] of Object.entries(forServing)) {
    const source = link === true ? join(root, resolved!) : join(ROOT, folder);
    if (!/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(folder) || !existsSync(source)) continue;
    mkdirSync(dirname(join(root, folder)), { recursive: true });
    symlinkSync(source, join(root, folder));
  }
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: forServing }));
}

describe('the packages', () => {
  test('are pinned, each by its exact version and its hash', () => {
    const unpinned = Object.entries(locked)
      .filter(isPackage)
      .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unpinned.map(([folder]) => folder)).toEqual([]);
    for (const file of [
      'package.json',
      'console/package.json',
      'server/package.json',
      'packages/embedded-postgres/package.json',
      'sdk/package.json',
    ]) {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<
        string,
        object
      >;
      for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }))
        expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    }
  });

  test('of serving are in the bill of materials, each with its version and its hash, and no others', () => {
    const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const { bomFormat, components } = JSON.parse(printed) as {
      bomFormat: string;
      components: { 'bom-ref': string; hashes?: { alg: string }[] }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const expected = Object.entries(forServing).filter(isPackage);
    const listed = components.filter(({ hashes }) => hashes?.some(({ alg }) => alg === 'SHA-512'));
    const ids = expected.map(([folder, { version }]) => `${nameOf(folder)}@${version}`);
    expect(listed.map((component) => component['bom-ref']).toSorted()).toEqual([...new Set(ids)].toSorted());
    // The rest are our own: the service, the console, the client, and the embedded database.
    expect(components).toHaveLength(listed.length + 4);
  });
});
