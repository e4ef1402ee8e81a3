import { PassThrough } from 'node:stream';
import { restUntil } from '../kit/limits/pace.ts';
import { openShares } from '../kit/limits/shares.ts';

/** Statements that one process writes at a time. Each has two connections of its own while it is written. */
const AT_ONCE = 4;
const OF_ONE_OWNER = 2;
/** More of one owner are refused at once: a program cannot flood it. */
const MOST_WAITING = 4;
/** Files whose readers have not read them to the end. */
const MOST_FILES = 24;
const MOST_FILES_OF_OWNER = 3;
/** What is written ahead of a slow reader. The statement of a usual month is whole then, and its snapshot ends. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** A reader that takes longer has no file. That is also the longest life of a snapshot. */
export const LIFE_MS = 15 * 60_000;
/** What fell behind the pace makes up for so much of it. */
const MOST_BEHIND_MS = 1_000;

export type StatementTurns = {
  /** Opens a file that an owner is going to read. Undefined: too many are unread. */
  readonly openFile: (owner: string) => PassThrough | undefined;
  /** Writes one statement of an owner in its turn. Throws: Overloaded where that does not come in time; whatever the work throws. */
  readonly inTurn: (owner: string, work: () => Promise<void>) => Promise<void>;
  /** Rests after some movements, so that all statements of the process together go at that pace. */
  readonly rest: (rows: number, perSecond: number) => Promise<void>;
};

/** Makes the turns of one process. */
export function openStatementTurns(): StatementTurns {
  const unread = new Map<string, number>();
  let all = 0;
  let dueAt = 0;
  const count = (owner: string, more: 1 | -1): void => {
    all += more;
    const left = (unread.get(owner) ?? 0) + more;
    if (left > 0) unread.set(owner, left);
    else unread.delete(owner);
  };
  return {
    openFile: (owner) => {
      if (all >= MOST_FILES || (unread.get(owner) ?? 0) >= MOST_FILES_OF_OWNER) return undefined;
      const file = new PassThrough({ highWaterMark: AHEAD_BYTES });
      // A reader that goes away is not an error.
      file.on('error', () => undefined);
      count(owner, 1);
      const life = setTimeout(() => file.destroy(), LIFE_MS).unref();
      file.once('close', () => {
        clearTimeout(life);
        count(owner, -1);
      });
      return file;
    },
    inTurn: openShares({ atOnce: AT_ONCE, perOwner: OF_ONE_OWNER, mostWaiting: MOST_WAITING }),
    rest: async (rows, perSecond) => {
      dueAt = Math.max(dueAt, performance.now() - MOST_BEHIND_MS) + (rows / perSecond) * 1_000;
      await restUntil(dueAt);
    },
  };
}
