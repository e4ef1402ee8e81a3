import { readPosted } from '../audit/index.ts';
import type { Check, Finding } from '../kit/checks/finding.ts';
import { statement, type Tx } from '../kit/db.ts';
import { formatAllDecimals } from '../kit/money.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { postTransactions } from './post-transactions.ts';
import { selectEntry, type LedgerEntry } from './entry.ts';
import type { LedgerAccount, LedgerTransaction } from './postings.ts';

/**
 * Posts what no order and no cashout explains: a top-up, an adjustment, a move to the fund by whomever or by a rule. Its act says what was posted, so that nobody can invent,
 * rename or move one in the database unseen.
 * Throws: where the transaction records no act.
 */
export function postByHand(tx: Tx, transaction: LedgerTransaction): void {
  if (tx.note === undefined) throw new Error(`${transaction.transactionId} was asked for by no act`);
  postTransactions(tx, [transaction]);
  tx.note({ posted: [null, describe(transaction)] });
}

/** The accounts that are not the service's, their amounts, and all else that somebody could alter. */
const describe = ({ transactionId, currency, postedAt, reason, lines }: LedgerTransaction): string =>
  lines
    .filter(({ account }) => !account.startsWith('service:'))
    .map(
      ({ account, amountMinor }) =>
        `${transactionId}: ${formatAllDecimals(amountMinor, currency)} ${currency} on ${account} at ${postedAt.toString()}`,
    )
    .concat(reason ?? [])
    .join('; ');

type Line = Omit<LedgerEntry, 'kind' | 'line'>;

const BY_HAND = statement(
  'ledger.verify_by_hand',
  `select ${selectEntry(['merchantId', 'transactionId', 'account', 'amountMinor', 'currency', 'postedAt', 'reason'])}
     from ledger_entries where kind in ('top_up', 'adjustment', 'moved_to_fund') and account not like 'service:%'
    order by merchant_id collate "C", transaction_id, line`,
);

/** The transactions of what was posted by hand, each with the lines that its act says. */
async function* readByHand(snapshot: Snapshot): AsyncGenerator<LedgerTransaction> {
  let current: LedgerTransaction | undefined;
  for await (const { account, amountMinor, ...of } of snapshot.rows<Line>(BY_HAND, [])) {
    const line = { account: account as LedgerAccount, amountMinor };
    const isSame = current?.merchantId === of.merchantId && current.transactionId === of.transactionId;
    if (current !== undefined && !isSame) yield current;
    current = current !== undefined && isSame ? { ...current, lines: [...current.lines, line] } : { ...of, kind: 'top_up', lines: [line] };
  }
  if (current !== undefined) yield current;
}

/**
 * Compares what was posted by hand with the acts that asked for it.
 * Finds a transaction that no act has as it is, and one that an act has and the ledger has not. What is older than the oldest act was proved
 * while its act was there. Where the details of an act were erased, its time must do: it was recorded in the transaction of what it did.
 */
export const byHandCheck: Check = {
  promise: 'every top-up, adjustment and move to a fund is as the act that asked for it says',
  run: async (snapshot) => {
    const { since, posted, erased } = await readPosted(snapshot);
    const missing = new Map(posted.map((one) => [`${one.merchantId} ${one.text}`, one] as const));
    let checked = 0;
    for await (const one of readByHand(snapshot)) {
      checked++;
      const text = describe(one);
      if (missing.delete(`${one.merchantId} ${text}`)) continue;
      const isOlder = since !== undefined && Temporal.Instant.compare(one.postedAt, since) < 0;
      const isErased = erased.some(({ merchantId, at }) => merchantId === one.merchantId && isClose(at, one.postedAt));
      if (!isOlder && !isErased)
        return { checked, finding: findingOf(one.merchantId, one.transactionId, `was asked for by no act: ${text}`) };
    }
    const [lost] = missing.values();
    return { checked, ...(lost && { finding: findingOf(lost.merchantId, lost.text, 'is in the audit log, and not in the ledger') }) };
  },
};

const findingOf = (merchantId: string, id: string, problem: string): Finding => ({ merchantId, id, problem });

/** A transaction takes seconds at most. */
const isClose = (one: Temporal.Instant, other: Temporal.Instant): boolean => Math.abs(one.since(other).total('seconds')) < 60;
