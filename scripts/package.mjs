// npm run package: makes one archive with all that serving needs, for machines like this one: caudal-VERSION-PLATFORM.tar.gz
// in `dist`. It holds the packages, the pinned Node and the built console. What develops and tests Caudal is not in it.
//
//   node scripts/package.mjs [DIRECTORY] [--folder]      --folder leaves what the archive would hold
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { installMissing } from './install.mjs';
import { findNpm } from './npm.mjs';
import { findNode } from './pinned-node.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const to = resolve(words.find((word) => !word.startsWith('--')) ?? join(root, 'dist'));
/** Workspaces that serve. The console is served as it was built. */
const SERVING = ['packages/embedded-postgres', 'server'];
const TAKEN =
  /^(?:(?:docs|contract|packaging|packages|server\/(?:bin|migrations|src))\/|server\/|sdk\/README\.md$|[^/]+\.md$|LICENSE$|caudal$)/;
const LEFT = /\.test\.ts$|^server\/(?:acceptance|bench|generate|simulation|src\/testing|tidy|torture)\//;
const SCRIPTS = ['build-console.mjs', 'install.mjs', 'npm.mjs', 'pinned-node.mjs', 'run.mjs'];

/** What is under way, for who waits. Standard output has the path of the archive alone. */
const say = (text) => console.error(`${text} …`);

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Runs a program. Throws: what it said, when it fails. */
function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, ...options });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/** What serves of package.json and package-lock.json. Versions stay as they are locked. */
function writeManifest(folder) {
  const { name, version, description, license, type, optionalDependencies, engines } = read('package.json');
  const scripts = { start: read('package.json').scripts.start };
  const manifest = {
    name,
    version,
    private: true,
    description,
    license,
    workspaces: SERVING,
    type,
    scripts,
    optionalDependencies,
    engines,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  const { program, first, shell } = findNpm();
  const install = ['install', '--package-lock-only', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run(program, [...first, ...install], { cwd: folder, shell });
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
}

/** Links a file, or all of a folder, or copies it to another file system. Symbolic links stay as they are. */
function place(from, to, left = []) {
  const found = lstatSync(from);
  mkdirSync(dirname(to), { recursive: true });
  if (found.isSymbolicLink()) return symlinkSync(readlinkSync(from), to);
  if (found.isDirectory()) {
    for (const name of readdirSync(from)) if (!left.includes(name)) place(join(from, name), join(to, name));
    return;
  }
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Takes the packages that are installed here, with the record that npm keeps of them. npm has checked their hashes. */
function placePackages(folder, lock) {
  const installed = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/') && existsSync(join(root, path)));
  for (const [path, { link, resolved }] of installed) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    // A package inside of another one has an entry of its own, unless nobody needs it to serve. Node comes with headers for compilers.
    if (link !== true) place(join(root, path), target, ['include', 'node_modules', 'share']);
    else symlinkSync(relative(dirname(target), join(folder, resolved)), target);
  }
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ ...lock, packages: Object.fromEntries(installed) }));
}

mkdirSync(to, { recursive: true });
// On the file system of the packages, files are linked and not copied.
const parent = mkdtempSync(join(to, '.making-'));
try {
  await installMissing(root, false);
  const failure = buildConsole(root, findNode(root));
  if (failure !== undefined) throw new Error(`The console is not built: ${failure}`);
  const { version } = read('server/package.json');
  const name = `caudal-${version}-${process.platform}-${process.arch}`;
  const folder = join(parent, name);
  const files = run('git', ['ls-files']).trim().split('\n');
  const taken = [
    ...files.filter((file) => TAKEN.test(file) && !LEFT.test(file)),
    ...SCRIPTS.map((file) => `scripts/${file}`),
    'console/dist',
  ];
  say(`Taking ${taken.length} files and the packages that serve`);
  for (const file of taken) place(join(root, file), join(folder, file));
  placePackages(folder, writeManifest(folder));
  writeFileSync(join(folder, 'sbom.json'), run(process.execPath, [join(root, 'scripts/sbom.mjs')]));
  if (words.includes('--folder')) {
    renameSync(folder, join(to, name));
    console.log(join(to, name));
  } else {
    say('Packing: this takes a minute');
    run('tar', ['-czf', join(parent, 'archive'), '-C', parent, name]);
    const archive = join(to, `${name}.tar.gz`);
    renameSync(join(parent, 'archive'), archive);
    console.log(archive);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(parent, { recursive: true, force: true });
}
