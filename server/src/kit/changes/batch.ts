import assert from 'node:assert/strict';
import { setImmediate as sent } from 'node:timers/promises';
import { isConnectionLost, LockTimeout, StatementTimeout, Unavailable } from '../db.ts';
import type { Span, Tracer } from '../traces/tracer.ts';
import {
  endEntry,
  enter,
  openKeysInUse,
  openLines,
  openOwners,
  rejectEntry,
  type Entry,
  type KeysInUse,
  type Lines,
  type Owners,
  type RowQueue,
} from './queue.ts';
import { Held, HOLD_MS, heldTooLong, LostEveryRace, nextPause, retryOnRace } from './retry.ts';

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

/** A row that another transaction holds. `isHeldAgain`: so the latest try has found. */
type HeldRow = { pauseMs: number; isHeldAgain: boolean };

/** Most items that wait for one row that another transaction holds. */
const MAX_HELD = 512;
/** How often is looked for items that have waited too long. */
const LOOK_MS = 100;
/** Rows that are tried at the same time, beside the writers. */
const TRIERS = 2;

type AsideOptions<Item, Answer> = {
  readonly inUse: KeysInUse;
  /** Most items that wait for one row that another batch of this process changes. */
  readonly maxWaiting: number;
  /** Most items of one batch, also of those that have waited for one row. */
  readonly maxItems: number;
  /** Writes items that all have waited for one row. It puts their rows in use meanwhile. */
  readonly write: (entries: readonly Entry<Item, Answer>[], row: string) => Promise<void>;
  /** Takes items back whose row is free. `isWanted`: other operations wait for it too. */
  readonly takeBack: (entries: readonly Entry<Item, Answer>[], isWanted: boolean) => void;
};

/** The items of a batch that wait for one row each. */
type SetAside<Item, Answer> = {
  /** Sets the item aside where one of its rows is held or in use. False: all are free. */
  readonly ifBlocked: (entry: Entry<Item, Answer>) => boolean;
  /** Sets an item aside whose row another transaction holds. The row is tried again, more and more rarely, for HOLD_MS. */
  readonly hold: (entry: Entry<Item, Answer>, key: string) => void;
  /** The row of an item that the latest try has found held. */
  readonly heldRowOf: (entry: Entry<Item, Answer>) => string | undefined;
  /** Gives up all items that it keeps. */
  readonly clear: () => readonly Entry<Item, Answer>[];
  readonly queue: RowQueue;
};

/** Keeps items by the row for which each waits. Those whose time is over are refused. */
function openWaiting<Item, Answer>() {
  const waiting = new Map<string, Entry<Item, Answer>[]>();
  let watch: NodeJS.Timeout | undefined;

  function giveUpLate(): void {
    const now = performance.now();
    const isLate = ({ giveUpAt = Infinity }: Entry<Item, Answer>): boolean => now >= giveUpAt;
    for (const [key, entries] of waiting) {
      const late = entries.filter(isLate);
      const inTime = late.length === 0 ? entries : entries.filter((entry) => !isLate(entry));
      if (inTime.length === 0) waiting.delete(key);
      else waiting.set(key, inTime);
      for (const entry of late) rejectEntry(entry, heldTooLong());
    }
    watch = waiting.size === 0 ? undefined : setTimeout(giveUpLate, LOOK_MS).unref();
  }

  return {
    isEmpty: () => waiting.size === 0,
    rows: () => waiting.keys(),
    of: (key: string): readonly Entry<Item, Answer>[] => waiting.get(key) ?? [],
    add: (entry: Entry<Item, Answer>, key: string): void => {
      const others = waiting.get(key);
      if (others === undefined) waiting.set(key, [entry]);
      else others.push(entry);
      entry.giveUpAt ??= performance.now() + HOLD_MS;
      watch ??= setTimeout(giveUpLate, LOOK_MS).unref();
    },
    /** In the order of arrival. */
    take: (key: string): readonly Entry<Item, Answer>[] => {
      const entries = waiting.get(key) ?? [];
      waiting.delete(key);
      return entries.toSorted((one, other) => one.number - other.number);
    },
  };
}

