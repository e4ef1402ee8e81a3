import { expect, test } from 'vitest';
import { createTestDatabase } from '../src/testing/test-database.ts';
import { simulate } from './run.ts';

const STEPS = 1_500;
/** A few seconds each, but on a machine that is busy otherwise. */
const TIMEOUT_MS = 90_000;

/** Seeds that were never seen to fail, and that between them break connections, restart servers and lose answers. */
test.each([1, 2, 3, 4])(
  'random histories are explained by the model, and every cent and notice is where it has to be: seed %i',
  async (seed) => {
    const database = await createTestDatabase();
    try {
      const tally = await simulate({ url: database.url, seed, steps: STEPS });
      expect(tally.races, 'commands raced').toBeGreaterThan(100);
      expect(tally.notices, 'notices arrived').toBeGreaterThan(20);
      expect(tally.cuts + tally.restarts, 'something broke').toBeGreaterThan(0);
      expect(tally.answers.get('pay order 0000'), 'orders were paid').toBeGreaterThan(5);
      expect(tally.answers.get('pay cashout 0000'), 'cashouts were paid out').toBeGreaterThan(5);
    } finally {
      await database.drop();
    }
  },
  TIMEOUT_MS,
);
