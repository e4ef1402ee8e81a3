import { statement, type Db } from '../kit/db.ts';
import { byText } from '../kit/lists/merges.ts';
import { addSame } from '../kit/lists/sums.ts';
import { ENTRY_FIELDS, selectEntry, type LedgerEntry, type ListedEntry } from './entry.ts';
import type { LedgerKind, SubjectKind } from './postings.ts';

/** What a merchant has in a currency, in minor units. Reserved is kept for cashouts that wait to be collected. */
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

/** Reads what a merchant has, by currency. A merchant whose money never moved has no balance. */
export function readMerchantBalances(db: Pick<Db, 'query'>, merchantId: string): Promise<readonly MerchantBalance[]> {
  return db.query<MerchantBalance>(OF_MERCHANT, [merchantId]);
}

/** Which balances to add up: of one merchant or of all, of one account, of the service's accounts. */
type BalanceFilter = {
  readonly merchantId?: string | undefined;
  readonly account?: string | undefined;
  readonly isService: boolean;
};

export type AccountBalance = { readonly account: string; readonly currency: string; readonly balanceMinor: bigint };

/** A sum over many merchants may exceed a 64-bit integer, so it is read as text. */
const BY_ACCOUNT = statement(
  'ledger.balances_by_account',
  `select account, currency, sum(balance_minor)::text as balance from ledger_balances
    where ($1::text is null or merchant_id = $1) and ($2::text is null or account = $2) and (not $3::boolean or account like 'service:%')
    group by account, currency order by account, currency`,
);

/** Adds up balances by account and currency, of one merchant or of all. */
export async function readAccounts(
  db: Pick<Db, 'query'>,
  { merchantId, account, isService }: BalanceFilter,
): Promise<readonly AccountBalance[]> {
  type Row = { readonly account: string; readonly currency: string; readonly balance: string };
  const rows = await db.query<Row>(BY_ACCOUNT, [merchantId ?? null, account ?? null, isService]);
  return rows.map(({ balance, ...of }) => ({ ...of, balanceMinor: BigInt(balance) }));
}

/** Adds up the balances of several cells, in the order of the database. */
export function addBalances(balances: readonly AccountBalance[]): readonly AccountBalance[] {
  const keyOf = ({ account, currency }: AccountBalance): string => `${account} ${currency}`;
  return addSame(balances, keyOf, (sum, one) => ({ ...sum, balanceMinor: sum.balanceMinor + one.balanceMinor })).toSorted(
    (one, other) => byText(one.account, other.account) || byText(one.currency, other.currency),
  );
}

/** Absent: any. Without a merchant the whole ledger is read. */
type EntryFilter = {
  readonly merchantId?: string | undefined;
  readonly account?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly currency?: string | undefined;
  readonly from?: Temporal.Instant | undefined;
  readonly until?: Temporal.Instant | undefined;
  /** The last entry of the page before. */
  readonly after?: Pick<LedgerEntry, 'postedAt' | 'merchantId' | 'transactionId' | 'line'> | undefined;
  readonly limit: number;
};

const LISTED = `${selectEntry(ENTRY_FIELDS)},
          (select s.settlement_id from settlement_entries s where s.merchant_id = ledger_entries.merchant_id
              and s.transaction_id = ledger_entries.transaction_id and s.line = ledger_entries.line) as "settlementId"`;
const SELECT_ENTRIES = `select ${LISTED}
     from ledger_entries
    where ($1::text is null or account = $1) and ($2::text is null or transaction_id = $2) and ($3::text is null or currency = $3)
      and ($4::timestamptz is null or posted_at >= $4) and ($5::timestamptz is null or posted_at < $5)
      and ($6::timestamptz is null or posted_at <= $6 and (posted_at < $6 or merchant_id > $7
        or merchant_id = $7 and (transaction_id < $8 or transaction_id = $8 and line > $9)))`;