/** Keeps the items of a batch whose row is not free, so that the others never wait for them. None waits longer than HOLD_MS. */
function openSetAside<Item, Answer>(options: AsideOptions<Item, Answer>): SetAside<Item, Answer> {
  const { inUse, maxWaiting, maxItems, write, takeBack } = options;
  /** A row that is not in `held` is in use by another batch of this process. */
  const aside = openWaiting<Item, Answer>();
  const held = new Map<string, HeldRow>();
  let trying = 0;

  const queue: RowQueue = {
    isEmpty: aside.isEmpty,
    oldestFor: (key) =>
      held.has(key)
        ? undefined
        : aside.of(key).reduce<number | undefined>((oldest = Infinity, { number }) => Math.min(oldest, number), undefined),
    freed: (keys, isWanted) => {
      const free = keys.flatMap(aside.take);
      for (const entry of free) enter(entry, 'waiting');
      takeBack(free, isWanted);
    },
  };
  inUse.add(queue);

  function put(entry: Entry<Item, Answer>, key: string): void {
    inUse.decline(entry.keys, queue);
    if (aside.of(key).length >= (held.has(key) ? MAX_HELD : maxWaiting))
      return rejectEntry(entry, new Unavailable('too many requests wait for one row'));
    enter(entry, 'aside');
    aside.add(entry, key);
  }

  const tryLater = (key: string): void => void setTimeout(() => void tryAgain(key), held.get(key)?.pauseMs);
  async function tryAgain(key: string): Promise<void> {
    const row = held.get(key) as HeldRow;
    // By the names, of two rows that are held one item waits for the first: so no two items wait for each other.
    const isInTheWay = (other: string): boolean => inUse.isTaken(other, queue) || (other < key && held.has(other));
    const ready: Entry<Item, Answer>[] = [];
    for (const entry of aside.take(key)) {
      if (performance.now() >= (entry.giveUpAt ?? Infinity)) rejectEntry(entry, heldTooLong());
      else if (ready.length < maxItems && trying < TRIERS && !entry.keys.some(isInTheWay)) ready.push(entry);
      else aside.add(entry, key);
    }
    row.isHeldAgain = ready.length === 0 && aside.of(key).length > 0;
    if (ready.length > 0) {
      trying++;
      await write(ready, key);
      trying--;
      if (row.isHeldAgain) row.pauseMs = nextPause(row.pauseMs);
    }
    if (row.isHeldAgain) return tryLater(key);
    held.delete(key);
    inUse.offer([key]);
  }

  return {
    ifBlocked: (entry) => {
      for (const key of entry.keys)
        if (held.has(key) || inUse.isTaken(key, queue)) {
          put(entry, key);
          return true;
        }
      return false;
    },
    hold: (entry, key) => {
      const row = held.get(key);
      if (row !== undefined) row.isHeldAgain = true;
      else {
        held.set(key, { pauseMs: nextPause(), isHeldAgain: true });
        tryLater(key);
      }
      put(entry, key);
    },
    heldRowOf: ({ keys }) => keys.find((key) => held.get(key)?.isHeldAgain),
    clear: () => [...aside.rows()].flatMap(aside.take),
    queue,
  };
}

/** Handles all items in one transaction and gives one answer for each, in their order. */
type RunBatch<Item, Answer> = (items: readonly Item[]) => Promise<readonly (Answer | Held)[]>;

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
function createWriter<Item, Answer>({
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
const isGone = (error: unknown): boolean => isConnectionLost(error) && !(error instanceof LostEveryRace);

async function answersOf<Item, Answer>(
  run: RunBatch<Item, Answer>,
  batch: readonly Entry<Item, Answer>[],
): Promise<readonly (Answer | Held)[]> {
  const answers = await run(batch.map(({ item }) => item));
  assert(answers.length === batch.length, `${answers.length} answers to ${batch.length} items of a batch`);
  return answers;
}
