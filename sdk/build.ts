// npm pack and npm publish run this: it writes the programs and types of the package to dist/.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const DIST = join(import.meta.dirname, 'dist');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

rmSync(DIST, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', import.meta.dirname, '--noEmit', 'false'], { stdio: 'inherit' });
cpSync(join(import.meta.dirname, '..', 'LICENSE'), join(DIST, 'LICENSE'));
// The compiler renames imports in programs, and leaves those in types.
for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.d.ts'))) {
  const file = join(DIST, name);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}
