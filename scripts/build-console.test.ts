import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildConsole } from './build-console.mjs';

/** Imitates Vite: writes a page that says how it was built, or fails as Vite does. */
const VITE = `
const fs = require('node:fs');
const [, folder] = /--outDir (\\S+)/.exec(process.argv.join(' '));
fs.appendFileSync('../builds', 'built\\n');
if (fs.existsSync('src/broken.ts')) { console.error('\\nerror during build:\\n[PARSE_ERROR] Unexpected token'); process.exit(1); }
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(folder + '/index.html', process.env.NODE_ENV + ' ' + fs.readFileSync('src/main.tsx', 'utf8'));
`;

let root: string;
const inConsole = (...path: string[]): string => join(root, 'console', ...path);
const built = (): string => readFileSync(inConsole('dist', 'index.html'), 'utf8');
const builds = (): number => readFileSync(join(root, 'builds'), 'utf8').split('\n').length - 1;
const build = (): string | undefined => buildConsole(root, process.execPath);

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  root = mkdtempSync(join(tmpdir(), 'caudal-build-'));
  mkdirSync(inConsole('src'), { recursive: true });
  mkdirSync(join(root, 'node_modules/vite/bin'), { recursive: true });
  writeFileSync(join(root, 'node_modules/vite/bin/vite.js'), VITE);
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/react': { version: '1.0.0' } } }));
  for (const name of ['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts', 'src/main.tsx'])
    writeFileSync(inConsole(name), 'first');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

test('builds for production where a source or a package is newer than the build, and then no more', () => {
  expect(build()).toBeUndefined();
  expect(built()).toBe('production first');
  expect(gunzipSync(readFileSync(inConsole('dist', 'index.html.gz'))).toString()).toBe(built());
  expect(build()).toBeUndefined();
  expect(builds()).toBe(1);
  writeFileSync(inConsole('src/main.tsx'), 'second');
  expect(build()).toBeUndefined();
  expect(built()).toBe('production second');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/react': { version: '1.0.1' } } }));
  build();
  expect(builds()).toBe(3);
  expect(readdirSync(inConsole()).filter((name) => name.startsWith('.dist'))).toEqual([]);
});

test('says in one line why a build failed, and keeps the one before', () => {
  build();
  writeFileSync(inConsole('src/broken.ts'), '');
  expect(build()).toBe('[PARSE_ERROR] Unexpected token');
  expect(built()).toBe('production first');
});

test('serves the build of a copy without the tools', () => {
  build();
  rmSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(inConsole('src/main.tsx'), 'second');
  expect(build()).toBeUndefined();
  rmSync(inConsole('dist'), { recursive: true });
  expect(build()).toBe('Vite is not installed');
});

test('several starts at once leave one whole build', async () => {
  const program = `import(${JSON.stringify(join(import.meta.dirname, 'build-console.mjs'))}).then((made) => process.exit(made.buildConsole(${JSON.stringify(root)}, process.execPath) === undefined ? 0 : 1))`;
  const ended = await Promise.all(
    Array.from({ length: 4 }, () => once(spawn(process.execPath, ['-e', program], { stdio: 'ignore' }), 'exit')),
  );
  expect(ended.map(([code]) => code as number)).toEqual([0, 0, 0, 0]);
  expect(built()).toBe('production first');
  expect(existsSync(inConsole('dist', 'stamp'))).toBe(true);
});
