import { seed } from './seed.ts';

/**
 * The lane of this run. `npm test` proves every promise that is cheap to prove; `npm run test:long` runs the files that have more:
 * those that import this one, with the counts of the long lane, and those called `*.long.test.ts`.
 */
export const isLong = process.env['CAUDAL_TEST_LANE'] === 'long';

/** What a test takes in this lane: how often, or which cases. */
export const inLane = <T>({ short, long }: { readonly short: T; readonly long: T }): T => (isLong ? long : short);

/** In the short lane one of these cases, or so many, as the seed of the run says; in the long one all of them. */
export const drawn = <const T>(cases: readonly T[], count = 1): readonly T[] =>
  inLane({ short: [...cases, ...cases].slice(seed % cases.length, (seed % cases.length) + count), long: cases });
