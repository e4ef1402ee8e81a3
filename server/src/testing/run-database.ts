import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { prepareSchema } from '../main/migrations.ts';
import { copyOnNodes, dropOnNodes, dropRoleOnNodes, makeCitusTemplate, type CitusNodes } from './citus.ts';
import { makeDataDirectory, quickestFolder, removeDataDirectory } from './data-directory.ts';
import { findSecrets } from './log-canary.ts';
import { serviceUserOf, TEST_DATABASE_PREFIX, withDatabase, withUser } from './names.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: {
      adminUrl: string;
      runId: string;
      servicePassword: string;
      /** Of `create database … template`. */
      strategy: 'file_copy' | 'wal_log';
      /** Where the run is on a cluster of Citus: its nodes, and a copy of the template for the acceptance tests, which make none by themselves. */
      citus: (CitusNodes & { acceptance: string }) | null;
      seed: number;
      logFile: string;
      oneTimePasswordFile: string;
    };
  }
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * The global set-up of every test run. It makes one PostgreSQL (embedded, or CAUDAL_TEST_DATABASE_URL).
 * It makes one migrated template database and a user that serves.
 * Effects: drops what crashed runs left behind; at the end drops the template, stops what it started, and fails the run
 * where its log shows a secret.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = process.env['CAUDAL_TEST_CITUS_URL'];
  if (cluster !== undefined && cluster !== '') return setupCitus(project, cluster);
  const external = process.env['CAUDAL_TEST_DATABASE_URL'];
  const isOurs = external === undefined || external === '';
  const server = isOurs ? await startServer() : { url: external, stop: async () => {} };
  // A copy of files begins and ends with a checkpoint. Without flushes that is cheap: with its removal a copy took 15 ms instead of 20.
  const strategy = isOurs ? 'file_copy' : 'wal_log';
  const runId = randomBytes(5).toString('hex');
  const admin = new Client({ connectionString: server.url, application_name: `caudal test run ${runId}` });
  await admin.connect();
  await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [runId]);
  await dropLeftovers(admin);
  const template = `${TEST_DATABASE_PREFIX}${runId}_template`;
  await admin.query(`create database ${template}`);
  const servicePassword = randomBytes(16).toString('hex');
  await admin.query(`create role ${serviceUserOf(runId)} login password '${servicePassword}'`);
  const ownerUrl = withDatabase(server.url, template);
  await prepareSchema({ ownerUrl, url: withUser(ownerUrl, serviceUserOf(runId), servicePassword) });
  return provide(project, { adminUrl: server.url, runId, servicePassword, strategy, citus: null }, async () => {
    await dropRun(admin, runId);
    await admin.end();
    await server.stop();
  });
}

/**
 * On a cluster of Citus (CAUDAL_TEST_CITUS_URL: a database of its coordinator, as its superuser) each test's schema is distributed, and
 * tests connect to the worker that holds it. What makes databases by itself makes plain ones on that worker.
 */
async function setupCitus(project: TestProject, url: string): Promise<() => Promise<void>> {
  const runId = randomBytes(5).toString('hex');
  const servicePassword = randomBytes(16).toString('hex');
  const template = `${TEST_DATABASE_PREFIX}${runId}_template`;
  const acceptance = `${TEST_DATABASE_PREFIX}${runId}_acceptance`;
  const nodes = await makeCitusTemplate(url, template, { name: serviceUserOf(runId), password: servicePassword });
  await copyOnNodes(nodes, template, acceptance);
  const given = { adminUrl: nodes.holder, runId, servicePassword, strategy: 'file_copy', citus: { ...nodes, acceptance } } as const;
  return provide(project, given, async () => {
    const client = new Client({ connectionString: nodes.holder });
    await client.connect();
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [
      `${TEST_DATABASE_PREFIX}${runId}_`,
    ]);
    await client.end();
    for (const { datname } of rows) await dropOnNodes(nodes, datname);
    await dropRoleOnNodes(nodes, serviceUserOf(runId));
  });
}

type Given = Omit<ProvidedContext['testServer'], 'seed' | 'logFile' | 'oneTimePasswordFile'>;

/** Gives the tests what they share. Shape: → what ends the run, by `end`, and then searches what it logged for secrets. */
function provide(project: TestProject, given: Given, end: () => Promise<void>): () => Promise<void> {
  const logs = mkdtempSync(join(tmpdir(), `caudal-log-${process.pid}-`));
  const logFile = join(logs, 'log.jsonl');
  const oneTimePasswordFile = join(logs, 'one-time-passwords');
  for (const file of [logFile, oneTimePasswordFile]) writeFileSync(file, '');
  project.provide('testServer', { ...given, seed: drawSeed(), logFile, oneTimePasswordFile });
  return async () => {
    await end();
    const found = findSecrets(readFileSync(logFile, 'utf8'), readFileSync(oneTimePasswordFile, 'utf8').trim().split('\n'));
    rmSync(logs, { recursive: true });
    if (found.length > 0) throw new Error(`The log of this run shows secrets (contract §2.7):\n${found.slice(0, 20).join('\n')}`);
  };
}

/** The seed of the environment, or a random one. */
function drawSeed(): number {
  const seed = Number(process.env['CAUDAL_TEST_SEED'] ?? randomInt(2 ** 31));
  console.log(`Tests draw from CAUDAL_TEST_SEED=${seed}`);
  return seed;
}

/** A run holds a session lock on its id: whose lock is free crashed. */
async function dropLeftovers(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ run_id: string }>(
    `select distinct split_part(substr(datname, length($1) + 1), '_', 1) as run_id from pg_database where starts_with(datname, $1)`,
    [TEST_DATABASE_PREFIX],
  );
  for (const { run_id: runId } of rows) {
    const lock = await admin.query<{ free: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as free', [runId]);
    if (lock.rows[0]!.free) await dropRun(admin, runId);
  }
}

/** Drops the databases of a run and the user that serves in them. Only then nothing is granted to it. */
async function dropRun(admin: Client, runId: string): Promise<void> {
  const prefix = `${TEST_DATABASE_PREFIX}${runId}_`;
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [prefix]);
  for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`);
  await admin.query(`drop role if exists ${serviceUserOf(runId)}`);
}

const DIRECTORY = /^caudal-test-(\d+)-/;

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = quickestFolder();
  for (const place of new Set([folder, tmpdir()]))
    for (const name of readdirSync(place)) {
      const processId = DIRECTORY.exec(name)?.[1];
      if (processId !== undefined && !isAlive(Number(processId))) removeDataDirectory(join(place, name));
    }
  const dataDir = makeDataDirectory(`caudal-test-${process.pid}-`, folder);
  const server = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'npm test', log: silent, durable: false });
  return {
    url: server.ownerUrl,
    stop: async () => {
      await server.stop();
      removeDataDirectory(dataDir);
    },
  };
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
