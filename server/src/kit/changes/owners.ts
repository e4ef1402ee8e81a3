/** Whose requests an operation carries out. */
export type Owner = {
  /** Items that this owner may have in the hands of the database at the same time, in one operation. */
  most(): number;
  /** Counts one answered request. */
  leave(): void;
};

/** All owners that have requests in the engine. `enter` counts one more request of an owner. */
export type Owners = { readonly enter: (id: string) => Owner };

/** Items. One owner keeps the database busy with so many, beside one other. */
const ENOUGH = 64;

/**
 * Opens the count of owners. An owner that is alone may write as much as it likes.
 * Beside others it may write as many items as each of them has requests, on average. Where they have few, it may write more.
 * So an owner that sends a hundred times as much as the others waits in its own line.
 */
export function openOwners(): Owners {
  const present = new Map<string, Owner & { requests: number }>();
  let all = 0;

  function makeOwner(id: string): Owner & { requests: number } {
    const owner = {
      requests: 0,
      most: () => {
        const others = present.size - 1;
        return others === 0 ? Number.POSITIVE_INFINITY : Math.ceil(Math.max(all - owner.requests, ENOUGH) / others);
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
    enter: (id) => {
      const owner = present.get(id) ?? makeOwner(id);
      owner.requests++;
      all++;
      return owner;
    },
  };
}
