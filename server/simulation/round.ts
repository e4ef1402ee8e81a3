import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../src/kit/db.ts';
import type { Registration } from './books.ts';
import { Contradiction, type Errand } from './cell.ts';
import type { Seen } from './model/model.ts';
import { randomOf, type Random } from './random.ts';
import type { Server } from './servers.ts';
import { MERCHANTS } from './setting.ts';
import type { Stage } from './stage.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Jobs that write down what the clock has decided. */
const EXPIRY = /\.expire$/;
/** A fault comes while the commands are under way: these take some milliseconds. */
const FAULT_WITHIN_MS = 12;

/**
 * Plays a round: moves the clock perhaps, sends commands to both servers at once, breaks something perhaps, reads what was touched, and
 * explains all that was seen.
 * Throws: Contradiction where nothing explains it.
 */
export async function playRound(stage: Stage): Promise<void> {
  const { tally, books, clock, servers } = stage;
  const random = randomOf(stage.seed, ++tally.rounds);
  moveClock(stage, random);
  await fillScarceFunds(stage, random);
  stage.refill(random);
  const now = clock.now().epochMilliseconds;
  const played = choose(stage, random).map(({ playing, count }) => ({ playing, errands: playing.cell.plan(random, now, count) }));
  const errands = random.shuffle(played.flatMap((one) => one.errands));
  const isSwept = random.chance(0.5);

  const registrations: Registration[] = [];
  const sending = errands.map((errand) => sendOne(stage, errand, random.pick(servers), registrations));
  const working = servers.map((server) => stepJobs(server, random.below(3), isSwept));
  await Promise.all([...sending, ...working, breakSomething(stage, random)]);
  if (isSwept) await sweepAll(servers);
  await Promise.all(played.flatMap(({ playing }) => playing.cell.reads()).map((read) => sendUntilSeen(read, random.pick(servers))));

  const held = books.copy();
  const touched = new Set(played.map(({ playing }) => playing.cell));
  for (const cell of touched) {
    const before = cell.money();
    cell.conclude(now, isSwept);
    books.move(before, cell.money());
  }
  if (isSwept) settleAll(stage, now);
  books.judge(held, registrations);
  await books.compare(stage.control);
}

/** Notes in the model that everything that has run out was swept. */
export function settleAll({ playing, resting, books }: Stage, now: number): void {
  for (const cell of [...[...playing].map((one) => one.cell), ...resting]) {
    if (cell.nextDue() > now) continue;
    const before = cell.money();
    cell.settle(now);
    books.move(before, cell.money());
  }
}

/** Sweeps until nothing is due: all that has run out is written so then. */
export async function sweepAll([server]: readonly Server[]): Promise<void> {
  for (const job of (server as Server).service.jobs.filter(({ name }) => EXPIRY.test(name))) {
    for (let isMore = true; isMore;) isMore = await untilAvailable(() => job.step());
  }
}

export async function advance(stage: Stage, ms: number): Promise<void> {
  stage.clock.advance(ms);
  stage.movedMs += ms;
  stage.tally.simulatedMs += ms;
}

function moveClock(stage: Stage, random: Random): void {
  const ms = random.weighted<() => number>([
    [45, () => 0],
    [25, () => random.pick([1 * SECOND, 10 * SECOND, 49 * SECOND, 50 * SECOND, 50 * SECOND + 1, 61 * SECOND])],
    [14, () => random.pick([1, 4, 5, 6, 14, 15, 16]) * MINUTE + random.pick([-1, 0, 1])],
    [9, () => (1 + random.below(20)) * HOUR + random.below(HOUR)],
    [6, () => (1 + random.below(3)) * DAY],
  ])();
  void advance(stage, ms);
}

async function fillScarceFunds({ books, topUp }: Stage, random: Random): Promise<void> {
  for (const { merchantId, currencies, isAmple } of MERCHANTS) {
    for (const currency of isAmple ? [] : currencies) {
      if (books.available(merchantId, currency) < 2_000_000n && random.chance(0.15))
        await topUp(merchantId, currency, BigInt(random.below(20_000_000) + 1));
    }
  }
}

/** Most cells get one command; some two to four, which race. */
function choose(stage: Stage, random: Random) {
  let left = 16 + random.below(49);
  const chosen: { readonly playing: Stage['playing'] extends Set<infer One> ? One : never; readonly count: number }[] = [];
  for (const playing of random.shuffle([...stage.playing])) {
    if (left <= 0) break;
    const count = random.chance(0.25) ? 2 + random.below(3) : 1;
    playing.left -= count;
    left -= count;
    chosen.push({ playing, count });
    if (count > 1) stage.tally.races++;
  }
  return chosen;
}

async function sendOne({ tally }: Stage, errand: Errand, server: Server, registrations: Registration[]): Promise<void> {
  const { command } = errand;
  const seen = await errand.send(server);
  tally.steps++;
  if (seen === undefined) tally.lost++;
  const name = `${command.do} ${seen?.['code'] ?? 'lost'}${seen?.['replayed'] === 'true' ? ' again' : ''}`;
  tally.answers.set(name, (tally.answers.get(name) ?? 0) + 1);
  if (command.do === 'register cashout') registrations.push({ ...command, seen });
}

const MOST_TRIES = 50;

async function sendUntilSeen(errand: Errand, server: Server): Promise<Seen> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const seen = await errand.send(server);
    if (seen !== undefined) return seen;
    await delay(2);
  }
  throw new Contradiction(`server ${server.name} does not recover: ${errand.command.do}`);
}

async function untilAvailable<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Unavailable) || tries === MOST_TRIES) throw error;
      await delay(2);
    }
  }
}

/** Runs all jobs of a server some times; those that expire things only where the round says so. */
async function stepJobs(server: Server, times: number, sweeps: boolean): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const { name, step } of server.service.jobs) {
      if (EXPIRY.test(name) && !sweeps) continue;
      await step().catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
      });
    }
  }
}

async function breakSomething({ servers, tally }: Stage, random: Random): Promise<void> {
  const what = random.weighted<'nothing' | 'cut' | 'restart'>([
    [90, 'nothing'],
    [7, 'cut'],
    [3, 'restart'],
  ]);
  const server = random.pick(servers);
  const afterMs = random.below(FAULT_WITHIN_MS);
  const heldMs = random.below(FAULT_WITHIN_MS);
  if (what === 'nothing') return;
  await delay(afterMs);
  if (what === 'cut') tally.cuts++;
  else tally.restarts++;
  await (what === 'cut' ? server.cut(heldMs) : server.restart());
}
