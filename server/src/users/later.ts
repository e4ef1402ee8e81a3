import { setTimeout as delay } from 'node:timers/promises';
import { Overloaded } from '../kit/http.ts';
import type { Log } from '../kit/log.ts';

export type Later = {
  /** Does work later. Throws: Overloaded where too much waits. */
  readonly add: (work: () => Promise<void>) => void;
  /** Does at once what waits, until something fails, and resolves when it is done. */
  close(): Promise<void>;
};

type LaterOptions = {
  readonly log: Log;
  /** Shape: → a number in [0, 1). */
  readonly chance: () => number;
  readonly mostWaiting: number;
  readonly withinMs: number;
};

/**
 * Does work at a random moment after the answer, one at a time. Work that begins with the answer delays the requests that follow it.
 * So who measures them would learn what there was to do.
 */
export function openLater({ log, chance, mostWaiting, withinMs }: LaterOptions): Later {
  const waiting = new Set<Promise<void>>();
  const closing = new AbortController();
  let last = Promise.resolve();
  let isOver = false;
  const attempt = (work: () => Promise<void>): Promise<void> =>
    (isOver ? Promise.resolve() : work()).catch((error: unknown) => {
      log.warn({ error }, 'a mail to a user could not be written');
      // The database may be away. A server that ends does not wait for it again and again.
      isOver = closing.signal.aborted;
    });
  return {
    add: (work) => {
      if (waiting.size >= mostWaiting) throw new Overloaded();
      const ended = delay(chance() * withinMs, undefined, { signal: closing.signal })
        .catch(() => undefined)
        .then(() => (last = last.then(() => attempt(work))))
        .finally(() => waiting.delete(ended));
      waiting.add(ended);
    },
    close: async () => {
      closing.abort();
      await Promise.all(waiting);
    },
  };
}
