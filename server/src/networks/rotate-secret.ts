import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import { decideRotation, type HeldGeneration, type RotationRefusal } from '../merchants/index.ts';
import { INSERT_SECRET, networkSecretPlace, TELL_CHANGE } from './network-rows.ts';

/** The new secret is told once; null: no earlier secret is valid any more. */
export type RotatedSecret = { readonly netname: string; readonly secret: string; readonly previousValidUntil: Temporal.Instant | null };

const LOCK_NETWORK = statement('networks.lock', `select network_id from networks where network_id = $1 for no key update`);
// In the order in which a rotation of the master key locks them.
const LOCK_SECRETS = statement(
  'networks.lock_secrets',
  `select generation, expires_at as "expiresAt" from network_secrets where network_id = $1 order by generation for update`,
);
const END_EARLIER = statement(
  'networks.end_earlier_secrets',
  `update network_secrets set expires_at = least(expires_at, $2) where network_id = $1`,
);
const DELETE_ENDED = statement('networks.delete_ended_secrets', `delete from network_secrets where network_id = $1 and expires_at <= $2`);

/**
 * Gives a network a new secret; the earlier one stays valid for some days, 0 ends it at once.
 * Shape: netname, days 0–7 → RotatedSecret.
 * Refuses: network_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0).
 * Effects: secrets that have ended are deleted; told to every running server at commit.
 * Source: contract §7.4, whose rule for merchants holds for networks too.
 */
export async function rotateSecret(
  { db, keys, clock }: { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock },
  netname: string,
  days: number,
): Promise<RotatedSecret | Refusal<'network_unknown' | RotationRefusal>> {
  const secret = randomSecret();
  const now = clock.now();
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    if ((await tx.query(LOCK_NETWORK, [netname])).length === 0) return refuse('network_unknown');
    const decision = decideRotation(await tx.query<HeldGeneration>(LOCK_SECRETS, [netname]), now, days);
    if (isRefusal(decision)) return decision;

    const { generation, earlierEndAt } = decision;
    const { masterKeyId, sealed } = seal(keys, secret, networkSecretPlace(netname, generation));
    tx.send(END_EARLIER, [netname, earlierEndAt]);
    tx.send(DELETE_ENDED, [netname, now]);
    tx.send(INSERT_SECRET, [netname, generation, masterKeyId, sealed, now]);
    tx.send(TELL_CHANGE, [netname]);
    return { netname, secret, previousValidUntil: days === 0 ? null : earlierEndAt };
  });
}
