import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** Holds what a statement locks until the test ends, as a forgotten transaction does. Returns what ends the transaction before. */
export async function holdRows(url: string, sql: string, values: readonly unknown[]): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(sql, [...values]);
  return async () => void (await client.query('rollback'));
}
