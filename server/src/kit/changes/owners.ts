/** Whose requests an operation carries out. */
export type Owner = {
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
