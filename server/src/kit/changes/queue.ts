import type { Span } from '../traces/tracer.ts';

// What waits for a batch, and who goes next: owners take turns, and a row goes to whoever came first for it.

/**
 * The states of an item, each with those that may follow.
 * `waiting`: it has joined. Its batch leaves, its row is in use, or the database is gone and it is answered at once.
 * `in batch`: its batch runs. The batch succeeds or the database is gone, and it is answered; or the batch fails, and it runs alone.
 * `alone`: it runs in a batch of its own. It is answered, or its row is held.
 * `aside`: it waits for one row. It waits again once the row is free, is tried in a batch for this row, or is refused.
 * `answered`: its caller has the answer or the error, or gets it next. Nothing follows.
 */
const NEXT_STATES = {
  waiting: ['in batch', 'aside', 'answered'],
  'in batch': ['alone', 'aside', 'answered'],
  alone: ['aside', 'answered'],
  aside: ['waiting', 'in batch', 'answered'],
  answered: [],
} as const satisfies Record<string, readonly string[]>;
type State = keyof typeof NEXT_STATES;

/** An item of a batch, on its way to its answer. */
export type Entry<Item, Answer> = {
  readonly item: Item;
  readonly owner: Owner;
  /** The names of its rows. */
  readonly keys: readonly string[];
  /** In the order of arrival, over all operations. */
  readonly number: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** The request that it is for, where that is recorded. */
  readonly span: Span | undefined;
  state: State;
  /** When it is refused, if its row is not free until then. */
  giveUpAt: number | undefined;
};

export function enter(entry: { state: State }, state: State): void {
  const allowed: readonly State[] = NEXT_STATES[entry.state];
  // Not by assert(), which would make its message for every item.
  if (!allowed.includes(state)) throw new Error(`an item that is ${entry.state} cannot become ${state}`);
  entry.state = state;
}

/** Ends an item whose answer is there. Its caller gets it next, by `resolve`. */
export function endEntry(entry: Pick<Entry<never, never>, 'state' | 'owner'>): void {
  enter(entry, 'answered');
  entry.owner.leave();
}

export function rejectEntry(entry: Pick<Entry<never, never>, 'state' | 'owner' | 'reject'>, error: unknown): void {
  endEntry(entry);
  entry.reject(error);
}

/** Whose requests an operation carries out. */
type Owner = {
  /** Items that this owner may have in the hands of the database at the same time, in one operation. */
  most(): number;
  /** Counts one answered request. */
  leave(): void;
};

/** All owners that have requests in the engine. `enter` counts one more request of an owner. */
export type Owners = {
  readonly enter: (id: string) => Owner;
  /** Requests that are not answered yet. */
  readonly requests: () => number;
};

/** Items. One owner keeps the database busy with so many, beside one other. */
const ENOUGH = 64;
/** How long those count who were here. A batch answers many at once; their next requests come within a few milliseconds. */
const WINDOW_MS = 25;

/**
 * Opens the count of owners. An owner that is alone may write as much as it likes.
 * Beside others it may write as many items as each of them has requests, on average. Where they have few, it may write more.
 * So an owner that sends a hundred times as much as the others waits in its own line.
 * The most of the last moments count. Otherwise it would fill the database whenever the others have just been answered.
 */
export function openOwners(clockMs: () => number = () => performance.now()): Owners {
  const present = new Map<string, Owner & { requests: number }>();
  let all = 0;
  let startedMs = clockMs();
  /** The most of this window, and of the one before. */
  let most = { owners: 0, requests: 0 };
  let before = most;

  function look(): void {
    const nowMs = clockMs();
    const windows = Math.floor((nowMs - startedMs) / WINDOW_MS);
    if (windows > 0) {
      const now = { owners: present.size, requests: all };
      before = windows > 1 ? now : most;
      most = now;
      startedMs = nowMs;
    }
    if (present.size > most.owners) most.owners = present.size;
    if (all > most.requests) most.requests = all;
  }

  function makeOwner(id: string): Owner & { requests: number } {
    const owner = {
      requests: 0,
      most: () => {
        look();
        const others = Math.max(most.owners, before.owners) - 1;
        const requests = Math.max(most.requests, before.requests) - owner.requests;
        return others === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(Math.max(requests, ENOUGH) / others));
      },
      leave: () => {
        all--;
        if (--owner.requests === 0) present.delete(id);
      },
    };
    present.set(id, owner);
    return owner;
  }

  return {
    requests: () => all,
    enter: (id) => {
      const owner = present.get(id) ?? makeOwner(id);
      owner.requests++;
      all++;
      look();
      return owner;
    },
  };
}

/** What one owner waits for, in the order of arrival, and how much of its own is being written. */
type Line<Item, Answer> = { readonly owner: Owner; waiting: Entry<Item, Answer>[]; running: number };

