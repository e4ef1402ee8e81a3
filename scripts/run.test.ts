import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, PROCESS_MS, within } from '../server/src/testing/deadlines.ts';

/** We need no install scripts of packages. */
const FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';
const SCRIPTS = ['run.mjs', 'build-console.mjs', 'install.mjs', 'npm.mjs', 'pinned-node.mjs'];

/** Imitates npm: records each call and its packages, and installs a pinned Node, which is the one that runs this test. */
const NPM = `
const fs = require('node:fs');
fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
if (fs.existsSync('npm-fails')) { console.error('npm error the registry is away'); process.exit(1); }
while (fs.existsSync('npm-hangs'));
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
fs.mkdirSync('node_modules/pinned/bin', { recursive: true });
fs.rmSync('node_modules/pinned/bin/node', { force: true });
fs.symlinkSync(process.execPath, 'node_modules/pinned/bin/node');
delete packages[''];
if (process.argv.includes('--omit=dev')) for (const [folder, entry] of Object.entries(packages)) if (entry.dev) delete packages[folder];
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
`;

/** Imitates the server: prints its arguments and its Node. With `stay` it runs until SIGTERM. */
const PROGRAM = `
if (process.argv[2] === 'stay') {
  const stay = setInterval(() => {}, 1000);
  process.once('SIGTERM', () => { clearInterval(stay); require('node:fs').writeFileSync('ended', ''); process.exitCode = 7; });
} else process.exitCode = Number(process.argv[2] ?? 0);
console.log(JSON.stringify({ node: process.argv0, arguments: process.argv.slice(2) }));
`;

let root: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'caudal-run-'));
  mkdirSync(join(root, 'scripts'));
  for (const name of SCRIPTS) cpSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  writeFileSync(join(root, 'npm-cli.js'), NPM);
  writeFileSync(join(root, 'program.cjs'), PROGRAM);
  mkdirSync(join(root, 'server/src/main'), { recursive: true });
  writeFileSync(join(root, 'server/src/main/serve.cjs'), '');
  lock('1.0.0');
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await next(child, 'exit');
    }
  }
  rmSync(root, { recursive: true });
});

function lock(version: string, workspace = 'packages/own'): void {
  const pinned = { version, optional: true, bin: { node: 'bin/node' } };
  const packages = {
    '': {},
    'node_modules/needed': { version },
    'node_modules/tool': { version, dev: true },
    'node_modules/own': { resolved: workspace, link: true },
    'node_modules/pinned': pinned,
    'node_modules/elsewhere': { version, optional: true },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

const environment = () => ({ ...process.env, npm_execpath: join(root, 'npm-cli.js') });

type Ended = { status: number | null; stdout: string; stderr: string };

const run = (...given: string[]): Ended => runProgram('program.cjs', ...given);

/** What `npm start` runs needs the packages of serving only. All other programs need those for development too. */
const serve = (): Ended => runProgram('server/src/main/serve.cjs');

function runProgram(...words: string[]): Ended {
  return spawnSync(process.execPath, ['scripts/run.mjs', ...words], { cwd: root, env: environment(), encoding: 'utf8' });
}

function runBeside(...given: string[]): ChildProcess {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'program.cjs', ...given], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Waits for an event of a process or of its output. */
const next = (emitter: EventEmitter, name: string): Promise<unknown[]> => within(PROCESS_MS, name, once(emitter, name));

async function hasStarted(child: ChildProcess): Promise<void> {
  await next(createInterface({ input: child.stdout! }), 'line');
}

function npmCalls(): string[] {
  return existsSync(join(root, 'npm-calls')) ? readFileSync(join(root, 'npm-calls'), 'utf8').trim().split('\n') : [];
}

test('installs what is missing, without install scripts, and says so in one line', () => {
  const first = run('0');
  expect(first.stderr).toBe('Installing the packages of Caudal with npm (once; this takes a minute) …\n');
  expect(npmCalls()).toEqual([`ci ${FLAGS} --include=dev`]);
  expect(run('0').stderr).toBe('');
  expect(npmCalls()).toHaveLength(1);
});

test('installs what serving needs and nothing more, and later adds the rest without removing anything', () => {
  serve();
  serve();
  expect(npmCalls()).toEqual([`ci ${FLAGS} --omit=dev`]);
  run();
  serve();
  run();
  expect(npmCalls().slice(1)).toEqual([`install --no-save ${FLAGS} --include=dev`]);
});

test('a full installation stays full when serving brings it up to date', () => {
  run();
  lock('1.0.1');
  serve();
  run();
  expect(npmCalls().slice(1)).toEqual([`install --no-save ${FLAGS} --include=dev`]);
});

test('begins again from nothing when an npm that added packages was killed', () => {
  run();
  lock('1.0.1');
  writeFileSync(join(root, 'npm-fails'), '');
  run();
  rmSync(join(root, 'npm-fails'));
  run();
  expect(npmCalls().map((call) => call.split(' ')[0])).toEqual(['ci', 'install', 'ci']);
});

test('installs again when a workspace has moved', () => {
  run();
  lock('1.0.0', 'packages/moved');
  run();
  expect(npmCalls()).toHaveLength(2);
});

test('runs the pinned Node with the arguments given, and ends with the same exit code', () => {
  const { status, stdout } = run('3', '--flag', 'a b');
  expect(status).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ node: join(root, 'node_modules/pinned/bin/node'), arguments: ['3', '--flag', 'a b'] });
});

