import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../kit/clock.ts';
import { checksumMatches } from '../kit/checksum.ts';
import type { Db } from '../kit/db.ts';
import { listen } from '../kit/listen.ts';
import type { Log } from '../kit/log.ts';
import { HOME, requireWhole, type PerCell } from '../kit/per-cell.ts';
import { randomSecret, type MasterKeys } from '../kit/secrets.ts';
import { validSecrets, type Merchant } from './merchant.ts';
import { MERCHANT_CHANGED, readStoredMerchant, readMerchantPage } from './merchant-rows.ts';

type Found = Merchant | undefined;

export type MerchantDirectory = {
  /** The merchant of an id, disabled ones included, or undefined. */
  find(merchantId: string): Promise<Found>;
  /**
   * The merchant, if it exists, is enabled, and the checksum over these values proves its fixed hash; undefined otherwise.
   * An unknown id, a disabled merchant and a wrong checksum cost the same work. So no caller can test which merchants exist.
   * Returns at once when the merchant is in memory, which is nearly always.
   * Source: contract §2.2.
   */
  authenticate(merchantId: string, sentChecksum: string, ...candidates: readonly (readonly string[])[]): Found | Promise<Found>;
  close(): Promise<void>;
};

/** The merchants of one cell. */
export type CellDirectory = {
  /** The merchant of an id, at once where it is in memory, which is nearly always. */
  look(merchantId: string): Found | Promise<Found>;
  close(): Promise<void>;
};

export type CellDirectoryOptions = {
  /** The number of the cell whose merchants these are. Absent: home. */
  readonly cell?: number | undefined;
  readonly db: Db;
  readonly url: string;
  readonly keys: MasterKeys;
  readonly log: Log;
};

/** Compared in place of a missing hash. It is random, so it never matches. A merchant has two hashes at most. */
const NO_HASH = randomSecret();
const NO_HASHES: Merchant['fixedHashes'] = [{ secret: NO_HASH, expiresAt: null }];

/** A reported change of a merchant, until the merchant has been read again. */
type Change = { reading?: Promise<Merchant | undefined> };

/** All merchants. An id that is missing from a complete memory does not exist, so made-up ids cost the database nothing. */
type Memory = { readonly merchants: Map<string, Merchant>; readonly changes: Map<string, Change>; isComplete: boolean };

/**
 * Opens the directory of a cell: all its merchants in memory. NOTIFY reports every change.
 * A cache that is filled on demand would answer known merchants faster than unknown ones. That would show which exist.
 * Memory grows by half a KB for each merchant. Only the operator adds merchants, so callers cannot make it grow.
 * While a notification may be missing, every request reads the database. That is while the listening connection is down, and
 * until all merchants are loaded.
 */
export async function openCellDirectory({ cell = HOME, db, url, keys, log }: CellDirectoryOptions): Promise<CellDirectory> {
  let memory: Memory | undefined;

  const listener = await listen({
    url,
    channel: MERCHANT_CHANGED,
    log,
    // A new Change each time. A read under way may have missed this one, and sees that another Change is in its place.
    onMessage: (merchantId) => void memory?.changes.set(merchantId, {}),
    onGap: () => void (memory = undefined),
  });

  const read = (merchantId: string): Promise<Found> => readStoredMerchant(db, keys, merchantId, cell);

  /** Changes that are reported meanwhile are noted in the same memory. So a page that was read before them does not count. */
  async function load(): Promise<void> {
    const loading: Memory = { merchants: new Map(), changes: new Map(), isComplete: false };
    memory = loading;
    try {
      let after = '';
      for (;;) {
        const page = await readMerchantPage(db, keys, after, cell);
        for (const { merchantId, merchant } of page) {
          if (!(merchant instanceof Error)) loading.merchants.set(merchantId, merchant);
          else {
            log.error({ error: merchant, merchantId }, 'a merchant cannot be read');
            loading.changes.set(merchantId, {});
          }
        }
        const last = page.at(-1);
        if (last === undefined || memory !== loading) break;
        after = last.merchantId;
      }
      loading.isComplete = true;
    } catch (error) {
      log.warn({ error }, 'the merchants could not be loaded; each request reads its own');
      if (memory === loading) memory = undefined;
    }
  }

  function look(merchantId: string): Found | Promise<Found> {
    if (!listener.isConnected()) return read(merchantId);
    if (memory === undefined) void load();
    if (memory?.isComplete !== true) return read(merchantId);
    const change = memory.changes.get(merchantId);
    if (change === undefined) return memory.merchants.get(merchantId);
    return (change.reading ??= readChange(memory, merchantId, change, () => read(merchantId)));
  }

  if (listener.isConnected()) await load();
  return { look, close: () => listener.close() };
}

