import { Client } from 'pg';
import { inject } from 'vitest';
import { Unavailable, type Db } from '../kit/db.ts';
import { mapCells, type PerCell } from '../kit/per-cell.ts';
import { steppedDb } from './stepped-db.ts';

async function administer(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: inject('testServer').adminUrl });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Ends all connections to a database and lets nobody in, until the function that it returns is called. */
export async function takeAway(databaseUrl: string): Promise<() => Promise<void>> {
  const { database } = new Client({ connectionString: databaseUrl });
  await administer(
    `alter database ${database} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
  );
  return () => administer(`alter database ${database} with allow_connections true`);
}

/** The connections of a process, over all databases of a service. `before` runs before each statement and each transaction, which are counted from 0 on. */
export function steppedBy(before: (step: number) => Promise<void>, dbs: PerCell<Db>): PerCell<Db> {
  let step = 0;
  return mapCells(dbs, (db) => steppedDb(() => before(step++), db));
}

/** Those of a process that is killed after so many: it reaches no database any more. */
export const dyingAfter = (steps: number, dbs: PerCell<Db>): PerCell<Db> =>
  steppedBy(async (step) => {
    if (step >= steps) throw new Unavailable('this process was killed');
  }, dbs);
