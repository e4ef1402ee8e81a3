import { checkpoint, countRefunds } from './checkpoint.ts';
import { DAY, playRound } from './round.ts';
import { toText } from './model/model.ts';
import { openSimulation, type Tally } from './simulation.ts';

type SimulationOptions = {
  /** A migrated, empty database. */
  readonly url: string;
  readonly seed: number;
  /** The least number of commands. */
  readonly steps: number;
  /** Ends all processes of the database by SIGKILL. It must be started again by something else. */
  readonly killDatabase?: (() => void) | undefined;
  /** Migrated, empty databases of cells beside home. */
  readonly cellUrls?: readonly string[] | undefined;
  readonly onRound?: (tally: Tally) => void;
};

/** What a simulation found: what, where, and the command that repeats it. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
}

const ROUNDS_BETWEEN_CHECKPOINTS = 50;
/**
 * How far the clock moves before a checkpoint. A checkpoint delivers all notices; one that waits for seven days is given up. A round moves the
 * clock by three days at most.
 */
const MOST_MOVED_MS = 3 * DAY;

/**
 * Plays seeded random histories against two servers on a real database, and compares them with the model.
 * Throws: SimulationFailure with the seed, the round, the commands with their answers, and the model's view.
 */
export async function simulate({ url, seed, steps, killDatabase, cellUrls, onRound }: SimulationOptions): Promise<Tally> {
  const simulation = await openSimulation(url, seed, { killDatabase, cellUrls: cellUrls ?? [] });
  const { tally } = simulation;
  let { close } = simulation;
  try {
    for (let rounds = 1; tally.steps < steps; rounds++) {
      await playRound(simulation);
      onRound?.(tally);
      if (rounds % ROUNDS_BETWEEN_CHECKPOINTS === 0 || simulation.movedMs > MOST_MOVED_MS) await checkpoint(simulation);
    }
    await checkpoint(simulation);
    for (const cell of [...[...simulation.playing].map((one) => one.cell), ...simulation.resting])
      countRefunds(tally.answers, cell.state());
    return tally;
  } catch (error) {
    // What closes badly after it is not the failure.
    close = () => simulation.close().catch(() => undefined);
    const where = `seed ${seed}, round ${tally.rounds}, step ${tally.steps}, ${simulation.clock.now().toString()}`;
    const merchants = [...simulation.merchants.values()]
      .map(({ merchantId, stoppedAt }) => `${merchantId} ${toText(stoppedAt)}`)
      .join(', ');
    const again = `npm run simulate -- --seed ${seed} --steps ${steps}`;
    throw new SimulationFailure(
      `${where}\n${merchants}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nAgain: ${again}`,
    );
  } finally {
    await close();
  }
}
