import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * For whom code works. Each lane has connections of its own, so none waits for what is slow in another.
 * `requests`: merchants, networks and payers. Their writes and their reads are apart again.
 * `views`: what people and programs read by the management API.
 * `jobs`: what is due by the clock.
 */
export type Lane = 'requests' | 'views' | 'jobs';

const lanes = new AsyncLocalStorage<Lane>();

/** Runs work in a lane, with all that it waits for. */
export const inLane = <T>(lane: Lane, work: () => T): T => lanes.run(lane, work);

export const currentLane = (): Lane => lanes.getStore() ?? 'requests';

/** Connections of the lanes beside those of requests. */
export const VIEWS = 3;
export const JOBS = 3;
/** Reads of requests: one pipeline for each is enough for all that come together. */
const MOST_READS = 4;

/** Connections of each kind at most, where requests have so many. Where they have one, each kind has one. */
export function shareOut(connections: number): Readonly<Record<'writes' | 'reads' | 'views' | 'jobs', number>> {
  const reads = Math.min(MOST_READS, Math.max(1, Math.floor(connections / 2)));
  return {
    writes: Math.max(1, connections - reads),
    reads,
    views: Math.min(VIEWS, connections),
    jobs: Math.min(JOBS, connections),
  };
}
