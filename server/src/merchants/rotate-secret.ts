import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import { decideRotation, type HeldGeneration, type RotationRefusal } from './merchant.ts';
import { INSERT_SECRET, merchantSecretPlace, randomSigningSecret, TELL_CHANGE } from './merchant-rows.ts';

/** The new hash is told once; null: no earlier hash is valid any more. */
export type RotatedHash = { readonly merchant: string; readonly fixedHash: string; readonly previousValidUntil: Temporal.Instant | null };

/** The new secret is told once; null: no earlier secret is valid any more. */
export type RotatedSigningSecret = {
  readonly merchant: string;
  readonly signingSecret: string;
  readonly previousValidUntil: Temporal.Instant | null;
};

type Rotate<Rotated> = (
  deps: { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock },
  merchantId: string,
  days: number,
) => Promise<Rotated | Refusal<'merchant_unknown' | RotationRefusal>>;

// Not `for update`: orders that are being written refer to this row, and need not wait.
const LOCK_MERCHANT = statement('merchants.lock', `select merchant_id from merchants where merchant_id = $1 for no key update`);
// In the order in which a rotation of the master key locks them.
const LOCK_SECRETS = statement(
  'merchants.lock_secrets',
  `select generation, expires_at as "expiresAt" from merchant_secrets
    where merchant_id = $1 and kind = $2 order by generation for update`,
);
const END_EARLIER = statement(
  'merchants.end_earlier_secrets',
  `update merchant_secrets set expires_at = least(expires_at, $3) where merchant_id = $1 and kind = $2`,
);
const DELETE_ENDED = statement(
  'merchants.delete_ended_secrets',
  `delete from merchant_secrets where merchant_id = $1 and kind = $2 and expires_at <= $3`,
);

/**
 * Gives a merchant a new fixed hash; the earlier one stays valid for some days, 0 ends it at once.
 * Shape: merchant, days 0–7 → RotatedHash.
 * Refuses: merchant_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0).
 * Effects: hashes that have ended are deleted; told to every running server at commit.
 * Source: contract §7.4.
 */
export const rotateHash: Rotate<RotatedHash> = async (deps, merchantId, days) => {
  const rotated = await rotate(deps, merchantId, 'fixed', randomSecret(), days);
  return isRefusal(rotated) ? rotated : { merchant: merchantId, fixedHash: rotated.secret, previousValidUntil: rotated.previousValidUntil };
};

/**
 * Gives a merchant a new secret to sign its requests with; the earlier one stays valid for some days, 0 ends it at once. A merchant
 * that had none has its first one then.
 * Shape: merchant, days 0–7 → RotatedSigningSecret.
 * Refuses: merchant_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0).
 * Effects: secrets that have ended are deleted; told to every running server at commit.
 * Source: contract §7.5.
 */
export const rotateSigningSecret: Rotate<RotatedSigningSecret> = async (deps, merchantId, days) => {
  const rotated = await rotate(deps, merchantId, 'signing', randomSigningSecret(), days);
  return isRefusal(rotated)
    ? rotated
    : { merchant: merchantId, signingSecret: rotated.secret, previousValidUntil: rotated.previousValidUntil };
};

function rotate(
  { db, keys, clock }: Parameters<Rotate<unknown>>[0],
  merchantId: string,
  kind: 'fixed' | 'signing',
  secret: string,
  days: number,
): ReturnType<Rotate<{ readonly secret: string; readonly previousValidUntil: Temporal.Instant | null }>> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    if ((await tx.query(LOCK_MERCHANT, [merchantId])).length === 0) return refuse('merchant_unknown');
    const held = await tx.query<HeldGeneration>(LOCK_SECRETS, [merchantId, kind]);
    const decision = decideRotation(held, now, days);
    if (isRefusal(decision)) return decision;

    const { generation, earlierEndAt } = decision;
    const { masterKeyId, sealed } = seal(keys, secret, merchantSecretPlace(merchantId, kind, generation));
    tx.send(END_EARLIER, [merchantId, kind, earlierEndAt]);
    tx.send(DELETE_ENDED, [merchantId, kind, now]);
    tx.send(INSERT_SECRET, [merchantId, kind, generation, masterKeyId, sealed, now]);
    tx.send(TELL_CHANGE, [merchantId]);
    return { secret, previousValidUntil: days === 0 || held.length === 0 ? null : earlierEndAt };
  });
}
