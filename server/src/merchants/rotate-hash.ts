import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import { decideHashRotation, type HeldHash, type RotateHashRefusal } from './merchant.ts';
import { INSERT_SECRET, merchantSecretPlace, TELL_CHANGE } from './merchant-rows.ts';

/** The new hash is told once; null: no earlier hash is valid any more. */
export type RotatedHash = { readonly merchant: string; readonly fixedHash: string; readonly previousValidUntil: Temporal.Instant | null };

// Not `for update`: orders that are being written refer to this row, and need not wait.
const LOCK_MERCHANT = statement('merchants.lock', `select merchant_id from merchants where merchant_id = $1 for no key update`);
// In the order in which a rotation of the master key locks them.
const LOCK_HASHES = statement(
  'merchants.lock_fixed_hashes',
  `select generation, expires_at as "expiresAt" from merchant_secrets
    where merchant_id = $1 and kind = 'fixed' order by generation for update`,
);
const END_EARLIER = statement(
  'merchants.end_earlier_hashes',
  `update merchant_secrets set expires_at = least(expires_at, $2) where merchant_id = $1 and kind = 'fixed'`,
);
const DELETE_ENDED = statement(
  'merchants.delete_ended_hashes',
  `delete from merchant_secrets where merchant_id = $1 and kind = 'fixed' and expires_at <= $2`,
);

/**
 * Gives a merchant a new fixed hash; the earlier one stays valid for some days, 0 ends it at once.
 * Shape: merchant, days 0–7 → RotatedHash.
 * Refuses: merchant_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0).
 * Effects: hashes that have ended are deleted; told to every running server at commit.
 * Source: contract §7.4.
 */
export async function rotateHash(
  { db, keys, clock }: { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock },
  merchantId: string,
  days: number,
): Promise<RotatedHash | Refusal<'merchant_unknown' | RotateHashRefusal>> {
  const fixedHash = randomSecret();
  const now = clock.now();
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    if ((await tx.query(LOCK_MERCHANT, [merchantId])).length === 0) return refuse('merchant_unknown');
    const decision = decideHashRotation(await tx.query<HeldHash>(LOCK_HASHES, [merchantId]), now, days);
    if (isRefusal(decision)) return decision;

    const { generation, earlierEndAt } = decision;
    const { masterKeyId, sealed } = seal(keys, fixedHash, merchantSecretPlace(merchantId, 'fixed', generation));
    tx.send(END_EARLIER, [merchantId, earlierEndAt]);
    tx.send(DELETE_ENDED, [merchantId, now]);
    tx.send(INSERT_SECRET, [merchantId, 'fixed', generation, masterKeyId, sealed, now]);
    tx.send(TELL_CHANGE, [merchantId]);
    return { merchant: merchantId, fixedHash, previousValidUntil: days === 0 ? null : earlierEndAt };
  });
}
