import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../src/kit/db.ts';
import type { Funded } from './books.ts';
import { Contradiction, type AnyCommand, type PlannedCommand } from './cell.ts';
import { drawFault } from './faults.ts';
import { playOffice } from './management/office.ts';
import { MOST_TRIES, untilAvailable } from './until-available.ts';
import { feeFor, merchantOf, type Seen } from './model/model.ts';
import { isSettlementCommand, type SettlementCell } from './model/settlement-state.ts';
import { randomOf, type Random } from './random.ts';
import type { Server } from './servers.ts';
import { settleCashouts } from '../src/orders/refunds/settle-cashouts.job.ts';
import { openSettlements } from '../src/settlements/index.ts';
import { createLog } from '../src/kit/log.ts';
import { checkCollected, type Taking } from './collected.ts';
import { pairOf, type CollectedEntry } from './model/collected.ts';
import { MERCHANTS } from './setting.ts';
import type { Simulation } from './simulation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The jobs that sweep what is due. */
const EXPIRY = /\.expire$/;
const SETTLING = /^settlements[.]|[.]settle_cashouts$/;
/** What it moves depends on the order of all that the round does, so the office runs it between rounds: see management/move-to-fund.ts. */
const BETWEEN_ROUNDS = 'ledger.keep_funds';
/** The share of rounds in which something breaks. */
const FAULTS = 0.1;
const FAULTS_OF_CELLS = 0.25;

/**
 * Plays a round. May move the clock, sends commands to both servers at once, and may break something.
 * Then reads what was touched, and explains everything seen.
 * Throws: Contradiction when nothing explains it.
 */
export async function playRound(simulation: Simulation): Promise<void> {
  const { tally, books, clock, servers } = simulation;
  const random = randomOf(simulation.seed, ++tally.rounds);
  moveClock(simulation, random);
  await fillScarceFunds(simulation, random);
  simulation.hashes.settle(clock.now().epochMilliseconds);
  await simulation.staff.signIn(random);
  // What spans the cells in the management API has tests of its own.
  if (!simulation.weather.hasCells) await playOffice(simulation, random);
  simulation.refill(random);
  const now = clock.now().epochMilliseconds;
  const played = choose(simulation, random).map(({ playing, count }) => ({ playing, planned: playing.cell.plan(random, now, count) }));
  const planned = random.shuffle(played.flatMap((one) => one.planned));
  const isSwept = random.chance(0.5);

  const funded: Funded[] = [];
  const takings: Taking[] = [];
  const sending = planned.map((one) => sendOne(simulation, one, random.pick(servers), { funded, takings }));
  const working = servers.map((server) => stepJobs(server, random.below(3), isSwept));
  await Promise.all([...sending, ...working, breakSomething(simulation, random)]);
  if (isSwept) await sweepAll(servers);
  await Promise.all(played.flatMap(({ playing }) => playing.cell.reads()).map((read) => sendUntilSeen(read, random.pick(servers))));

  const held = books.copy();
  const touched = new Set(played.map(({ playing }) => playing.cell));
  for (const cell of touched) {
    const before = cell.money();
    cell.conclude(now, isSwept);
    books.move(before, cell.money());
  }
  if (isSwept) settleAll(simulation, now);
  books.checkFunds(held, funded);
  const posted = [...simulation.playing, ...[...simulation.resting].map((cell) => ({ cell }))].flatMap(({ cell }) =>
    touched.has(cell) || simulation.settling.includes(cell) ? simulation.collected.put(cell.name, cell.collected()) : [],
  );
  checkCollected(held, posted, takings);
  countRaces(simulation, posted, takings);
  await books.compare(simulation.controlOf);
}

/** Notes in the model that everything that is due was swept. */
export function settleAll({ playing, resting, books }: Simulation, now: number): void {
  for (const cell of [...[...playing].map((one) => one.cell), ...resting]) {
    if (cell.nextDue() > now) continue;
    const before = cell.money();
    cell.settle(now);
    books.move(before, cell.money());
  }
}

/** Runs the sweeps until nothing is due. A merchant that a step left out during the commands is left out until a step finds nothing else. */
export async function sweepAll([server]: readonly Server[]): Promise<void> {
  for (const job of (server as Server).service.jobs.filter(({ name }) => EXPIRY.test(name))) {
    for (let idle = 0; idle < 2;) idle = (await untilAvailable(() => job.step())) ? 0 : idle + 1;
  }
  for (const job of settlingJobs(server as Server)) while (await untilAvailable(() => job.step()));
}

/**
 * The jobs that draft what is due, release what was held, and settle refunds whose cashouts have ended, in all cells. A server's own look
 * seldom, and the clock stands still.
 */
const settlingJobs = ({ service: { cells, clock, merchants }, givingBack }: Server) =>
  cells.all.flatMap(([cell, { db }]) => [
    ...openSettlements({ db, home: cells.home.db, clock, log: createLog('silent') }).jobs,
    settleCashouts({ db, clock, merchants, settleCashout: givingBack(cell).settleCashout }),
  ]);

export async function advance(simulation: Simulation, ms: number): Promise<void> {
  simulation.clock.advance(ms);
  simulation.movedMs += ms;
  simulation.tally.simulatedMs += ms;
}

function moveClock(simulation: Simulation, random: Random): void {
  const ms = random.weighted<() => number>([
    [45, () => 0],
    [25, () => random.pick([1 * SECOND, 10 * SECOND, 49 * SECOND, 50 * SECOND, 50 * SECOND + 1, 61 * SECOND])],
    [14, () => random.pick([1, 4, 5, 6, 14, 15, 16]) * MINUTE + random.pick([-1, 0, 1])],
    [9, () => (1 + random.below(20)) * HOUR + random.below(HOUR)],
    [6, () => (1 + random.below(3)) * DAY],
  ])();
  void advance(simulation, ms);
}

