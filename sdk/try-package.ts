// Packs the package and tries it in an empty project against a sandbox, on each runtime that is named: `18 20 22 26 deno bun`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from './try-sandbox.ts';

const PACKAGE = import.meta.dirname;

const folder = mkdtempSync(join(tmpdir(), 'caudal-package-'));
const npm = (...words: string[]): string =>
  execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const packed = JSON.parse(npm('pack', PACKAGE, '--json')) as readonly { readonly filename: string; readonly size: number }[];
writeFileSync(join(folder, 'package.json'), '{"private":true}');
npm('install', '--no-audit', '--no-fund', `./${packed[0]?.filename}`);
cpSync(join(PACKAGE, 'test', 'smoke.mjs'), join(folder, 'smoke.mjs'));
console.log(`${packed[0]?.filename}: ${packed[0]?.size} bytes`);

const { url, merchant, fixedHash, stop } = await startSandbox(folder);
try {
  for (const runtime of process.argv.slice(2)) {
    const isNode = /^\d/.test(runtime);
    const program = isNode ? 'node' : runtime;
    const words = runtime === 'deno' ? ['run', '--allow-all'] : [];
    const call = ['exec', '--yes', `--package=${isNode ? `node@${runtime}` : runtime}`, '--', program];
    npm(...call, ...words, 'smoke.mjs', url, merchant, fixedHash, `A-${runtime}`);
    console.log(`ok ${npm(...call, '--version').split('\n')[0]}${isNode ? ' node' : ''}`);
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true });
}
