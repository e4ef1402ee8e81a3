import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { showMerchant } from '../merchants/index.ts';
import type { FeeTerms, OperationKind } from './postings.ts';

export type SetFees = FeeTerms & { readonly merchantId: string; readonly kind: OperationKind; readonly currency: string };

export type SetFeesRefusal = 'merchant_unknown' | 'currency_not_allowed';

/** Terms as they were set; `until` null: in force. */
export type ListedFees = SetFees & { readonly since: Temporal.Instant; readonly until: Temporal.Instant | null };

const INSERT = statement(
  'ledger.set_fees',
  `insert into merchant_fees (merchant_id, operation_kind, currency, percent_ppm, fixed_minor, tax_ppm, set_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);
const LIST = statement(
  'ledger.list_fees',
  `select merchant_id as "merchantId", operation_kind as kind, currency, percent_ppm as "percentPpm", fixed_minor as "fixedMinor",
          tax_ppm as "taxPpm", set_at as since, lead(set_at) over (partition by operation_kind, currency order by fee_id) as until
     from merchant_fees where merchant_id = $1 order by operation_kind, currency, fee_id desc`,
);

/**
 * Sets what the service takes from a merchant for an operation, from now on: operations that were decided before keep their fee.
 * Shape: SetFees; percentages in millionths, 0 to 1,000,000, the fixed sum in minor units, zero or more.
 * Refuses: merchant_unknown, currency_not_allowed.
 * Effects: adds a row; earlier terms stay on record.
 */
export async function setFees(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchantId, kind, currency, percentPpm, fixedMinor, taxPpm }: SetFees,
): Promise<Refusal<SetFeesRefusal> | undefined> {
  const now = clock.now();
  const merchant = await showMerchant({ db }, merchantId, now);
  if (merchant === undefined) return refuse('merchant_unknown');
  if (!merchant.currencies.includes(currency)) return refuse('currency_not_allowed');
  await db.query(INSERT, [merchantId, kind, currency, percentPpm, fixedMinor, taxPpm, now]);
  return undefined;
}

/** Lists all terms that a merchant has had, those in force first of each kind and currency. */
export function listFees({ db }: { readonly db: Db }, merchantId: string): Promise<readonly ListedFees[]> {
  return db.query<ListedFees>(LIST, [merchantId]);
}
