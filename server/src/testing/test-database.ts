import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
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
  const { runId, strategy } = inject('testServer');
  return create(`template ${TEST_DATABASE_PREFIX}${runId}_template strategy ${strategy}`);
}

/** Makes a database without a schema, for tests of the migrations themselves. `options`: of `create database`. */
export async function createEmptyDatabase(options = ''): Promise<TestDatabase> {
  return create(options);
}

async function create(options: string): Promise<TestDatabase> {
  const { adminUrl, runId, servicePassword } = inject('testServer');
  const name = `${TEST_DATABASE_PREFIX}${runId}_${randomBytes(5).toString('hex')}`;
  await administer(adminUrl, `create database ${name} ${options}`);
  const url = withDatabase(adminUrl, name);
  return {
    url,
    serviceUrl: withUser(url, serviceUserOf(runId), servicePassword),
    drop: () => administer(adminUrl, `drop database if exists ${name} with (force)`),
  };
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
