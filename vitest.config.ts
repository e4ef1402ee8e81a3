import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FILES_NOT_ON_CITUS } from './server/src/testing/not-on-citus.ts';

/** Files that take longest, the longest first. One that began last would run beside an idle worker. */
const LONGEST = [
  'failover/failover',
  'torture/torture',
  'main/hostile',
  'simulation',
  'backup/backup',
  'main/serve-sandbox',
  'planted-links',
  'killed-process',
  'embedded-postgres',
  'console.browser',
  'merchants.browser',
  'orders.browser',
  'cash.browser',
  'crawl.browser',
  'url-commands',
  'people.browser',
  'import-cashouts',
  'main/service-user',
  'acceptance',
  'exports/exports',
  'money.browser',
  'checkout.browser',
  'main/precedence',
  'serve-outage',
  'sign-in.browser',
  'readers.browser',
  'main/serve',
  'unsaved.browser',
  'main/cli',
  'amounts.browser',
  'killed-database',
  'refusals.browser',
  'main/isolation',
  'doctor/doctor',
  'database-mode',
  'demo/home',
  'demo/demo-month',
  'main/processes',
  'scripts/package',
  'scripts/serving-packages',
].map((name) => `/${name}.`);

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.includes(name));
  return place < 0 ? LONGEST.length : place;
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

// Hundreds of processes load the same modules: each worker, server and command. What one has compiled, the next ones read.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node-compile');

const TESTS = ['console/**/*.test.ts', 'packages/**/*.test.ts', 'sdk/**/*.test.ts', 'server/**/*.test.ts', 'scripts/**/*.test.ts'];
const ONLY_LONG = '**/*.long.test.ts';
const files = globSync(TESTS, { cwd: import.meta.dirname, exclude: ['**/node_modules'] });
const gone = LONGEST.filter((name) => !files.some((path) => `/${path}`.includes(name)));
if (gone.length > 0) throw new Error(`vitest.config.ts names test files that are gone: ${gone.join(', ')}`);
/** What the long lane runs: files that the short one has not, and those that do more in it (server/src/testing/lanes.ts). */
const longFiles = (): string[] =>
  files.filter((path) => path.endsWith('.long.test.ts') || readFileSync(join(import.meta.dirname, path), 'utf8').includes(`/lanes.ts'`));
const isLong = process.env['CAUDAL_TEST_LANE'] === 'long';

const leftOut = (process.env['CAUDAL_TEST_CITUS_URL'] ?? '') === '' ? [] : FILES_NOT_ON_CITUS;
if (leftOut.length > 0) console.log(`Not on Citus (server/src/testing/not-on-citus.ts): ${leftOut.join(', ')}`);

// oxlint-disable-next-line import/no-default-export -- vitest reads no other
export default defineConfig({
  test: {
    include: isLong ? longFiles() : TESTS,
    exclude: [...configDefaults.exclude, ...(isLong ? [] : [ONLY_LONG]), ...leftOut],
    globalSetup: ['server/src/testing/run-database.ts'],
    setupFiles: ['server/src/testing/each-file.ts'],
    sequence: { sequencer: LongestFirst },
    // What hangs is found soon enough; a machine that others use too fails nothing.
    testTimeout: 180_000,
    // A busy machine takes more than the second that is usual.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 180_000,
    // A worker loads the service once. Each file has a database of its own, so that files share no more than modules.
    isolate: false,
    // The database works beside them: more workers than this only wait for each other.
    maxWorkers: 2,
  },
});
