import { openAddressLimit, type AddressLimit } from './address-limit.ts';
import { openCallerLimits, type CallerLimits } from './caller-limits.ts';
import type { Tally } from './tally.ts';

export type { Admitted } from './caller-limits.ts';

/** What keeps one sender from using up the service: limits for proved callers, and for requests that prove nobody. */
export type Limits = CallerLimits & { readonly countUnproved: AddressLimit };

export type LimitSettings = {
  /** Requests a second from one address that prove nobody. */
  readonly unprovedPerSecond: number;
  /** Processes of this machine, and machines like it on this database. Each process admits its share. */
  readonly processes: number;
  readonly servers: number;
};

/** Opens the limits of one process. */
export function openLimits({ unprovedPerSecond, processes, servers }: LimitSettings, tally: Tally): Limits {
  const all = processes * servers;
  return { ...openCallerLimits(all, tally), countUnproved: openAddressLimit(unprovedPerSecond, all, tally) };
}
