import { Overloaded } from '../http.ts';

/** Runs work, where fewer than the most is under way. Throws: Overloaded. Then nothing was begun. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Opens a gate: a crowd in front of it costs nothing, and those behind it do not wait for each other. */
export function openGate(most: number): Gate {
  let inside = 0;
  return async (work) => {
    if (inside >= most) throw new Overloaded();
    inside++;
    try {
      return await work();
    } finally {
      inside--;
    }
  };
}
