import type { Hold } from './retry.ts';
import { selectListOf, snakeCase, type Column, type Columns, type KeyOf, type RowOf, type SqlType } from './columns.ts';
import { statement, storedDay, storedSharedInstant, storedTime, type Tx } from '../db.ts';

/** A row as it was loaded and as the decisions of a batch leave it. Commands for one key share it. */
export type LockedRow<Row> = { readonly before: Row; after: Row };

/** A value in a JSON text that the database reads or writes. */
type Json = string | number | boolean | null;
type Values = Readonly<Record<string, unknown>>;
/** What a save writes of one row, beside its key and stamps. */
type Change = { readonly changed: Readonly<Record<string, Json>> };

/** The SQL of an entity's table, derived from its columns, and the ways between rows and objects. */
export type Table<C extends Columns, Extra extends string> = {
  /** The columns under the names of their fields, of a table called `alias`: a row of them is the entity. */
  readonly selectList: (alias: string, fields?: readonly (keyof C & string)[]) => string;
  /** One text for each key, for maps. */
  readonly keyText: (key: KeyOf<C>) => string;
  /** The name of a row, among the rows of all tables. */
  readonly rowName: (key: KeyOf<C>) => string;
  /**
   * Reads and locks the rows of these keys until the end of the transaction. It never waits: rows that another one holds go to `hold`.
   * Shape: a row for each key, in their order, the same one for the same key; undefined where there is no such row, or another one holds it.
   */
  readonly lock: (tx: Tx, keys: readonly KeyOf<C>[], hold: Hold) => Promise<readonly (LockedRow<RowOf<C>> | undefined)[]>;
  /** Sends what differs between the locked rows and what they became. */
  readonly save: (tx: Tx, changed: readonly LockedRow<RowOf<C>>[]) => void;
  /** Sends new rows, each with its extra columns. */
  readonly insert: (tx: Tx, rows: readonly (RowOf<C> & Readonly<Record<Extra, string>>)[]) => void;
};

/** The cast from text to these types is not immutable. The record of a row makes it, before CASE and COALESCE. */
const isLateCast = (sql: SqlType): boolean => sql === 'date' || sql === 'timestamptz';

/** Reads a value of a JSON text that is not null; undefined: it is read already. */
const READERS: Readonly<Partial<Record<SqlType, (text: string) => unknown>>> = {
  bigint: BigInt,
  date: storedDay,
  timestamptz: (text) => Temporal.Instant.from(text),
};

/** Makes a writer of values for a JSON text. Neighbours mostly hold the same instant. It is printed once. */
function writerOf(sql: SqlType): (value: unknown) => Json {
  if (sql === 'bigint') return (value) => (value === null ? null : (value as bigint).toString());
  if (!isLateCast(sql)) return (value) => value as Json;
  let last: unknown;
  let lastText: string | null = null;
  return (value) => {
    if (value !== last) {
      last = value;
      lastText = value === null ? null : storedTime(value as Temporal.Instant | Temporal.PlainDate);
    }
    return lastText;
  };
}

type Field = { readonly field: string; readonly name: string; readonly column: Column; readonly write: (value: unknown) => Json };

const fieldsOf = (columns: Columns): readonly Field[] =>
  Object.entries(columns).map(([field, column]) => ({ field, name: snakeCase(field), column, write: writerOf(column.sql) }));

/**
 * Reads the JSON array of an entity. To take its columns apart costs the driver twice as much as the engine.
 * Each row begins as a copy of one object with all fields. So many fields, added one by one, make a dictionary of an object.
 * Every use of the row would be slower then.
 */
function readerOf(fields: readonly Field[]): (stored: readonly Json[]) => Values {
  const readers = fields.map(({ field, column }) => ({ field, read: column.isShared ? storedSharedInstant : READERS[column.sql] }));
  const blank: Values = Object.fromEntries(fields.map(({ field }) => [field, null]));
  return (stored) => {
    const row: Record<string, unknown> = { ...blank };
    for (let place = 0; place < readers.length; place++) {
      const { field, read } = readers[place] as (typeof readers)[number];
      const value = stored[place] as Json;
      row[field] = read === undefined || value === null ? value : read(value as string);
    }
    return row;
  };
}

