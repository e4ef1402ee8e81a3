import { statement } from '../kit/db.ts';
import { firstFinding, type Check } from '../kit/checks/finding.ts';
import type { SubjectKind } from './postings.ts';

/** In SQL, as feeOf does it: rounded half up. */
const partOf = (amount: string, ppm: string): string => `div(${amount}::numeric * ${ppm} + 500000, 1000000)`;

/**
 * Makes a check that every fee and its tax follow from terms that the merchant has had: no sum of both hides a share that was moved.
 * It does not ask when: clocks differ, and terms are never deleted.
 * `charged`: SQL of rows of merchant_id, id, currency, amount_minor, fee_minor and tax_minor.
 */
export function checkFees(name: string, kind: SubjectKind, charged: string): Check['run'] {
  const query = statement(
    name,
    `select merchant_id as "merchantId", id, 'has a fee and a tax that no terms of its merchant explain: ' || fee_minor || ' and ' || tax_minor as problem
       from (${charged}) as charged
      where not exists (
        select from (
          select percent_ppm, fixed_minor, tax_ppm from merchant_fees t
           where t.merchant_id = charged.merchant_id and t.operation_kind = $1 and t.currency = charged.currency
          union all select 0, 0, 0) as terms
         cross join lateral (select ${partOf('charged.amount_minor', 'terms.percent_ppm')} + terms.fixed_minor as minor) as fee
         where fee.minor = charged.fee_minor and ${partOf('fee.minor', 'terms.tax_ppm')} = charged.tax_minor)
      limit 1`,
  );
  return firstFinding(query, () => [kind]);
}
