import { statement, type Statement } from '../kit/db.ts';
import type { Check, Finding } from '../kit/finding.ts';

const UNBALANCED = statement(
  'ledger.verify_sums',
  `select merchant_id as "merchantId", transaction_id as id, 'is off by ' || sum(amount_minor) || ' ' || currency || ' in minor units' as problem
     from ledger_entries group by merchant_id, transaction_id, currency having sum(amount_minor) <> 0 limit 1`,
);

const WRONG_BALANCES = statement(
  'ledger.verify_balances',
  `select merchant_id as "merchantId", account || ' ' || currency as id,
          'keeps ' || coalesce(balance_minor, 0) || ' but its entries add up to ' || coalesce(added, 0) || ' in minor units' as problem
     from ledger_balances
     full join (
       select merchant_id, account, currency, sum(amount_minor) as added
         from ledger_entries group by merchant_id, account, currency) as entries using (merchant_id, account, currency)
    where coalesce(balance_minor, 0) <> coalesce(added, 0) limit 1`,
);

const BELOW_ZERO = statement(
  'ledger.verify_funds',
  `select merchant_id as "merchantId", account || ' ' || currency as id, 'is below zero: ' || balance_minor || ' in minor units' as problem
     from ledger_balances where account in ('available', 'reserved') and balance_minor < 0 limit 1`,
);

const finder =
  (query: Statement): Check['run'] =>
  async (snapshot) => {
    for await (const finding of snapshot.rows<Finding>(query, [])) return { finding };
    return {};
  };

/** What must be true of the ledger by itself; that it agrees with orders and cashouts is checked by their rooms, with compareEntries. */
export const ledgerChecks: readonly Check[] = [
  { promise: 'the entries of every ledger transaction sum to zero in each currency', run: finder(UNBALANCED) },
  { promise: 'every balance is the sum of its entries', run: finder(WRONG_BALANCES) },
  { promise: 'no available or reserved fund is below zero', run: finder(BELOW_ZERO) },
];
