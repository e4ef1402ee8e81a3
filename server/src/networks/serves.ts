import { ALL_COUNTRIES, findCountry, type Country } from '../merchants/index.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';

/** A network takes a payment back within this time: the time-out and the retry of a teller's terminal (contract §4.3). Later an operator does. */
export const REVERSAL_SECONDS = 50;

/** Where a network serves: for merchants of these countries, in these currencies. */
export type WhereServed = {
  /** The first code of each country. */
  readonly countries: readonly string[];
  /** Null: every currency of its countries. */
  readonly currencies: readonly string[] | null;
};

export type ServedRefusal = 'country_unknown' | 'currency_not_of_country';

/** What an operator decides. Without countries: all of them. Without currencies: every one of the countries. */
export type DecideServed = { readonly countries?: readonly string[] | undefined; readonly currencies?: readonly string[] | undefined };

/**
 * Decides where a network serves.
 * Shape: codes of countries in any form, currencies of these countries → WhereServed.
 * Refuses: country_unknown (also for an empty list), currency_not_of_country.
 */
export function decideServed({ countries: codes = ALL_COUNTRIES, currencies }: DecideServed): WhereServed | Refusal<ServedRefusal> {
  const countries = codes.map(findCountry);
  if (countries.length === 0 || !countries.every((country) => country !== undefined)) return refuse('country_unknown');
  const allowed = new Set(countries.flatMap((country) => country.currencies));
  if (currencies?.length === 0 || currencies?.some((currency) => !allowed.has(currency))) return refuse('currency_not_of_country');
  return { countries: [...new Set(countries.map(({ codes: [code] }) => code))], currencies: currencies ? [...new Set(currencies)] : null };
}

/** True where a network serves a merchant of this country in this currency. */
export const serves = ({ countries, currencies }: WhereServed, country: Country, currency: string): boolean =>
  countries.includes(country.codes[0]) && (currencies === null || currencies.includes(currency));
