import type { Db, Value } from '../db.ts';
import { namedStatement, type NamedValues } from './named-parameters.ts';
import { forScopes, merchantsIn, type Scope, type Walked } from './walks.ts';

/** One kind of text that is searched, such as an e-mail address. */
export type SearchedField = {
  /** SQL: a table `o`, and what has the text. */
  readonly from: string;
  /** SQL: the rows of one merchant that have such a text. `k.merchant_id` is the merchant. */
  readonly of: string;
  /** SQL: the text, as an index has it behind the merchant. */
  readonly text: string;
  /** SQL: a text that is looked for, as the index has it. Undefined: it is as people write it. */
  readonly fold?: (parameter: string) => string;
  readonly type?: 'bigint';
  /** SQL: the order of the index among rows with one text. Undefined: there is one such row, or few. */
  readonly newest?: string;
  /** `whole`: the text itself alone. `beginning`: its beginnings too. `part`: beginnings that are shorter than it. */
  readonly finds: 'whole' | 'beginning' | 'part';
};

/** A row that was found, by its field. `whole`: the field is the text itself. */
export type Hit<Item, Field extends string> = Item & Walked & { readonly field: Field; readonly whole: boolean };

/** The text of a search, as each field has it. Undefined: it cannot be in that field. */
export type SearchedTexts<Fields extends Readonly<Record<string, SearchedField>>> = {
  readonly [field in keyof Fields]: (Fields[field] extends { readonly type: 'bigint' } ? bigint : string) | undefined;
};

/** Rows that a search reads for one field at most. With a filter, few of them may fit. */
const MOST_SEARCHED = 500;

/** SQL: whether a text begins with another. An index of the text in the order "C" has those rows together. */
const begins = (text: string, wanted: string, least: '>=' | '>'): string =>
  `${text} ${least} ${wanted} and ${text} < ${wanted} || chr(1114111)`;

const parameterOf = (field: string): string => `${field}Searched`;

type Search<Types, Fields, Filter> = {
  /** The table of the rows, which is the room's name too. Its key begins with the merchant. */
  readonly table: string;
  readonly fields: Fields;
  /** SQL: the columns of a hit, of `o`. */
  readonly select: string;
  /** SQL: whether a row passes the filter. */
  readonly fits: string;
  /** The SQL types of the parameters of `select` and `fits`. */
  readonly parameters: Types;
  /** The values of the parameters. */
  readonly valuesOf: (scope: Scope, filter: Filter, now: Temporal.Instant) => NamedValues<keyof Types & string>;
};

/** `isBeginning`: texts that begin with it are found too. `rows`: hits of each field at most. */
type Asked<Fields extends Readonly<Record<string, SearchedField>>, Filter> = {
  readonly texts: SearchedTexts<Fields>;
  readonly filter: Filter;
  readonly isBeginning: boolean;
  readonly rows: number;
  readonly now: Temporal.Instant;
};

/**
 * Declares a search of one table by a text. Shape: → searches. One row may be hit in several fields.
 * One walk for each field and merchant finds the texts that begin with it, and the text itself before them. A full field may lack
 * whole texts of the merchants behind, or the newest ones. Only full fields are searched once more, for whole texts alone.
 */
export function declareSearch<
  Item,
  Fields extends Readonly<Record<string, SearchedField>>,
  Types extends Readonly<Record<string, string>>,
  Filter extends object,
>(
  search: Search<Types, Fields, Filter>,
): (db: Pick<Db, 'query'>, scope: Scope, asked: Asked<Fields, Filter>) => Promise<Hit<Item, keyof Fields & string>[]> {
  type Found = Hit<Item, keyof Fields & string>;
  const { table, fields, parameters } = search;
  const types = {
    ...parameters,
    ...Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [parameterOf(name), type ?? 'text'])),
  } as Readonly<Record<string, string>>;
  const declare = (isFiltered: boolean, how: 'whole' | 'beginning') =>
    forScopes((isOfOne) => {
      const name = `${table}.search_${isFiltered ? 'filtered_' : ''}${how}_of_${isOfOne ? 'one' : 'all'}`;
      return namedStatement(name, types, searchSql(search, isOfOne, isFiltered, how));
    });
  const [plain, filtered] = [false, true].map((isFiltered) => ({
    whole: declare(isFiltered, 'whole'),
    beginning: declare(isFiltered, 'beginning'),
  })) as [Ways, Ways];

  return async (db, scope, { texts, filter, isBeginning, rows, now }) => {
    // Where nothing is asked for besides the text, a search costs half as much.
    const ways = Object.values(filter).every((one) => one === undefined) ? plain : filtered;
    const values = search.valuesOf(scope, filter, now);
    const run = (how: keyof Ways, names: readonly string[]): Promise<Found[]> => {
      const wanted = Object.fromEntries(names.map((name): [string, Value | undefined] => [parameterOf(name), texts[name]]));
      return ways[how](scope)<Found>(db, { ...values, ...wanted, most: MOST_SEARCHED, rows });
    };
    const all = Object.keys(fields);
    if (!isBeginning) return run('whole', all);
    const hits = await run('beginning', all);
    const isFull = (name: string): boolean => {
      const ofField = hits.filter(({ field }) => field === name);
      return ofField.length >= rows || ofField.some(({ stops }) => stops);
    };
    const full = all.filter((name) => fields[name]?.finds === 'beginning' && isFull(name));
    return full.length === 0 ? hits : [...(await run('whole', full)), ...hits];
  };
}

type Ways = Readonly<Record<'whole' | 'beginning', (scope: Scope) => ReturnType<typeof namedStatement<Readonly<Record<string, string>>>>>>;

/** The SQL of a search: for each field, and in it for each merchant, a walk along an index. Merchants after the last wanted hit are not read. */
function searchSql(
  {
    table,
    fields,
    fits,
    select,
  }: Pick<Search<unknown, Readonly<Record<string, SearchedField>>, never>, 'table' | 'fields' | 'fits' | 'select'>,
  isOfOne: boolean,
  isFiltered: boolean,
  how: 'whole' | 'beginning',
): string {
  const parts = Object.entries(fields).flatMap(([name, { from, of, text, newest, finds, fold }]) => {
    if (how === 'whole' && finds === 'part') return [];
    const parameter = `$${parameterOf(name)}`;
    const wanted = fold === undefined ? parameter : fold(parameter);
    const isWhole = `${text} = ${wanted}`;
    const where = how === 'whole' || finds === 'whole' ? isWhole : begins(text, wanted, finds === 'part' ? '>' : '>=');
    const order = how === 'whole' && newest !== undefined ? newest : text;
    const walks = (most: string): string => `select o.* from searched as k cross join lateral (
                   select o.*, ${isWhole} as whole from ${from} where ${of} and ${where} order by ${order} limit ${most}) as o limit ${most}`;
    if (!isFiltered) return `(select '${name}' as field, o.whole, ${select}, true as fits, false as stops from (${walks('$rows')}) as o)`;
    return `(select '${name}' as field, o.whole, ${select}, o.fits, o.walked = $most as stops
   from (select o.*, ${fits} as fits, row_number() over () as walked from (${walks('$most')}) as o) as o
  where o.fits or o.walked = $most limit $rows)`;
  });
  return `with searched as materialized (${merchantsIn(table, isOfOne)})\n${parts.join('\nunion all\n')}`;
}
