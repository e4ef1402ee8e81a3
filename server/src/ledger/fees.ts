import type { Clock } from '../kit/clock.ts';
import { columnsOf, statement, type Db, type Tx } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { showMerchant } from '../merchants/index.ts';
import { NO_FEE, type FeeTerms, type SubjectKind } from './postings.ts';

type FeeKey = { readonly merchantId: string; readonly kind: SubjectKind; readonly currency: string };

/** The terms in force of the keys that were read. NO_FEE: there are none. */
export type Fees = { of(key: FeeKey): FeeTerms };

const IN_FORCE = statement(
  'ledger.fees_in_force',
  `select wanted.merchant_id as "merchantId", wanted.operation_kind as kind, wanted.currency,
          newest.percent_ppm as "percentPpm", newest.fixed_minor as "fixedMinor", newest.tax_ppm as "taxPpm"
     from unnest($1::text[], $2::text[], $3::text[]) as wanted (merchant_id, operation_kind, currency)
    cross join lateral (
       select percent_ppm, fixed_minor, tax_ppm from merchant_fees as fee
        where fee.merchant_id = wanted.merchant_id and fee.operation_kind = wanted.operation_kind and fee.currency = wanted.currency
        order by fee_id desc limit 1) as newest`,
);

/**
 * Reads the fees that are in force.
 * Shape: keys in any order, repeated or not → Fees, whose terms feeOf takes.
 */
export async function readFees(tx: Pick<Tx, 'query'>, keys: readonly FeeKey[]): Promise<Fees> {
  const wanted = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  const rows = await tx.query<FeeKey & FeeTerms>(IN_FORCE, columnsOf(wanted, 'merchantId', 'kind', 'currency'));
  const terms = new Map(rows.map((row) => [textOf(row), row]));
  return { of: (key) => terms.get(textOf(key)) ?? NO_FEE };
}

const textOf = ({ merchantId, kind, currency }: FeeKey): string => `${merchantId}/${kind}/${currency}`;

type SetFees = FeeKey & FeeTerms;

export type SetFeesRefusal = 'merchant_unknown' | 'currency_not_allowed';

const INSERT = statement(
  'ledger.set_fees',
  `insert into merchant_fees (merchant_id, operation_kind, currency, percent_ppm, fixed_minor, tax_ppm, set_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

/**
 * Sets what the service takes from a merchant from now on. What was decided before keeps its fee.
 * Shape: SetFees; percentages in millionths, 0 to 1,000,000; the fixed sum in minor units, zero or more.
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

/** Terms as they were set. `until` null: in force. */
type ListedFees = SetFees & { readonly since: Temporal.Instant; readonly until: Temporal.Instant | null };

const LIST = statement(
  'ledger.list_fees',
  `select merchant_id as "merchantId", operation_kind as kind, currency, percent_ppm as "percentPpm", fixed_minor as "fixedMinor",
          tax_ppm as "taxPpm", set_at as since, lead(set_at) over (partition by operation_kind, currency order by fee_id) as until
     from merchant_fees where merchant_id = $1 order by operation_kind, currency, fee_id desc`,
);

/** Lists all terms that a merchant has had. Those in force are the first of their kind and currency. */
export function listFees({ db }: { readonly db: Db }, merchantId: string): Promise<readonly ListedFees[]> {
  return db.query<ListedFees>(LIST, [merchantId]);
}
