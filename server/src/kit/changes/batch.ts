import assert from 'node:assert/strict';
import { Unavailable } from '../db.ts';
import { enter, rejectEntry, type Entry } from './batch-entry.ts';
import { openKeysInUse, type KeysInUse } from './keys-in-use.ts';
import { openSetAside } from './set-aside.ts';
import { createWriter, type RunBatch } from './write-batch.ts';

export type BatchOptions<Item, Answer> = {
  /** It never waits for a row that `keysOf` names. */
  readonly run: RunBatch<Item, Answer>;
  /** Names the rows that an item changes. The last one includes all that the item writes without a name of its own. */
  readonly keysOf?: (item: Item) => readonly string[];
  /** The rows that all batches of the process are changing. */
  readonly inUse?: KeysInUse;
  /** Most items of one batch. */
  readonly maxItems?: number;
  /** Batches that run at the same time. */
  readonly writers?: number;
  /** Most items that may wait. One more is refused as unavailable. */
  readonly maxWaiting?: number;
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
/** How long a small batch waits, in milliseconds. The running batch may be waiting for the disk. */
const PATIENCE_MS = 5;
/** How many waiting items a batch looks at for each that it may hold. */
const LOOK_AHEAD = 4;

/**
 * Gathers concurrent requests into batches: load many, decide each, save many.
 * Shape: returns `join(item)`, which resolves to that item's own answer.
 * A batch leaves when a writer is free. A lone request leaves at once, and batches grow by themselves under load.
 * The writers share the waiting items. While the database writes for one, the requests of the other are read and answered.
 * Items of one row go together, or one batch after the other. An item whose row another transaction holds is set aside, and tried again in a
 * transaction of its own. The others go on.
 * One item's failure never touches another's. When a batch fails, its items run one by one, each with retryOnRace.
 * Throws: Unavailable when too many wait, a row is not free in time, or the database is gone; whatever `run` throws for that item alone.
 */
export function createBatch<Item, Answer>({
  run,
  keysOf = () => [],
  inUse = openKeysInUse(),
  maxItems = MAX_ITEMS,
  writers = WRITERS,
  maxWaiting = MAX_WAITING,
}: BatchOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  assert(maxItems >= 1 && writers >= 1 && maxWaiting >= 1);
  let waiting: Entry<Item, Answer>[] = [];
  let runningBatches = 0;
  let runningItems = 0;
  let joined = 0;
  let patience: NodeJS.Timeout | undefined;

  const aside = openSetAside<Item, Answer>({
    inUse,
    maxWaiting,
    write,
    takeBack: (entries) => {
      waiting = entries.concat(waiting);
      leave();
    },
  });
  const writer = createWriter<Item, Answer>({ run, hold: aside.hold, heldRowOf: aside.heldRowOf });

  async function write(batch: readonly Entry<Item, Answer>[], row?: string): Promise<void> {
    const keys = [...new Set(batch.flatMap((entry) => entry.keys))];
    for (const entry of batch) enter(entry, 'in batch');
    inUse.take(keys);
    try {
      await writer(batch, row);
    } catch (gone) {
      // The database is gone for all: to try each item would only make its caller wait longer.
      const all = [...batch, ...waiting.splice(0), ...aside.clear()];
      for (const entry of all) if (entry.state !== 'answered') rejectEntry(entry, gone);
    }
    inUse.release(keys);
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
      const { batch, rest } = gather(waiting, aside.ifBlocked, Math.min(share, maxItems), maxItems);
      waiting = rest;
      if (batch.length === 0) continue;
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
      waiting.push({ item, keys: keysOf(item), number: joined++, resolve, reject, state: 'waiting', giveUpAt: undefined });
      // One poll of the sockets brings many requests. They all join before the batch leaves.
      if (waiting.length === 1) setImmediate(leave);
    });
}

/**
 * Takes items for one batch: `share` of those that have waited longest, and more of the same rows. `most` is the limit.
 * It passes by what `isBlocked` sets aside. The rest keeps waiting, in its order.
 */
function gather<Item, Answer>(
  waiting: readonly Entry<Item, Answer>[],
  isBlocked: (entry: Entry<Item, Answer>) => boolean,
  share: number,
  most: number,
): { readonly batch: readonly Entry<Item, Answer>[]; readonly rest: Entry<Item, Answer>[] } {
  const batch: Entry<Item, Answer>[] = [];
  const rows = new Set<string>();
  const passed: Entry<Item, Answer>[] = [];
  let seen = 0;
  for (; seen < waiting.length && batch.length < most && (batch.length < share || seen < LOOK_AHEAD * most); seen++) {
    const entry = waiting[seen] as Entry<Item, Answer>;
    if (isBlocked(entry)) continue;
    if (batch.length < share || entry.keys.some((key) => rows.has(key))) {
      batch.push(entry);
      for (const key of entry.keys) rows.add(key);
    } else passed.push(entry);
  }
  const unseen = waiting.slice(seen);
  return { batch, rest: passed.length === 0 ? unseen : passed.concat(unseen) };
}
