import { claimCheck, type ClaimCheck } from '../../kit/checks/claims.ts';
import type { Finding } from '../../kit/checks/finding.ts';
import { columnsOf, statement } from '../../kit/db.ts';
import { claimReferencesAgain, type ReferenceRules } from './reference-claims.ts';

type OfReference = Finding & { readonly reference: string; readonly isMade: boolean };
const REFERENCES = statement(
  'orders.verify_references_of_cell',
  `select reference, made as "isMade", merchant_id as "merchantId", order_id as id,
          'has a reference that its cell did not claim: ' || reference as problem
     from open_references where cell is null and reference > $1 order by reference limit $2`,
);
const OWNERS_OF_REFERENCES = statement(
  'orders.verify_owners_of_references',
  `select k.place::int as place, r.cell from unnest($1::text[]) with ordinality as k (reference, place)
     join open_references r on r.reference = k.reference`,
);

type OfTransaction = Finding & { readonly source: string; readonly transactionId: string };
const TRANSACTIONS = statement(
  'orders.verify_transactions_of_cell',
  `select source, transaction_id as "transactionId", merchant_id as "merchantId", order_id as id,
          'was paid by a transaction that its cell did not claim: ' || source || ' ' || transaction_id as problem
     from order_transactions where source not like 'method:%' and (source, transaction_id) > ($1, $2)
    order by source, transaction_id limit $3`,
);
const OWNERS_OF_TRANSACTIONS = statement(
  'orders.verify_owners_of_transactions',
  `select k.place::int as place, t.cell from unnest($1::text[], $2::text[]) with ordinality as k (source, transaction_id, place)
     join order_transactions t on t.source = k.source and t.transaction_id = k.transaction_id`,
);
const CLAIM_TRANSACTIONS = statement(
  'orders.claim_transactions_again',
  `insert into order_transactions (source, transaction_id, merchant_id, order_id, payment_number, cell)
   select source, transaction_id, '', '', 0, $3 from unnest($1::text[], $2::text[]) as k (source, transaction_id) order by source, transaction_id
       on conflict (source, transaction_id) do nothing`,
);

/** What must be true between home and the other cells. */
export const orderClaimChecks: readonly ClaimCheck<ReferenceRules>[] = [
  claimCheck<OfReference, ReferenceRules>({
    promise: 'every reference of another cell is claimed at home, and so no two cells have one',
    of: 'references',
    page: REFERENCES,
    keyOf: (row) => [row?.reference ?? ''],
    owners: OWNERS_OF_REFERENCES,
    claim: (dbs, cell, rows, rules) => claimReferencesAgain({ dbs, cell, ...rules }, rows),
  }),
  claimCheck<OfTransaction>({
    promise: 'every transaction that paid an order in another cell is claimed at home, and so no two cells have one',
    of: 'transactions that paid orders',
    page: TRANSACTIONS,
    keyOf: (row) => [row?.source ?? '', row?.transactionId ?? ''],
    owners: OWNERS_OF_TRANSACTIONS,
    claim: ({ home }, cell, rows) => home.query(CLAIM_TRANSACTIONS, [...columnsOf(rows, 'source', 'transactionId'), cell]),
  }),
];
