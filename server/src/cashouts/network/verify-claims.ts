import { claimCheck, type ClaimCheck } from '../../kit/checks/claims.ts';
import type { Finding } from '../../kit/checks/finding.ts';
import { columnsOf, statement } from '../../kit/db.ts';

type OfPayment = Finding & {
  readonly netname: string;
  readonly transactionId: string;
  readonly cashoutId: bigint;
  readonly paidAt: Temporal.Instant;
};
const PAYMENTS = statement(
  'cashouts.verify_payments_of_cell',
  `select network_id as netname, transaction_id as "transactionId", cashout_id as "cashoutId", paid_at as "paidAt",
          merchant_id as "merchantId", operation_id as id,
          'was paid by a transaction that its cell did not claim: ' || network_id || ' ' || transaction_id as problem
     from cashout_payments where (network_id, transaction_id) > ($1, $2) order by network_id, transaction_id limit $3`,
);
const OWNERS = statement(
  'cashouts.verify_owners_of_payments',
  `select k.place::int as place, p.cell from unnest($1::text[], $2::text[]) with ordinality as k (network_id, transaction_id, place)
     join cashout_payments p on p.network_id = k.network_id and p.transaction_id = k.transaction_id`,
);
/** As a claim before a payment. */
const CLAIM = statement(
  'cashouts.claim_transactions_again',
  `insert into cashout_payments (network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at, cell)
   select network_id, transaction_id, '', network_id || '/' || transaction_id, cashout_id, '', '', paid_at, $5
     from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) as k (network_id, transaction_id, cashout_id, paid_at)
    order by network_id, transaction_id
       on conflict (network_id, transaction_id) do nothing`,
);

/** What must be true between home and the other cells. */
export const cashoutClaimChecks: readonly ClaimCheck[] = [
  claimCheck<OfPayment>({
    promise: 'every transaction that paid a cashout in another cell is claimed at home, and so no two cells have one',
    of: 'transactions that paid cashouts',
    page: PAYMENTS,
    keyOf: (row) => [row?.netname ?? '', row?.transactionId ?? ''],
    owners: OWNERS,
    claim: ({ home }, cell, rows) => home.query(CLAIM, [...columnsOf(rows, 'netname', 'transactionId', 'cashoutId', 'paidAt'), cell]),
  }),
];
