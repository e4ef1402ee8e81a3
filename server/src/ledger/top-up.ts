import { randomUUID } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import { retryOnRace } from '../kit/changes/retry.ts';
import { statement, turnStatement, type Db, type Tx } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { showMerchant } from '../merchants/index.ts';
import { postByHand } from './by-hand.ts';
import { isBeyondLedger, lockFunds } from './post-transactions.ts';
import { MAX_FUND_MINOR, toppedUp, topUpId } from './postings.ts';

type TopUp = {
  readonly merchantId: string;
  readonly currency: string;
  /** Above zero. */
  readonly amountMinor: bigint;
  /** Names the transfer, unique per merchant. A repeated top-up with it is not posted again. Absent: each top-up is a new one. */
  readonly reference?: string | undefined;
  /** Another top-up of the same amount since then is refused. Absent: none is. */
  readonly noEqualSince?: Temporal.Instant | undefined;
};

type ToppedUp = {
  readonly transactionId: string;
  /** The fund afterwards. */
  readonly availableMinor: bigint;
  /** The transfer was posted before, so nothing was posted now. */
  readonly isRepeated: boolean;
};

export type TopUpRefusal =
  | 'merchant_unknown'
  | 'currency_not_allowed'
  | 'top_up_differs'
  | 'equal_top_up'
  | 'fund_too_large'
  | 'account_too_large';

const POSTED_BEFORE = statement(
  'ledger.top_up_posted_before',
  `select currency, amount_minor as "amountMinor" from ledger_entries where merchant_id = $1 and transaction_id = $2 and account = 'available'`,
);

/** The first top-ups of a fund find no row to lock. Without it two of one amount would not see each other. */
const TAKE_TURN = turnStatement('ledger.take_turn_to_top_up', `$1 || ' ' || $2`);

const POSTED_EQUAL = statement(
  'ledger.equal_top_up',
  `select 1 from ledger_entries
    where merchant_id = $1 and account = 'available' and kind = 'top_up' and currency = $2 and amount_minor = $3 and posted_at >= $4 limit 1`,
);

/**
 * Adds money that a merchant has sent to its available fund.
 * Shape: TopUp → ToppedUp; amounts in minor units.
 * Refuses: merchant_unknown, currency_not_allowed, top_up_differs, equal_top_up, fund_too_large, account_too_large.
 * The first that applies is the answer. top_up_differs: the reference names a top-up of another amount or currency.
 * account_too_large: service:bank, which counts all that ever came in, would exceed 64 bits.
 * Effects: posts top_up (service:bank → available) in one transaction, with an act: `db` records one.
 */
export async function topUp(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  command: TopUp,
): Promise<ToppedUp | Refusal<TopUpRefusal>> {
  const { merchantId, currency, reference = randomUUID() } = command;
  const now = clock.now();
  const merchant = await showMerchant({ db }, merchantId, now);
  if (merchant === undefined) return refuse('merchant_unknown');
  if (!merchant.currencies.includes(currency)) return refuse('currency_not_allowed');
  // The first top-up of a fund has no row to lock. Two with one reference meet at the primary key, and the second try sees the first.
  const posted = retryOnRace(() => db.transaction((tx) => postTopUp(tx, { ...command, reference }, now)));
  return posted.catch((error: unknown) => {
    if (isBeyondLedger(error)) return refuse('account_too_large');
    throw error;
  });
}

async function postTopUp(
  tx: Tx,
  command: TopUp & { readonly reference: string },
  now: Temporal.Instant,
): Promise<ToppedUp | Refusal<TopUpRefusal>> {
  const { merchantId, currency, amountMinor, reference, noEqualSince } = command;
  const transactionId = topUpId(reference);
  const held = (await lockFunds(tx, [command])).available(command);
  const [before] = await tx.query<{ readonly currency: string; readonly amountMinor: bigint }>(POSTED_BEFORE, [merchantId, transactionId]);
  if (before !== undefined) {
    const isSame = before.currency === currency && before.amountMinor === amountMinor;
    return isSame ? { transactionId, availableMinor: held, isRepeated: true } : refuse('top_up_differs');
  }
  if (noEqualSince !== undefined) {
    await tx.query(TAKE_TURN, [merchantId, currency]);
    if ((await tx.query(POSTED_EQUAL, [merchantId, currency, amountMinor, noEqualSince])).length > 0) return refuse('equal_top_up');
  }
  if (held + amountMinor > MAX_FUND_MINOR) return refuse('fund_too_large');
  postByHand(tx, toppedUp(command, now));
  return { transactionId, availableMinor: held + amountMinor, isRepeated: false };
}
