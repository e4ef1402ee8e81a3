import { Client } from 'pg';
import { expect, test } from 'vitest';
import { declaredStatements } from '../kit/db.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { masterKeyCommands } from './keys/master-key.cli.ts';
import { openCaudal } from './rooms.ts';

test('every statement of the service fits the schema', async () => {
  // Importing these two declares the statements of all rooms and commands.
  expect([openCaudal, masterKeyCommands].every(Boolean)).toBe(true);
  const statements = declaredStatements();
  expect(statements.length).toBeGreaterThan(20);

  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const misfits: string[] = [];
  for (const { name, text } of statements) {
    const error = await client.query(`prepare "${name}" as ${text}`).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    if (error !== undefined) misfits.push(`${name}: ${error.message}`);
  }
  await client.end();
  await database.drop();
  expect(misfits).toEqual([]);
});
