// Loaded before a program by --import: kills it before the given change of names in a folder. A kill may meet any of these moments.
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const folder = process.env['CAUDAL_TEST_FOLDER'] as string;
let left = Number(process.env['CAUDAL_TEST_STEP']);

for (const name of ['mkdir', 'rename', 'rm'] as const) {
  const change = promises[name] as (path: string, ...more: unknown[]) => Promise<unknown>;
  const changeOrDie: typeof change = (path, ...more) => {
    if (path.startsWith(folder) && --left === 0) process.kill(process.pid, 'SIGKILL');
    return change(path, ...more);
  };
  Object.assign(promises, { [name]: changeOrDie });
}
syncBuiltinESMExports();
