import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { copyOnNodes, dropOnNodes } from './citus.ts';
import { serviceUserOf, TEST_DATABASE_PREFIX, withDatabase, withUser } from './names.ts';

/** A database of one test file's own. */
export type TestDatabase = {
  /** Connects as its owner. */
  url: string;
  /** Connects as the user that serves and owns nothing. */
  serviceUrl: string;
  drop(): Promise<void>;
};

/**
 * Makes a migrated database for a test file: a copy of the run's template.
 * Effects: drop() removes it, open connections and all; the run's end does so too.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, runId, strategy, citus } = inject('testServer');
  const template = `${TEST_DATABASE_PREFIX}${runId}_template`;
  if (citus === null) return create(`template ${template} strategy ${strategy}`);
  const name = newName(runId);
  await copyOnNodes(citus, template, name);
  return { ...urlsOf(adminUrl, name), drop: () => dropOnNodes(citus, name) };
}

/** Makes a database without a schema, for tests of the migrations themselves. `options`: of `create database`. */
export async function createEmptyDatabase(options = ''): Promise<TestDatabase> {
  return create(options);
}

async function create(options: string): Promise<TestDatabase> {
  const { adminUrl, runId } = inject('testServer');
  const name = newName(runId);
  await administer(adminUrl, `create database ${name} ${options}`);
  return { ...urlsOf(adminUrl, name), drop: () => administer(adminUrl, `drop database if exists ${name} with (force)`) };
}

const newName = (runId: string): string => `${TEST_DATABASE_PREFIX}${runId}_${randomBytes(5).toString('hex')}`;

function urlsOf(adminUrl: string, name: string): Pick<TestDatabase, 'url' | 'serviceUrl'> {
  const { runId, servicePassword } = inject('testServer');
  const url = withDatabase(adminUrl, name);
  return { url, serviceUrl: withUser(url, serviceUserOf(runId), servicePassword) };
}

async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
