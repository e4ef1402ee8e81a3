import { globSync } from 'node:fs';
import { join } from 'node:path';
import { declaredStatements, type Statement } from '../src/kit/db.ts';

const SOURCE = join(import.meta.dirname, '..', 'src');
/** Tests, types alone, and the two programs, which would run. */
const NOT_LOADED = /\.test\.ts$|\.d\.ts$|^testing\/|^main\/(serve|cli)\.ts$/;

/** Loads every file of the service, and so what each declares. A command loads its own files only when it runs. */
export async function loadStatements(): Promise<readonly Statement[]> {
  for (const file of globSync('**/*.ts', { cwd: SOURCE }).toSorted()) if (!NOT_LOADED.test(file)) await import(join(SOURCE, file));
  return declaredStatements();
}
