import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, openEmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts';
import { NAME } from './name.ts';

const OWNER = fileURLToPath(new URL('own-data-directory.ts', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** How long PostgreSQL may take to stop or to recover on a slow machine. */
export const POSTGRES_TIMEOUT_MS = 60_000;

/** Another process that owns the directory, or works beside the owner. */
export type OtherProcess = {
  child: ChildProcess;
  /** Its next line of output. */
  next(): Promise<Record<string, string>>;
};

/** A data directory for one test. At the test's end it is removed and everything that runs on it is stopped. */
export type TestDirectory = {
  /** The directory around the data directory. */
  parent: string;
  /** Made by the first start. A test may set it to another path below `parent`. */
  dataDir: string;
  /** What the end of the test calls, the last one first. */
  atEnd: (() => unknown)[];
  start(options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>;
  /** What a command does, beside the owner or without one. */
  open(): Promise<Omit<EmbeddedPostgres, 'announce' | 'restored'>>;
  startOtherProcess(...options: string[]): OtherProcess;
  /** The process id of the running PostgreSQL. */
  postmaster(): number;
  postgresGone(): Promise<void>;
};

/** Gives each test of a file a fresh directory; its fields change from test to test. */
export function useTestDirectory(): TestDirectory {
  const directory: TestDirectory = {
    parent: '',
    dataDir: '',
    atEnd: [],
    async start(options = {}) {
      const postgres = await startEmbeddedPostgres({ ...optionsOf(directory), ...options });
      directory.atEnd.push(() => postgres.stop());
      return postgres;
    },
    async open() {
      const postgres = await openEmbeddedPostgres({ ...optionsOf(directory), command: 'app list' });
      directory.atEnd.push(() => postgres.stop());
      return postgres;
    },
    startOtherProcess: (...options) => startOtherProcess(directory, options),
    postmaster: () => Number.parseInt(readFileSync(join(directory.dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10),
    async postgresGone() {
      const file = join(directory.dataDir, 'postgres', 'postmaster.pid');
      await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: POSTGRES_TIMEOUT_MS });
    },
  };
  beforeEach(() => {
    directory.parent = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
    chmodSync(directory.parent, 0o711);
    directory.dataDir = join(directory.parent, 'data');
  });
  afterEach(async () => {
    for (let end = directory.atEnd.pop(); end !== undefined; end = directory.atEnd.pop()) await end();
    await directory.postgresGone();
    const entry = join(directory.dataDir, 'postgres');
    if (existsSync(entry) && lstatSync(entry).isSymbolicLink()) rmSync(dirname(readlinkSync(entry)), { recursive: true, force: true });
    rmSync(directory.parent, { recursive: true, force: true });
  });
  return directory;
}

function optionsOf({ dataDir }: TestDirectory): EmbeddedPostgresOptions {
  return { name: NAME, dataDir, command: 'app serve', log: silent, durable: false };
}

function startOtherProcess(directory: TestDirectory, options: readonly string[]): OtherProcess {
  const child = spawn(process.execPath, [OWNER, directory.dataDir, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  directory.atEnd.push(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child);
  });
  return { child, next: async () => JSON.parse((await lines.next()).value as string) as Record<string, string> };
}

/** Kills a process without warning and waits for its end. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The values that one statement returns. */
export async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** A zombie does not count: the first process of a container may never ask for its exit status. */
export function isAlive(processId: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(processId)], { encoding: 'utf8' });
  const state = stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