/** The items that wait for a batch: a line for each owner. */
export type Lines<Item, Answer> = {
  /** Items that wait. */
  size(): number;
  /** Items that may leave now. An owner keeps what is beyond its share. */
  ready(): number;
  join(entry: Entry<Item, Answer>): void;
  /** Puts items back in front of their lines. */
  takeBack(entries: readonly Entry<Item, Answer>[]): void;
  /**
   * Takes items for one batch: `share` of them, one of each owner in turn. Then it takes more of the same rows, up to `most`.
   * It passes by what `isBlocked` sets aside.
   */
  gather(isBlocked: (entry: Entry<Item, Answer>) => boolean, share: number, most: number): readonly Entry<Item, Answer>[];
  /** Counts items as being written, until `end`. */
  begin(batch: readonly Entry<Item, Answer>[]): void;
  end(batch: readonly Entry<Item, Answer>[]): void;
  /** Takes all items out. */
  clear(): readonly Entry<Item, Answer>[];
};

/** How far a batch looks along a line for more of the same rows, in batches. */
const LOOK_AHEAD = 4;

/** Opens the lines of one operation. */
export function openLines<Item, Answer>(): Lines<Item, Answer> {
  /** Those whose turn is longest ago come first. */
  const lines = new Map<Owner, Line<Item, Answer>>();
  let size = 0;

  function lineOf(owner: Owner): Line<Item, Answer> {
    let line = lines.get(owner);
    if (line === undefined) lines.set(owner, (line = { owner, waiting: [], running: 0 }));
    return line;
  }

  const roomOf = ({ owner, waiting, running }: Line<Item, Answer>): number => Math.min(waiting.length, owner.most() - running);

  /** The line's turn is over. One without items ends. */
  function step(line: Line<Item, Answer>): void {
    lines.delete(line.owner);
    if (line.waiting.length + line.running > 0) lines.set(line.owner, line);
  }

  return {
    size: () => size,
    ready: () => {
      let ready = 0;
      for (const line of lines.values()) ready += Math.max(0, roomOf(line));
      return ready;
    },
    join: (entry) => {
      lineOf(entry.owner).waiting.push(entry);
      size++;
    },
    takeBack: (entries) => {
      for (const [owner, own] of Map.groupBy(entries, (entry) => entry.owner)) {
        const line = lineOf(owner);
        line.waiting = own.concat(line.waiting);
      }
      size += entries.length;
    },
    gather: (isBlocked, share, most) => {
      const turns = [...lines.values()]
        .map((line) => ({ line, room: roomOf(line), seen: 0, before: line.waiting.length }))
        .filter(({ room }) => room > 0);
      const batch = fillBatch(turns, isBlocked, share, most);
      for (const { line, seen, before } of turns) {
        size -= before - line.waiting.length;
        if (seen > 0) step(line);
      }
      return batch;
    },
    begin: (batch) => {
      for (const { owner } of batch) lineOf(owner).running++;
    },
    end: (batch) => {
      for (const { owner } of batch) {
        const line = lineOf(owner);
        line.running--;
        if (line.running + line.waiting.length === 0) lines.delete(owner);
      }
    },
    clear: () => {
      const all = [...lines.values()].flatMap((line) => line.waiting.splice(0));
      size = 0;
      return all;
    },
  };
}

/** A line's part in a batch. `room`: how many more it may take. `seen`: how many of its items were looked at. */
type Turn<Item, Answer> = { readonly line: Line<Item, Answer>; room: number; seen: number };

/** Takes one item of each line in turn, until the batch has its share. Then it takes more of the same rows. */
function fillBatch<Item, Answer>(
  turns: readonly Turn<Item, Answer>[],
  isBlocked: (entry: Entry<Item, Answer>) => boolean,
  share: number,
  most: number,
): readonly Entry<Item, Answer>[] {
  const batch: Entry<Item, Answer>[] = [];
  /** The rows of the batch, once there are items that may have the same ones. */
  let rows: Set<string> | undefined;

  function add(turn: Turn<Item, Answer>, entry: Entry<Item, Answer>): void {
    batch.push(entry);
    turn.room--;
  }

  /** False: the line has nothing more for this batch. */
  function takeOne(turn: Turn<Item, Answer>): boolean {
    const { waiting } = turn.line;
    while (turn.room > 0 && turn.seen < waiting.length && batch.length < share) {
      const entry = waiting[turn.seen++] as Entry<Item, Answer>;
      if (isBlocked(entry)) continue;
      add(turn, entry);
      return true;
    }
    return false;
  }

  function takeSameRows(turn: Turn<Item, Answer>): void {
    const { line } = turn;
    const passed: Entry<Item, Answer>[] = [];
    const farthest = Math.min(line.waiting.length, LOOK_AHEAD * most);
    for (; turn.seen < farthest && turn.room > 0 && batch.length < most; turn.seen++) {
      const entry = line.waiting[turn.seen] as Entry<Item, Answer>;
      if (isBlocked(entry)) continue;
      const known = (rows ??= new Set(batch.flatMap(({ keys }) => keys)));
      if (!entry.keys.some((key) => known.has(key))) passed.push(entry);
      else {
        add(turn, entry);
        for (const key of entry.keys) known.add(key);
      }
    }
    const unseen = line.waiting.slice(turn.seen);
    line.waiting = passed.length === 0 ? unseen : passed.concat(unseen);
  }

  for (let going = turns; going.length > 0;) going = going.filter(takeOne);
  for (const turn of turns) if (turn.seen > 0) takeSameRows(turn);
  return batch;
}

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
