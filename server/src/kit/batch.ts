import { isRetryable, Unavailable } from './db.ts';

export type BatchOptions<Item, Answer> = {
  /** Handles all items in one transaction and gives one answer for each, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Most items of one batch. Beyond about a hundred a batch gains nothing and its first item waits longer. */
  readonly maxItems?: number;
  /** Batches in flight at once. With two, one is decided and answered while the database writes the other; four are no faster. */
  readonly writers?: number;
  /** Items of one batch have the same text here; undefined: any may go together. For a database that keeps each group in one place. */
  readonly groupOf?: ((item: Item) => string) | undefined;
  /** Items that may wait; one more is refused as unavailable, because an answer after its caller's patience is worth nothing. */
  readonly maxWaiting?: number;
};

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/** A batch takes no more than its writer's share of all items, but these many in any case: one that has them all leaves nothing for the others to do. */
const LEAST_SHARE = 16;
/** While another batch is under way, a batch of less than this share of it waits for more: alone it would cost the database as much as a large one. */
const WORTH_LEAVING = 1 / 4;
/** But not longer than this: the other one may be waiting for a lock. */
const PATIENCE_MS = 5;

/** How often a lone item is tried again after it lost a race in the database (a unique key, a deadlock, a serialization failure). */
const LONE_TRIES = 4;

/**
 * Gathers concurrent requests into batches: load many, decide each, save many.
 * Shape: returns `join(item)`, which resolves to that item's own answer.
 * A batch leaves when a writer is free: a lone request leaves at once, and batches grow by themselves under load. The writers share what
 * is there, so that while the database writes for one the others' requests are read and answered.
 * One item's failure never touches another's: when a batch fails, its items are run again one by one.
 * Throws: Unavailable when too many wait or the database is gone; whatever `run` throws for that item alone.
 */
export function createBatch<Item, Answer>(options: BatchOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const { run, maxItems = 128, writers = 2, groupOf, maxWaiting = 8192 } = options;
  let waiting: Waiting<Item, Answer>[] = [];
  let running = 0;
  let underWay = 0;
  let patience: NodeJS.Timeout | undefined;

  async function write(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const unanswered = [...batch];
    try {
      if (await writeTogether(batch)) return;
      for (const one of batch) {
        await writeAlone(one);
        unanswered.shift();
      }
    } catch (gone) {
      // A database that is gone is gone for everyone: trying in turn would only make those who wait wait longer.
      for (const { reject } of [...unanswered, ...waiting.splice(0)]) reject(gone);
    }
  }

  /** False: it failed, and its items have to be tried one by one. Throws Unavailable only. */
  async function writeTogether(batch: readonly Waiting<Item, Answer>[]): Promise<boolean> {
    if (batch.length === 1) return false;
    try {
      const answers = await answersOf(run, batch);
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
      return true;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      return false;
    }
  }

  /** Answers one item, with its error if need be. Throws Unavailable only. */
  async function writeAlone(one: Waiting<Item, Answer>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const [answer] = await answersOf(run, [one]);
        return one.resolve(answer as Answer);
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        if (!isRetryable(error)) return one.reject(error);
        if (tries === LONE_TRIES) return one.reject(new Unavailable('lost every race for the same rows', { cause: error }));
      }
    }
  }

  function leave(isOverdue = false): void {
    clearTimeout(patience);
    patience = undefined;
    while (running < writers && waiting.length > 0) {
      if (waiting.length < underWay * WORTH_LEAVING && !isOverdue) {
        patience = setTimeout(leave, PATIENCE_MS, true);
        return;
      }
      const share = Math.max(LEAST_SHARE, Math.ceil((waiting.length + underWay) / writers));
      const { batch, rest } = split(waiting, Math.min(share, maxItems), groupOf);
      waiting = rest;
      running++;
      underWay += batch.length;
      void write(batch).finally(() => {
        running--;
        underWay -= batch.length;
        leave();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(new Unavailable('too many requests wait for the database'));
      waiting.push({ item, resolve, reject });
      // The requests that one poll of the sockets brought join before the batch leaves; nobody waits longer than that.
      if (waiting.length === 1) setImmediate(leave);
    });
}

async function answersOf<Item, Answer>(
  run: BatchOptions<Item, Answer>['run'],
  batch: readonly Waiting<Item, Answer>[],
): Promise<readonly Answer[]> {
  const answers = await run(batch.map(({ item }) => item));
  if (answers.length !== batch.length) throw new Error(`${answers.length} answers to ${batch.length} items of a batch`);
  return answers;
}

/** Takes the item that has waited longest and those that may go with it; the others wait on, in their order. */
function split<Item, Answer>(
  waiting: Waiting<Item, Answer>[],
  maxItems: number,
  groupOf: ((item: Item) => string) | undefined,
): { readonly batch: readonly Waiting<Item, Answer>[]; readonly rest: Waiting<Item, Answer>[] } {
  const [first] = waiting;
  if (groupOf === undefined || first === undefined) return { batch: waiting.slice(0, maxItems), rest: waiting.slice(maxItems) };
  const group = groupOf(first.item);
  const batch = waiting.filter(({ item }) => groupOf(item) === group).slice(0, maxItems);
  const leaving = new Set(batch);
  return { batch, rest: waiting.filter((one) => !leaving.has(one)) };
}
