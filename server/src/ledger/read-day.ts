import { statement, type Db } from '../kit/db.ts';
import type { LedgerKind } from './postings.ts';

/** Account to amount in minor units. */
type Amounts = ReadonlyMap<string, bigint>;

/** What one kind of event moved on a day. */
type DayMovement = { readonly kind: LedgerKind; readonly transactions: bigint; readonly amounts: Amounts };

/** A merchant's money in one currency: before the day, what moved, after it. */
export type LedgerDay = {
  readonly currency: string;
  readonly start: Amounts;
  readonly movements: readonly DayMovement[];
  readonly end: Amounts;
  /** What does not add up. Empty, unless the ledger is damaged. */
  readonly faults: readonly string[];
};

type Row = {
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
  /** Null: the account has not moved since the day began. */
  readonly kind: LedgerKind | null;
  readonly transactions: bigint;
  readonly ofDay: string;
  readonly since: string;
};

/** One statement sees one state. It reads what was posted since the day began: the balances of that time are those of now, less that. */
const DAY = statement(
  'ledger.day',
  `with moved as (
     select account, currency, kind, count(*) filter (where line = 1 and posted_at < $3) as transactions,
            coalesce(sum(amount_minor) filter (where posted_at < $3), 0) as of_day, sum(amount_minor) as since
       from ledger_entries where merchant_id = $1 and posted_at >= $2 group by account, currency, kind)
   select account, currency, coalesce(balance_minor, 0)::text as balance, kind, coalesce(transactions, 0) as transactions,
          coalesce(of_day, 0)::text as "ofDay", coalesce(since, 0)::text as since
     from (select account, currency, balance_minor from ledger_balances where merchant_id = $1) as kept
     full join moved using (account, currency)
    order by currency, account, kind`,
);

/** Reads what moved in [from, until), by currency, with the balances before and after. */
export async function readDay(
  db: Pick<Db, 'query'>,
  merchantId: string,
  from: Temporal.Instant,
  until: Temporal.Instant,
): Promise<readonly LedgerDay[]> {
  const rows = await db.query<Row>(DAY, [merchantId, from, until]);
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => dayIn(currency, ofCurrency));
}

function dayIn(currency: string, rows: readonly Row[]): LedgerDay {
  const start = new Map(rows.map(({ account, balance }) => [account, BigInt(balance)]));
  for (const { account, since } of rows) add(start, account, -BigInt(since));
  const end = new Map(start);
  for (const { account, ofDay } of rows) add(end, account, BigInt(ofDay));
  const kinds = new Map<LedgerKind, { transactions: bigint; amounts: Map<string, bigint> }>();
  for (const { kind, account, transactions, ofDay } of rows) {
    if (kind === null || (ofDay === '0' && transactions === 0n)) continue;
    const moved = kinds.get(kind) ?? { transactions: 0n, amounts: new Map<string, bigint>() };
    add(moved.amounts, account, BigInt(ofDay));
    kinds.set(kind, { ...moved, transactions: moved.transactions + transactions });
  }
  const movements = [...kinds].map(([kind, moved]) => ({ kind, ...moved }));
  const sums = [['the start', start], ['the end', end], ...movements.map(({ kind, amounts }) => [kind, amounts] as const)] as const;
  const faults = [
    ...sums.filter(([, amounts]) => total(amounts) !== 0n).map(([what, amounts]) => `${what} is off by ${total(amounts)} in minor units`),
    ...sums
      .slice(0, 2)
      .flatMap(([what, amounts]) =>
        ['available', 'reserved'].filter((fund) => (amounts.get(fund) ?? 0n) < 0n).map((fund) => `${fund} is below zero at ${what}`),
      ),
  ];
  return { currency, start, movements, end, faults };
}

const add = (amounts: Map<string, bigint>, account: string, amountMinor: bigint): void =>
  void amounts.set(account, (amounts.get(account) ?? 0n) + amountMinor);

const total = (amounts: Amounts): bigint => amounts.values().reduce((sum, one) => sum + one, 0n);
