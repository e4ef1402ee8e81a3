import { statement, type Tx } from '../kit/db.ts';
import { NO_FEE, type FeeTerms, type OperationKind } from './postings.ts';

export type FeeKey = { readonly merchantId: string; readonly kind: OperationKind; readonly currency: string };

/** The terms in force of those that were asked for; NO_FEE where there are none. */
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
 * Shape: keys in any order, repeated or not → Fees, to be given to feeOf.
 */
export async function readFees(tx: Pick<Tx, 'query'>, keys: readonly FeeKey[]): Promise<Fees> {
  const wanted = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
  const rows = await tx.query<FeeKey & FeeTerms>(IN_FORCE, [
    wanted.map(({ merchantId }) => merchantId),
    wanted.map(({ kind }) => kind),
    wanted.map(({ currency }) => currency),
  ]);
  const terms = new Map(rows.map((row) => [nameOf(row), row]));
  return { of: (key) => terms.get(nameOf(key)) ?? NO_FEE };
}

const nameOf = ({ merchantId, kind, currency }: FeeKey): string => `${merchantId}/${kind}/${currency}`;
