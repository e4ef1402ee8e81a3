import { statement } from '../kit/db.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import type { LedgerEntry } from './entry.ts';
import type { LedgerKind } from './postings.ts';

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
export async function* readTransactions(
  snapshot: Pick<Snapshot, 'rows'>,
  { merchantId, currency, from, until, zone }: WhichTransactions,
): AsyncGenerator<PostedTransaction, void> {
  for await (const { lines, ...row } of snapshot.rows<Row>(TRANSACTIONS, [merchantId, currency, from, until, zone])) {
    const amounts = new Map<string, bigint>();
    for (const line of lines.split('\n')) {
      const end = line.lastIndexOf(' ');
      const account = line.slice(0, end);
      amounts.set(account, (amounts.get(account) ?? 0n) + BigInt(line.slice(end + 1)));
    }
    yield { ...row, amounts };
  }
}
