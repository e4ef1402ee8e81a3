import { expect, test } from 'vitest';
import { inLane, drawn } from '../src/testing/lanes.ts';
import { createTestDatabase } from '../src/testing/test-database.ts';
import { simulate } from './run.ts';

const STEPS = 1_500;
const SEEDS = drawn([1, 2, 3, 4]);
const SEEDS_OF_CELLS = drawn([101, 102, 103]);
/** What becomes of settlements, and of refunds that a fund bears or a payer collects. */
const MOVED = [
  'run settlement 0000',
  'draft by schedule',
  'approve settlement 0000',
  'approve settlement collected_too_small',
  'cancel settlement 0000',
  'send settlement 0000',
  'pay settlement 0000',
  'return settlement 0000',
  'place hold 0000',
  'release hold 0000',
  'move to fund 0000',
  'refund borne by a fund',
  'register refund cashout 0000',
  'register refund cashout refund_has_cashout',
  'change refund refund_has_cashout',
  'refund collected',
  'refund reopened',
];
/** Each takes a few seconds; the machine may be busy. */
const TIMEOUT_MS = 240_000;

test(
  'the model explains random histories, with all balances and all notices',
  async () => {
    let [broken, officeBroken] = [0, 0];
    const moved = new Map<string, number>();
    for (const seed of SEEDS) {
      const database = await createTestDatabase();
      try {
        const tally = await simulate({ url: database.url, seed, steps: STEPS });
        expect(tally.races, 'commands raced').toBeGreaterThan(100);
        expect(tally.notices, 'notices arrived').toBeGreaterThan(20);
        expect(tally.answers.get('pay order 0000'), 'orders were paid').toBeGreaterThan(5);
        expect(tally.answers.get('pay cashout 0000'), 'cashouts were paid out').toBeGreaterThan(5);
        broken += Object.values(tally.faults).reduce((sum, times) => sum + times, 0);
        for (const name of MOVED) moved.set(name, (moved.get(name) ?? 0) + (tally.answers.get(name) ?? 0));
        officeBroken += Object.values(tally.officeFaults).reduce((sum, times) => sum + times, 0);
      } finally {
        await database.drop();
      }
    }
    // One seed alone may draw none.
    const least = inLane({ short: 0, long: 1 });
    for (const name of MOVED) expect(moved.get(name), name).toBeGreaterThanOrEqual(least);
    expect(broken, 'connections were broken and servers restarted').toBeGreaterThanOrEqual(least);
    expect(officeBroken, 'the same, while the office changed something').toBeGreaterThanOrEqual(least);
  },
  TIMEOUT_MS,
);

test(
  'the same model explains those of a service of three databases, whose servers die between two steps and whose databases go away',
  async () => {
    let broken = 0;
    for (const seed of SEEDS_OF_CELLS) {
      const databases = [await createTestDatabase(), await createTestDatabase(), await createTestDatabase()];
      try {
        const [url = '', ...cellUrls] = databases.map((one) => one.url);
        const tally = await simulate({ url, seed, steps: STEPS, cellUrls });
        expect(tally.races, 'commands raced').toBeGreaterThan(100);
        expect(tally.answers.get('pay order 0000'), 'orders were paid').toBeGreaterThan(5);
        expect(tally.answers.get('look up cashout 0000'), 'cashouts were found').toBeGreaterThan(5);
        broken += tally.faults.gap + tally.faults.away;
      } finally {
        for (const one of databases) await one.drop();
      }
    }
    expect(broken, 'servers died between steps, and databases went away').toBeGreaterThanOrEqual(1);
  },
  TIMEOUT_MS,
);
