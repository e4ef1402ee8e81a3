import { statement } from '../kit/db.ts';
import type { Check, Finding } from '../kit/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import type { LedgerKind, LedgerTransaction, OperationKind } from './postings.ts';

/** What an order or a cashout must have in the ledger, built by the postings from what is stored of it. */
export type ExpectedEntries = { readonly merchantId: string; readonly id: string; readonly transactions: readonly LedgerTransaction[] };

type StoredLine = {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly kind: LedgerKind;
  readonly account: string;
  readonly currency: string;
  readonly amountMinor: bigint;
};

/** All entries of some operations: '0' follows '/' in the order of bytes, and no id contains a '/'. Offset 0: by the key, operation by operation. */
const ENTRIES_OF = statement(
  'ledger.verify_entries_of',
  `select entry.merchant_id as "merchantId", entry.transaction_id as "transactionId", entry.kind, entry.account, entry.currency,
          entry.amount_minor as "amountMinor"
     from unnest($1::text[], $2::text[]) as wanted (merchant_id, subject)
    cross join lateral (
       select * from ledger_entries as of_operation
        where of_operation.merchant_id = wanted.merchant_id
          and of_operation.transaction_id >= wanted.subject || '/' and of_operation.transaction_id < wanted.subject || '0'
       offset 0) as entry`,
);

const COUNT = statement('ledger.verify_count', `select count(*) as count from ledger_entries where line = 1 and kind like $1`);

const AT_ONCE = 1_000;

/**
 * Compares what operations must have in the ledger with what it holds, down to the last entry.
 * Shape: every order or every cashout that there is, with its expected transactions, none for one that moved no money → the result of a
 * Check; `checked` counts the transactions. Finds missing, wrong and additional entries, also those of operations that are not stored.
 */
export async function compareEntries(
  snapshot: Snapshot,
  of: OperationKind,
  all: AsyncIterable<ExpectedEntries>,
): Promise<Awaited<ReturnType<Check['run']>>> {
  let checked = 0;
  let waiting: ExpectedEntries[] = [];
  for await (const one of all) {
    checked += one.transactions.length;
    waiting.push(one);
    if (waiting.length < AT_ONCE) continue;
    const finding = await findDifference(snapshot, of, waiting);
    if (finding !== undefined) return { checked, finding };
    waiting = [];
  }
  const finding = (await findDifference(snapshot, of, waiting)) ?? (await findSurplus(snapshot, of, checked));
  return finding === undefined ? { checked } : { checked, finding };
}

async function findDifference(snapshot: Snapshot, of: OperationKind, expected: readonly ExpectedEntries[]): Promise<Finding | undefined> {
  const stored = new Map<string, Set<string>>();
  const subjects = expected.map(({ id }) => `${of}/${id}`);
  for await (const line of snapshot.rows<StoredLine>(ENTRIES_OF, [expected.map(({ merchantId }) => merchantId), subjects])) {
    const [, id] = line.transactionId.split('/');
    const key = `${line.merchantId}/${id}`;
    const lines = stored.get(key) ?? new Set<string>();
    stored.set(key, lines.add(describe(line)));
  }
  for (const { merchantId, id, transactions } of expected) {
    const wanted = new Set(transactions.flatMap(({ lines, ...rest }) => lines.map((line) => describe({ ...rest, ...line }))));
    const found = stored.get(`${merchantId}/${id}`) ?? new Set<string>();
    const missing = wanted.values().find((line) => !found.has(line));
    if (missing !== undefined) return { merchantId, id, problem: `lacks the ledger entry ${missing}` };
    const additional = found.values().find((line) => !wanted.has(line));
    if (additional !== undefined) return { merchantId, id, problem: `has a ledger entry that its state does not explain: ${additional}` };
  }
  return undefined;
}

async function findSurplus(snapshot: Snapshot, of: OperationKind, expected: number): Promise<Finding | undefined> {
  for await (const { count } of snapshot.rows<{ readonly count: bigint }>(COUNT, [`${of}\\_%`])) {
    if (count !== BigInt(expected))
      return {
        merchantId: 'all merchants:',
        id: of,
        problem: `the ledger holds ${count} transactions, but only ${expected} are explained`,
      };
  }
  return undefined;
}

/** An account stands at most once in a transaction. Sets of these texts, not lists: a recurrent order may have been paid ten thousand times. */
const describe = ({ transactionId, kind, account, currency, amountMinor }: Omit<StoredLine, 'merchantId'>): string =>
  `${transactionId} (${kind}) ${account} ${amountMinor} ${currency}`;
