import { Unavailable } from '../db.ts';

/** Units of work of one operation that run at the same time. Ten connections are shared by all operations. */
const AT_ONCE = 4;
/** Units of work that may wait. A caller that waits behind more of them has given up before its answer. */
const MOST_WAITING = 8192;

/**
 * Lets work of one operation run a few at a time, in the order of arrival. Callers of one operation never hold all connections.
 * Shape: returns a function that runs a unit of work in its turn.
 * Throws: Unavailable where too many wait; whatever the work throws.
 */
export function takeTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < AT_ONCE) running++;
    else if (waiting.length >= MOST_WAITING) throw new Unavailable('too many requests wait for their turn');
    // The one before gives its place away: `running` stays as it is.
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
