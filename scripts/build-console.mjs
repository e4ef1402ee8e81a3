import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const STAMP = 'stamp';
/** Files that are compressed already gain nothing. */
const COMPRESSIBLE = /\.(?:css|html|js|svg)$/;

/**
 * Builds the console where its sources are newer than the build: `console/dist`.
 * Shape: root of the repository, a Node that can run the build → the text of the failure, or undefined.
 * Effects: the build is made beside the present one, and takes its place as a whole. So two starts at once do not spoil each other.
 */
export function buildConsole(root, node) {
  const folder = join(root, 'console');
  const dist = join(folder, 'dist');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(folder)) return undefined;
  // A copy without the tools of the build serves the build that it has. A released archive has no sources either.
  if (!existsSync(vite)) return existsSync(dist) ? undefined : 'Vite is not installed';
  const stamp = stampOf(root, folder);
  if (readText(join(dist, STAMP)) === stamp) return undefined;
  console.error('Building the console …');
  const made = join(folder, `.dist-${process.pid}`);
  try {
    // Tests and other tools set another mode, and the libraries would be their slow, large selves.
    const env = { ...process.env, NODE_ENV: 'production' };
    const built = spawnSync(node, [vite, 'build', '--outDir', made, '--emptyOutDir'], { cwd: folder, encoding: 'utf8', env });
    if (built.status !== 0) return reasonOf(`${built.stdout}${built.stderr}`) ?? built.error?.message ?? 'Vite failed';
    compress(made);
    writeFileSync(join(made, STAMP), stamp);
    // Another start may have just made the same build. Its server reads it: it stays.
    if (readText(join(dist, STAMP)) !== stamp) replace(made, dist);
  } catch (error) {
    return error.message;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return undefined;
}

/** Moves a build to its place. */
function replace(made, dist) {
  const old = `${made}-old`;
  try {
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(made, dist);
  } catch (error) {
    if (!existsSync(dist)) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

function compress(folder) {
  for (const path of filesOf(folder).filter((one) => COMPRESSIBLE.test(one))) {
    const content = readFileSync(join(folder, path));
    writeFileSync(join(folder, `${path}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${path}.gz`), gzipSync(content, { level: 9 }));
  }
}

/** A hash over all that the build depends on. */
function stampOf(root, folder) {
  const hash = createHash('sha256');
  const sources = [
    'index.html',
    'package.json',
    'tsconfig.json',
    'vite.config.ts',
    ...filesOf(join(folder, 'src')).map((path) => join('src', path)),
  ];
  for (const path of [...sources].sort((one, other) => (one < other ? -1 : 1)))
    hash
      .update(`${path}\n`)
      .update(readFileSync(join(folder, path)))
      .update('\n');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { version, dev }] of Object.entries(packages)) if (dev !== true) hash.update(`${path}@${version}\n`);
  return hash.digest('hex');
}

const filesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(join(folder, entry.name)).map((path) => join(entry.name, path)) : [entry.name],
  );

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The line in which Vite says why. Above it is a line that only says that there is an error. */
const reasonOf = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /error/i.test(line) && !line.startsWith('error during build'));
