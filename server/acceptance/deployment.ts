import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Role } from './example.ts';
import type { MerchantAccount, MerchantAccounts, Accounts, NetworkAccount } from './placeholders.ts';

/** The deployment under test: a server that the suite starts, or one that the environment names. */
export type Deployment = Accounts & {
  readonly origin: string;
  /** A second server on the same database, which speaks the dialect of the family. Undefined where the environment names the deployment. */
  readonly familyOrigin: string | undefined;
  readonly isSandbox: boolean;
  stop(): Promise<void>;
};

const SERVER = join(import.meta.dirname, '..');
const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 15_000;
const run = promisify(execFile);

/**
 * Opens the deployment under test.
 * Shape: CAUDAL_ACCEPTANCE_URL and CAUDAL_ACCEPTANCE_MERCHANTS (and CAUDAL_ACCEPTANCE_NETWORK, CAUDAL_ACCEPTANCE_MODE) name one.
 * Otherwise a server starts on a database of the server at adminUrl, a new one unless it `isMade`; the command line creates its merchants.
 */
export async function openDeployment(adminUrl: string, databaseName: string, isMade = false): Promise<Deployment> {
  const url = process.env['CAUDAL_ACCEPTANCE_URL'];
  if (url === undefined || url === '') return startDeployment(adminUrl, databaseName, isMade);
  const merchants = process.env['CAUDAL_ACCEPTANCE_MERCHANTS'];
  const network = process.env['CAUDAL_ACCEPTANCE_NETWORK'];
  if (merchants === undefined) throw new Error('CAUDAL_ACCEPTANCE_MERCHANTS is missing: server/acceptance/README.md says what it takes');
  return {
    origin: url.replace(/\/$/, ''),
    familyOrigin: undefined,
    isSandbox: process.env['CAUDAL_ACCEPTANCE_MODE'] !== 'production',
    merchants: JSON.parse(merchants) as MerchantAccounts,
    network: network === undefined || network === '' ? undefined : (JSON.parse(network) as NetworkAccount),
    stop: async () => {},
  };
}

async function startDeployment(adminUrl: string, databaseName: string, isMade: boolean): Promise<Deployment> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  if (!isMade) await admin.query(`create database ${databaseName}`);
  await admin.end();
  // URL cannot parse the address of a server behind a socket: it has no host.
  const databaseUrl = adminUrl.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${databaseName}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'caudal-acceptance-'));
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CAUDAL_') && !name.startsWith('VITEST'));
  const environment = {
    ...Object.fromEntries(inherited),
    DATABASE_URL: databaseUrl,
    CAUDAL_DATA_DIR: dataDir,
    CAUDAL_PORT: '0',
    CAUDAL_METRICS_ADDRESS: 'off',
    CAUDAL_LOG_LEVEL: 'warn',
  };
  const servers: ChildProcess[] = [];
  const serve = (settings: NodeJS.ProcessEnv = {}): Promise<string> => {
    const server = spawn(process.execPath, [join(SERVER, 'src', 'main', 'serve.ts')], {
      env: { ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    servers.push(server);
    return printedAddress(server);
  };
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(stopServer));
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const origin = await serve();
    const [familyOrigin, accounts] = await Promise.all([serve({ CAUDAL_DIALECT: 'family' }), createAccounts(environment)]);
    return { origin, familyOrigin, isSandbox: true, ...accounts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function printedAddress(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => reject(new Error(`the server ${why}:\n${output}`));
    const timer = setTimeout(() => fail('did not say its address in time'), START_PATIENCE_MS);
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const address = /^Caudal serves .* on (http:\S+)$/m.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.on('exit', () => fail('ended'));
  });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}

const COUNTRIES: Readonly<Record<Role, string>> = {
  colombia: '343',
  second: '343',
  chile: '152',
  brazil: '076',
  disabled: '343',
  rotated: '343',
};

/** The funds that pay for cashouts. */
const FUNDS: readonly (readonly [Role, string])[] = [
  ['colombia', 'COP'],
  ['colombia', 'USD'],
  ['second', 'COP'],
  ['rotated', 'COP'],
];

/** Creates a merchant for every role, and a network, by the operator's commands. */
async function createAccounts(environment: NodeJS.ProcessEnv): Promise<Accounts> {
  const caudal = async (...words: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [join(SERVER, 'bin', 'caudal.mjs'), ...words], { env: environment });
    return stdout;
  };
  const merchants: Partial<Record<Role, MerchantAccount>> = {};
  for (const [role, country] of Object.entries(COUNTRIES) as [Role, string][]) {
    merchants[role] = JSON.parse(
      await caudal('merchants', 'create', '--id', `acceptance-${role}`, '--country', country, '--json'),
    ) as MerchantAccount;
  }
  for (const [role, currency] of FUNDS) {
    await caudal('ledger', 'top-up', '--merchant', `acceptance-${role}`, '--currency', currency, '--amount', '1000000000');
  }
  await caudal('merchants', 'disable', 'acceptance-disabled');
  const before = merchants.rotated as MerchantAccount;
  const { fixedHash } = JSON.parse(await caudal('merchants', 'rotate-hash', before.merchant, '--json')) as { fixedHash: string };
  const network = JSON.parse(await caudal('networks', 'create', 'acceptance', '--json')) as NetworkAccount;
  return { merchants: { ...merchants, rotated: { ...before, fixedHash, oldFixedHash: before.fixedHash } }, network };
}