test('uses the Node of the machine where the pinned one does not run', () => {
  run();
  rmSync(join(root, 'node_modules/pinned/bin/node'));
  expect(JSON.parse(run().stdout)).toMatchObject({ node: process.execPath });
});

test('says why the pinned Node does not run, where the machine has none that is new enough', () => {
  run();
  // It is a link to the Node that runs this test.
  rmSync(join(root, 'node_modules/pinned/bin/node'));
  writeFileSync(join(root, 'node_modules/pinned/bin/node'), '#!/bin/sh\necho "libatomic.so.1: not found" >&2; exit 127\n', { mode: 0o755 });
  expect(JSON.parse(run().stdout)).toMatchObject({ node: process.execPath });
  const older = `import { findNode } from '${pathToFileURL(join(import.meta.dirname, 'pinned-node.mjs')).href}';
    Object.defineProperty(process, 'versions', { value: { node: '18.0.0' } }); findNode('${root}');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', older], { encoding: 'utf8' });
  expect(stderr).toContain('That of its package does not run here (libatomic.so.1: not found), and this is Node 18.0.0');
});

test('shows why npm failed, and tries again the next time', () => {
  writeFileSync(join(root, 'npm-fails'), '');
  expect(run()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('npm could not install the packages:\nnpm error the registry is away'),
  });
  rmSync(join(root, 'npm-fails'));
  expect(run().status).toBe(0);
});

test('installs once when several start at once', async () => {
  const codes = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const [code] = (await next(runBeside('0'), 'exit')) as [number];
      return code;
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(npmCalls()).toHaveLength(1);
  expect(existsSync(join(root, '.install'))).toBe(false);
});

test('waits for the npm of one that was killed, and is not blocked by it', async () => {
  writeFileSync(join(root, 'npm-hangs'), '');
  const killed = runBeside('0');
  await eventually(PROCESS_MS, () => expect(npmCalls()).toHaveLength(1));
  killed.kill('SIGKILL');
  await next(killed, 'exit');
  const follower = runBeside('0');
  const waiting = createInterface({ input: follower.stderr! });
  expect(await next(waiting, 'line')).toEqual(['Waiting for another process that installs the packages …']);
  rmSync(join(root, 'npm-hangs'));
  expect(await next(follower, 'exit')).toEqual([0, null]);
  expect(npmCalls()).toHaveLength(1);
});

test('is not blocked by what a killed one left', () => {
  mkdirSync(join(root, '.install'));
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(join(root, '.install', String(pid)), '');
  expect(run('0').status).toBe(0);
  expect(existsSync(join(root, '.install'))).toBe(false);
});

test('passes a signal on, and waits for the end', async () => {
  const child = runBeside('stay');
  await hasStarted(child);
  child.kill('SIGTERM');
  expect(await next(child, 'exit')).toEqual([7, null]);
});

test('a shell that hangs up ends nothing that has no terminal, as nohup asks for', async () => {
  const child = runBeside('stay');
  await hasStarted(child);
  child.kill('SIGHUP');
  child.kill('SIGTERM');
  expect(await next(child, 'exit')).toEqual([7, null]);
});

test('killed itself, it lets the program end cleanly', async () => {
  const child = runBeside('stay');
  await hasStarted(child);
  child.kill('SIGKILL');
  await eventually(PROCESS_MS, () => expect(existsSync(join(root, 'ended'))).toBe(true));
});

test('lets the program end cleanly when the shell that npm started it by is gone', async () => {
  // The second command keeps the shell from becoming the first one.
  const shell = spawn('/bin/sh', ['-c', `'${process.execPath}' scripts/run.mjs program.cjs stay; true`], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(shell);
  await hasStarted(shell);
  shell.kill('SIGTERM');
  await eventually(PROCESS_MS, () => expect(existsSync(join(root, 'ended'))).toBe(true));
});
