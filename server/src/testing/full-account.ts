import { postByHand } from '../ledger/by-hand.ts';
import { postingDb } from './posting-db.ts';
import type { TestCaudal } from './test-caudal.ts';

type Account = { readonly merchantId: string; readonly account: 'available' | 'reserved' | 'collected' | `network:${string}` };

const HELD = {
  name: 'testing.held_by_account',
  text: `select balance_minor as "balanceMinor" from ledger_balances where merchant_id = $1 and account = $2 and currency = 'COP'`,
};
/** What a signed 64-bit integer holds. */
const MOST = 2n ** 63n - 1n;

let filled = 0;

/** Fills an account in COP until not one centavo more fits. The function that it returns takes all of it back. */
export async function fillAccount({ db, clock }: TestCaudal, { merchantId, account }: Account): Promise<() => Promise<void>> {
  const [held] = await db.query<{ readonly balanceMinor: bigint }>(HELD, [merchantId, account]);
  const free = MOST - (held?.balanceMinor ?? 0n);
  const book = (amountMinor: bigint): Promise<void> =>
    postingDb(db, clock, merchantId).transaction(async (tx) =>
      postByHand(tx, {
        merchantId,
        transactionId: `adjustment/full-${++filled}`,
        kind: 'adjustment',
        currency: 'COP',
        postedAt: clock.now(),
        reason: 'a test of full accounts',
        lines: [
          { account, amountMinor },
          { account: 'service:adjustments', amountMinor: -amountMinor },
        ],
      }),
    );
  await book(free);
  return () => book(-free);
}
