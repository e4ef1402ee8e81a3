/** What each column of a key equals, as SQL. The last column is of a type with an order. */
type Key = Readonly<Record<string, string>>;

/**
 * SQL that finds one row by its unique key, its newest version first. For rows that many transactions change.
 * While any old transaction is open, PostgreSQL keeps all former versions of a row. A search passes those that it meets before the newest.
 * An index has equal keys in the order of their places, and new versions mostly come behind old ones. So the search goes backwards.
 * It asks for a range of the last column: of what is equal to one value PostgreSQL knows no order.
 * Shape: what to select of the row, under the name `b`; how to lock it.
 * Measured: docs/decisions/0053.
 */
export function newest(table: string, key: Key, what: string, lock = ''): string {
  const columns = Object.entries(key);
  const conditions = columns.map(([column, value], index) =>
    index < columns.length - 1 ? `b.${column} = ${value}` : `b.${column} >= ${value} and b.${column} <= ${value}`,
  );
  return `select ${what} from ${table} b where ${conditions.join(' and ')} order by b.${columns.at(-1)?.[0]} desc limit 1 ${lock}`.trimEnd();
}
