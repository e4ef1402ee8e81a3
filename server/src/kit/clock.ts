/** The service's sense of time. Everything that asks for the time is given a clock, so that a test, a sandbox or a replay can set it. */
export type Clock = { now(): Temporal.Instant };

/** The machine's clock, in milliseconds: finer digits would not survive a round trip through PostgreSQL's microseconds. */
export const systemClock: Clock = { now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()) };
