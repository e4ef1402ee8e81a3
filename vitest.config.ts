import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- vitest reads no other
export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'server/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['server/src/testing/run-database.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // The database works beside them: more workers than this only wait for each other.
    maxWorkers: 2,
  },
});
