import type { Merchant } from '../merchants/index.ts';
import type { MerchantRules } from './order.ts';

const COLOMBIA = 'CO';
/** A merchant that changed is another object in the directory: its rules are made anew. */
const known = new WeakMap<Merchant, MerchantRules>();

/** Gives what a merchant may do, as far as its orders are concerned; worked out once for as long as the merchant stays as it is. */
export function rulesOf(merchant: Merchant): MerchantRules {
  const made = known.get(merchant);
  if (made !== undefined) return made;
  const { country, currencies } = merchant;
  const rules = { timeZone: country.timeZone, countryCodes: country.codes, currencies, mayRecur: country.region === COLOMBIA };
  known.set(merchant, rules);
  return rules;
}
