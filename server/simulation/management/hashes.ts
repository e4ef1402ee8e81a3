import { merchantOf, type Merchants } from '../model/model.ts';

/** The fixed hashes with which merchants prove themselves. */
export type Hashes = {
  newest(merchantId: string): string;
  /** The instant until which the one before the newest is valid. */
  earlierUntil(merchantId: string): number;
  replace(merchantId: string, hash: string, earlierUntil: number, keepsEarlier: boolean): void;
  /** Merchants that still use the earlier one take the newest, once the earlier one ends. */
  settle(now: number): void;
};

/** `used`: what merchants sign with. */
export function openHashes(merchants: Merchants, used: Map<string, string>): Hashes {
  const newest = new Map(used);
  const untils = new Map<string, number>();
  const use = (merchantId: string, hash = ''): void => {
    if (used.get(merchantId) === hash) return;
    used.set(merchantId, hash);
    merchantOf(merchants, merchantId).signsWith++;
  };
  return {
    newest: (merchantId) => newest.get(merchantId) ?? '',
    earlierUntil: (merchantId) => untils.get(merchantId) ?? -Infinity,
    replace: (merchantId, hash, earlierUntil, keepsEarlier) => {
      // The one before the earlier one ends.
      use(merchantId, keepsEarlier ? newest.get(merchantId) : hash);
      newest.set(merchantId, hash);
      untils.set(merchantId, earlierUntil);
    },
    settle: (now) => {
      for (const [merchantId, until] of untils) if (now >= until) use(merchantId, newest.get(merchantId));
    },
  };
}
