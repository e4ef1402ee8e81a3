/** A value as the history keeps it: exact, and readable without the code that wrote it. */
export type RecordedValue = string | number | boolean | null;

export type SqlType = 'text' | 'int' | 'bigint' | 'bool' | 'date' | 'timestamptz';

/**
 * Who writes a column. `key` and `fixed`: the insert alone. `stamp`: every change. `given` and `givenOr`: a caller, who must give the first
 * and may leave out the second. `kept`: the service.
 */
export type ColumnRole = 'key' | 'fixed' | 'stamp' | 'given' | 'givenOr' | 'kept';

/** One field of an entity and its column. `As`: its name in the history; '=' is the field's own name, null is not recorded. */
export type Column<Value = unknown, R extends ColumnRole = ColumnRole, As extends string | null = string | null> = {
  readonly sql: SqlType;
  readonly role: R;
  readonly isNullable: boolean;
  readonly recordedAs: As;
  /** The field with the currency of this amount: the two are recorded as one value. */
  readonly currencyField?: string;
  /** Many rows hold the same instant. */
  readonly isShared?: true;
  /** What a `givenOr` column holds where nothing is given. */
  readonly ifNotGiven?: Value;
  /** Writes the value for the history. */
  record(value: Value): RecordedValue;
  /** Reads what record wrote. */
  recall(recorded: RecordedValue): Value;
};

/** The columns of an entity, by field. A column is called as its field, in snake case. */
export type Columns = Readonly<Record<string, Column>>;

type ValueOf<C> = C extends Column<infer Value> ? Value : never;
type FieldsIn<C extends Columns, R extends ColumnRole> = { [Field in keyof C]: C[Field]['role'] extends R ? Field : never }[keyof C];

/** The entity itself. */
export type RowOf<C extends Columns> = { readonly [Field in keyof C]: ValueOf<C[Field]> };
/** The fields that name one entity. */
export type KeyOf<C extends Columns> = Pick<RowOf<C>, FieldsIn<C, 'key'>>;
/** The fields that a caller gives. */
export type TermsOf<C extends Columns> = Pick<RowOf<C>, FieldsIn<C, 'given' | 'givenOr'>>;
type DefaultsOf<C extends Columns> = Pick<RowOf<C>, FieldsIn<C, 'givenOr'>>;
/** The names of an entity's values in its history. */
export type RecordedFieldOf<C extends Columns> = {
  [Field in keyof C]: C[Field]['recordedAs'] extends '=' ? Field : C[Field]['recordedAs'] extends string ? C[Field]['recordedAs'] : never;
}[keyof C] &
  string;

const kept = <S extends SqlType>(sql: S) => ({ sql, role: 'kept', isNullable: false, recordedAs: '=' }) as const;
const plain = <Value extends RecordedValue>(sql: SqlType): Column<Value, 'kept', '='> => ({
  ...kept(sql),
  record: (value) => value,
  recall: (recorded) => recorded as Value,
});

export const textColumn = <Value extends string = string>(): Column<Value, 'kept', '='> => plain('text');
export const int = (): Column<number, 'kept', '='> => plain('int');
export const bool = (): Column<boolean, 'kept', '='> => plain('bool');
export const bigint = (): Column<bigint, 'kept', '='> => ({
  ...kept('bigint'),
  record: String,
  recall: (recorded) => BigInt(recorded as string),
});
export const dayColumn = (): Column<Temporal.PlainDate, 'kept', '='> => ({
  ...kept('date'),
  record: String,
  recall: (recorded) => Temporal.PlainDate.from(recorded as string),
});
export const instantColumn = (): Column<Temporal.Instant, 'kept', '='> => ({
  ...kept('timestamptz'),
  record: String,
  recall: (recorded) => Temporal.Instant.from(recorded as string),
});
/** An instant that many rows share, such as the end of a day. It is read once for all of them. */
export const sharedInstant = (): Column<Temporal.Instant, 'kept', '='> => ({ ...instantColumn(), isShared: true });
/** A number that starts at 0. Its 0 is recorded as null: histories that are older than the column hold no such field. */
export const countColumn = (): Column<number, 'kept', '='> => ({
  ...kept('int'),
  record: (value) => value || null,
  recall: (recorded) => (recorded ?? 0) as number,
});
/** An amount in minor units. Without its currency it means nothing, so both are recorded as one: `4500000 COP`. */
export const amountIn = <As extends string>(currencyField: string, recordedAs: As): Column<bigint, 'kept', As> => ({
  ...bigint(),
  recordedAs,
  currencyField,
});

/** A column that may be null. */
export const nullable = <Value, R extends ColumnRole, As extends string | null>(
  column: Column<Value, R, As>,
): Column<Value | null, R, As> => ({
  ...column,
  isNullable: true,
  record: (value) => (value === null ? null : column.record(value)),
  recall: (recorded) => (recorded === null ? null : column.recall(recorded)),
});
/** A column of its own role. */
export const key = <Value>(column: Column<Value>): Column<Value, 'key', null> => ({ ...column, role: 'key', recordedAs: null });
export const fixed = <Value, As extends string | null>(column: Column<Value, ColumnRole, As>): Column<Value, 'fixed', As> => ({
  ...column,
  role: 'fixed',
});
export const stamp = <Value>(column: Column<Value>): Column<Value, 'stamp', null> => ({ ...column, role: 'stamp', recordedAs: null });
export const given = <Value, As extends string | null>(column: Column<Value, ColumnRole, As>): Column<Value, 'given', As> => ({
  ...column,
  role: 'given',
});
export const givenOr = <Value, As extends string | null>(
  ifNotGiven: NoInfer<Value>,
  column: Column<Value, ColumnRole, As>,
): Column<Value, 'givenOr', As> => ({ ...column, role: 'givenOr', ifNotGiven });
/** A column that the history leaves out. */
export const unrecorded = <Value, R extends ColumnRole>(column: Column<Value, R>): Column<Value, R, null> => ({
  ...column,
  recordedAs: null,
});