/** Nothing comes of a key without a row. A key without `stored` has a row that another transaction holds. */
function lockText(table: string, fields: readonly Field[], keys: readonly Field[]): string {
  const array = fields.map(({ name, column }) => (column.sql === 'bigint' ? `o.${name}::text` : `o.${name}`)).join(', ');
  return `select k.place::int, locked.stored
     from unnest(${keys.map((_, index) => `$${index + 1}::text[]`).join(', ')}) with ordinality as k (${listOf(keys)}, place)
     left join lateral (
       select json_build_array(${array}) as stored from ${table} o where ${isSameKey(keys)} for update of o skip locked) locked on true
    where locked.stored is not null or exists (select from ${table} o where ${isSameKey(keys)})`;
}

/** A value of `changed` as its column has it. */
const changedValue = ({ name, column: { sql } }: Field): string =>
  isLateCast(sql) ? `k.${name}` : sql === 'text' ? `k.changed ->> '${name}'` : `(k.changed ->> '${name}')::${sql}`;

/**
 * What differs comes in `changed` under its column's name. Any other column keeps its value.
 * One parameter holds all rows: an array for each column costs twice as much to write.
 */
function saveText(table: string, fields: readonly Field[], keys: readonly Field[]): string {
  const changing = fields.filter(mayChange);
  const set = changing.map((field) => {
    const { name, column } = field;
    const value = changedValue(field);
    return `${name} = ${column.isNullable ? `case when k.changed ? '${name}' then ${value} else o.${name} end` : `coalesce(${value}, o.${name})`}`;
  });
  return updateText(table, fields, keys, changing, set);
}

/** Where each row changes this column alone, no other is looked for. An update costs the database 3 % less (decision 0009). */
const saveOneText = (table: string, fields: readonly Field[], keys: readonly Field[], one: Field): string =>
  updateText(table, fields, keys, [one], [`${one.name} = ${changedValue(one)}`]);

function updateText(
  table: string,
  fields: readonly Field[],
  keys: readonly Field[],
  changing: readonly Field[],
  set: readonly string[],
): string {
  const stamps = fields.filter(({ column }) => column.role === 'stamp');
  const late = changing.filter(({ column }) => isLateCast(column.sql));
  return `update ${table} o
      set ${[...stamps.map(({ name }) => `${name} = k.${name}`), ...set].join(', ')}
     from jsonb_to_recordset($1::jsonb) as k (${typedListOf([...keys, ...stamps, ...late])}, changed jsonb)
    where ${isSameKey(keys)}`;
}

/** Sorted, so that two batches with the same new keys wait for each other in one order. */
function insertText(table: string, fields: readonly Field[], keys: readonly Field[], extra: Readonly<Record<string, string>>): string {
  const names = [listOf(fields), ...Object.keys(extra).map(snakeCase)].join(', ');
  const typed = [typedListOf(fields), ...Object.entries(extra).map(([field, sql]) => `${snakeCase(field)} ${sql}`)].join(', ');
  return `insert into ${table} (${names})
   select ${names}
     from jsonb_to_recordset($1::jsonb) as k (${typed})
    order by ${keys.map(({ name }) => `${name} collate "C"`).join(', ')}`;
}

const listOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ');
const typedListOf = (fields: readonly Field[]): string => fields.map(({ name, column }) => `${name} ${column.sql}`).join(', ');
const isSameKey = (keys: readonly Field[]): string => keys.map(({ name }) => `o.${name} = k.${name}`).join(' and ');
const mayChange = ({ column: { role } }: Field): boolean => role === 'given' || role === 'givenOr' || role === 'kept';

/**
 * Makes the function that says what a save writes of a row.
 * A day or an instant that is another object counts as different: to write an equal one again is harmless.
 */
function changeOfRow(fields: readonly Field[]): (row: LockedRow<Values>) => Change {
  const always = fields.filter(({ column }) => column.role === 'key' || column.role === 'stamp');
  const changing = fields.filter(mayChange).map((one) => ({ ...one, isLate: isLateCast(one.column.sql) }));
  return ({ before, after }) => {
    const row: Record<string, unknown> = {};
    for (const { field, name, write } of always) row[name] = write(after[field]);
    const changed: Record<string, Json> = {};
    for (const { field, name, write, isLate } of changing) {
      if (after[field] === before[field]) continue;
      changed[name] = write(after[field]);
      if (isLate) row[name] = changed[name];
    }
    row['changed'] = changed;
    return row as Change;
  };
}

