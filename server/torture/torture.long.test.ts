import { expect, test } from 'vitest';
import { startTorturedDatabase } from './database.ts';
import { FAULT_NAMES, FAULTS, NEEDS_VOLUMES } from './faults.ts';
import { torture } from './run.ts';

const ROUNDS = 20;
/** Some seconds on an idle machine. */
const TIMEOUT_MS = 240_000;

/** A server takes a second to start. The command plays these more often. */
const SLOW = new Set(['kill server', 'kill both']);
const QUICK = FAULT_NAMES.filter((name) => !NEEDS_VOLUMES.includes(name) && !SLOW.has(name));

test.skipIf(process.platform !== 'linux')(
  `in ${ROUNDS} rounds of faults nothing that was acknowledged is lost, and the checker finds rows that are altered`,
  async () => {
    const names = [...QUICK, 'kill server', ...QUICK].slice(0, ROUNDS) as typeof FAULT_NAMES;
    const faults = names.map((name) => [name, FAULTS[name]] as const);
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const tally = await torture({
      seed: 1,
      rounds: ROUNDS,
      seconds: 200,
      faults,
      startDatabase: () => startTorturedDatabase(false),
      countsFault: false,
      phaseMs: 120,
      longMs: 120,
      verifyEvery: ROUNDS + 1,
      say,
      stopping: new AbortController().signal,
    });
    expect(tally, said.join('\n')).toMatchObject({ rounds: ROUNDS, verified: 1, altered: 8 });
    expect(tally.acknowledged).toBeGreaterThan(500);
    expect(tally.lostAnswers).toBeGreaterThan(0);
    expect(tally.acknowledgedOf['refund'], 'refunds').toBeGreaterThan(5);
    expect(tally.acknowledgedOf['settlement'], 'settlements').toBeGreaterThan(3);
    expect(tally.noticed).toBeGreaterThan(20);
  },
  TIMEOUT_MS,
);
