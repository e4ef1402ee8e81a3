import { byHandCheck } from './by-hand.ts';
import { columnsOf, statement } from '../kit/db.ts';
import { firstFinding, type Check, type Finding } from '../kit/checks/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { selectEntry, type LedgerEntry } from './entry.ts';
import type { LedgerTransaction, SubjectKind } from './postings.ts';
import { settledEntriesCheck } from './settled-entries.ts';

const UNBALANCED = statement(
  'ledger.verify_sums',
  `select merchant_id as "merchantId", transaction_id as id, 'is off by ' || sum(amount_minor) || ' ' || currency || ' in minor units' as problem
     from ledger_entries group by merchant_id, transaction_id, currency having sum(amount_minor) <> 0 limit 1`,
);

const NOT_ONE = statement(
  'ledger.verify_transactions',
  `select merchant_id as "merchantId", transaction_id as id, 'has entries of several times, kinds or reasons, or numbers that are missing' as problem
     from ledger_entries group by merchant_id, transaction_id
   having min(line) <> 1 or max(line) <> count(*) or count(distinct (posted_at, kind, reason)) <> 1 limit 1`,
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
     from ledger_balances where account in ('available', 'reserved', 'refunds', 'settlements', 'held') and balance_minor < 0 limit 1`,
);

const WRONG_DAYS = statement(
  'ledger.verify_days',
  `select merchant_id as "merchantId", account || ' ' || currency || ' on ' || day as id,
          'is kept as ' || coalesce(amount_minor, 0) || ' but the entries add up to ' || coalesce(added, 0) || ' in minor units' as problem
     from ledger_days
     full join (
       select merchant_id, (posted_at at time zone 'UTC')::date as day, account, currency, sum(amount_minor) as added
         from ledger_entries where posted_at < (select summed_to from ledger_summed)
        group by 1, 2, 3, 4) as entries using (merchant_id, day, account, currency)
    where coalesce(amount_minor, 0) <> coalesce(added, 0) limit 1`,
);

/** What must be true of the ledger alone. The rooms of orders and cashouts check that it agrees with them, by compareEntries. */
export const ledgerChecks: readonly Check[] = [
  { promise: 'the entries of every ledger transaction sum to zero in each currency', run: firstFinding(UNBALANCED) },
  { promise: 'the entries of every ledger transaction are numbered, and of one time, kind and reason', run: firstFinding(NOT_ONE) },
  { promise: 'every balance is the sum of its entries', run: firstFinding(WRONG_BALANCES) },
  { promise: 'every sum of a day is that of its entries', run: firstFinding(WRONG_DAYS) },
  {
    promise: 'no fund, nothing owed to payers, nothing held and nothing on its way to merchants is below zero',
    run: firstFinding(BELOW_ZERO),
  },
  byHandCheck,
  settledEntriesCheck,
];

/** What has entries of its own in the ledger. Its transactions are named `order/A-1/…`, their kinds `order_…`. */
type PostingKind = SubjectKind | 'settlement' | 'hold';

/** What an order or a cashout must have in the ledger. Its room derives it from what is stored. */
export type ExpectedEntries = { readonly merchantId: string; readonly id: string; readonly transactions: readonly LedgerTransaction[] };

type StoredLine = Omit<LedgerEntry, 'line'>;

/**
 * All entries of some orders or cashouts. In the order of bytes '0' follows '/', and no id contains a '/'.
 * `offset 0` keeps the planner to the key, subject by subject.
 */
const ENTRIES_OF = statement(
  'ledger.verify_entries_of',
  `select ${selectEntry(['merchantId', 'transactionId', 'kind', 'account', 'currency', 'amountMinor', 'postedAt', 'reason'], 'entry')}
     from unnest($1::text[], $2::text[]) as wanted (merchant_id, subject)
    cross join lateral (
       select * from ledger_entries as of_subject
        where of_subject.merchant_id = wanted.merchant_id
          and of_subject.transaction_id >= wanted.subject || '/' and of_subject.transaction_id < wanted.subject || '0'
       offset 0) as entry`,
);

const COUNT = statement('ledger.verify_count', `select count(*) as count from ledger_entries where line = 1 and kind like $1`);

/** Orders or cashouts of one statement. */
const PORTION = 1_000;

/**
 * Compares what orders or cashouts must have in the ledger with what it holds, down to the last entry.
 * Shape: every order, or every cashout, that exists, each with its expected transactions → the result of a Check.
 * One that moved no money has no expected transaction. `checked` counts the transactions.
 * Finds missing, wrong and additional entries, also those of orders or cashouts that are not stored.
 */
export async function compareEntries(
  snapshot: Snapshot,
  of: PostingKind,
  all: AsyncIterable<ExpectedEntries>,
): Promise<Awaited<ReturnType<Check['run']>>> {
  let checked = 0;
  let portion: ExpectedEntries[] = [];
  for await (const one of all) {
    checked += one.transactions.length;
    portion.push(one);
    if (portion.length < PORTION) continue;
    const finding = await findDifference(snapshot, of, portion);
    if (finding !== undefined) return { checked, finding };
    portion = [];
  }
  const finding = (await findDifference(snapshot, of, portion)) ?? (await findSurplus(snapshot, of, checked));
  return finding === undefined ? { checked } : { checked, finding };
}

async function findDifference(snapshot: Snapshot, of: PostingKind, expected: readonly ExpectedEntries[]): Promise<Finding | undefined> {
  const stored = new Map<string, Set<string>>();
  const wanted = expected.map(({ merchantId, id }) => ({ merchantId, subject: `${of}/${id}` }));
  for await (const line of snapshot.rows<StoredLine>(ENTRIES_OF, columnsOf(wanted, 'merchantId', 'subject'))) {
    const [, id] = line.transactionId.split('/');
    const key = `${line.merchantId}/${id}`;
    const lines = stored.get(key) ?? new Set<string>();
    stored.set(key, lines.add(describe(line)));
  }
  for (const { merchantId, id, transactions } of expected) {
    const demanded = new Set(transactions.flatMap(({ lines, ...rest }) => lines.map((line) => describe({ ...rest, ...line }))));
    const found = stored.get(`${merchantId}/${id}`) ?? new Set<string>();
    const missing = demanded.values().find((line) => !found.has(line));
    if (missing !== undefined) return { merchantId, id, problem: `lacks the ledger entry ${missing}` };
    const additional = found.values().find((line) => !demanded.has(line));
    if (additional !== undefined) return { merchantId, id, problem: `has a ledger entry that its state does not explain: ${additional}` };
  }
  return undefined;
}

async function findSurplus(snapshot: Snapshot, of: PostingKind, expected: number): Promise<Finding | undefined> {
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

/**
 * One line as a text that can be compared. An account has at most one line in a transaction.
 * Sets of such texts are searched at once, and a recurrent order may have ten thousand payments.
 */
const describe = ({ transactionId, kind, account, currency, amountMinor, postedAt, reason }: Omit<StoredLine, 'merchantId'>): string =>
  `${transactionId} (${kind}) ${account} ${amountMinor} ${currency} of ${postedAt.toString()}${reason === null ? '' : ` because ${reason}`}`;
