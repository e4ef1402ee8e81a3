// npm run generate: writes what is made from the code. `npm test` refuses a repository in which these files are not fresh.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

for (const [path, text] of generatedFiles()) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}
