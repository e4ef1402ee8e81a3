import { statement, type Db } from '../../kit/db.ts';
import { parseAmount } from '../../kit/money.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import type { OpenAmount } from '../merchant.ts';
import { NOTIFY_MERCHANT_CHANGE } from '../merchant-rows.ts';

const SET_OPEN_AMOUNTS = statement('merchants.set_open_amounts', 'update merchants set open_amounts = $2::jsonb where merchant_id = $1');

/**
 * Sets in which currencies orders of a merchant may leave the amount to the payer, and between which limits. Orders that are open already get them too.
 * Shape: all of them; none: nowhere.
 * Refuses: open_amounts_invalid, merchant_unknown.
 * Effects: all running servers learn of it at commit.
 */
export async function setOpenAmounts(
  { db }: { readonly db: Db },
  merchantId: string,
  openAmounts: readonly OpenAmount[],
): Promise<undefined | Refusal<'open_amounts_invalid' | 'merchant_unknown'>> {
  const wanted = new Set(openAmounts.map(({ currency }) => currency));
  if (wanted.size < openAmounts.length || !openAmounts.every(isRange)) return refuse('open_amounts_invalid');
  return db.transaction(async (tx) => {
    const [merchant] = await tx.query<{ currencies: readonly string[] }>(SHOW_CURRENCIES, [merchantId]);
    if (merchant === undefined) return refuse('merchant_unknown');
    if (!wanted.isSubsetOf(new Set(merchant.currencies))) return refuse('open_amounts_invalid');
    await tx.query(SET_OPEN_AMOUNTS, [merchantId, JSON.stringify(openAmounts)]);
    tx.send(NOTIFY_MERCHANT_CHANGE, [merchantId]);
    return undefined;
  });
}

const SHOW_CURRENCIES = statement('merchants.read_currencies', 'select currencies from merchants where merchant_id = $1 for no key update');

function isRange({ currency, least, most }: OpenAmount): boolean {
  const [from, to] = [parseAmount(least, currency), parseAmount(most, currency)];
  return from !== undefined && to !== undefined && from <= to;
}
