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
import type { Merchant, Play, Subject } from './subject.ts';

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
export type Elsewhere = { readonly acknowledged: number; readonly longestSilenceMs: number };

const CLIENTS = 12;
/** The share of faults that are long. */
const LONG = 0.04;
/** The promise of a round: both servers acknowledge writes again. */
const SERVES_WITHIN_MS = 30_000;
/** Merchants whom a fault leaves alone are answered while it lasts. One that is shorter may end before the next answer. */
const ANSWERED_WITHIN_MS = 1_000;

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
    send: (request) => send(choose().origin(), request),
    pause: (ms) => delay(ms),
    goesOn: () => state.goesOn,
    count,
  });
  const any = (): TorturedServer => random.pick(stage.servers);
  const client = async (merchants: readonly Merchant[]): Promise<void> => {
    while (state.goesOn) {
      const open = random.weighted([
        [57, openOrder],
        [38, openCashout],
        [5, openTopUp],
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
    const isOver = new AbortController();
    const witnessed = Promise.all(
      groups
        .filter(([merchant]) => merchant !== undefined && heal.serves?.includes(merchant.cell))
        .map((merchants) => witness(playOn(any, merchants), subjects, isOver.signal)),
    );
    witnessed.catch(() => undefined); // It is thrown where the fault ends.
    await delay(random.chance(LONG) ? longMs : random.below(phaseMs));
    const healedAt = performance.now();
    await heal();
    isOver.abort();
    elsewhere = sumUp(await witnessed, fault);
    await Promise.all(
      stage.servers
        .flatMap((server) => groups.map((merchants) => [server, merchants] as const))
        .map(async ([server, merchants]) => {
          let servedAt: number | undefined;
          const patient = playOn(() => server, merchants);
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
              throw new Contradiction(
                `server ${server.name} does not serve ${merchants[0]?.merchantId} ${SERVES_WITHIN_MS} ms after ${fault}`,
              );
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
  return { subjects, recoveryMs, elsewhere };
}

/** What the merchants of one cell were answered during a fault. */
type Witnessed = Elsewhere & { readonly merchantId: string; readonly lastedMs: number };

/** Works for merchants of one cell until the fault ends, in ways for which their own database is enough. */
async function witness(play: Play, subjects: Subject[], isOver: AbortSignal): Promise<Witnessed> {
  const beganAt = performance.now();
  const answeredAt = [beganAt];
  const noted: Play = {
    ...play,
    goesOn: () => !isOver.aborted,
    send: async (request) => {
      const answer = await play.send(request);
      if (answer?.code === '0000' && !isOver.aborted) answeredAt.push(performance.now());
      return answer;
    },
  };
  const ended = new Promise<number>((resolve) => isOver.addEventListener('abort', () => resolve(performance.now()), { once: true }));
  while (noted.goesOn()) {
    const { subject, play: work } = openOrder(noted, { isOfAll: false });
    subjects.push(subject);
    await work();
  }
  const endedAt = await ended;
  return {
    merchantId: play.merchants[0]?.merchantId ?? '',
    lastedMs: endedAt - beganAt,
    acknowledged: answeredAt.length - 1,
    longestSilenceMs: Math.max(...[...answeredAt.slice(1), endedAt].map((at, index) => at - (answeredAt[index] ?? at))),
  };
}

function sumUp(all: readonly Witnessed[], fault: string): Elsewhere | undefined {
  for (const { merchantId, lastedMs, acknowledged } of all)
    if (acknowledged === 0 && lastedMs > ANSWERED_WITHIN_MS)
      throw new Contradiction(
        `${merchantId} was answered nothing for the ${Math.round(lastedMs)} ms of ${fault}, which is not in its cell`,
      );
  if (all.length === 0) return undefined;
  return {
    acknowledged: all.reduce((sum, one) => sum + one.acknowledged, 0),
    longestSilenceMs: Math.max(...all.map(({ longestSilenceMs }) => longestSilenceMs)),
  };
}