async function fillScarceFunds({ books, topUp }: Simulation, random: Random): Promise<void> {
  for (const { merchantId, currencies, isAmple } of MERCHANTS) {
    for (const currency of isAmple ? [] : currencies) {
      if (books.available(merchantId, currency) < 2_000_000n && random.chance(0.15))
        await topUp(merchantId, currency, BigInt(random.below(20_000_000) + 1));
    }
  }
}

/** Gives most cells one command and some two to four, which race. */
function choose(simulation: Simulation, random: Random) {
  let left = 16 + random.below(49);
  const chosen: { readonly playing: Simulation['playing'] extends Set<infer One> ? One : never; readonly count: number }[] = [];
  for (const playing of random.shuffle([...simulation.playing])) {
    if (left <= 0) break;
    const count = random.chance(playing.races) ? 2 + random.below(3) : 1;
    playing.left -= count;
    left -= count;
    chosen.push({ playing, count });
    if (count > 1) simulation.tally.races++;
  }
  return chosen;
}

async function sendOne(simulation: Simulation, planned: PlannedCommand, server: Server, noted: Noted): Promise<void> {
  const { command } = planned;
  const seen = await planned.send(server);
  const { tally } = simulation;
  tally.steps++;
  if (seen === undefined) tally.lost++;
  const name = `${command.do} ${seen?.['code'] ?? 'lost'}${seen?.['replayed'] === 'true' ? ' again' : ''}`;
  tally.answers.set(name, (tally.answers.get(name) ?? 0) + 1);
  const needMinor = fundedOf(simulation, command);
  if (needMinor > 0n && 'merchantId' in command && 'currency' in command) noted.funded.push({ ...command, needMinor, seen });
  if (isSettlementCommand(command) || (command.do === 'request refund' && command.takenFrom === 'collected'))
    noted.takings.push({ command, seen, needMinor: needOf(simulation, command) });
}

async function sendUntilSeen(planned: PlannedCommand, server: Server): Promise<Seen> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const seen = await planned.send(server);
    if (seen !== undefined) return seen;
    await delay(2);
  }
  throw new Contradiction(`server ${server.name} does not recover: ${planned.command.do}`);
}

const whereAvailable = (step: () => Promise<boolean>): Promise<unknown> =>
  step().catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
  });

/** Runs all jobs of a server some times; the sweeps only if `sweeps`. */
async function stepJobs(server: Server, times: number, sweeps: boolean): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const { name, step } of server.service.jobs) {
      if (((EXPIRY.test(name) || SETTLING.test(name)) && !sweeps) || name === BETWEEN_ROUNDS) continue;
      await whereAvailable(step);
    }
    for (const { step } of sweeps ? settlingJobs(server) : []) await whereAvailable(step);
  }
}

async function breakSomething(simulation: Simulation, random: Random): Promise<void> {
  const fault = drawFault(simulation, random, simulation.tally.faults);
  const { weather } = simulation;
  weather.isStormy = random.chance(weather.hasCells ? FAULTS_OF_CELLS : FAULTS);
  if (weather.isStormy) await fault.begin();
}

type Noted = { readonly funded: Funded[]; readonly takings: Taking[] };

/** What a command takes from a fund, at most. The amount of a refund is owed to its payer already. */
function fundedOf({ merchants }: Simulation, command: AnyCommand): bigint {
  if (command.do === 'request refund') return command.takenFrom === 'fund' ? command.amountMinor : 0n;
  if (command.do !== 'register cashout' && command.do !== 'register refund cashout') return 0n;
  const { fee, tax } = feeFor(merchantOf(merchants, command.merchantId).fees.cashout, command.amountMinor);
  return (command.do === 'register cashout' ? command.amountMinor : 0n) + fee + tax;
}

/** What a command needs of what is collected, at most; zero: nothing, or nobody knows. */
function needOf({ settling }: Simulation, command: Taking['command']): bigint {
  if (command.do === 'request refund' || command.do === 'place hold' || command.do === 'move to fund') return command.amountMinor;
  if (command.do !== 'approve settlement') return 0n;
  const settlements = settling.flatMap((cell) => (cell.state() as SettlementCell).settlements);
  return settlements.find(({ id }) => id === command.settlement)?.grossMinor ?? 0n;
}

/** Who may not ask races with nobody. */
const STOPPED = /permission_missing|step_up_required|not_signed_in|not_found/;

/** Counts what raced for the money of one merchant in one currency, by the commands and what became of them. */
function countRaces({ tally, weather }: Simulation, posted: readonly CollectedEntry[], takings: readonly Taking[]): void {
  for (const [pair, raced] of Map.groupBy(takings, ({ command }) => pairOf(command))) {
    if (raced.length < 2) continue;
    const others = new Set(posted.filter((one) => pairOf(one) === pair && one.kind.startsWith('order_pa')).map(({ kind }) => kind));
    const names = raced.map(({ command, seen }) => `${command.do} ${seen?.['code'] ?? 'lost'}`).filter((name) => !STOPPED.test(name));
    for (const [index, one] of names.entries())
      for (const other of [...names.slice(index + 1), ...others]) {
        const name = [one, other].toSorted().join(' + ') + (weather.isStormy ? ' in a storm' : '');
        tally.moneyRaces.set(name, (tally.moneyRaces.get(name) ?? 0) + 1);
      }
  }
}
