import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { createEmptyDatabase, createTestDatabase } from '../src/testing/test-database.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REMEDY = 'run `npm run generate` and commit what it writes';

const readFile = (path: string): string => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '');

// Tests share their modules, and some have declared statements of their own.
vi.resetModules();
const { loadStatements } = await import('./load-statements.ts');
const { generatedFiles, generateLocks, generateSchema, LOCKS_FILE, SCHEMA_FILE } = await import('./generated-files.ts');
const files = await generatedFiles();

describe('generated files', () => {
  test.each([...files])('%s is fresh', (path, text) => {
    expect(readFile(path), REMEDY).toBe(text);
  });

  test(`${SCHEMA_FILE} is fresh`, async () => {
    const migrated = await createTestDatabase();
    expect(readFile(SCHEMA_FILE), REMEDY).toBe(await generateSchema(migrated.url));
    await migrated.drop();
  });

  test(`${SCHEMA_FILE} makes the schema that it shows`, async () => {
    const empty = await createEmptyDatabase();
    const client = new Client({ connectionString: empty.url });
    await client.connect();
    await client.query(readFile(SCHEMA_FILE));
    await client.end();
    expect(await generateSchema(empty.url)).toBe(readFile(SCHEMA_FILE));
    await empty.drop();
  });

  test('every statement of the code can be prepared on this schema', async () => {
    const migrated = await createTestDatabase();
    const client = new Client({ connectionString: migrated.url });
    await client.connect();
    const refused: string[] = [];
    for (const [index, { name, text }] of (await loadStatements()).entries())
      await client.query(`prepare s${index} as ${text}`).catch((error: Error) => refused.push(`${name}: ${error.message}`));
    await client.end();
    await migrated.drop();
    expect(refused).toEqual([]);
  });

  test(`${LOCKS_FILE} is fresh: each migration says which tables nobody can write to meanwhile`, async () => {
    const empty = await createEmptyDatabase();
    expect(readFile(LOCKS_FILE), REMEDY).toBe(await generateLocks(empty.url));
    await empty.drop();
  });

  test('a migration outside of a transaction only makes and drops indexes concurrently, so nobody waits for it', () => {
    const texts = readdirSync(MIGRATIONS).map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'));
    const statements = texts
      .filter((text) => text.startsWith('-- Outside of a transaction.'))
      .flatMap((text) => text.replaceAll(/^--.*$/gm, '').split(/;\s*$/m))
      .map((one) => one.trim())
      .filter((one) => one !== '');
    expect(statements.filter((one) => !/^(create index concurrently|drop index concurrently if exists|comment on) /.test(one))).toEqual([]);
  });

  test('of the schema are refused where the database has what they would not show', async () => {
    const migrated = await createTestDatabase();
    const client = new Client({ connectionString: migrated.url });
    await client.connect();
    await client.query(`create view pending as select from cashouts; create type mood as enum ('good'); create unlogged table quick ()`);
    await client.end();
    await expect(generateSchema(migrated.url)).rejects.toThrow('does not write relation pending, unlogged quick, type mood');
    await migrated.drop();
  });

  test('docs/reference has no page of an operation that is gone', () => {
    const pages = readdirSync(join(ROOT, 'docs', 'reference')).map((name) => `docs/reference/${name}`);
    expect(pages.filter((page) => !files.has(page))).toEqual([]);
  });
});
