/** The service's sense of time. Everything that asks for the time is given a clock, so that a test, a sandbox or a replay can set it. */
export type Clock = { now(): Temporal.Instant };

/** The machine's clock, in milliseconds: finer digits would not survive a round trip through PostgreSQL's microseconds. */
export const systemClock: Clock = {
  now: () => {
    const milliseconds = Date.now();
    // Several requests of one millisecond share its instant: to make one costs five times as much as to ask for the time.
    if (last?.milliseconds !== milliseconds) last = { milliseconds, instant: Temporal.Instant.fromEpochMilliseconds(milliseconds) };
    return last.instant;
  },
};
let last: { readonly milliseconds: number; readonly instant: Temporal.Instant } | undefined;
