/** What waits, in a line for each owner. */
export type Turns<Item> = {
  join(owner: string, item: Item): void;
  /** Takes so many at most: one of each owner in turn, the owner whose turn is longest ago first. Those of one owner keep their order. */
  take(most: number): Item[];
  count(): number;
};

/** Opens the lines. An owner with many items waits for itself: whoever has one is served within a round. */
export function openTurns<Item>(): Turns<Item> {
  const lines = new Map<string, Item[]>();
  let count = 0;

  function takeOne(): Item | undefined {
    for (const [owner, line] of lines) {
      const item = line.shift();
      lines.delete(owner);
      if (line.length > 0) lines.set(owner, line);
      count--;
      return item;
    }
    return undefined;
  }

  return {
    join: (owner, item) => {
      const line = lines.get(owner);
      if (line === undefined) lines.set(owner, [item]);
      else line.push(item);
      count++;
    },
    take: (most) => Array.from({ length: Math.min(most, count) }, () => takeOne() as Item),
    count: () => count,
  };
}
