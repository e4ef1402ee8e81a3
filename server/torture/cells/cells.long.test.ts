import { expect, test } from 'vitest';
import { torture } from '../run.ts';
import { CELL_FAULTS } from './faults.ts';
import { startCells } from './start-cells.ts';

/** Half a minute on an idle machine. */
const TIMEOUT_MS = 240_000;

/** The command plays all. */
const PLAYED = ['kill home', 'stop home', 'kill cell', 'stop cell', 'cut cell', 'silent cell'] as const;

test.skipIf(process.platform !== 'linux')(
  'home and cells are killed, stopped and cut off under load: nothing acknowledged is lost, and merchants of the others are answered',
  async () => {
    const faults = PLAYED.map((name) => [name, CELL_FAULTS[name]] as const);
    const said: string[] = [];
    const tally = await torture({
      seed: 1,
      rounds: faults.length,
      seconds: 200,
      faults,
      startDatabase: startCells,
      countsFault: false,
      phaseMs: 400,
      longMs: 400,
      verifyEvery: faults.length + 1,
      say: (line) => void said.push(line),
      stopping: new AbortController().signal,
    });
    expect(tally, said.join('\n')).toMatchObject({ rounds: faults.length, verified: 1 });
    expect(tally.altered).toBeGreaterThanOrEqual(19);
    expect(tally.acknowledged).toBeGreaterThan(300);
    const elsewhere = Object.values(tally.faults).reduce((sum, { acknowledgedElsewhere = 0 }) => sum + acknowledgedElsewhere, 0);
    expect(elsewhere).toBeGreaterThan(20);
  },
  TIMEOUT_MS,
);
