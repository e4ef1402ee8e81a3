import { claimCheck, type ClaimCheck } from '../../kit/checks/claims.ts';
import type { Finding } from '../../kit/checks/finding.ts';
import { statement } from '../../kit/db.ts';

type OfReference = Finding & { readonly reference: string };
const REFERENCES = statement(
  'orders.verify_references_of_cell',
  `select reference, merchant_id as "merchantId", order_id as id, 'has a reference that its cell did not claim: ' || reference as problem
     from open_references where cell is null and reference > $1 order by reference limit $2`,
);
const CLAIMED_REFERENCES = statement(
  'orders.verify_claimed_references',
  `select k.place::int as place from unnest($1::text[]) with ordinality as k (reference, place)
     join open_references r on r.reference = k.reference and r.cell = $2`,
);

type OfTransaction = Finding & { readonly source: string; readonly transactionId: string };
const TRANSACTIONS = statement(
  'orders.verify_transactions_of_cell',
  `select source, transaction_id as "transactionId", merchant_id as "merchantId", order_id as id,
          'was paid by a transaction that its cell did not claim: ' || source || ' ' || transaction_id as problem
     from order_transactions where source not like 'method:%' and (source, transaction_id) > ($1, $2)
    order by source, transaction_id limit $3`,
);
const CLAIMED_TRANSACTIONS = statement(
  'orders.verify_claimed_transactions',
  `select k.place::int as place from unnest($1::text[], $2::text[]) with ordinality as k (source, transaction_id, place)
     join order_transactions t on t.source = k.source and t.transaction_id = k.transaction_id and t.cell = $3`,
);

/** What must be true between home and the other cells. */
export const orderClaimChecks: readonly ClaimCheck[] = [
  claimCheck<OfReference>({
    promise: 'every reference of another cell is claimed at home, and so no two cells have one',
    page: REFERENCES,
    keyOf: (row) => [row?.reference ?? ''],
    claimed: CLAIMED_REFERENCES,
  }),
  claimCheck<OfTransaction>({
    promise: 'every transaction that paid an order in another cell is claimed at home, and so no two cells have one',
    page: TRANSACTIONS,
    keyOf: (row) => [row?.source ?? '', row?.transactionId ?? ''],
    claimed: CLAIMED_TRANSACTIONS,
  }),
];