const IN_ORDER = 'order by posted_at desc, merchant_id, transaction_id desc, line limit $10';
const ENTRIES = statement('ledger.entries', `${SELECT_ENTRIES} ${IN_ORDER}`);
const ENTRIES_OF_MERCHANT = statement('ledger.entries_of_merchant', `${SELECT_ENTRIES} and merchant_id = $11 ${IN_ORDER}`);

/** Reads entries of the ledger, the newest first. Those of one transaction are together, in their order. */
export function readEntries(db: Pick<Db, 'query'>, filter: EntryFilter): Promise<readonly ListedEntry[]> {
  const { merchantId, account, transactionId, currency, from, until, after, limit } = filter;
  const place = [after?.postedAt, after?.merchantId, after?.transactionId, after?.line];
  const values = [...[account, transactionId, currency, from, until, ...place].map((value) => value ?? null), limit];
  return merchantId === undefined
    ? db.query<ListedEntry>(ENTRIES, values)
    : db.query<ListedEntry>(ENTRIES_OF_MERCHANT, [...values, merchantId]);
}

/** A recurrent order has entries without end. */
const MOST_ABOUT = 400;

/** Their transactions are named `cashout/W-77/…`. In the order of bytes 0 follows the slash, which no id holds. */
const ABOUT = statement(
  'ledger.entries_about',
  `select ${LISTED} from ledger_entries
    where merchant_id = $1 and transaction_id > $2 and transaction_id < $3
    order by posted_at desc, transaction_id desc, line desc limit ${MOST_ABOUT}`,
);

/** Reads the newest entries of one order or cashout, the oldest first, and whole transactions alone. */
export async function readEntriesAbout(
  db: Pick<Db, 'query'>,
  kind: SubjectKind,
  merchantId: string,
  subjectId: string,
): Promise<readonly ListedEntry[]> {
  const newest = await db.query<ListedEntry>(ABOUT, [merchantId, `${kind}/${subjectId}/`, `${kind}/${subjectId}0`]);
  const entries = newest.toReversed();
  const cut = newest.length === MOST_ABOUT ? entries[0]?.transactionId : undefined;
  return entries.filter(({ transactionId }) => transactionId !== cut);
}

/** The movements of a merchant's available fund in [from, until). */
type ReadMovements = {
  readonly merchantId: string;
  readonly from: Temporal.Instant;
  readonly until: Temporal.Instant;
  readonly limit: number;
  readonly offset: number;
  /** Absent: all. */
  readonly kinds?: readonly LedgerKind[];
};

/** What came into the fund (positive) or left it (negative), in minor units, and what caused it. */
export type Movement = Omit<LedgerEntry, 'merchantId' | 'account' | 'line'>;

const MOVEMENT = selectEntry(['transactionId', 'kind', 'currency', 'amountMinor', 'postedAt', 'reason']);
const MOVEMENTS = statement(
  'ledger.movements',
  `select ${MOVEMENT} from ledger_entries
    where merchant_id = $1 and account = 'available' and posted_at >= $2 and posted_at < $3
    order by posted_at desc, transaction_id desc limit $4 offset $5`,
);
const MOVEMENTS_OF_KINDS = statement(
  'ledger.movements_of_kinds',
  `select ${MOVEMENT} from ledger_entries
    where merchant_id = $1 and account = 'available' and posted_at >= $2 and posted_at < $3 and kind = any($6::text[])
    order by posted_at desc, transaction_id desc limit $4 offset $5`,
);

/** Reads the movements of a merchant's fund, the newest first. */
export function readMovements(
  db: Pick<Db, 'query'>,
  { merchantId, from, until, limit, offset, kinds }: ReadMovements,
): Promise<readonly Movement[]> {
  const values = [merchantId, from, until, limit, offset];
  return kinds === undefined ? db.query<Movement>(MOVEMENTS, values) : db.query<Movement>(MOVEMENTS_OF_KINDS, [...values, [...kinds]]);
}
