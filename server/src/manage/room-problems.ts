import type { Problem } from './problems.ts';

/** Problems that operations of several rooms declare. A problem has one meaning, wherever it is the answer. */
export const ROOM_PROBLEMS = {
  name_invalid: { status: 422, title: 'The name is not one line of text', meaning: 'It takes 1 to 100 characters on one line.' },
  country_unknown: { status: 422, title: 'There is no such country', meaning: 'The reference lists the codes of countries.' },
  currency_not_allowed: { status: 422, title: 'The currency is not one of the merchant’s', meaning: 'See the merchant’s currencies.' },
  currency_not_of_country: {
    status: 422,
    title: 'The currency is not one of the country’s',
    meaning: 'A merchant has currencies of its country, a network those of its countries.',
  },
  days_out_of_range: {
    status: 422,
    title: 'The days are out of range',
    meaning: '`to` is on or after `from`, and both are days. There are at most 31 days by hour and 400 by day.',
  },
  fund_too_small: { status: 409, title: 'The fund is too small', meaning: 'It holds less than what would be taken from it.' },
} as const satisfies Readonly<Record<string, Problem>>;
