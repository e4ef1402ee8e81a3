// npm run sbom: prints the bill of materials of what serves, in CycloneDX. It is made of package-lock.json alone.
// `npm sbom --omit dev` leaves out each package that a tool needs too, such as the parts of the database driver.
// So npm gets a copy that has no packages for development.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNpm } from './npm.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { devDependencies: _tools, ...manifest } = read('package.json');
const lock = read('package-lock.json');
const needed = Object.entries(lock.packages).filter(([, entry]) => entry.dev !== true);
const { devDependencies: _lockedTools, ...lockedRoot } = lock.packages[''];

const parent = mkdtempSync(join(tmpdir(), 'caudal-sbom-'));
try {
  // npm names the whole by its folder.
  const folder = join(parent, 'caudal');
  const write = (file, content) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(content));
  };
  write('package.json', manifest);
  write('package-lock.json', { ...lock, packages: { ...Object.fromEntries(needed), '': lockedRoot } });
  for (const workspace of manifest.workspaces) write(`${workspace}/package.json`, read(`${workspace}/package.json`));
  const { program, first, shell } = findNpm();
  const args = [...first, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
  const { status, error } = spawnSync(program, args, { cwd: folder, shell, stdio: 'inherit' });
  if (error !== undefined) console.error(`npm cannot be run: ${error.message}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(parent, { recursive: true });
}
