import { randomUUID } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import type { Keyed, SettledAnswer } from '../kit/once.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { showMerchant } from '../merchants/index.ts';
import { runAloneOnce } from '../requests/index.ts';
import { postByHand } from './by-hand.ts';
import { isBeyondLedger, lockFunds } from './post-transactions.ts';
import { adjusted, MAX_FUND_MINOR, type LedgerAccount } from './postings.ts';

type Adjust = {
  readonly merchantId: string;
  readonly currency: string;
  /** `available`, `collected`, or `network:…` of a network that the merchant has a balance with. */
  readonly account: string;
  /** Positive credits the account, negative debits it. Not zero. */
  readonly amountMinor: bigint;
  readonly reason: string;
};

type Adjusted = { readonly transactionId: string };

type AdjustRefusal =
  | 'merchant_unknown'
  | 'currency_not_allowed'
  | 'account_not_adjustable'
  | 'fund_too_small'
  | 'fund_too_large'
  | 'account_too_large';

/** `reserved` is what cashouts hold, and the service's accounts follow from the others. No operator corrects these. */
const ADJUSTABLE = /^(available|collected|network:.+)$/;

const HAS_ACCOUNT = statement(
  'ledger.has_account',
  `select from ledger_balances where merchant_id = $1 and account = $2 and currency = $3`,
);

type Outcome = Adjusted | Refusal<AdjustRefusal>;
type Deps = { readonly db: Db; readonly clock: Clock };

/**
 * Corrects an account by hand, against service:adjustments.
 * Shape: Adjust → Adjusted; amounts in minor units.
 * Refuses: merchant_unknown, currency_not_allowed, account_not_adjustable, fund_too_small, fund_too_large, account_too_large.
 * The first that applies is the answer. A network needs a balance: a misspelt name would make an account.
 * account_too_large: the account, or service:adjustments, would exceed 64 bits.
 * With an Idempotency-Key it posts once, and its answer is kept; key_reused: the key came first with other content.
 * Effects: posts an adjustment with its reason in one transaction, with the available fund locked and an act: `db` records one.
 */
export async function adjust(
  { db, clock }: Deps,
  { once, ...command }: Adjust & Keyed<Outcome>,
): Promise<Outcome | SettledAnswer | Refusal<'key_reused'>> {
  const { merchantId, currency, account } = command;
  const now = clock.now();
  const merchant = await showMerchant({ db }, merchantId, now);
  if (merchant === undefined) return refuse('merchant_unknown');
  if (!merchant.currencies.includes(currency)) return refuse('currency_not_allowed');
  if (!ADJUSTABLE.test(account)) return refuse('account_not_adjustable');
  return runAloneOnce(db, once, (tx) => postAdjustment(tx, command, now)).catch((error: unknown) => {
    if (isBeyondLedger(error)) return refuse('account_too_large');
    throw error;
  });
}

async function postAdjustment(tx: Tx, command: Adjust, now: Temporal.Instant): Promise<Outcome> {
  const { merchantId, currency, account, amountMinor } = command;
  const heldMinor = (await lockFunds(tx, [command])).available(command);
  if (account.startsWith('network:') && (await tx.query(HAS_ACCOUNT, [merchantId, account, currency])).length === 0)
    return refuse('account_not_adjustable');
  if (account === 'available' && heldMinor + amountMinor < 0n) return refuse('fund_too_small');
  if (account === 'available' && heldMinor + amountMinor > MAX_FUND_MINOR) return refuse('fund_too_large');
  const adjustment = adjusted({ ...command, account: account as LedgerAccount, adjustmentId: randomUUID() }, now);
  postByHand(tx, adjustment);
  return { transactionId: adjustment.transactionId };
}
