import type { Clock } from '../kit/clock.ts';
import { checksumMatches } from '../kit/checksum.ts';
import type { Db } from '../kit/db.ts';
import { listen, type Listener } from '../kit/listen.ts';
import type { Log } from '../kit/log.ts';
import { randomSecret, type MasterKeys } from '../kit/secrets.ts';
import { validFixedHashes, type Merchant } from './merchant.ts';
import { MERCHANT_CHANGED, readMerchant } from './merchant-rows.ts';

export type MerchantDirectory = {
  /** The merchant of that id, disabled ones included, or undefined. */
  find(merchantId: string): Promise<Merchant | undefined>;
  /**
   * The merchant, if it exists, is enabled, and its fixed hash signed these values; undefined otherwise.
   * Unknown, disabled and wrong cost the same work: nobody can test which merchants exist (contract §2.2).
   */
  authenticate(merchantId: string, sentChecksum: string, ...candidates: readonly (readonly string[])[]): Promise<Merchant | undefined>;
  close(): Promise<void>;
};

/** Merchants held in memory, and, apart from them, ids known to be nobody's: a flood of made-up ids must not push out the real ones. */
const MAX_KNOWN = 10_000;
const MAX_UNKNOWN = 10_000;

/** What the checksum of an unknown merchant is compared with: random, so that it never matches. */
const NOBODY: readonly string[] = [randomSecret()];

/**
 * Opens the directory of merchants: a bounded cache in front of the tables, told of every change by NOTIFY.
 * While the connection that hears changes is down nothing is served from memory, so a change is never missed.
 */
export async function openMerchantDirectory({
  db,
  url,
  keys,
  clock,
  log,
}: {
  readonly db: Db;
  readonly url: string;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<MerchantDirectory> {
  const known = new Map<string, Promise<Merchant | undefined>>();
  const unknown = new Map<string, Promise<Merchant | undefined>>();

  const listener: Listener = await listen({
    url,
    channel: MERCHANT_CHANGED,
    log,
    onMessage: (merchantId) => {
      known.delete(merchantId);
      unknown.delete(merchantId);
    },
    onGap: () => {
      known.clear();
      unknown.clear();
    },
  });

  function find(merchantId: string): Promise<Merchant | undefined> {
    const cached = known.get(merchantId) ?? unknown.get(merchantId);
    if (cached !== undefined) return cached;
    const reading = readMerchant(db, keys, merchantId);
    if (!listener.isConnected()) return reading;
    // Kept as a promise from the start: a change that is told while the read is under way removes it again.
    keep(known, MAX_KNOWN, merchantId, reading);
    reading.then(
      (merchant) => {
        if (merchant === undefined && known.get(merchantId) === reading) {
          known.delete(merchantId);
          keep(unknown, MAX_UNKNOWN, merchantId, reading);
        }
      },
      () => {
        if (known.get(merchantId) === reading) known.delete(merchantId);
      },
    );
    return reading;
  }

  return {
    find,
    authenticate: async (merchantId, sentChecksum, ...candidates) => {
      const merchant = await find(merchantId);
      const usable = merchant !== undefined && !merchant.isDisabled;
      const hashes = usable ? validFixedHashes(merchant, clock.now()) : NOBODY;
      let matches = false;
      for (const values of candidates) if (checksumMatches(sentChecksum, values, hashes)) matches = true;
      return usable && matches ? merchant : undefined;
    },
    close: () => listener.close(),
  };
}

function keep<V>(map: Map<string, V>, max: number, key: string, value: V): void {
  // A map remembers the order of insertion: the first key is the oldest.
  if (map.size >= max) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
