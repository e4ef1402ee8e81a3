import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { DatabaseAway, inLane, Unavailable } from './db.ts';
import type { Log } from './log.ts';

/** Work that no request asks for: it falls due by the clock. */
export type Job = {
  readonly name: string;
  /** Work that is not urgent. It rests between portions, and most of the time belongs to requests. Absent: it goes on at once. */
  readonly patience?: keyof typeof RESTS;
  /**
   * Does one portion of what is due. Resolves to true when more may be due already, else to false.
   * Several servers run the same job at the same time: it claims rows with `for update skip locked`, or with a lease.
   */
  step(): Promise<boolean>;
};

/**
 * Gives a job that works in rounds. A round lasts while its steps resolve to true. The next one begins that many seconds after its end, or
 * at once where the clock was set back.
 */
export function inRounds(clock: Clock, everySeconds: number, job: Job): Job {
  let endedAt: Temporal.Instant | undefined;
  return {
    ...job,
    step: async () => {
      const now = clock.now();
      if (endedAt !== undefined && isWithin(endedAt, now, everySeconds)) return false;
      const isMore = await job.step();
      endedAt = isMore ? undefined : now;
      return isMore;
    },
  };
}

const isWithin = (from: Temporal.Instant, now: Temporal.Instant, seconds: number): boolean =>
  Temporal.Instant.compare(now, from) >= 0 && Temporal.Instant.compare(now, from.add({ seconds })) < 0;

/** How long a job rests when nothing is due. It notices what falls due well within a second. */
const REST_MS = 400;
/** A job with patience rests up to so many times as long as its portion took. */
const RESTS = { some: 4, much: 32 };
/** How long a job rests after a failure. A database that is away is asked again soon, but not in a tight loop. */
const REST_AFTER_FAILURE_MS = 1_000;

/**
 * How long a portion is followed by rest: where requests have all of this process, as long as RESTS says. What the portion itself has of the
 * process is little, and squared it hardly counts: where no requests come, work goes on almost at once.
 */
function restAfter(times: number, tookMs: number, workedMs: number): number {
  return tookMs > 0 ? (times * workedMs * workedMs) / tookMs : 0;
}

/** How jobs measure their portions and rest. A test gives its own. */
type Rests = {
  now(): number;
  /** For how many milliseconds this process has been at work. */
  worked(): number;
  rest(ms: number, signal: AbortSignal): Promise<unknown>;
};
const REAL_RESTS: Rests = {
  now: () => performance.now(),
  worked: () => performance.eventLoopUtilization().active,
  rest: (ms, signal) => delay(ms, undefined, { signal }),
};

/** Hears of each portion of a job, and whether it was done. */
export type OnPortion = (job: string, isDone: boolean) => void;

/**
 * Runs jobs side by side until closed, on the connections of jobs, each one portion after another.
 * Shape: returns a function that stops them and resolves when the portions under way are done.
 * A job that fails is logged and tried again. No failure ends it or touches another job.
 */
export function runJobs(
  jobs: readonly Job[],
  log: Log,
  rests: Rests = REAL_RESTS,
  onPortion: OnPortion = () => undefined,
): () => Promise<void> {
  const stopping = new AbortController();
  const rest = (ms: number): Promise<unknown> => rests.rest(ms, stopping.signal).catch(() => undefined);

  async function loop(job: Job): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const [startedAt, worked] = [rests.now(), rests.worked()];
        const isMore = await inLane('jobs', () => job.step());
        onPortion(job.name, true);
        if (!isMore) await rest(REST_MS);
        else if (job.patience !== undefined) await rest(restAfter(RESTS[job.patience], rests.now() - startedAt, rests.worked() - worked));
      } catch (error) {
        onPortion(job.name, false);
        if (error instanceof Unavailable) {
          // The pool has said once for all jobs that the database is away.
          if (!(error instanceof DatabaseAway)) log.warn({ job: job.name, reason: error.message }, 'a job could not reach what it needs');
        } else log.error({ job: job.name, error }, 'a job failed');
        await rest(REST_AFTER_FAILURE_MS);
      }
    }
  }

  const loops = jobs.map(loop);
  return async () => {
    stopping.abort();
    await Promise.all(loops);
  };
}
