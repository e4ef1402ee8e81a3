import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import { openCashout } from './cashout-subject.ts';
import type { StagedDatabase } from './database.ts';
import type { Heal } from './faults.ts';
import { openOrder } from './order-subject.ts';
import { Contradiction } from './possible.ts';
import { send } from './send.ts';
import { openRefund } from './refund-subject.ts';
import { openSettlement } from './settlement-subject.ts';
import { openTopUp } from './top-up-subject.ts';
import type { TorturedServer } from './server-process.ts';
import type { Stage } from './stage.ts';
import type { Merchant, Play, Subject } from './subject.ts';
import { startWitnesses, type Elsewhere } from './witness.ts';

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
/**
 * What was sent in a round, and how long after the fault both servers acknowledged a write in every cell.
 * `elsewhere`: of the cells that the fault had to leave alone, what they acknowledged meanwhile, and the longest time without that.
 */
export type Round = {
  readonly subjects: readonly Subject[];
  readonly recoveryMs: number;
  readonly elsewhere: Elsewhere | undefined;
};

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
  // A client works in one cell: one that is away makes no other client wait.
  const groups = [...Map.groupBy(stage.merchants, ({ cell }) => cell).values()];
  const playOn = (choose: () => TorturedServer, merchants: readonly Merchant[]): Play => ({
    random,
    merchants,
    network: stage.network,
    officeToken: stage.officeToken,
    adopted: stage.adopted,
    send: (request) => send(choose().origin(), request),
    pause: (ms) => delay(ms),
    goesOn: () => state.goesOn,
    count,
  });
  const any = (): TorturedServer => random.pick(stage.servers);
  const client = async (merchants: readonly Merchant[]): Promise<void> => {
    while (state.goesOn) {
      const open = random.weighted([
        [50, openOrder],
        [32, openCashout],
        [4, openTopUp],
        [6, openRefund],
        [8, openSettlement],
      ]);
      const { subject, play } = open(playOn(any, merchants));
      subjects.push(subject);
      await play();
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(groups[index % groups.length] ?? [])));
  clients.catch(() => undefined); // It is thrown at the end of the round.

  let recoveryMs = 0;
  let elsewhere: Elsewhere | undefined;
  try {
    await delay(random.below(phaseMs));
    await stage.database.whole();
    const beganAt = performance.now();
    const heal = await inject();
    const served = groups.filter(([merchant]) => merchant !== undefined && heal.serves?.includes(merchant.cell));
    const endWitnesses = startWitnesses(
      served.map((merchants) => playOn(any, merchants)),
      subjects,
      fault,
    );
    await delay(random.chance(LONG) ? longMs : random.below(phaseMs));
    const healedAt = performance.now();
    await heal();
    elsewhere = await endWitnesses();
    const servedAt = await Promise.all(
      stage.servers.flatMap((server) =>
        groups.map((merchants) =>
          serveAgain(
            playOn(() => server, merchants),
            subjects,
            `server ${server.name} after ${fault}`,
          ),
        ),
      ),
    );
    recoveryMs = Math.max(...servedAt) - (countsFault ? beganAt : healedAt);
    await delay(random.below(phaseMs / 2));
  } finally {
    state.goesOn = false;
  }
  await clients;
  return { subjects, recoveryMs, elsewhere };
}

/** Works until a write is acknowledged. Shape: → when. Throws: Contradiction, where that takes too long. */
async function serveAgain(patient: Play, subjects: Subject[], who: string): Promise<number> {
  let servedAt: number | undefined;
  const one: Play = {
    ...patient,
    send: async (request) => {
      const answer = await patient.send(request);
      if (answer !== undefined) servedAt ??= performance.now();
      return answer;
    },
  };
  const endsAt = performance.now() + SERVES_WITHIN_MS;
  while (true) {
    if (performance.now() > endsAt)
      throw new Contradiction(`${who}: ${patient.merchants[0]?.merchantId} is not served within ${SERVES_WITHIN_MS} ms`);
    const { subject, play } = openOrder(one);
    subjects.push(subject);
    await play();
    if (subject.acknowledged > 0) return servedAt ?? NaN;
  }
}
