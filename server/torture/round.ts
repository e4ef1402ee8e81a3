import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import { openCashout } from './cashout-subject.ts';
import type { StagedDatabase } from './database.ts';
import type { Heal } from './faults.ts';
import { openOrder } from './order-subject.ts';
import { Contradiction } from './possible.ts';
import { send } from './send.ts';
import { openTopUp } from './top-up-subject.ts';
import type { TorturedServer } from './server-process.ts';
import type { Stage } from './stage.ts';
import type { Play, Subject } from './subject.ts';

export type RoundOptions = {
  readonly random: Random;
  readonly fault: string;
  /** Begins the fault. */
  readonly inject: () => Promise<Heal>;
  /** Load before the fault, during it and after it, each at most. */
  readonly phaseMs: number;
  /** Some faults last this long: longer than the service waits for its database. */
  readonly longMs: number;
  /** Whether the time without service counts from the fault's begin, not from its end. */
  readonly countsFault: boolean;
  readonly count: () => number;
};
/** What was sent in a round, and how long after the fault both servers acknowledged a write. */
export type Round = { readonly subjects: readonly Subject[]; readonly recoveryMs: number };

const CLIENTS = 12;
/** The share of faults that are long. */
const LONG = 0.04;
/** The promise of a round: both servers acknowledge writes again. */
const SERVES_WITHIN_MS = 30_000;

/** Lets clients work while a fault happens and ends. Throws: Contradiction for an answer that cannot be. */
export async function playRound(stage: Stage<StagedDatabase>, options: RoundOptions): Promise<Round> {
  const { random, fault, inject, phaseMs, longMs, countsFault, count } = options;
  const subjects: Subject[] = [];
  const state = { goesOn: true };
  const playOn = (choose: () => TorturedServer): Play => ({
    random,
    merchants: stage.merchants,
    network: stage.network,
    officeToken: stage.officeToken,
    send: (request) => send(choose().origin(), request),
    pause: (ms) => delay(ms),
    goesOn: () => state.goesOn,
    count,
  });
  const any = playOn(() => random.pick(stage.servers));
  const client = async (): Promise<void> => {
    while (state.goesOn) {
      const open = random.weighted([
        [57, openOrder],
        [38, openCashout],
        [5, openTopUp],
      ]);
      const { subject, play } = open(any);
      subjects.push(subject);
      await play();
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  clients.catch(() => undefined); // It is thrown at the end of the round.

  let recoveryMs = 0;
  try {
    await delay(random.below(phaseMs));
    await stage.database.whole();
    const beganAt = performance.now();
    const heal = await inject();
    await delay(random.chance(LONG) ? longMs : random.below(phaseMs));
    const healedAt = performance.now();
    await heal();
    await Promise.all(
      stage.servers.map(async (server) => {
        let servedAt: number | undefined;
        const patient = playOn(() => server);
        const one: Play = {
          ...patient,
          send: async (request) => {
            const answer = await patient.send(request);
            if (answer !== undefined) servedAt ??= performance.now();
            return answer;
          },
        };
        const endsAt = performance.now() + SERVES_WITHIN_MS;
        for (let isServing = false; !isServing;) {
          if (performance.now() > endsAt)
            throw new Contradiction(`server ${server.name} does not serve ${SERVES_WITHIN_MS} ms after ${fault}`);
          const { subject, play } = openOrder(one);
          subjects.push(subject);
          await play();
          isServing = subject.acknowledged > 0;
        }
        recoveryMs = Math.max(recoveryMs, (servedAt ?? NaN) - (countsFault ? beganAt : healedAt));
      }),
    );
    await delay(random.below(phaseMs / 2));
  } finally {
    state.goesOn = false;
  }
  await clients;
  return { subjects, recoveryMs };
}
