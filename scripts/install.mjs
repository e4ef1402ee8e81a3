import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** No installation takes this long: an older ticket is one of a crashed process whose number another one has got. */
const TICKET_VALID_MS = 15 * 60_000;
const POLL_MS = 250;

/**
 * Installs the packages of package-lock.json where they are missing or others.
 * Shape: root of the repository, whether packages for development are needed too; throws one clear line when npm fails.
 * Effects: of several processes on one directory one installs and the others wait for it.
 */
export async function installMissing(root, withDevelopment) {
  const turns = join(root, '.install');
  let waiting = false;
  while (!isInstalled(root, withDevelopment)) {
    const giveBack = takeTurn(turns);
    if (giveBack === undefined) {
      if (!waiting) console.error('Waiting for another process that installs the packages …');
      waiting = true;
      await delay(POLL_MS + Math.random() * POLL_MS);
      continue;
    }
    try {
      if (!isInstalled(root, withDevelopment)) await install(root, withDevelopment, turns);
    } finally {
      giveBack();
    }
    return;
  }
}

/** npm keeps a record of what it installed, and writes it last: it says what is there whoever ran npm. */
function isInstalled(root, withDevelopment) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined) throw new Error('package-lock.json is missing or broken: this is not a whole copy of Caudal.');
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([folder, entry]) => {
    if (!folder.includes('node_modules/')) return true;
    const found = installed[folder];
    if (found !== undefined) return found.version === entry.version && found.integrity === entry.integrity;
    // Optional packages are those of other platforms.
    return entry.optional === true || (entry.dev === true && !withDevelopment);
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Each one puts up a ticket and then looks around: of two, at least one sees the other. Who sees a living one steps back and comes
 * again; a dead one does not count. So nothing is ever taken away from anybody, and a killed process blocks nobody.
 */
function takeTurn(directory) {
  const mine = String(process.pid);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, mine), '');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined; // Another one has just removed the empty directory.
    throw error;
  }
  const giveBack = () => {
    rmSync(join(directory, mine), { force: true });
    try {
      rmdirSync(directory);
    } catch {
      // Others have their tickets in it.
    }
  };
  const others = readdirSync(directory).filter((ticket) => ticket !== mine);
  if (!others.some((ticket) => isValid(directory, ticket))) {
    for (const ticket of others) rmSync(join(directory, ticket), { force: true });
    return giveBack;
  }
  giveBack();
  return undefined;
}

function isValid(directory, ticket) {
  try {
    if (Date.now() - statSync(join(directory, ticket)).mtimeMs > TICKET_VALID_MS) return false;
    process.kill(Number(ticket), 0);
    return !isUnburied(ticket);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A dead process keeps its number until its parent asks for it, which the first process of a container may never do. */
function isUnburied(processId) {
  const path = `/proc/${processId}/stat`;
  return existsSync(path) && readFileSync(path, 'utf8').includes(') Z ');
}

async function install(root, withDevelopment, directory) {
  console.error('Installing the packages of Caudal with npm (once; this takes a minute) …');
  // Install scripts stay off: nothing of ours needs them. npm's warnings are about the machine's own Node, which Caudal does not run on.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...(withDevelopment ? ['--include=dev'] : [])];
  const npm = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] };
  const child =
    npm !== undefined && /npm-cli\.c?js$/.test(npm) && existsSync(npm)
      ? spawn(process.execPath, [npm, ...args], options)
      : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  // npm goes on when we are killed: a ticket of its own keeps others away until it has ended.
  if (child.pid !== undefined) writeFileSync(join(directory, String(child.pid)), '');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const status = await new Promise((resolve) => child.on('close', resolve).on('error', (error) => resolve(error.message)));
  rmSync(join(directory, String(child.pid)), { force: true });
  if (status !== 0) throw new Error(`npm could not install the packages:\n${output.trim() || status}`);
}
