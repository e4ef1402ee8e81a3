import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Node that Caudal is written for. Packages of package-lock.json contain it, as a program named `node`. */
const NEEDED_MAJOR = 26;
const PARENT_POLL_MS = 500;
/** Where Node keeps what it has compiled, so that a command starts in a third of the time. Where nobody may write, it keeps nothing. */
const COMPILE_CACHE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache', 'node');

/**
 * Finds a Node that can run Caudal: the pinned one, else the machine's own if it is new enough.
 * Shape: root of the repository → path of the program.
 * Throws: one clear line when there is none.
 */
export function findNode(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  let why = `There is no package of it for ${process.platform}-${process.arch} here`;
  for (const [folder, entry] of Object.entries(packages)) {
    const node = entry.bin?.node && join(root, folder, entry.bin.node);
    if (!node || !existsSync(node)) continue;
    // Only running it shows whether it fits: the machine may have another C library, or lack libatomic.
    const { status, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    if (status === 0) return node;
    why = `That of its package does not run here (${(stderr ?? '').trim().split('\n')[0] || error?.message})`;
  }
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) return process.execPath;
  throw new Error(
    `Caudal needs Node ${NEEDED_MAJOR}. ${why}, and this is Node ${process.versions.node}: install Node ${NEEDED_MAJOR} and run this again.`,
  );
}

/** Runs in the child. When we are killed, the system closes the channel to it, and it ends as after SIGTERM. */
const endWithParent = (parent) =>
  `if (process.ppid === ${parent} && process.channel) { process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')); process.channel.unref(); }`;

/**
 * The environment that bounds a server's memory. By default Node lets garbage grow on a large machine. Collecting it then
 * takes 50 to 80 ms. Live objects take about 35 MB. The C library keeps memory apart for each thread. Two arenas bound that: the
 * main thread has one, and all others share one (decision 0009). NODE_OPTIONS of the environment come later and override these.
 * Shape: root of the repository, what the server gets of our environment → variables.
 */
export function serverEnvironment(root, environment = process.env) {
  const { serverNodeOptions } = JSON.parse(readFileSync(join(root, 'server', 'package.json'), 'utf8')).config;
  return {
    MALLOC_ARENA_MAX: '2',
    ...commandEnvironment(environment),
    NODE_OPTIONS: `${serverNodeOptions} ${environment.NODE_OPTIONS ?? ''}`.trim(),
  };
}

/** The environment of a command: ours, and where Node keeps what it has compiled. */
export const commandEnvironment = (environment = process.env) => ({
  ...environment,
  NODE_COMPILE_CACHE: environment.NODE_COMPILE_CACHE ?? COMPILE_CACHE,
});

const hasTerminal = () => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/**
 * Runs Node with our input and output, passes signals on, and ends with its exit code.
 * Shape: program, its arguments, its environment → never returns.
 */
export function runNode(node, args, environment) {
  const guard = `data:text/javascript,${encodeURIComponent(endWithParent(process.pid))}`;
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(node, ['--import', guard, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...environment, PATH: path },
  });
  // npm passes a signal to its shell only. When the shell dies and we do not, another process becomes our parent.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid === parent || child.kill('SIGTERM'), PARENT_POLL_MS).unref();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  // Node forgets that nohup ignores it. Without a terminal none can hang up.
  process.on('SIGHUP', () => hasTerminal() && child.kill('SIGHUP'));
  child.on('error', (error) => {
    console.error(`${node} cannot be run: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}
