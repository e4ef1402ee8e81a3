import type { Problem } from './problems.ts';

/** Problems that operations of several rooms declare. A problem has one meaning, wherever it is the answer. */
export const ROOM_PROBLEMS = {
  merchant_frozen: {
    status: 409,
    title: 'The merchant is frozen or disabled',
    meaning: 'It can be read, but nothing new is accepted.',
    line: ['Nothing changes for {merchant}: it is frozen or disabled.', 1],
  },
  name_invalid: { status: 422, title: 'Invalid name', meaning: 'A name is one line of 1 to 100 characters.' },
  country_unknown: { status: 422, title: 'Unknown country', meaning: 'The reference lists the country codes.' },
  currency_not_allowed: {
    status: 422,
    title: 'Currency not allowed',
    meaning: 'It is not one of the merchant’s currencies.',
    line: ['--currency takes a currency of the merchant; "merchants show {merchant}" lists them.', 1],
  },
  currency_not_of_country: {
    status: 422,
    title: 'Currency not used in the country',
    meaning: 'A merchant’s currencies are those of its country, a network’s those of its countries.',
  },
  days_out_of_range: {
    status: 422,
    title: 'Invalid range of days',
    meaning: '`from` and `to` are days, `to` not before `from`: at most 31 days by hour, or 400 by day.',
    line: ['--to is not before --from, and there are at most 31 days by hour and 400 by day.', 2],
  },
  fund_too_small: {
    status: 409,
    title: 'The fund is too small',
    meaning: 'The balance is less than the amount to be taken.',
    line: ['The available fund of {merchant} holds less.', 1],
  },
} as const satisfies Readonly<Record<string, Problem>>;

/** What a command says where there is no such merchant, or no such network. */
export const NO_MERCHANT = ['There is no merchant {merchant}.', 1] as const;
export const NO_NETWORK = ['There is no network {netname}.', 1] as const;