/**
 * Opens the table of an entity: declares the statements `orders.lock`, `orders.save` and `orders.insert` of a table `orders`.
 * `extra`: the SQL types of further columns, by field. Only the insert writes them, and they are not part of the entity.
 * `often`: the field that most changes write alone. A batch of such changes has a statement of its own.
 */
export function openTable<C extends Columns, Extra extends string = never>(
  table: string,
  columns: C,
  { extra = {} as Readonly<Record<Extra, string>>, often }: { extra?: Readonly<Record<Extra, string>>; often?: keyof C & string } = {},
): Table<C, Extra> {
  const fields = fieldsOf(columns);
  const keys = fields.filter(({ column }) => column.role === 'key');
  const changeOf = changeOfRow(fields);
  const LOCK = statement(`${table}.lock`, lockText(table, fields, keys));
  const SAVE = statement(`${table}.save`, saveText(table, fields, keys));
  const one = fields.find(({ field }) => field === often);
  const SAVE_ONE = one && statement(`${table}.save_${one.name}`, saveOneText(table, fields, keys, one));
  const INSERT = statement(`${table}.insert`, insertText(table, fields, keys, extra));
  const read = readerOf(fields);
  const [first, second] = keys.map(({ field }) => field);
  if (first === undefined || second === undefined || keys.length > 2)
    throw new Error(`${table} has a key of ${keys.length} columns, not two`);
  const keyText = (row: Values): string => `${row[first] as string}/${row[second] as string}`;
  const rowName = (row: Values): string => `${table}/${keyText(row)}`;

  const isOne = ({ changed }: Change): boolean => Object.keys(changed).length === 1 && one !== undefined && one.name in changed;

  return {
    selectList: (alias, some) => selectListOf(columns, alias, some),
    keyText,
    rowName,
    lock: async (tx, wanted, hold) => {
      const { distinct, places } = distinctKeys(wanted, keyText);
      const found = await tx.query<{ place: number; stored: readonly Json[] | null }>(
        LOCK,
        keys.map(({ field }) => distinct.map((key) => (key as Values)[field] as string)),
      );
      const rows: (LockedRow<RowOf<C>> | undefined)[] = distinct.map(() => undefined);
      for (const { place, stored } of found) {
        if (stored === null) places.forEach((one, index) => one === place - 1 && hold(index, rowName(wanted[index] as KeyOf<C>)));
        else {
          const row = read(stored) as RowOf<C>;
          rows[place - 1] = { before: row, after: row };
        }
      }
      return places.map((place) => rows[place]);
    },
    save: (tx, changed) => {
      const changes = changed.map(changeOf);
      tx.send(SAVE_ONE !== undefined && changes.every(isOne) ? SAVE_ONE : SAVE, [JSON.stringify(changes)]);
    },
    insert: (tx, rows) =>
      tx.send(INSERT, [
        JSON.stringify(
          rows.map((row: Values) => {
            const written: Record<string, unknown> = {};
            for (const { field, name, write } of fields) written[name] = write(row[field]);
            for (const field of Object.keys(extra)) written[snakeCase(field)] = row[field];
            return written;
          }),
        ),
      ]),
  };
}

/** Each key once, and the place among these of each that was given. */
export function distinctKeys<Key>(
  keys: readonly Key[],
  textOf: (key: Key) => string,
): { readonly distinct: readonly Key[]; readonly places: readonly number[] } {
  const known = new Map<string, number>();
  const distinct: Key[] = [];
  const places = keys.map((key) => {
    const text = textOf(key);
    let place = known.get(text);
    if (place === undefined) {
      place = distinct.push(key) - 1;
      known.set(text, place);
    }
    return place;
  });
  return { distinct, places };
}

/** The rows that decisions changed, each once. */
export const changedRows = <Row>(rows: readonly (LockedRow<Row> | undefined)[]): readonly LockedRow<Row>[] =>
  [...new Set(rows)].filter((row): row is LockedRow<Row> => row !== undefined && row.before !== row.after);
