import { networkOfAddress } from '../../kit/limits/network-of-address.ts';
import type { Log } from '../../kit/log.ts';

/** What a guessing, flooding or broken client shows itself by. */
export const REASONS = [
  'wrong_checksum',
  'wrong_signature',
  'wrong_password',
  'wrong_reference',
  'wrong_checkout_token',
  'limit',
  'overload',
] as const;
export type Reason = (typeof REASONS)[number];

/** Who sent a request, as far as is known: a claimed caller may not exist. */
export type Claimed = { readonly kind: 'merchant' | 'network'; readonly id: string } | undefined;

/** Counts a request that was refused for a reason. */
export type Tally = (reason: Reason, claimed: Claimed, address: string) => void;

type TallyOptions = {
  readonly log: Log;
  /** Called for each request, for metrics. */
  readonly onRefused: (reason: Reason) => void;
  /** Says whether there is such a caller. The log shows no id that a stranger made up. */
  readonly exists: (kind: 'merchant' | 'network', id: string) => Promise<boolean>;
  readonly sumMs?: number;
};

const SUM_MS = 60_000;
/** Strangers cannot make memory grow: what is beyond is counted without its sender. */
const MOST_SENDERS = 100;
const MOST_ADDRESSES = 1_000;

type Sum = { readonly reason: Reason; readonly claimed: Claimed; times: number; readonly addresses: Set<string> };

/** Opens the tally of one process. A minute after the first request the log gets one line for each reason and caller. */
export function openTally({ log, onRefused, exists, sumMs = SUM_MS }: TallyOptions): Tally {
  let sums = new Map<string, Sum>();

  async function write(): Promise<void> {
    const written = [...sums.values()];
    sums = new Map();
    const named = await Promise.all(written.map(async (sum) => ({ ...sum, caller: await nameOf(sum.claimed) })));
    for (const same of Map.groupBy(named, ({ reason, caller }) => `${reason} ${caller}`).values()) {
      const [{ reason, caller }] = same as [(typeof named)[number]];
      const times = same.reduce((sum, one) => sum + one.times, 0);
      const addresses = new Set(same.flatMap((one) => [...one.addresses])).size;
      log.warn({ reason, caller, times, addresses }, `refused ${times} requests in the last minute: ${reason.replaceAll('_', ' ')}`);
    }
  }

  async function nameOf(claimed: Claimed): Promise<string> {
    if (claimed === undefined) return 'not known';
    const isThere = await exists(claimed.kind, claimed.id).catch(() => false);
    return isThere ? `${claimed.kind} ${claimed.id}` : 'not known';
  }

  return (reason, claimed, address) => {
    onRefused(reason);
    if (sums.size === 0) setTimeout(() => void write(), sumMs).unref();
    const sender = sums.size < MOST_SENDERS ? claimed : undefined;
    const key = `${reason} ${sender?.kind} ${sender?.id}`;
    let sum = sums.get(key);
    if (sum === undefined) sums.set(key, (sum = { reason, claimed: sender, times: 0, addresses: new Set() }));
    sum.times++;
    if (sum.addresses.size < MOST_ADDRESSES) sum.addresses.add(networkOfAddress(address));
  };
}
