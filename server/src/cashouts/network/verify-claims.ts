import { claimCheck, type ClaimCheck } from '../../kit/checks/claims.ts';
import type { Finding } from '../../kit/checks/finding.ts';
import { statement } from '../../kit/db.ts';

type OfPayment = Finding & { readonly netname: string; readonly transactionId: string };
const PAYMENTS = statement(
  'cashouts.verify_payments_of_cell',
  `select network_id as netname, transaction_id as "transactionId", merchant_id as "merchantId", operation_id as id,
          'was paid by a transaction that its cell did not claim: ' || network_id || ' ' || transaction_id as problem
     from cashout_payments where (network_id, transaction_id) > ($1, $2) order by network_id, transaction_id limit $3`,
);
const CLAIMED = statement(
  'cashouts.verify_claimed_payments',
  `select k.place::int as place from unnest($1::text[], $2::text[]) with ordinality as k (network_id, transaction_id, place)
     join cashout_payments p on p.network_id = k.network_id and p.transaction_id = k.transaction_id and p.cell = $3`,
);

/** What must be true between home and the other cells. */
export const cashoutClaimChecks: readonly ClaimCheck[] = [
  claimCheck<OfPayment>({
    promise: 'every transaction that paid a cashout in another cell is claimed at home, and so no two cells have one',
    page: PAYMENTS,
    keyOf: (row) => [row?.netname ?? '', row?.transactionId ?? ''],
    claimed: CLAIMED,
  }),
];
