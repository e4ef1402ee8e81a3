import type { Clock } from '../../kit/clock.ts';
import { retryOnRace } from '../../kit/changes/retry.ts';
import { statement, type Db, type Tx } from '../../kit/db.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { postByHand } from '../by-hand.ts';
import { lockOwnMoney } from '../post-transactions.ts';
import { freeToMove, MAX_FUND_MINOR, movedToFund, toFundId } from '../postings.ts';

type MoveToFund = {
  readonly merchant: { readonly merchantId: string; readonly currencies: readonly string[] };
  readonly currency: string;
  /** Above zero. */
  readonly amountMinor: bigint;
  /** Names the move, unique per merchant. The same again moves nothing. */
  readonly reference: string;
};

/** What the merchant has afterwards, in minor units. */
export type MovedToFund = {
  readonly transactionId: string;
  readonly availableMinor: bigint;
  readonly collectedMinor: bigint;
  /** It was moved before, so nothing was moved now. */
  readonly isRepeated: boolean;
};

export type MoveToFundRefusal = 'currency_not_allowed' | 'move_differs' | 'collected_too_small' | 'fund_too_large';

const MOVED_BEFORE = statement(
  'ledger.moved_to_fund_before',
  `select currency, amount_minor as "amountMinor" from ledger_entries where merchant_id = $1 and transaction_id = $2 and account = 'available'`,
);

/**
 * Moves what a merchant has collected to its fund for cashouts.
 * Shape: MoveToFund → MovedToFund; amounts in minor units.
 * Refuses: currency_not_allowed, move_differs, collected_too_small, fund_too_large. The first that applies is the answer.
 * move_differs: the reference names a move of another amount or currency.
 * Effects: posts moved_to_fund (collected → available) in one transaction, with both accounts locked and an act: `db` records one.
 */
export async function moveToFund(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  command: MoveToFund,
): Promise<MovedToFund | Refusal<MoveToFundRefusal>> {
  const now = clock.now();
  if (!command.merchant.currencies.includes(command.currency)) return refuse('currency_not_allowed');
  return retryOnRace(() => db.transaction((tx) => postMove(tx, command, now)));
}

async function postMove(
  tx: Tx,
  { merchant: { merchantId }, currency, amountMinor, reference }: MoveToFund,
  now: Temporal.Instant,
): Promise<MovedToFund | Refusal<MoveToFundRefusal>> {
  const transactionId = toFundId(reference);
  const own = await lockOwnMoney(tx, { merchantId, currency });
  const [before] = await tx.query<{ readonly currency: string; readonly amountMinor: bigint }>(MOVED_BEFORE, [merchantId, transactionId]);
  if (before !== undefined) {
    const isSame = before.currency === currency && before.amountMinor === amountMinor;
    return isSame ? { transactionId, ...own, isRepeated: true } : refuse('move_differs');
  }
  if (freeToMove(own) < amountMinor) return refuse('collected_too_small');
  if (own.availableMinor + amountMinor > MAX_FUND_MINOR) return refuse('fund_too_large');
  postByHand(tx, movedToFund({ merchantId, currency, amountMinor, transactionId }, now));
  return {
    transactionId,
    availableMinor: own.availableMinor + amountMinor,
    collectedMinor: own.collectedMinor - amountMinor,
    isRepeated: false,
  };
}
