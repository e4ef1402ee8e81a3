import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { showMerchant } from '../../merchants/index.ts';
import type { CashoutLimits } from '../cashout-decisions.ts';
import { LIMIT_COLUMNS, NO_LIMITS, type LimitKey } from './limit-rows.ts';

const SET = statement(
  'cashouts.set_limits',
  `insert into cashout_limits (merchant_id, currency, least_minor, most_minor, per_document_and_day, set_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, currency) do update
     set least_minor = excluded.least_minor, most_minor = excluded.most_minor, per_document_and_day = excluded.per_document_and_day,
         set_at = excluded.set_at`,
);

const LOCK = statement(
  'cashouts.lock_limits',
  `select ${LIMIT_COLUMNS} from cashout_limits where merchant_id = $1 and currency = $2 for update`,
);

const LIST = statement(
  'cashouts.list_limits',
  `select currency, ${LIMIT_COLUMNS} from cashout_limits where merchant_id = $1 order by currency`,
);

/** Bounds in minor units. What is undefined stays, null takes a bound away. */
export type LimitChange = { readonly [Bound in keyof CashoutLimits]: CashoutLimits[Bound] | undefined };

/**
 * Sets what a merchant's registrations in a currency are bound to from now on; what is registered already stays.
 * Refuses: an unknown merchant, a currency that is not the merchant's, a least above the most.
 */
export async function changeLimits(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchantId, currency }: LimitKey,
  change: LimitChange,
): Promise<undefined | Refusal<'merchant_unknown' | 'currency_not_allowed' | 'least_above_most'>> {
  const now = clock.now();
  const merchant = await showMerchant({ db }, merchantId, now);
  if (merchant === undefined) return refuse('merchant_unknown');
  if (!merchant.currencies.includes(currency)) return refuse('currency_not_allowed');
  const refused = await db.transaction(async (tx) => {
    const before = (await tx.query<CashoutLimits>(LOCK, [merchantId, currency]))[0] ?? NO_LIMITS;
    const { leastMinor = before.leastMinor, mostMinor = before.mostMinor, perDocumentAndDay = before.perDocumentAndDay } = change;
    if (leastMinor !== null && mostMinor !== null && leastMinor > mostMinor) return refuse('least_above_most');
    tx.send(SET, [merchantId, currency, leastMinor, mostMinor, perDocumentAndDay, now]);
    return { isSet: true };
  });
  return isRefusal(refused) ? refused : undefined;
}

/** Lists the limits of a merchant by currency. */
export function listLimits(
  { db }: { readonly db: Pick<Db, 'query'> },
  merchantId: string,
): Promise<readonly (CashoutLimits & { readonly currency: string })[]> {
  return db.query(LIST, [merchantId]);
}
