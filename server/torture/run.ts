import { setTimeout as delay } from 'node:timers/promises';
import { randomOf } from '../simulation/random.ts';
import { asker, openChecker, type Checker } from './check.ts';
import type { StagedDatabase } from './database.ts';
import type { Inject } from './faults.ts';
import { Contradiction } from './possible.ts';
import { alterRows } from './prove.ts';
import { playRound, type Round } from './round.ts';
import { openStage, type Stage } from './stage.ts';
import type { Subject } from './subject.ts';

export type TortureOptions<Database extends StagedDatabase> = {
  readonly seed: number;
  readonly rounds: number;
  /** The run ends after the round that passes this time. */
  readonly seconds: number;
  /** The faults to play by their names. */
  readonly faults: readonly (readonly [string, Inject<Database>])[];
  readonly startDatabase: () => Promise<Database>;
  readonly phaseMs: number;
  readonly longMs: number;
  readonly countsFault: boolean;
  /** `verify` runs after so many rounds, and at the end. */
  readonly verifyEvery: number;
  /** Once it is aborted, the run ends after its round. */
  readonly stopping: AbortSignal;
  readonly say: (line: string) => void;
};

/** What a run did. */
export type Tally = {
  rounds: number;
  /** Writes that were answered with success. Each was read again over the API. */
  acknowledged: number;
  /** Of these, by what they were about. */
  readonly acknowledgedOf: Record<string, number>;
  lostAnswers: number;
  /** Reads of an order or of a cashout that were compared. */
  compared: number;
  verified: number;
  /** Payments whose notice came. */
  noticed: number;
  failedStarts: number;
  /** Altered rows that the checker was shown, and found. */
  altered: number;
  readonly faults: Record<string, FaultTally>;
};

/** The last two: in cells that the fault had to leave alone, while it lasted. */
type FaultTally = {
  rounds: number;
  lostAnswers: number;
  longestRecoveryMs: number;
  acknowledgedElsewhere?: number;
  longestSilenceElsewhereMs?: number;
};

/** Older orders and cashouts that are read again after each round, and at the end. */
const OLDER = { each: 10, last: 2_000 } as const;
const CLOCK_STEPS = 60;
const NOTICES_POLL_MS = 200;

/** A finding, or a fault of the run itself. It says where, and what was done before. */
export class TortureFailure extends Error {
  override readonly name = 'TortureFailure';
  readonly tally: Tally;

  constructor(where: string, cause: Error, tally: Tally) {
    super(`${where}: ${cause.message}`, { cause });
    this.tally = tally;
  }
}

/** Plays rounds, checks after each, and proves the checker at the end. Throws: TortureFailure at the first finding. */
export async function torture<Database extends StagedDatabase>(options: TortureOptions<Database>): Promise<Tally> {
  const { seed, rounds, seconds, stopping, say } = options;
  const tally: Tally = newTally();
  const stage = await openStage(options.startDatabase);
  let where = 'before the first round';
  try {
    const checker = openChecker(stage);
    const all: Subject[] = [];
    const startedAt = performance.now();
    let counted = 0;
    const count = (): number => ++counted;
    for (let round = 1; round <= rounds && performance.now() - startedAt < seconds * 1_000 && !stopping.aborted; round++) {
      const random = randomOf(seed, round);
      // Each fault comes equally often, and first.
      const [fault, begin] = options.faults[(round - 1) % options.faults.length] as (typeof options.faults)[number];
      where = `seed ${seed}, round ${round}, ${fault}`;
      const played = await playRound(stage, { ...options, random, fault, inject: () => begin(stage, random), count });
      const { subjects, recoveryMs } = played;
      await checkRound(stage, checker, {
        subjects,
        older: Array.from({ length: all.length === 0 ? 0 : OLDER.each }, () => random.pick(all)),
      });
      all.push(...subjects);
      add(tally, fault, played);
      if (round % options.verifyEvery === 0) await verify(stage, tally);
      say(`${where}: ${subjects.length} orders and cashouts, serves after ${Math.round(recoveryMs)} ms`);
    }
    where = `seed ${seed}, after ${tally.rounds} rounds`;
    await verify(stage, tally);
    await checkRound(stage, checker, { subjects: randomOf(seed).shuffle(all).slice(0, OLDER.last), older: [] });
    tally.noticed = await checkNotices(stage, all);
    tally.altered = await alterRows(stage, checker, all);
    tally.failedStarts = stage.servers.reduce((sum, server) => sum + server.failedStarts(), 0);
    return tally;
  } catch (error) {
    throw new TortureFailure(where, error as Error, tally);
  } finally {
    await stage.close();
  }
}

