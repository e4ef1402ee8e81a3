import assert from 'node:assert/strict';
import { Unavailable } from '../db.ts';
import { LostEveryRace, retryOnRace } from './retry-on-race.ts';

export type BatchOptions<Item, Answer> = {
  /** Handles all items in one transaction and gives one answer for each, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Most items of one batch. */
  readonly maxItems?: number;
  /** Batches that run at the same time. */
  readonly writers?: number;
  /** Most items that may wait. One more is refused as unavailable. */
  readonly maxWaiting?: number;
};

/**
 * The states of an item, each with those that may follow.
 * `waiting`: it has joined. Its batch leaves, or the database is gone and it is answered at once.
 * `in batch`: its batch runs. The batch succeeds or the database is gone, and it is answered; or the batch fails, and it runs alone.
 * `alone`: it runs in a batch of its own. It is answered, whatever comes of it.
 * `answered`: its caller has the answer or the error. Nothing follows.
 */
const NEXT_STATES = {
  waiting: ['in batch', 'answered'],
  'in batch': ['alone', 'answered'],
  alone: ['answered'],
  answered: [],
} as const satisfies Record<string, readonly string[]>;
type State = keyof typeof NEXT_STATES;

type Entry<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  state: State;
};

/** Beyond about a hundred items a batch gains nothing, and its first item waits longer. */
const MAX_ITEMS = 128;
/** With two writers one batch is decided while the database writes the other. Four were no faster. */
const WRITERS = 2;
/** Items. A caller that waits behind more of them has given up before its answer. */
const MAX_WAITING = 8192;
/** Minimum batch size, in items, while several writers share the queue. */
const LEAST_SHARE = 16;
/** A batch that is smaller than this share of the running items waits for more items. Alone it costs the database as much as a large one. */
const WORTH_LEAVING = 1 / 4;
/** How long a small batch waits, in milliseconds. The running batch may be waiting for a lock. */
const PATIENCE_MS = 5;

/**
 * Gathers concurrent requests into batches: load many, decide each, save many.
 * Shape: returns `join(item)`, which resolves to that item's own answer.
 * A batch leaves when a writer is free. A lone request leaves at once, and batches grow by themselves under load.
 * The writers share the waiting items. While the database writes for one, the requests of the other are read and answered.
 * One item's failure never touches another's. When a batch fails, its items run one by one, each with retryOnRace.
 * Throws: Unavailable when too many wait or the database is gone; whatever `run` throws for that item alone.
 */
export function createBatch<Item, Answer>({
  run,
  maxItems = MAX_ITEMS,
  writers = WRITERS,
  maxWaiting = MAX_WAITING,
}: BatchOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  assert(maxItems >= 1 && writers >= 1 && maxWaiting >= 1);
  const waiting: Entry<Item, Answer>[] = [];
  let runningBatches = 0;
  let runningItems = 0;
  let patience: NodeJS.Timeout | undefined;

  async function write(batch: readonly Entry<Item, Answer>[]): Promise<void> {
    try {
      if (batch.length > 1 && (await writeTogether(batch))) return;
      for (const entry of batch) await writeAlone(entry);
    } catch (gone) {
      // The database is gone for all: to try each item would only make its caller wait longer.
      for (const entry of [...batch, ...waiting.splice(0)]) if (entry.state !== 'answered') answer(entry, () => entry.reject(gone));
    }
  }

  /** False: the batch failed, and its items have to run one by one. Throws Unavailable only. */
  async function writeTogether(batch: readonly Entry<Item, Answer>[]): Promise<boolean> {
    try {
      const answers = await answersOf(run, batch);
      batch.forEach((entry, index) => answer(entry, () => entry.resolve(answers[index] as Answer)));
      return true;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      return false;
    }
  }

  /** Answers one item, with its error where it fails. Throws Unavailable only, and only where the database is gone. */
  async function writeAlone(entry: Entry<Item, Answer>): Promise<void> {
    enter(entry, 'alone');
    try {
      const [own] = await retryOnRace(() => answersOf(run, [entry]));
      answer(entry, () => entry.resolve(own as Answer));
    } catch (error) {
      if (error instanceof Unavailable && !(error instanceof LostEveryRace)) throw error;
      answer(entry, () => entry.reject(error));
    }
  }

  function leave(isOverdue = false): void {
    clearTimeout(patience);
    patience = undefined;
    while (runningBatches < writers && waiting.length > 0) {
      if (waiting.length < runningItems * WORTH_LEAVING && !isOverdue) {
        patience = setTimeout(leave, PATIENCE_MS, true);
        return;
      }
      const share = Math.max(LEAST_SHARE, Math.ceil((waiting.length + runningItems) / writers));
      const batch = waiting.splice(0, Math.min(share, maxItems));
      for (const entry of batch) enter(entry, 'in batch');
      runningBatches++;
      runningItems += batch.length;
      void write(batch).finally(() => {
        runningBatches--;
        runningItems -= batch.length;
        assert(runningBatches >= 0 && runningItems >= 0);
        leave();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(new Unavailable('too many requests wait for the database'));
      waiting.push({ item, resolve, reject, state: 'waiting' });
      // One poll of the sockets brings many requests. They all join before the batch leaves.
      if (waiting.length === 1) setImmediate(leave);
    });
}

function enter(entry: { state: State }, state: State): void {
  const allowed: readonly State[] = NEXT_STATES[entry.state];
  // Not by assert(), which would make its message for every item.
  if (!allowed.includes(state)) throw new Error(`an item that is ${entry.state} cannot become ${state}`);
  entry.state = state;
}

function answer(entry: { state: State }, settle: () => void): void {
  enter(entry, 'answered');
  settle();
}

async function answersOf<Item, Answer>(
  run: BatchOptions<Item, Answer>['run'],
  batch: readonly Entry<Item, Answer>[],
): Promise<readonly Answer[]> {
  const answers = await run(batch.map(({ item }) => item));
  assert(answers.length === batch.length, `${answers.length} answers to ${batch.length} items of a batch`);
  return answers;
}
