import { checkpoint } from './checkpoint.ts';
import { DAY, playRound } from './round.ts';
import { openStage, type Tally } from './stage.ts';

export type Simulation = {
  /** A migrated, empty database. */
  readonly url: string;
  readonly seed: number;
  /** Commands at least. */
  readonly steps: number;
  readonly onRound?: (tally: Tally) => void;
};

/** Found by a simulation: what, where, and how to see it again. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
}

const ROUNDS_BETWEEN_CHECKPOINTS = 50;
/** A notice is given up after seven days: checkpoints, which deliver all of them, come before; a round moves the clock by three days at most. */
const MOST_MOVED_MS = 3 * DAY;

/**
 * Plays seeded random histories against two servers on a real database, and compares them with the model.
 * Throws: SimulationFailure, which tells seed, round, commands with their answers, and the model's view.
 */
export async function simulate({ url, seed, steps, onRound }: Simulation): Promise<Tally> {
  const stage = await openStage(url, seed);
  const { tally } = stage;
  try {
    for (let rounds = 1; tally.steps < steps; rounds++) {
      await playRound(stage);
      onRound?.(tally);
      if (rounds % ROUNDS_BETWEEN_CHECKPOINTS === 0 || stage.movedMs > MOST_MOVED_MS) await checkpoint(stage);
    }
    await checkpoint(stage);
    return tally;
  } catch (error) {
    const where = `seed ${seed}, round ${tally.rounds}, step ${tally.steps}, ${stage.clock.now().toString()}`;
    const again = `npm run simulate -- --seed ${seed} --steps ${steps}`;
    throw new SimulationFailure(`${where}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nAgain: ${again}`);
  } finally {
    await stage.close();
  }
}
