import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../simulation/random.ts';
import { FAULTS, type Heal, type Inject } from '../faults.ts';
import { Contradiction } from '../possible.ts';
import type { Stage } from '../stage.ts';
import type { CitusCells } from './citus.ts';
import { numbersOf, whileServing } from './faults.ts';

type CitusStage = Stage<CitusCells>;

/** A schema is moved in some seconds. Something is killed in the first of them, or last of all. */
const MOVE_MS = 6_000;
/** A move that was cut off is begun again, until it is done. */
const MOVED_WITHIN_MS = 120_000;
const AGAIN_MS = 1_000;

/** The cells that are on other nodes. */
async function besides({ database }: CitusStage, node: string): Promise<readonly number[]> {
  const nodes = await Promise.all(database.cells.map(({ where }) => where()));
  return [0, ...nodes.flatMap((where, index) => (where === node ? [] : [index + 1]))];
}

async function killNode(stage: CitusStage, node: string): Promise<Heal> {
  const serves = await besides(stage, node);
  await stage.database.kill(node);
  return whileServing(serves, () => stage.database.whole());
}

const workerOf = ({ database }: CitusStage, random: Random): Promise<string> => random.pick(database.cells).where();

/** Moves a cell to another worker. `meanwhile` happens at some moment of it. At the end the cell is moved. */
const inMove =
  (meanwhile?: Inject<CitusCells>): Inject<CitusCells> =>
  async (stage, random) => {
    const cell = random.pick(stage.database.cells);
    const endsAt = performance.now() + MOVED_WITHIN_MS;
    const isDone = (): Promise<Error | undefined> =>
      cell.move().then(
        () => undefined,
        (error: Error) => error,
      );
    const first = isDone();
    if (meanwhile !== undefined) await Promise.race([first, delay(random.below(MOVE_MS))]);
    const heal: Heal = meanwhile === undefined ? async () => undefined : await meanwhile(stage, random);
    return whileServing(heal.serves ?? (meanwhile === undefined ? numbersOf(stage) : []), async () => {
      await heal();
      for (let error = await first; error !== undefined; error = await isDone()) {
        console.error(`  a move failed: ${error.message}`);
        if (performance.now() > endsAt) throw new Contradiction(`a schema could not be moved again: ${error.message}`);
        await delay(AGAIN_MS);
      }
    });
  };

/** Faults by their names, of cells that are schemas on workers of a Citus cluster. */
export const CITUS_FAULTS = {
  'kill worker': async (stage, random) => killNode(stage, await workerOf(stage, random)),
  'kill coordinator': async (stage) => killNode(stage, stage.database.coordinator),
  move: inMove(),
  'kill worker in move': inMove(async (stage, random) => killNode(stage, await workerOf(stage, random))),
  'kill server in move': inMove(FAULTS['kill server']),
  'kill coordinator in move': inMove(async (stage) => killNode(stage, stage.database.coordinator)),
} satisfies Record<string, Inject<CitusCells>>;
