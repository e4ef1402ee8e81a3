/** What waits for rows in one operation. */
export type RowQueue = {
  isEmpty(): boolean;
  /** The number of the oldest item that waits for a row, as `arrive` gave it. Undefined: none waits for it. */
  oldestFor(key: string): number | undefined;
  /** Rows are free for its items. `isWanted`: items of other operations wait for one of them as well. */
  freed(keys: readonly string[], isWanted: boolean): void;
};

/**
 * The names of the rows that batches of this process are changing. Two batches with the same row would only wait for each other.
 * A row that is free again goes to the item that came first, whatever its operation. Until that item leaves, the row is promised to it:
 * otherwise an operation with many requests would take it again and again.
 */
export type KeysInUse = {
  /** Numbers what comes, over all operations. */
  arrive(): number;
  add(queue: RowQueue): void;
  /** Whether an operation has to wait for a row: a batch changes it, or it is promised to another operation. */
  isTaken(key: string, by: RowQueue): boolean;
  take(keys: Iterable<string>): void;
  /** Frees the rows of a batch that has ended. */
  release(keys: Iterable<string>): void;
  /** Lets those who wait for a row have it, where it is free. */
  offer(keys: Iterable<string>): void;
  /** Gives rows on that were promised to an operation and that it does not take now. */
  decline(keys: Iterable<string>, by: RowQueue): void;
};

export function openKeysInUse(): KeysInUse {
  const used = new Set<string>();
  const promised = new Map<string, RowQueue>();
  const queues: RowQueue[] = [];
  let arrived = 0;

  /** Promises each free row to the operation whose item has waited longest for it. */
  function offer(keys: Iterable<string>): void {
    const waiting = queues.filter((queue) => !queue.isEmpty());
    if (waiting.length === 0) return;
    const offers = new Map<RowQueue, { readonly keys: string[]; first: number; isWanted: boolean }>();
    for (const key of new Set(keys)) {
      if (used.has(key) || promised.has(key)) continue;
      const claims = waiting.flatMap((queue) => {
        const number = queue.oldestFor(key);
        return number === undefined ? [] : [{ queue, number }];
      });
      const [first] = claims.toSorted((one, other) => one.number - other.number);
      if (first === undefined) continue;
      promised.set(key, first.queue);
      const offered = offers.get(first.queue) ?? { keys: [], first: first.number, isWanted: false };
      offers.set(first.queue, offered);
      offered.keys.push(key);
      offered.first = Math.min(offered.first, first.number);
      offered.isWanted ||= claims.length > 1;
    }
    for (const [queue, { keys: free, isWanted }] of [...offers].toSorted(([, one], [, other]) => one.first - other.first))
      queue.freed(free, isWanted);
  }

  return {
    offer,
    arrive: () => arrived++,
    add: (queue) => void queues.push(queue),
    isTaken: (key, by) => used.has(key) || (promised.get(key) ?? by) !== by,
    take: (keys) => {
      for (const key of keys) {
        used.add(key);
        promised.delete(key);
      }
    },
    release: (keys) => {
      for (const key of keys) used.delete(key);
      offer(keys);
    },
    decline: (keys, by) => {
      const declined = [...keys].filter((key) => promised.get(key) === by);
      if (declined.length === 0) return;
      for (const key of declined) promised.delete(key);
      // The operation may be in the middle of a batch that it gathers.
      queueMicrotask(() => offer(declined));
    },
  };
}
