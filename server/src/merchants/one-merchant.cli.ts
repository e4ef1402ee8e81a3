import { Argument } from 'commander';
import { NAME_LINE } from '../kit/command-line.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { countriesByName } from './countries.ts';

const CONTACT = ['--contact takes one e-mail address, or none.', 2] as const;
const COUNTRY = [`--country takes the code of a country: ${countriesByName()}.`, 2] as const;
const CURRENCIES = ['--currencies takes currencies of the country, such as COP,USD for Colombia.', 2] as const;
const NOTICE_URL = ['A notice URL is http or https, 500 characters at most, without a user, a password or a fragment.', 2] as const;
const RETURN_URL = [
  'A return URL is https, 500 characters at most, without a user, a password or a fragment. A sandbox takes http too.',
  2,
] as const;
const ID = ['The id "{id}" is not 1 to 50 letters, digits, _, . or -, or it is a reserved word.', 2] as const;
export const OPEN_AMOUNT = [
  'An open amount is a currency of the merchant once, and two amounts in it, such as COP:1000-500000.',
  2,
] as const;

/** What commands say of their options. */
const LINES = {
  merchant_id_invalid: ID,
  name_invalid: NAME_LINE,
  '/name': NAME_LINE,
  contact_invalid: CONTACT,
  '/contact': CONTACT,
  country_unknown: COUNTRY,
  '/country': COUNTRY,
  currency_not_of_country: CURRENCIES,
  '/currencies': CURRENCIES,
  notice_url_invalid: NOTICE_URL,
  '/noticeUrl': NOTICE_URL,
  notice_url_not_https: ['In production, a notice URL must be https.', 2],
  notice_url_private: ['In production mode notices go to public addresses alone: this URL would never get one.', 2],
  open_amounts_invalid: OPEN_AMOUNT,
  '/openAmounts': OPEN_AMOUNT,
  return_url_invalid: RETURN_URL,
  '/returnUrl': RETURN_URL,
  '/days': [`--days takes 0 to ${MAX_ROTATION_DAYS}.`, 2],
  rotation_under_way: [
    'Two such secrets of {id} are valid; "merchants show {id}" says until when. Wait, or end both at once with --days 0.',
    1,
  ],
} as const;

export type OneMerchant = { readonly id: string };

/** What the commands of one merchant have in common. */
export const ONE_MERCHANT = { args: [new Argument('<id>')], lines: LINES } as const;
/** Creating one: its id is an option. */
export const NEW_MERCHANT = { lines: { ...LINES, '/merchant': ID } } as const;
