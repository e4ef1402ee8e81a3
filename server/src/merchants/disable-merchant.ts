import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { TELL_CHANGE } from './merchant-rows.ts';

const DISABLE = statement(
  'merchants.disable',
  `update merchants set disabled_at = coalesce(disabled_at, $2) where merchant_id = $1 returning merchant_id`,
);
const ENABLE = statement('merchants.enable', `update merchants set disabled_at = null where merchant_id = $1 returning merchant_id`);

/**
 * Disables a merchant: from then on it is answered like one that does not exist. Its orders and cashouts stay.
 * Shape: → undefined; a merchant that is disabled already keeps the time of the first.
 * Refuses: merchant_unknown.
 * Effects: told to every running server at commit.
 * Source: contract §2.2.
 */
export async function disableMerchant(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  merchantId: string,
): Promise<undefined | Refusal<'merchant_unknown'>> {
  return change(db, DISABLE, merchantId, clock.now());
}

/**
 * Enables a merchant again, with the secrets that it had.
 * Refuses: merchant_unknown.
 * Effects: told to every running server at commit.
 */
export async function enableMerchant({ db }: { readonly db: Db }, merchantId: string): Promise<undefined | Refusal<'merchant_unknown'>> {
  return change(db, ENABLE, merchantId);
}

function change(
  db: Db,
  update: Statement,
  merchantId: string,
  ...values: Temporal.Instant[]
): Promise<undefined | Refusal<'merchant_unknown'>> {
  return db.transaction(async (tx) => {
    const changed = await tx.query(update, [merchantId, ...values]);
    if (changed.length === 0) return refuse('merchant_unknown');
    tx.send(TELL_CHANGE, [merchantId]);
    return undefined;
  });
}
