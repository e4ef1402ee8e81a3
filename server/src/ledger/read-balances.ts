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

/** Which balances to sum: of one merchant or of all, of one account, of the service's accounts. */
export type BalanceFilter = {
  readonly merchantId?: string | undefined;
  readonly account?: string | undefined;
  readonly isService: boolean;
};

export type AccountBalance = { readonly account: string; readonly currency: string; readonly balanceMinor: bigint };

/** A sum over many merchants may be more than a 64-bit integer holds: it comes as text. */
const BY_ACCOUNT = statement(
  'ledger.balances_by_account',
  `select account, currency, sum(balance_minor)::text as balance from ledger_balances
    where ($1::text is null or merchant_id = $1) and ($2::text is null or account = $2) and (not $3::boolean or account like 'service:%')
    group by account, currency order by account, currency`,
);

/** Sums balances by account and currency, over all merchants or of one. */
export async function readAccounts(
  db: Pick<Db, 'query'>,
  { merchantId, account, isService }: BalanceFilter,
): Promise<readonly AccountBalance[]> {
  type Row = { readonly account: string; readonly currency: string; readonly balance: string };
  const rows = await db.query<Row>(BY_ACCOUNT, [merchantId ?? null, account ?? null, isService]);
  return rows.map(({ balance, ...of }) => ({ ...of, balanceMinor: BigInt(balance) }));
}
