import { setTimeout as delay } from 'node:timers/promises';
import { statement, type Db } from '../src/kit/db.ts';
import { keepAway } from './away.ts';
import type { Random } from './random.ts';
import type { Server } from './servers.ts';
import type { FaultName, Faults, Simulation } from './simulation.ts';

/** How often each fault comes among the others. */
const SHARES: Readonly<Record<FaultName, number>> = { cut: 6, restart: 3, death: 2, kill: 1, gap: 0, away: 0 };
/** In a service of several cells: most of them between two steps. */
const SHARES_OF_CELLS: Readonly<Record<FaultName, number>> = { cut: 2, restart: 1, death: 1, kill: 1, gap: 8, away: 4 };

/** A fault that is about to begin. */
export type Fault = {
  /** Whom it hits. A killed database hits all. */
  readonly server: Server;
  /** Breaks it, and waits until what is left can work again. */
  begin(): Promise<void>;
};

/** A fault comes while commands, which take some milliseconds, are in flight. */
const WITHIN_MS = 12;

/** Draws what breaks, and when. */
export function drawFault({ servers, killDatabase, control, controls, weather }: Simulation, random: Random, faults: Faults): Fault {
  const shares = weather.hasCells ? SHARES_OF_CELLS : SHARES;
  const name = random.weighted(
    Object.entries({ ...shares, kill: killDatabase === undefined ? 0 : shares.kill }).map(([one, share]) => [share, one as FaultName]),
  );
  const server = random.pick(name === 'death' ? servers.filter(({ die }) => die !== undefined) : servers);
  const afterMs = random.below(WITHIN_MS);
  const heldMs = random.below(WITHIN_MS);
  // In their order: a service of one cell draws what it always drew.
  const [steps, awayMs, [, away]] = weather.hasCells
    ? [random.below(40), 5 + random.below(60), random.pick(controls.all)]
    : [0, 0, [0, control]];
  return {
    server,
    begin: async () => {
      await delay(afterMs);
      faults[name]++;
      if (name === 'kill') await killAndWait(control, killDatabase);
      else if (name === 'gap') await server.dieBehind(steps);
      else if (name === 'away') await keepAway(away, awayMs);
      else await { cut: server.cut, restart: server.restart, death: server.die ?? server.cut }[name](heldMs);
    },
  };
}

const STARTED = statement('simulation.started', 'select pg_postmaster_start_time()::text as at');
/** It recovers first. */
const BACK_MS = 60_000;

async function killAndWait(control: Db, kill: Simulation['killDatabase']): Promise<void> {
  const startedAt = async (): Promise<string | undefined> => (await control.query<{ at: string }>(STARTED, []))[0]?.at;
  const before = await startedAt();
  kill?.();
  const endsAt = performance.now() + BACK_MS;
  // Both connections of the control must be new ones.
  for (let isBack = false; !isBack; await delay(5)) {
    const found = await Promise.all([startedAt(), startedAt()]).catch(() => [before]);
    isBack = !found.includes(before);
    if (performance.now() > endsAt) throw new Error(`the database is not back ${BACK_MS} ms after it was killed`);
  }
}
