// npm run check: everything that can be checked without running the service.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

// The tools, and the pinned Node that runs them, whatever this machine's own Node is.
const PATH = [join(import.meta.dirname, '..', 'node_modules', '.bin'), process.env['PATH']].join(delimiter);

const STEPS: readonly (readonly [what: string, command: string, ...arguments: string[]])[] = [
  ['format', 'oxfmt', '--check'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', 'tsc', '--noEmit', '-p', '.'],
  ['types of the client', 'tsc', '--noEmit', '-p', 'sdk'],
  ['types of the console', 'tsc', '--noEmit', '-p', 'console'],
  ['unused code and dependencies', 'knip'],
  [
    'rules of the house, OpenAPI document, generated files',
    'vitest',
    'run',
    'server/tidy/',
    'server/src/main/openapi.test.ts',
    'server/generate/',
  ],
];

const failed = STEPS.filter(([what, command, ...arguments_]) => {
  const { status, stdout, stderr } = spawnSync(command, arguments_, {
    encoding: 'utf8',
    env: { ...process.env, PATH },
    shell: process.platform === 'win32',
  });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${what}`);
  if (status !== 0) console.log(`${stdout ?? ''}${stderr ?? ''}`);
  return status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