const openProve =
  (clock: Clock) =>
  (merchant: Found, sentChecksum: string, candidates: readonly (readonly string[])[]): Found => {
    const usable = merchant !== undefined && !merchant.isDisabled;
    const [newest = NO_HASH, older = NO_HASH] = validSecrets(usable ? merchant.fixedHashes : NO_HASHES, clock.now());
    let matches = false;
    for (const values of candidates) if (checksumMatches(sentChecksum, values, [newest, older])) matches = true;
    return usable && matches ? merchant : undefined;
  };

/**
 * Makes one directory of those of all cells. Every cell is asked, whichever has the merchant, so that the time says nothing of it. Where a
 * cell cannot be asked, or is not served here, nobody is unknown, and no checksum is wrong: both are answered as what cannot be known.
 * Throws (from its methods): Unavailable in that case.
 */
export function joinDirectories(cells: PerCell<CellDirectory>, clock: Clock): MerchantDirectory {
  /** `others`: the answers that are not there yet. They throw where one cannot be had. */
  const ask = (merchantId: string): { readonly known: Found; readonly others: (() => Promise<Found>) | undefined } => {
    let known: Found;
    const waiting: Promise<Found>[] = [];
    for (const [, directory] of cells.all) {
      const found = directory.look(merchantId);
      if (found instanceof Promise) waiting.push(found);
      else known ??= found;
    }
    if (waiting.length === 0 && cells.isWhole()) return { known, others: undefined };
    const answers = Promise.allSettled(waiting);
    return { known, others: () => answers.then(firstFound).then((found) => found ?? orElsewhere()) };
  };
  const orElsewhere = (): undefined => {
    requireWhole(cells);
    return undefined;
  };
  const look = (merchantId: string): Found | Promise<Found> => {
    const { known, others } = ask(merchantId);
    return known ?? others?.();
  };
  const prove = openProve(clock);
  return {
    find: async (merchantId) => look(merchantId),
    authenticate: (merchantId, sentChecksum, ...candidates) => {
      const { known, others } = ask(merchantId);
      if (known === undefined && others !== undefined) return others().then((found) => prove(found, sentChecksum, candidates));
      const proved = prove(known, sentChecksum, candidates);
      return proved === undefined && others !== undefined ? others().then(() => undefined) : proved;
    },
    close: async () => {
      for (const [, directory] of cells.all) await directory.close();
    },
  };
}

function firstFound(answers: readonly PromiseSettledResult<Found>[]): Found {
  let fault: PromiseRejectedResult | undefined;
  for (const one of answers) {
    if (one.status === 'rejected') fault = one;
    else if (one.value !== undefined) return one.value;
  }
  if (fault !== undefined) throw fault.reason;
  return undefined;
}

/** Waits for a merchant or a network that exists: its directory learns of a creation a moment after the commit. */
export async function untilKnown<Known>(directory: { find(id: string): Promise<Known | undefined> }, id: string): Promise<Known> {
  for (;;) {
    const known = await directory.find(id);
    if (known !== undefined) return known;
    await delay(1);
  }
}

/** Reads a merchant that has changed, once for all requests that wait. It is kept unless another change was reported meanwhile. */
async function readChange(
  { merchants, changes }: Memory,
  merchantId: string,
  change: Change,
  read: () => Promise<Merchant | undefined>,
): Promise<Merchant | undefined> {
  try {
    const merchant = await read();
    if (changes.get(merchantId) === change) {
      changes.delete(merchantId);
      if (merchant === undefined) merchants.delete(merchantId);
      else merchants.set(merchantId, merchant);
    }
    return merchant;
  } catch (error) {
    delete change.reading; // The next request tries again.
    throw error;
  }
}
