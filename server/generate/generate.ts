// npm run generate: writes what is made from the code. `npm run check` refuses files that are not fresh.
import { startEmbeddedPostgres } from '@caudal/embedded-postgres';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLog } from '../src/kit/log.ts';
import { migrate } from '../src/kit/migrate.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { makeDataDirectory, removeDataDirectory } from '../src/testing/data-directory.ts';
import { generatedFiles, generateSchema, SCHEMA_FILE } from './generated-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

for (const [path, text] of [...(await generatedFiles()), [SCHEMA_FILE, await schemaOfMigrations()] as const]) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}

/** The schema that the migrations give, in a database of its own. */
async function schemaOfMigrations(): Promise<string> {
  const dataDir = makeDataDirectory('caudal-generate-');
  const log = createLog('warn', process.stderr);
  const server = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'npm run generate', log, durable: false });
  try {
    await migrate(server.ownerUrl, MIGRATIONS);
    return await generateSchema(server.ownerUrl);
  } finally {
    await server.stop();
    removeDataDirectory(dataDir);
  }
}
