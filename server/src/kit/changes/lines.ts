import type { Entry } from './batch-entry.ts';
import type { Owner } from './owners.ts';

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
