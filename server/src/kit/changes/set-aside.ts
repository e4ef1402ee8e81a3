import { Unavailable } from '../db.ts';
import { enter, rejectEntry, type Entry } from './batch-entry.ts';
import { heldTooLong, HOLD_MS, nextPause } from './held.ts';
import type { KeysInUse, RowQueue } from './keys-in-use.ts';

/** A row that another transaction holds. `isHeldAgain`: so the latest try has found. */
type HeldRow = { pauseMs: number; isHeldAgain: boolean };

/** Most items that wait for one row that another transaction holds. */
const MAX_HELD = 512;
/** How often is looked for items that have waited too long. */
const LOOK_MS = 100;
/** Rows that are tried at the same time, beside the writers. */
const TRIERS = 2;

type Options<Item, Answer> = {
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
export function openSetAside<Item, Answer>(options: Options<Item, Answer>): SetAside<Item, Answer> {
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
    const isInTheWay = (other: string): boolean => inUse.isTaken(other, queue) || (other !== key && held.has(other));
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
