import assert from 'node:assert/strict';
import { setImmediate as sent } from 'node:timers/promises';
import { LockTimeout, StatementTimeout, Unavailable } from '../db.ts';
import { endEntry, enter, rejectEntry, type Entry } from './batch-entry.ts';
import { Held } from './held.ts';
import { LostEveryRace, retryOnRace } from './retry-on-race.ts';

/** Handles all items in one transaction and gives one answer for each, in their order. */
export type RunBatch<Item, Answer> = (items: readonly Item[]) => Promise<readonly (Answer | Held)[]>;

type Writer<Item, Answer> = {
  readonly run: RunBatch<Item, Answer>;
  /** Takes an item whose row another transaction holds. */
  readonly hold: (entry: Entry<Item, Answer>, key: string) => void;
  /** The row of an item that is known to be held. */
  readonly heldRowOf: (entry: Entry<Item, Answer>) => string | undefined;
};

/**
 * Makes what writes a batch and answers its items. When a batch fails, its items run one by one.
 * Shape: a batch; the one row for which all of it have waited, where there is one; `free`, which frees its rows.
 * A batch that succeeds calls `free` before it answers. After any other the caller does.
 * Throws: Unavailable where the database is gone. Then some items are not answered.
 */
export function createWriter<Item, Answer>({
  run,
  hold,
  heldRowOf,
}: Writer<Item, Answer>): (batch: readonly Entry<Item, Answer>[], row: string | undefined, free: () => void) => Promise<void> {
  function settle(entry: Entry<Item, Answer>, answer: Answer | Held): void {
    if (answer instanceof Held) hold(entry, answer.key);
    else endEntry(entry);
  }

  /** Gives the caller its answer. An item that is held has none yet. */
  function deliver({ resolve }: Entry<Item, Answer>, answer: Answer | Held): void {
    if (!(answer instanceof Held)) resolve(answer);
  }

  /** False: the batch failed, and its items have to run one by one. */
  async function writeTogether(batch: readonly Entry<Item, Answer>[], row: string | undefined, free: () => void): Promise<boolean> {
    const answers = await answersOf(run, batch).catch((error: unknown) => {
      if (error instanceof LockTimeout && row !== undefined) for (const entry of batch) hold(entry, row);
      else if (error instanceof StatementTimeout) for (const entry of batch) rejectEntry(entry, error);
      else if (isGone(error)) throw error;
      else return 'failed';
      return 'settled';
    });
    if (typeof answers === 'string') return answers === 'settled';
    for (const [index, entry] of batch.entries()) settle(entry, answers[index] as Answer | Held);
    free();
    // The batch that leaves now is sent before these answers are rendered. Else the database would wait for that.
    await sent();
    for (const [index, entry] of batch.entries()) deliver(entry, answers[index] as Answer | Held);
    return true;
  }

  /** Answers one item, with its error where it fails. */
  async function writeAlone(entry: Entry<Item, Answer>): Promise<void> {
    const known = heldRowOf(entry);
    if (known !== undefined) return hold(entry, known);
    enter(entry, 'alone');
    try {
      const [answer] = await retryOnRace(() => answersOf(run, [entry]));
      settle(entry, answer as Answer | Held);
      deliver(entry, answer as Answer | Held);
    } catch (error) {
      const key = entry.keys.at(-1);
      if (error instanceof LockTimeout && key !== undefined) return hold(entry, key);
      if (isGone(error)) throw error;
      rejectEntry(entry, error);
    }
  }

  return async (batch, row, free) => {
    if (batch.length > 1 && (await writeTogether(batch, row, free))) return;
    for (const entry of batch) await writeAlone(entry);
  };
}

/** False where the database works for others: an item lost every race, or a statement took too long. */
const isGone = (error: unknown): boolean =>
  error instanceof Unavailable && !(error instanceof LockTimeout || error instanceof StatementTimeout || error instanceof LostEveryRace);

async function answersOf<Item, Answer>(
  run: RunBatch<Item, Answer>,
  batch: readonly Entry<Item, Answer>[],
): Promise<readonly (Answer | Held)[]> {
  const answers = await run(batch.map(({ item }) => item));
  assert(answers.length === batch.length, `${answers.length} answers to ${batch.length} items of a batch`);
  return answers;
}
