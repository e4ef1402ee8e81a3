import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../server/src/testing/captured.ts';
import { serveForTest } from '../server/src/testing/child-server.ts';

const ROOT = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8')) as { version: string };

test.skipIf(process.platform === 'win32')(
  'the archive serves elsewhere, on a machine without Node and npm',
  { timeout: 180_000 },
  async ({ onTestFinished }) => {
    const parent = mkdtempSync(join(tmpdir(), 'caudal-unpacked-'));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    // The archive is this folder. To compress and unpack all of it takes a busy machine a minute.
    const made = await runProgram(process.execPath, [join(ROOT, 'scripts/package.mjs'), parent, '--folder'], process.env);
    expect(made).toMatchObject({ stderr: expect.stringMatching(/^Taking \d+ files/m) as string, exitCode: 0 });
    const folder = made.stdout.trim();
    const links = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    const outside = links
      .map(({ parentPath, name }) => resolve(parentPath, readlinkSync(join(parentPath, name))))
      .filter((target) => !target.startsWith(`${folder}/`));
    expect(outside, 'no link leads out of the archive').toEqual([]);
    expect(links.length).toBeGreaterThan(2);
    const programs = join(parent, 'programs');
    mkdirSync(programs);
    for (const name of ['sh', 'dirname'])
      symlinkSync((await runProgram('/bin/sh', ['-c', `command -v ${name}`], process.env)).stdout.trim(), join(programs, name));
    const shell = (...words: string[]) => runProgram('/bin/sh', [join(folder, 'caudal'), ...words], { PATH: programs });
    expect(await shell('--version')).toMatchObject({ stdout: `${version}\n`, exitCode: 0 });

    const serve = `process.execve('/bin/sh', ['sh', '${folder}/caudal', 'serve'], process.env)`;
    const server = serveForTest({ PATH: programs, CAUDAL_DATA_DIR: join(parent, 'data') }, ['-e', serve]);
    const origin = await server.origin;
    for (const path of ['/readyz', '/console', '/docs', '/docs/reference/create-order'])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
    await server.stop();
  },
);
