import type { Value } from '../kit/db.ts';
import type { Scope } from '../kit/lists/walks.ts';
import type { Permission } from '../manage/index.ts';

/**
 * How the values of a column are written. `amount`: minor units of the row's column `currency`, written with all decimals.
 * `instant`: RFC 3339 in UTC. `day`: `YYYY-MM-DD`. `name`: a text of the service, which no person typed.
 */
export type ColumnKind = 'text' | 'name' | 'number' | 'flag' | 'amount' | 'instant' | 'day';

/** A select of a list's columns, unordered, and the values of its parameters. */
export type ExportQuery = { readonly text: string; readonly values: readonly Value[] };

/**
 * What a name of a filter takes. A moment is a day, or an instant with its offset. A day needs a time zone.
 * The name of a moment that ends something ends with `to`.
 * `choices`: several of `of`, with commas. `amount`: in the filter's `currency`, which must be there.
 */
export type FilterName = {
  readonly kind: 'text' | 'number' | 'moment' | 'amount' | 'currency' | 'choice' | 'choices';
  readonly about: string;
  readonly of?: readonly string[];
};

/** A filter as it was sent: name to text. A name that is absent limits nothing. */
export type FilterTexts = Readonly<Record<string, string>>;

/** A filter as a list takes it. `to` is the instant before which something happened. */
export type FilterValues = Readonly<Record<string, string | bigint | Temporal.Instant | readonly string[] | undefined>>;

/** A list of a room that can be exported whole. The room knows its columns, its filter and its SQL. */
export type ExportedList = {
  /** In the plural: `orders`. */
  readonly name: string;
  /** What lets its actor see these rows. An export needs it beside its own permission. */
  readonly permission: Permission;
  /** Nobody who is bound to a merchant may export it. */
  readonly isOfService?: true;
  /** Rows about a merchant are in other cells than its own, too. */
  readonly isEverywhere?: true;
  /** Column to kind, in the order of the file. */
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** The columns that order the rows. Together they are unique. */
  readonly order: readonly string[];
  /** Whether the list has an `amount` and a `currency`, whose sums prove it. */
  readonly isOfMoney: boolean;
  /** What its filter can say. */
  readonly filters: Readonly<Record<string, FilterName>>;
  /** The rows of one merchant, or of all. */
  query(scope: Scope, filter: FilterValues, now: Temporal.Instant): ExportQuery;
};
