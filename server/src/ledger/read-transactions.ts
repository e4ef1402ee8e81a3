import { statement, type Db } from '../kit/db.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import type { LedgerEntry } from './entry.ts';
import type { LedgerKind } from './postings.ts';
import type { DayMovement } from './read-day.ts';

/** One transaction of a merchant: what it moved on each account. */
export type PostedTransaction = Pick<LedgerEntry, 'transactionId' | 'reason'> & {
  readonly kind: LedgerKind;
  /** When it was posted, as the clocks of the asked zone showed it: `2026-11-21 10:00:00`. */
  readonly postedLocal: string;
  readonly amounts: ReadonlyMap<string, bigint>;
};

type WhichTransactions = {
  readonly merchantId: string;
  readonly currency: string;
  readonly from: Temporal.Instant;
  readonly until: Temporal.Instant;
  readonly zone: string;
};

type Row = Omit<PostedTransaction, 'amounts'> & { readonly lines: string };

/** The database puts the entries of a transaction together and writes its time: that is a third of the work, and of the rows. */
const TRANSACTIONS = statement(
  'ledger.transactions_of_merchant',
  `select transaction_id as "transactionId", kind, to_char(posted_at at time zone $5::text, 'YYYY-MM-DD HH24:MI:SS') as "postedLocal",
          min(reason) as reason, string_agg(account || ' ' || amount_minor, e'\\n' order by line) as lines
     from ledger_entries where merchant_id = $1 and currency = $2 and posted_at >= $3 and posted_at < $4
    group by posted_at, transaction_id, kind order by posted_at, transaction_id`,
);

/** Reads the transactions of [from, until) in one currency, the oldest first, in constant memory. */
export const readTransactions = (
  snapshot: Pick<Snapshot, 'rows'>,
  { merchantId, currency, from, until, zone }: WhichTransactions,
): AsyncGenerator<PostedTransaction, void> => toPosted(snapshot.rows<Row>(TRANSACTIONS, [merchantId, currency, from, until, zone]));

/** The transactions of a settlement's entries, with what was collected by each, and its fee and tax. */
const OF_SETTLEMENT = `(select distinct transaction_id from settlement_entries where merchant_id = $1 and settlement_id = $2) as member
     join ledger_entries e on e.merchant_id = $1 and e.transaction_id = member.transaction_id
      and e.account in ('collected', 'service:fees', 'service:tax')`;
const SETTLED_TRANSACTIONS = statement(
  'ledger.transactions_of_settlement',
  `select e.transaction_id as "transactionId", e.kind, to_char(e.posted_at at time zone $3::text, 'YYYY-MM-DD HH24:MI:SS') as "postedLocal",
          min(e.reason) as reason, string_agg(e.account || ' ' || e.amount_minor, e'\\n' order by e.line) as lines
     from ${OF_SETTLEMENT}
    group by e.posted_at, e.transaction_id, e.kind order by e.posted_at, e.transaction_id`,
);
const SETTLED_KINDS = statement(
  'ledger.kinds_of_settlement',
  `select e.kind, e.account, count(distinct e.transaction_id) as transactions, sum(e.amount_minor)::bigint as "amountMinor"
     from ${OF_SETTLEMENT} group by e.kind, e.account order by e.kind, e.account`,
);

type SettledBy = { readonly merchantId: string; readonly settlementId: bigint };

/** Reads the transactions that a settlement is made of, the oldest first, in constant memory. */
export const readSettledTransactions = (
  snapshot: Pick<Snapshot, 'rows'>,
  { merchantId, settlementId, zone }: SettledBy & { readonly zone: string },
): AsyncGenerator<PostedTransaction, void> => toPosted(snapshot.rows<Row>(SETTLED_TRANSACTIONS, [merchantId, settlementId, zone]));

/** Adds up what a settlement is made of, by kind: how many transactions, and what they moved on each account. */
export async function sumSettledKinds(db: Pick<Db, 'query'>, { merchantId, settlementId }: SettledBy): Promise<readonly DayMovement[]> {
  type KindRow = { readonly kind: LedgerKind; readonly account: string; readonly transactions: bigint; readonly amountMinor: bigint };
  const rows = await db.query<KindRow>(SETTLED_KINDS, [merchantId, settlementId]);
  return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    // Each of them has collected something.
    transactions: ofKind.find(({ account }) => account === 'collected')?.transactions ?? 0n,
    amounts: new Map(ofKind.map(({ account, amountMinor }) => [account, amountMinor])),
    parts: new Map(),
  }));
}

async function* toPosted(rows: AsyncGenerator<Row, void>): AsyncGenerator<PostedTransaction, void> {
  for await (const { lines, ...row } of rows) {
    const amounts = new Map<string, bigint>();
    for (const line of lines.split('\n')) {
      const end = line.lastIndexOf(' ');
      const account = line.slice(0, end);
      amounts.set(account, (amounts.get(account) ?? 0n) + BigInt(line.slice(end + 1)));
    }
    yield { ...row, amounts };
  }
}
