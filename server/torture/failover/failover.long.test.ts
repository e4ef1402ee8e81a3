import { expect, test } from 'vitest';
import { TortureFailure, torture } from '../run.ts';
import { FAIL_OVERS, loseWrites } from './faults.ts';
import { startPair } from './pair.ts';

/** Some seconds each on an idle machine. */
const TIMEOUT_MS = 240_000;
const SHORT = {
  seed: 1,
  seconds: 200,
  phaseMs: 300,
  longMs: 300,
  countsFault: true,
  verifyEvery: 10,
  stopping: new AbortController().signal,
  say: () => undefined,
};

test.skipIf(process.platform !== 'linux')(
  'a primary is killed, stopped, woken and switched over under load: nothing acknowledged is lost, and nothing old is read',
  async () => {
    // One that wakes was stopped before.
    const faults = Object.entries(FAIL_OVERS).filter(([name]) => name !== 'stop primary');
    const tally = await torture({ ...SHORT, rounds: faults.length, faults, startDatabase: () => startPair('synchronous') });
    expect(tally).toMatchObject({ rounds: 3, verified: 1, failedStarts: 0 });
    expect(tally.altered).toBeGreaterThanOrEqual(6);
    expect(tally.acknowledged).toBeGreaterThan(50);
  },
  TIMEOUT_MS,
);

test.skipIf(process.platform !== 'linux')(
  'the checker finds writes that an asynchronous standby never got',
  async () => {
    const lost = torture({ ...SHORT, rounds: 1, faults: [['lose writes', loseWrites]], startDatabase: () => startPair('asynchronous') });
    await expect(lost).rejects.toThrow(TortureFailure);
    await expect(lost).rejects.toThrow(/lose writes: .* Before that it could be /);
  },
  TIMEOUT_MS,
);
