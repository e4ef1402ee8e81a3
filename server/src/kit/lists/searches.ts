import type { Walked } from './walks.ts';

/** One kind of text that is searched, such as an e-mail address. */
export type SearchedField = {
  /** SQL: the rows `o` of one merchant, or of all, that have the text. */
  readonly from: string;
  /** SQL: the rows whose text is the one that is looked for. `k.merchant_id` is the merchant. Undefined: another field has it. */
  readonly is?: string;
  /** SQL: the rows whose text begins or ends with it. Undefined: the text is searched whole. */
  readonly begins?: string;
  /** SQL: the order of the index among rows with one text. */
  readonly newest: string;
  /** SQL: the text, as the index has it. */
  readonly text: string;
};

/** A row that was found, by its field. */
export type Hit<Item, Field extends string> = Item & Walked & { readonly field: Field };

/** Rows that a search reads for one field at most. With a filter, few of them may fit. */
export const MOST_SEARCHED = 500;

/** SQL: whether a text begins with a parameter. An index of the text in the order "C" has those rows together. */
export const beginsWith = (text: string, parameter: string): string => `${text} >= ${parameter} and ${text} < ${parameter} || chr(1114111)`;

/**
 * SQL: whether a text ends with a parameter, and is longer. An index of the text from its end has those rows together.
 * Shape: an expression for the text from its end, and one for the parameter.
 */
export const beginsLonger = (text: string, parameter: string): string =>
  `${text} > ${parameter} and ${text} < ${parameter} || chr(1114111)`;

type Search = {
  readonly fields: Readonly<Record<string, SearchedField>>;
  /** SQL: a query with the ids of the merchants whose rows are searched. */
  readonly merchants: string;
  readonly select: string;
  /** SQL: whether a row passes the filter. Undefined: nothing is asked for besides the text. That search costs half as much. */
  readonly fits?: string | undefined;
};

/** True for a filter that every row passes. */
export const isEmpty = (filter: object): boolean => Object.values(filter).every((one) => one === undefined);

/**
 * The SQL of a search: for each field, and in it for each merchant, a walk along an index. A field has `$rows` hits at most.
 * Merchants come in the order of their ids. Those after the last wanted hit are not read.
 */
export function searchOf({ fields, merchants, fits, select }: Search, how: 'is' | 'begins'): string {
  const parts = Object.entries(fields).flatMap(([name, { from, newest, text, ...conditions }]) => {
    const where = conditions[how];
    if (where === undefined) return [];
    const order = how === 'is' ? newest : text;
    const walks = (most: string): string => `select o.* from searched as k cross join lateral (
                   select o.* from ${from} where ${where} order by ${order} limit ${most}) as o limit ${most}`;
    if (fits === undefined) return `(select '${name}' as field, ${select}, true as fits, false as stops from (${walks('$rows')}) as o)`;
    return `(select '${name}' as field, ${select}, o.fits, o.walked = $most as stops
   from (select o.*, ${fits} as fits, row_number() over () as walked from (${walks('$most')}) as o) as o
  where o.fits or o.walked = $most limit $rows)`;
  });
  return `with searched as materialized (${merchants})\n${parts.join('\nunion all\n')}`;
}
