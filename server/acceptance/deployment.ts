import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

/** The databases of a deployment that the suite starts. */
export type Databases = {
  readonly adminUrl: string;
  /** The first one, on the server at adminUrl: a new one, unless it `isMade`. */
  readonly home: string;
  readonly isMade: boolean;
  /** Those beside it, empty, as their two users reach them. Merchants are spread over all. */
  readonly cells: readonly CellUrls[];
};

type CellUrls = { readonly serviceUrl: string; readonly url: string };

const SERVER = join(import.meta.dirname, '..');
const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 15_000;
const run = promisify(execFile);

/**
 * Opens the deployment under test.
 * Shape: CAUDAL_ACCEPTANCE_URL and CAUDAL_ACCEPTANCE_MERCHANTS (and CAUDAL_ACCEPTANCE_NETWORK, CAUDAL_ACCEPTANCE_MODE) name one.
 * Otherwise servers start on these databases; the command line makes the cells, and creates the merchants.
 */
export async function openDeployment(databases: Databases): Promise<Deployment> {
  const url = process.env['CAUDAL_ACCEPTANCE_URL'];
  if (url === undefined || url === '') return startDeployment(databases);
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

async function startDeployment({ adminUrl, home, isMade, cells }: Databases): Promise<Deployment> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  if (!isMade) await admin.query(`create database ${home}`);
  await admin.end();
  // URL cannot parse the address of a server behind a socket: it has no host.
  const databaseUrl = adminUrl.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${home}`);
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
    let origin = await serve();
    const names = await createCells(environment, cells);
    // A server reads the list of cells when it starts.
    if (names.length > 0) {
      await stopServer(servers.pop() as ChildProcess);
      origin = await serve();
    }
    const [familyOrigin, accounts] = await Promise.all([serve({ CAUDAL_DIALECT: 'family' }), createAccounts(environment, names)]);
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

/** Runs a command as the operator does. Shape: → what it printed. */
async function runCaudal(environment: NodeJS.ProcessEnv, ...words: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(SERVER, 'bin', 'caudal.mjs'), ...words], { env: environment });
  return stdout;
}

/** Makes the cells by the steps of docs/operations/cells.md. Shape: their connection strings → their names. */
async function createCells(environment: NodeJS.ProcessEnv, cells: readonly CellUrls[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { serviceUrl, url } of cells) {
    const name = `cell-${names.length + 1}`;
    const write = (of: string, text: string): string => {
      const path = join(environment['CAUDAL_DATA_DIR'] as string, `${name}-${of}`);
      writeFileSync(path, `${text}\n`, { mode: 0o600 });
      return path;
    };
    const files = ['--database-url-file', write('service', serviceUrl), '--owner-url-file', write('owner', url)];
    await runCaudal(environment, 'cells', 'create', name, ...files);
    names.push(name);
  }
  return names;
}

/** Creates a merchant for every role, in turn in each cell and at home, and a network, by the operator's commands. */
async function createAccounts(environment: NodeJS.ProcessEnv, cells: readonly string[]): Promise<Accounts> {
  const caudal = (...words: string[]): Promise<string> => runCaudal(environment, ...words);
  const merchants: Partial<Record<Role, MerchantAccount>> = {};
  for (const [index, [role, country]] of (Object.entries(COUNTRIES) as [Role, string][]).entries()) {
    const place = cells.length === 0 ? [] : ['--cell', [...cells, 'home'][index % (cells.length + 1)] as string];
    const words = ['merchants', 'create', '--id', `acceptance-${role}`, '--country', country, ...place, '--json'];
    merchants[role] = JSON.parse(await caudal(...words)) as MerchantAccount;
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
