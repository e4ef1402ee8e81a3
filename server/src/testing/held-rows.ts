import { Client } from 'pg';

/** Holds what a statement locks, as a forgotten transaction does. Returns what ends the transaction. */
export async function holdRows(url: string, sql: string, values: readonly unknown[]): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(sql, [...values]);
  return () => client.end();
}
