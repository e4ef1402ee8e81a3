import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { openPace } from './pace.ts';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('an export is slow while others write, and fast again when they stop; a long one never takes more than five minutes', async () => {
  const pace = await openPace(database.url);
  expect(pace.perSecond(1), 'nothing is known yet').toBe(5_000);
  await eventually(SOON_MS, () => expect(pace.perSecond(1)).toBe(40_000));
  await client.query('create table written (number int)');
  await eventually(SOON_MS, async () => {
    await client.query('insert into written select * from generate_series(1, 2000)');
    expect(pace.perSecond(1)).toBe(5_000);
  });
  expect(pace.perSecond(3_000_000)).toBe(10_000);
  await eventually(SOON_MS, () => expect(pace.perSecond(1)).toBe(40_000));
  await pace.close();
});
