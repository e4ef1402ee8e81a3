import { expect, test } from 'vitest';
import { torture } from '../run.ts';
import { CELL_FAULTS } from './faults.ts';
import { startCells } from './start-cells.ts';

/** Half a minute on an idle machine. */
const TIMEOUT_MS = 240_000;

/** A server takes some seconds to start. The command plays these. */
const SLOW = new Set(['kill server', 'restart without cell', 'kill all']);

test.skipIf(process.platform !== 'linux')(
  'home and cells are killed, stopped and cut off under load: nothing acknowledged is lost, and merchants of the others are answered',
  async () => {
    const faults = Object.entries(CELL_FAULTS).filter(([name]) => !SLOW.has(name));
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
    expect(tally, said.join('\n')).toMatchObject({ rounds: faults.length, verified: 1, altered: 19 });
    expect(tally.acknowledged).toBeGreaterThan(500);
    for (const [name, { acknowledgedElsewhere }] of Object.entries(tally.faults))
      if (name !== 'stop server') expect(acknowledgedElsewhere, `${name}: ${said.join('\n')}`).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
