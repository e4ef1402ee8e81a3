/** Seeded random numbers. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  /** A whole number, 0 to `end` - 1. */
  below(end: number): number;
  /** True with probability `share`. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks a value with probability proportional to its weight. A weight of zero or less: never. */
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T;
  shuffle<T>(list: readonly T[]): T[];
};

/**
 * Makes a generator from seeds: the same seeds give the same numbers.
 * Each round has its own generator, so that draws of one round never shift those of the next.
 * Source: sfc32 of PractRand, by Chris Doty-Humphrey.
 */
export function randomOf(...seeds: readonly number[]): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (const seed of seeds) {
    a ^= seed | 0;
    b ^= Math.floor(seed / 2 ** 32) | 0;
    for (let count = 0; count < 12; count++) next();
  }
  const below = (end: number): number => Math.floor(next() * end);
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('there is nothing to pick from');
    return list[below(list.length)] as T;
  };
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick,
    weighted: (choices) => {
      const possible = choices.filter(([weight]) => weight > 0);
      let left = next() * possible.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of possible) if ((left -= weight) < 0) return value;
      return pick(possible)[1];
    },
    shuffle: (list) => {
      const all = [...list];
      for (let last = all.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [all[last], all[other]] = [all[other] as (typeof all)[number], all[last] as (typeof all)[number]];
      }
      return all;
    },
  };
}
