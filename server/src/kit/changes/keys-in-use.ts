/** The names of the rows that batches of this process are changing. Two batches with the same row would only wait for each other. */
export type KeysInUse = {
  has(key: string): boolean;
  take(keys: Iterable<string>): void;
  /** Frees keys, and calls every listener. */
  release(keys: readonly string[]): void;
  /** Calls `listener` whenever keys are free again. */
  listen(listener: (keys: readonly string[]) => void): void;
};

export function openKeysInUse(): KeysInUse {
  const used = new Set<string>();
  const listeners: ((keys: readonly string[]) => void)[] = [];
  return {
    has: (key) => used.has(key),
    take: (keys) => {
      for (const key of keys) used.add(key);
    },
    release: (keys) => {
      for (const key of keys) used.delete(key);
      for (const listener of listeners) listener(keys);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