const newTally = (): Tally => ({
  rounds: 0,
  acknowledged: 0,
  acknowledgedOf: {},
  lostAnswers: 0,
  compared: 0,
  verified: 0,
  noticed: 0,
  failedStarts: 0,
  altered: 0,
  faults: {},
});

async function checkRound(
  { ended, receiver }: Pick<Stage, 'ended' | 'receiver'>,
  checker: Checker,
  { subjects, older }: { readonly subjects: readonly Subject[]; readonly older: readonly Subject[] },
): Promise<void> {
  await checker.check([...subjects, ...older]);
  await checker.checkFunds(subjects.filter(({ lost }) => lost > 0));
  for (const error of ended) throw error;
  for (const problem of receiver.wrong) throw new Contradiction(problem);
}

async function verify(stage: Pick<Stage, 'verify'>, tally: Tally): Promise<void> {
  await stage.verify();
  tally.verified++;
}

function add(tally: Tally, fault: string, { subjects, recoveryMs, elsewhere }: Round): void {
  const lost = subjects.reduce((sum, subject) => sum + subject.lost, 0);
  const one = (tally.faults[fault] ??= { rounds: 0, lostAnswers: 0, longestRecoveryMs: 0 });
  one.rounds++;
  one.lostAnswers += lost;
  one.longestRecoveryMs = Math.max(one.longestRecoveryMs, Math.round(recoveryMs));
  if (elsewhere !== undefined) {
    one.acknowledgedElsewhere = (one.acknowledgedElsewhere ?? 0) + elsewhere.acknowledged;
    one.longestSilenceElsewhereMs = Math.max(one.longestSilenceElsewhereMs ?? 0, Math.round(elsewhere.longestSilenceMs));
  }
  tally.rounds++;
  tally.lostAnswers += lost;
  tally.compared += subjects.length;
  for (const { name, acknowledged } of subjects) {
    const [kind = ''] = name.split(' ');
    tally.acknowledged += acknowledged;
    tally.acknowledgedOf[kind] = (tally.acknowledgedOf[kind] ?? 0) + acknowledged;
  }
}

/** Lets time pass until the notice of every payment has come. Shape: → payments with a notice. */
async function checkNotices(stage: Stage<StagedDatabase>, all: readonly Subject[]): Promise<number> {
  const { receiver } = stage;
  const ask = asker(stage);
  const paid = all.filter(({ isPaid }) => isPaid).map(({ name }) => name);
  for (let step = 0; ; step++) {
    // Many may be under way: time passes only where nothing comes any more.
    for (let before = -1; before < receiver.taken.size;) {
      before = receiver.taken.size;
      await delay(NOTICES_POLL_MS);
    }
    const missing = paid.filter((name) => !receiver.taken.has(name));
    if (missing.length === 0) break;
    if (step === CLOCK_STEPS) throw new Contradiction(`no notice came of ${missing.length} payments, such as ${missing[0]}`);
    await ask({ method: 'POST', path: '/sandbox/v1/clock', body: { advance: 'PT16M' } });
  }
  const unpaid = new Set(all.filter(({ isPaid }) => !isPaid).map(({ name }) => name));
  for (const name of receiver.taken) if (unpaid.has(name)) throw new Contradiction(`a notice says that ${name} is paid`);
  return paid.length;
}
