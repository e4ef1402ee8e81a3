import { Client } from 'pg';
import { cashoutOperations } from '../src/cashouts/index.ts';
import { connectionConfig } from '../src/kit/db.ts';
import { migrate, type AppliedMigration } from '../src/kit/migrate.ts';
import { managementOperations } from '../src/main/manage.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { orderOperations } from '../src/orders/index.ts';
import { sandboxOperations } from '../src/sandbox/index.ts';
import { renderConsoleApi } from './console-api.ts';
import { renderManageReference } from './manage-reference.ts';
import { renderMerchantApi } from './merchant-api.ts';
import { consoleNumbers, MOBILE_TABLE_FILE, renderMobileTable } from './mobile-table.ts';
import { renderReference } from './reference.ts';
import { renderSchema } from './schema-sql.ts';
import { renderSdkApi } from './sdk-api.ts';

/** Makes the generated files that follow from the code alone. Shape: path from the root → text. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const pages = renderReference([...orderOperations, ...cashoutOperations, ...sandboxOperations]);
  const management = renderManageReference(managementOperations);
  return new Map([
    ...[...pages, ...management].map(([name, text]) => [`docs/reference/${name}`, text] as const),
    ...renderConsoleApi(managementOperations),
    ...renderMerchantApi([...orderOperations, ...cashoutOperations]),
    ...renderSdkApi([...orderOperations, ...cashoutOperations]),
    [MOBILE_TABLE_FILE, renderMobileTable()],
    ...consoleNumbers(),
  ]);
}

/** Where the schema is written. */
export const SCHEMA_FILE = 'server/schema.sql';

/** Makes the text of SCHEMA_FILE from a migrated database. */
export async function generateSchema(databaseUrl: string): Promise<string> {
  const client = new Client(connectionConfig(databaseUrl, null));
  await client.connect();
  try {
    return await renderSchema(client);
  } finally {
    await client.end();
  }
}

/** Where each migration says which tables nobody can write to while it runs. */
export const LOCKS_FILE = 'server/migration-locks.txt';

/** Runs all migrations in an empty database. Gives the text of LOCKS_FILE. */
export async function generateLocks(databaseUrl: string): Promise<string> {
  const applied: AppliedMigration[] = [];
  await migrate(databaseUrl, MIGRATIONS, undefined, { onApplied: (one) => void applied.push(one) });
  const lines = applied
    .filter(({ blocked }) => blocked.length > 0)
    .map(({ version, title, blocked }) => `${String(version).padStart(4, '0')} ${title}: ${blocked.join(', ')}\n`);
  return `Made by \`npm run generate\`: the tables to which nobody can write while a migration runs.\n\n${lines.join('')}`;
}