/** The name of the column of a field. */
export const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns that are not called as their field, by field. */
type OtherNames<C extends Columns> = { readonly [Field in keyof C]?: string };

/** The fields of an entity, in the order of its columns. */
export const fieldsOf = <C extends Columns>(columns: C): readonly (keyof C & string)[] => Object.keys(columns);

/** SQL: some columns, or all, of a table called `alias`. A row of all is the entity. */
export const selectListOf = <C extends Columns>(
  columns: C,
  alias: string,
  fields: readonly (keyof C & string)[] = fieldsOf(columns),
  names: OtherNames<C> = {},
): string =>
  fields
    .map((field) => [field, names[field] ?? snakeCase(field)] as const)
    .map(([field, name]) => (field === name ? `${alias}.${name}` : `${alias}.${name} as "${field}"`))
    .join(', ');

/** SQL: writes new rows. Its parameters are an array for each of `fieldsOf`. */
export const insertTextOf = <C extends Columns>(table: string, columns: C, names: OtherNames<C> = {}): string =>
  `insert into ${table} (${fieldsOf(columns)
    .map((field) => names[field] ?? snakeCase(field))
    .join(', ')})
   select * from unnest(${Object.values(columns)
     .map(({ sql }, index) => `$${index + 1}::${sql}[]`)
     .join(', ')})`;

/** What the columns hold that nothing was given for. */
export function defaultsOf<C extends Columns>(columns: C): DefaultsOf<C> {
  const defaulted = Object.entries(columns).filter(([, { role }]) => role === 'givenOr');
  return Object.fromEntries(defaulted.map(([field, { ifNotGiven }]) => [field, ifNotGiven])) as DefaultsOf<C>;
}

/** Field to [from, to]. The first change of an entity holds every field, from null. */
export type ChangesOf<C extends Columns> = Readonly<Partial<Record<RecordedFieldOf<C>, readonly [RecordedValue, RecordedValue]>>>;
/** Field to what it holds. */
export type RecordedState<C extends Columns> = Partial<Record<RecordedFieldOf<C>, RecordedValue>>;

/** Whether a history has an amount with its currency under this name. */
export const isRecordedMoney = (field: string): boolean => field === 'amount' || field.endsWith('Amount');

/** Splits the recorded form of an amount. */
export function recordedMoney(value: RecordedValue): { readonly amountMinor: bigint; readonly currency: string } {
  const [amountMinor = '', currency = ''] = String(value).split(' ');
  return { amountMinor: BigInt(amountMinor), currency };
}

type Row = Readonly<Record<string, unknown>>;
type Recorded = {
  readonly name: string;
  readonly field: string;
  readonly currencyField: string | undefined;
  record(row: Row): RecordedValue;
  recall(recorded: RecordedValue): Row;
};

function recordedOf(field: string, column: Column): Recorded {
  const { recordedAs, currencyField } = column;
  const name = recordedAs === '=' || recordedAs === null ? field : recordedAs;
  if (currencyField === undefined) {
    return {
      name,
      field,
      currencyField,
      record: (row) => column.record(row[field]),
      recall: (recorded) => ({ [field]: column.recall(recorded) }),
    };
  }
  return {
    name,
    field,
    currencyField,
    record: (row) => `${String(row[field])} ${String(row[currencyField])}`,
    recall: (recorded) => {
      const { amountMinor, currency } = recordedMoney(recorded);
      return { [field]: amountMinor, [currencyField]: currency };
    },
  };
}

/** Most values need not be printed to be compared. */
const isSame = ({ field, currencyField }: Recorded, before: Row, after: Row): boolean =>
  before[field] === after[field] && (currencyField === undefined || before[currencyField] === after[currencyField]);

/** What the columns of an entity make of its history. */
export type HistoryOf<C extends Columns> = {
  /** In the order of the columns. */
  readonly fields: readonly RecordedFieldOf<C>[];
  /** Gives what differs, by value, between two states of an entity; every field, from null, where there was none before. */
  readonly diff: (before: RowOf<C> | undefined, after: RowOf<C>) => ChangesOf<C>;
  /** Gives the recorded part of the entity. */
  readonly recall: (state: RecordedState<C>) => Partial<RowOf<C>>;
};

/** Derives from columns how changes are recorded and read again. */
export function historyOf<C extends Columns>(columns: C): HistoryOf<C> {
  const recorded = Object.entries(columns)
    .filter(([, { recordedAs }]) => recordedAs !== null)
    .map(([field, column]) => recordedOf(field, column));
  return {
    fields: recorded.map(({ name }) => name as RecordedFieldOf<C>),
    diff: (before, after) => {
      const changes: Record<string, readonly [RecordedValue, RecordedValue]> = {};
      for (const one of recorded) {
        if (before !== undefined && isSame(one, before, after)) continue;
        const from = before === undefined ? null : one.record(before);
        const to = one.record(after);
        if (before === undefined || from !== to) changes[one.name] = [from, to];
      }
      return changes as ChangesOf<C>;
    },
    recall: (state) =>
      Object.assign({}, ...recorded.map((one) => one.recall((state as Record<string, RecordedValue>)[one.name] ?? null))) as Partial<
        RowOf<C>
      >,
  };
}
