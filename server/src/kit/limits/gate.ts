import { Overloaded } from '../http.ts';

/** Runs work of an owner, where fewer than the most is under way, in all and of him. Throws: Overloaded. Then nothing was begun. */
export type Gate = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/** Opens a gate: a crowd in front of it costs nothing, those behind it do not wait for each other, and no owner takes all of it. */
export function openGate({ most, ofOwner }: { readonly most: number; readonly ofOwner: number }): Gate {
  const inside = new Map<string, number>();
  let all = 0;
  return async (owner, work) => {
    const own = inside.get(owner) ?? 0;
    if (all >= most || own >= ofOwner) throw new Overloaded();
    all++;
    inside.set(owner, own + 1);
    try {
      return await work();
    } finally {
      all--;
      const left = (inside.get(owner) ?? 0) - 1;
      if (left > 0) inside.set(owner, left);
      else inside.delete(owner);
    }
  };
}
