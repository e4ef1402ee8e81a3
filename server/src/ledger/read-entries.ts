import { statement, type Db } from '../kit/db.ts';
import type { LedgerKind } from './postings.ts';

/** Absent: any. Without a merchant the whole ledger is read. */
export type EntryFilter = {
  readonly merchantId?: string | undefined;
  readonly account?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly currency?: string | undefined;
  readonly from?: Temporal.Instant | undefined;
  readonly until?: Temporal.Instant | undefined;
  readonly limit: number;
};

export type LedgerEntry = {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly line: number;
  readonly kind: LedgerKind;
  readonly account: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly postedAt: Temporal.Instant;
  readonly reason: string | null;
};

const ENTRIES = statement(
  'ledger.entries',
  `select merchant_id as "merchantId", transaction_id as "transactionId", line, kind, account, currency, amount_minor as "amountMinor",
          posted_at as "postedAt", reason
     from ledger_entries
    where ($1::text is null or merchant_id = $1) and ($2::text is null or account = $2) and ($3::text is null or transaction_id = $3)
      and ($4::text is null or currency = $4) and ($5::timestamptz is null or posted_at >= $5) and ($6::timestamptz is null or posted_at < $6)
    order by posted_at desc, merchant_id, transaction_id desc, line limit $7`,
);

/** Reads entries of the ledger, newest first, those of a transaction together in their order. */
export function readEntries(db: Pick<Db, 'query'>, filter: EntryFilter): Promise<readonly LedgerEntry[]> {
  const { merchantId, account, transactionId, currency, from, until, limit } = filter;
  const values = [merchantId, account, transactionId, currency, from, until].map((value) => value ?? null);
  return db.query<LedgerEntry>(ENTRIES, [...values, limit]);
}
