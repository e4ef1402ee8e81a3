/** Gives the current time. Code takes a clock as an argument, so that a test, a sandbox or a replay can set the time. */
export type Clock = { now(): Temporal.Instant };

/** The machine's clock, in milliseconds. PostgreSQL keeps microseconds: nanoseconds would not come back from it. */
export const systemClock: Clock = {
  now: () => {
    const milliseconds = Date.now();
    // All calls in one millisecond share an instant. Making one costs five times as much as reading the time.
    if (last?.milliseconds !== milliseconds) last = { milliseconds, instant: Temporal.Instant.fromEpochMilliseconds(milliseconds) };
    return last.instant;
  },
};
let last: { readonly milliseconds: number; readonly instant: Temporal.Instant } | undefined;
