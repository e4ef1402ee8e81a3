import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import type { CashoutLimits } from '../cashout-decisions.ts';
import { LIMIT_COLUMNS, type LimitKey } from './limit-rows.ts';

const SET = statement(
  'cashouts.set_limits',
  `insert into cashout_limits (merchant_id, currency, least_minor, most_minor, per_document_and_day, set_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, currency) do update
     set least_minor = excluded.least_minor, most_minor = excluded.most_minor, per_document_and_day = excluded.per_document_and_day,
         set_at = excluded.set_at`,
);

const LIST = statement(
  'cashouts.list_limits',
  `select currency, ${LIMIT_COLUMNS} from cashout_limits where merchant_id = $1 order by currency`,
);

/**
 * Sets what a merchant's registrations in a currency are bound to from now on; what is registered already stays.
 * Shape: the bounds, in minor units; the least is not above the most.
 */
export async function setLimits(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchantId, currency }: LimitKey,
  { leastMinor, mostMinor, perDocumentAndDay }: CashoutLimits,
): Promise<void> {
  await db.query(SET, [merchantId, currency, leastMinor, mostMinor, perDocumentAndDay, clock.now()]);
}

/** Lists the limits of a merchant by currency. */
export function listLimits(
  { db }: { readonly db: Db },
  merchantId: string,
): Promise<readonly (CashoutLimits & { readonly currency: string })[]> {
  return db.query(LIST, [merchantId]);
}
