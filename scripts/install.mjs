import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findNpm } from './npm.mjs';

/** No installation takes this long. An older ticket belongs to a crashed process whose number another one now has. */
const TICKET_VALID_MS = 15 * 60_000;
const POLL_MS = 250;

/**
 * Installs the packages of package-lock.json where they are missing or have another version.
 * Shape: root of the repository, whether packages for development are needed too.
 * Throws: one clear line when npm fails.
 * Effects: when several processes start in one directory, one installs and the others wait. Packages for development stay where
 * they are installed: they are brought up to date, and never removed.
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

/** npm writes a record of what it installed, as its last step. So the record is complete, also after someone else ran npm. */
function isInstalled(root, withDevelopment) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(recordOf(root));
  if (wanted === undefined) throw new Error('package-lock.json is missing or broken: this is not a whole copy of Caudal.');
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([folder, entry]) => {
    if (!folder.includes('node_modules/')) return true;
    const found = installed[folder];
    // A workspace is a link: only `resolved`, the folder that it leads to, says which.
    if (found !== undefined && entry.link === true) return found.resolved === entry.resolved;
    if (found !== undefined) return found.version === entry.version && found.integrity === entry.integrity;
    // A missing optional package is for another platform.
    return entry.optional === true || (entry.dev === true && !withDevelopment);
  });
}

const recordOf = (root) => join(root, 'node_modules', '.package-lock.json');

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Takes the right to install. Shape: the function that gives it back; undefined while another process has it.
 * Each process first writes a ticket and then reads the others': of two processes, at least one sees the other.
 * A process that sees the ticket of a living one withdraws its own and tries again. Tickets of dead processes do not count.
 * So a killed process blocks no other one.
 */
function takeTurn(directory) {
  const mine = String(process.pid);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, mine), '');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined; // Another process has just removed the empty directory.
    throw error;
  }
  const giveBack = () => {
    rmSync(join(directory, mine), { force: true });
    try {
      rmdirSync(directory);
    } catch {
      // It holds the tickets of others.
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
    return !isZombie(ticket);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A zombie: ended, but its parent has not read how. In a container it may stay for ever. */
function isZombie(processId) {
  const path = `/proc/${processId}/stat`;
  return existsSync(path) && readFileSync(path, 'utf8').includes(') Z ');
}

async function install(root, withDevelopment, directory) {
  console.error('Installing the packages of Caudal with npm (once; this takes a minute) …');
  const installed = readPackages(recordOf(root));
  const isFull = withDevelopment || Object.values(installed ?? {}).some((entry) => entry.dev === true);
  // `ci` removes all packages first, also from under a running server. `install` adds to them, and trusts those that it finds.
  // The record goes first. A killed npm may leave a package in part. Then there is no record, and the next start uses `ci`.
  rmSync(recordOf(root), { force: true });
  const how = installed === undefined ? ['ci'] : ['install', '--no-save'];
  // We need no install scripts. npm's warnings are about the machine's own Node, which does not run Caudal.
  const args = [...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', isFull ? '--include=dev' : '--omit=dev'];
  const { program, first, shell } = findNpm();
  const child = spawn(program, [...first, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell });
  // npm continues when we are killed. Its own ticket makes others wait until it has ended.
  if (child.pid !== undefined) writeFileSync(join(directory, String(child.pid)), '');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const status = await new Promise((resolve) => child.on('close', resolve).on('error', (error) => resolve(error.message)));
  rmSync(join(directory, String(child.pid)), { force: true });
  if (status !== 0) throw new Error(`npm could not install the packages:\n${output.trim() || status}`);
}
