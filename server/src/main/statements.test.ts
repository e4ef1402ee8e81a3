import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';

// Tests share their modules, and some have declared statements of their own.
vi.resetModules();
const { declaredStatements } = await import('../kit/db.ts');
// These two declare the statements of all rooms and commands.
await Promise.all([import('./rooms.ts'), import('./keys/master-key.cli.ts')]);

test('every statement of the service fits the schema', async () => {
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
