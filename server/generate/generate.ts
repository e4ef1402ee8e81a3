// npm run generate: writes what is made from the code. `npm run check` refuses files that are not fresh.
// npm run generate -- statements: prints every prepared statement by its name, as the database sees it.
import { startEmbeddedPostgres } from '@caudal/embedded-postgres';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLog } from '../src/kit/log.ts';
import { makeDataDirectory, removeDataDirectory } from '../src/testing/data-directory.ts';
import { loadStatements } from './load-statements.ts';
import { renderStatements } from './statements-sql.ts';
import { generatedFiles, generateLocks, generateSchema, LOCKS_FILE, SCHEMA_FILE } from './generated-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

if (process.argv[2] === 'statements') {
  process.stdout.write(renderStatements(await loadStatements()));
  process.exit();
}

for (const [path, text] of [...(await generatedFiles()), ...(await ofMigrations())]) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}

/** What the migrations do, and the schema that they give, in a database of its own. */
async function ofMigrations(): Promise<readonly (readonly [path: string, text: string])[]> {
  const dataDir = makeDataDirectory('caudal-generate-');
  const log = createLog('warn', process.stderr);
  const server = await startEmbeddedPostgres({ name: 'caudal', dataDir, command: 'npm run generate', log, durable: false });
  try {
    const locks = await generateLocks(server.ownerUrl);
    return [
      [LOCKS_FILE, locks],
      [SCHEMA_FILE, await generateSchema(server.ownerUrl)],
    ];
  } finally {
    await server.stop();
    removeDataDirectory(dataDir);
  }
}
