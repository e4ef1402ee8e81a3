/** What each column of a key equals, as SQL. */
type Key = Readonly<Record<string, string>>;

/**
 * SQL that finds one row by its unique key, its newest version first. For rows that many transactions change.
 * While any old transaction is open, PostgreSQL keeps all former versions of a row. A search passes those that it meets before the newest.
 * So the row says in `changed_in` when it changed last. The index has that behind the key, and the search goes backwards.
 * Shape: what to select of the row, under the name `b`; how to lock it.
 * Measured: docs/decisions/0053.
 */
export function newest(table: string, key: Key, what: string, lock = ''): string {
  const conditions = Object.entries(key).map(([column, value]) => `b.${column} = ${value}`);
  return `select ${what} from ${table} b where ${conditions.join(' and ')} order by b.changed_in desc limit 1 ${lock}`.trimEnd();
}
