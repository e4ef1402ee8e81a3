/** The time in which answers are counted. */
const WINDOW_MS = 250;
/** Windows in a row whose fastest answer was late. A pause of the disk is over before. */
const LATE_WINDOWS = 2;
/** How long requests may wait for each other. 2,000 connections at twice the capacity leave no more. */
const WAIT_MS = 100;
/** So few requests are never too many: a slow machine carries them out within a second. */
const LEAST_RUNNING = 500;
/** So many are always too many. Late answers show only half a second later. */
const MOST_RUNNING = 4_000;
/** Windows after which the time without waiting is measured again. */
const BASE_WINDOWS = 240;

/** Measures how long requests wait for each other. Times are milliseconds of a monotonic clock. */
type LoadGauge = {
  /** True where one more request would wait too long. */
  isFull(nowMs: number): boolean;
  enter(): void;
  leave(sinceMs: number, nowMs: number): void;
};

/**
 * Opens a gauge for one kind of work.
 * Even the fastest answer is late where all requests wait for each other. One slow request, or a held row, delays only some.
 * Late is what takes longer than the fastest answers of the last minute, by WAIT_MS.
 * While answers are late, as many requests may run as were answered within that time.
 */
export function openLoadGauge(): LoadGauge {
  let running = 0;
  let answered = 0;
  let fastestMs = Number.POSITIVE_INFINITY;
  let startedMs = Number.NEGATIVE_INFINITY;
  let lateWindows = 0;
  let perMs = 0;
  let base = { ms: Number.POSITIVE_INFINITY, nextMs: Number.POSITIVE_INFINITY, windows: 0 };

  function closeWindow(nowMs: number): void {
    const isLate = running >= LEAST_RUNNING && fastestMs > base.ms + WAIT_MS;
    lateWindows = isLate ? lateWindows + 1 : 0;
    if (answered > 0) perMs = answered / (nowMs - startedMs);
    const nextMs = Math.min(base.nextMs, fastestMs);
    base =
      base.windows < BASE_WINDOWS
        ? { ms: Math.min(base.ms, fastestMs), nextMs, windows: base.windows + 1 }
        : { ms: nextMs, nextMs: fastestMs, windows: 0 };
    [answered, fastestMs, startedMs] = [0, Number.POSITIVE_INFINITY, nowMs];
  }

  return {
    isFull: (nowMs) => {
      if (nowMs - startedMs >= WINDOW_MS) closeWindow(nowMs);
      const most = lateWindows >= LATE_WINDOWS ? Math.max(LEAST_RUNNING, perMs * (base.ms + WAIT_MS)) : MOST_RUNNING;
      return running >= most;
    },
    enter: () => void running++,
    leave: (sinceMs, nowMs) => {
      running--;
      answered++;
      fastestMs = Math.min(fastestMs, nowMs - sinceMs);
    },
  };
}
