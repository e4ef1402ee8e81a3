import assert from 'node:assert/strict';
import { Unavailable } from '../db.ts';
import { enter, rejectEntry, type Entry } from './batch-entry.ts';
import { openKeysInUse, type KeysInUse } from './keys-in-use.ts';
import { openLines, type Lines } from './lines.ts';
import { openOwners, type Owners } from './owners.ts';
import { openSetAside } from './set-aside.ts';
import { createWriter, type RunBatch } from './write-batch.ts';
import type { Span, Tracer } from '../traces/tracer.ts';

export type BatchOptions<Item, Answer> = {
  /** It never waits for a row that `keysOf` names. */
  readonly run: RunBatch<Item, Answer>;
  /** Names the rows that an item changes. The last one includes all that the item writes without a name of its own. */
  readonly keysOf?: (item: Item) => readonly string[];
  /** Names whose request an item is. Items of different owners take turns. */
  readonly ownerOf?: (item: Item) => string;
  /** The rows that all batches of the process are changing. */
  readonly inUse?: KeysInUse;
  /** The owners that have requests in any batch of the process. */
  readonly owners?: Owners;
  /** Most items of one batch. */
  readonly maxItems?: number;
  /** Batches that run at the same time. */
  readonly writers?: number;
  /** Most items that may wait. One more is refused as unavailable. */
  readonly maxWaiting?: number;
  readonly tracer?: Tracer | undefined;
  readonly watch?: BatchWatch;
};

/** Hears of each batch: its items, and at its end how long it took. */
type BatchWatch = { readonly begins: (items: number) => void; readonly ends: (items: number, seconds: number) => void };

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

/**
 * Gathers concurrent requests into batches: load many, decide each, save many.
 * Shape: returns `join(item)`, which resolves to that item's own answer.
 * A batch leaves when a writer is free. A lone request leaves at once, and batches grow by themselves under load.
 * The writers share the waiting items. While the database writes for one, the requests of the other are read and answered.
 * Owners take turns, and each has its share of what is written. So an owner with many requests waits for itself.
 * Items of one row go together, or one batch after the other. A row that is free again goes to the oldest item. An item whose row another transaction holds is set aside, and tried again in a
 * transaction of its own. The others go on.
 * One item's failure never touches another's. When a batch fails, its items run one by one, each with retryOnRace.
 * Throws: Unavailable when too many wait, a row is not free in time, or the database is gone; whatever `run` throws for that item alone.
 */
export function createBatch<Item, Answer>({
  run,
  keysOf = () => [],
  ownerOf = () => '',
  inUse = openKeysInUse(),
  owners = openOwners(),
  maxItems = MAX_ITEMS,
  writers = WRITERS,
  maxWaiting = MAX_WAITING,
  tracer,
  watch,
}: BatchOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  assert(maxItems >= 1 && writers >= 1 && maxWaiting >= 1);
  const lines = openLines<Item, Answer>();

  const aside = openSetAside<Item, Answer>({
    inUse,
    maxWaiting,
    maxItems,
    write: (entries, row) => write(entries, () => departures.leave(), row),
    takeBack: (entries, isWanted) => {
      lines.takeBack(entries);
      departures.leave(isWanted);
    },
  });
  const writer = createWriter<Item, Answer>({ run, hold: aside.hold, heldRowOf: aside.heldRowOf });

  /** Calls `end` once the rows of the batch are free. Its items may have their answers later. */
  async function write(batch: readonly Entry<Item, Answer>[], end: () => void, row?: string): Promise<void> {
    const keys = batch.flatMap((entry) => entry.keys);
    const span = tracer && batchSpan(batch);
    const startedMs = performance.now();
    watch?.begins(batch.length);
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      lines.end(batch);
      inUse.release(keys);
      span?.end();
      watch?.ends(batch.length, (performance.now() - startedMs) / 1_000);
      end();
    };
    for (const entry of batch) enter(entry, 'in batch');
    inUse.take(keys);
    lines.begin(batch);
    try {
      await (tracer === undefined ? writer(batch, row, free) : tracer.within(span, () => writer(batch, row, free)));
    } catch (gone) {
      span?.end(true);
      // The database is gone for all: to try each item would only make its caller wait longer.
      const all = [...batch, ...lines.clear(), ...aside.clear()];
      for (const entry of all) if (entry.state !== 'answered') rejectEntry(entry, gone);
      const promised = all.flatMap((entry) => entry.keys);
      inUse.decline(promised, aside.queue);
    }
    free();
  }

  const departures = openDepartures<Item, Answer>({ lines, isBlocked: aside.ifBlocked, write, maxItems, writers });
  return (item) =>
    new Promise((resolve, reject) => {
      if (lines.size() >= maxWaiting) return reject(new Unavailable('too many requests wait for the database'));
      const owner = owners.enter(ownerOf(item));
      const span = tracer?.current();
      lines.join({ item, owner, keys: keysOf(item), number: inUse.arrive(), resolve, reject, span, state: 'waiting', giveUpAt: undefined });
      departures.leaveSoon();
    });
}

/** A batch is part of the first request of it that is recorded, and is linked to the others. */
function batchSpan(batch: readonly { readonly span: Span | undefined }[]): Span | undefined {
  const [first, ...others] = batch.map(({ span }) => span).filter((span) => span !== undefined);
  const span = first?.child('batch', 'internal', others);
  span?.note({ 'caudal.batch.size': batch.length });
  return span;
}

type Departures<Item, Answer> = Pick<Required<BatchOptions<Item, Answer>>, 'maxItems' | 'writers'> & {
  readonly lines: Lines<Item, Answer>;
  readonly isBlocked: (entry: Entry<Item, Answer>) => boolean;
  readonly write: (batch: readonly Entry<Item, Answer>[], end: () => void) => Promise<void>;
};

/** Decides when a batch leaves, and with how many items. */
function openDepartures<Item, Answer>({ lines, isBlocked, write, maxItems, writers }: Departures<Item, Answer>) {
  let runningBatches = 0;
  let runningItems = 0;
  let isLeaving = false;
  let patience: NodeJS.Timeout | undefined;

  function leave(isOverdue = false): void {
    clearTimeout(patience);
    patience = undefined;
    while (runningBatches < writers) {
      const ready = lines.ready();
      if (ready === 0) return;
      if (ready < runningItems * WORTH_LEAVING && !isOverdue) {
        patience = setTimeout(leave, PATIENCE_MS, true);
        return;
      }
      const share = Math.max(LEAST_SHARE, Math.ceil((ready + runningItems) / writers));
      const batch = lines.gather(isBlocked, Math.min(share, maxItems), maxItems);
      // All that was ready is set aside.
      if (batch.length === 0) continue;
      runningBatches++;
      runningItems += batch.length;
      void write(batch, () => {
        runningBatches--;
        runningItems -= batch.length;
        assert(runningBatches >= 0 && runningItems >= 0);
        leave();
      });
    }
  }

  function leaveSoon(): void {
    if (isLeaving || patience !== undefined || runningBatches === writers) return;
    isLeaving = true;
    // One poll of the sockets brings many requests. They all join before the batch leaves.
    setImmediate(() => {
      isLeaving = false;
      leave();
    });
  }

  return { leave, leaveSoon };
}
