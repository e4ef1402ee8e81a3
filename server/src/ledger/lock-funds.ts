import { statement, type Tx } from '../kit/db.ts';

/** Names the fund of a merchant in a currency. */
export type FundKey = { readonly merchantId: string; readonly currency: string };

/** What merchants can spend, held by a transaction: nobody else takes from them until it ends. In minor units. */
export type Funds = {
  /** What is left now; nothing in a fund that never had any. */
  available(key: FundKey): bigint;
  /** Takes from a fund; false, and nothing is taken, where it holds less. */
  take(key: FundKey, amountMinor: bigint): boolean;
};

/** In the order in which the trigger of the entries locks balances: see 0002-ledger.sql. */
const LOCK = statement(
  'ledger.lock_funds',
  `select kept.merchant_id as "merchantId", kept.currency, kept.balance_minor as "balanceMinor"
     from unnest($1::text[], $2::text[]) as wanted (merchant_id, currency)
     join ledger_balances as kept
       on kept.merchant_id = wanted.merchant_id and kept.account = 'available' and kept.currency = wanted.currency
    order by kept.merchant_id, kept.currency
      for no key update of kept`,
);

/**
 * Locks the available funds of merchants until commit, so that a batch decides on what they really hold.
 * Shape: keys in any order, repeated or not → Funds, which counts what the batch takes.
 * Effects: call it after the operation's own rows are locked, once, with every fund that the transaction will change.
 */
export async function lockFunds(tx: Tx, keys: readonly FundKey[]): Promise<Funds> {
  const wanted = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
  const rows = await tx.query<FundKey & { readonly balanceMinor: bigint }>(LOCK, [
    wanted.map(({ merchantId }) => merchantId),
    wanted.map(({ currency }) => currency),
  ]);
  const balances = new Map(rows.map((row) => [nameOf(row), row.balanceMinor]));
  const available = (key: FundKey): bigint => balances.get(nameOf(key)) ?? 0n;
  return {
    available,
    take: (key, amountMinor) => {
      const leftMinor = available(key) - amountMinor;
      if (leftMinor < 0n) return false;
      balances.set(nameOf(key), leftMinor);
      return true;
    },
  };
}

const nameOf = ({ merchantId, currency }: FundKey): string => `${merchantId}/${currency}`;
