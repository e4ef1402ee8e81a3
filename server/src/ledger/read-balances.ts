import { statement, type Db } from '../kit/db.ts';

/** What a merchant has in a currency, in minor units. Reserved is kept aside for cashouts that are waiting to be collected. */
export type MerchantBalance = {
  readonly currency: string;
  readonly availableMinor: bigint;
  readonly reservedMinor: bigint;
  readonly collectedMinor: bigint;
};

const OF_MERCHANT = statement(
  'ledger.balance_of_merchant',
  `select currency,
          coalesce(sum(balance_minor) filter (where account = 'available'), 0)::bigint as "availableMinor",
          coalesce(sum(balance_minor) filter (where account = 'reserved'), 0)::bigint as "reservedMinor",
          coalesce(sum(balance_minor) filter (where account = 'collected'), 0)::bigint as "collectedMinor"
     from ledger_balances where merchant_id = $1 and account in ('available', 'reserved', 'collected')
    group by currency order by currency`,
);

/** Reads what a merchant has, by currency; none for a merchant whose money never moved. */
export function readBalance(db: Pick<Db, 'query'>, merchantId: string): Promise<readonly MerchantBalance[]> {
  return db.query<MerchantBalance>(OF_MERCHANT, [merchantId]);
}
