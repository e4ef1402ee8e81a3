import type { Merchant } from '../merchants/index.ts';
import type { MerchantRules } from './order.ts';

const COLOMBIA = 'CO';
/** A merchant that changed is another object in the directory: its rules are made again. */
const known = new WeakMap<Merchant, MerchantRules>();

/** Gives what a merchant may do with its orders. It is worked out once, until the merchant changes. */
export function rulesOf(merchant: Merchant): MerchantRules {
  const made = known.get(merchant);
  if (made !== undefined) return made;
  const { country, currencies } = merchant;
  const rules = { timeZone: country.timeZone, countryCodes: country.codes, currencies, mayRecur: country.region === COLOMBIA };
  known.set(merchant, rules);
  return rules;
}
