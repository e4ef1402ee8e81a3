/**
 * A prepared statement. A connection parses it once, under its name. Only its values vary.
 * `merchantAt`: the place among its values of the merchant for whom it reads; absent where it names none.
 */
export type Statement = { readonly name: string; readonly text: string; readonly merchantAt?: number };

const OF_MERCHANT = /\bmerchant_id = \$(\d+)/;

const declared = new Map<string, Statement>();

/** Declares a statement. Names are unique in the whole service. A test prepares every declared statement against the schema. */
export function statement(name: string, text: string): Statement {
  if (declared.has(name)) throw new Error(`two statements are called ${name}`);
  const [, number] = OF_MERCHANT.exec(text) ?? [];
  const made = { name, text, ...(number !== undefined && { merchantAt: Number(number) - 1 }) };
  declared.set(name, made);
  return made;
}

/**
 * Declares a statement by which transactions wait for each other until commit, where there is no row to lock. It is locked under its own name,
 * so no other purpose ever waits for it.
 * Shape: `of`: SQL of a text, where those alone wait that have the same one; absent: all do.
 */
export const turnStatement = (name: string, of?: string): Statement =>
  statement(name, `select pg_advisory_xact_lock(hashtext('${name}')${of === undefined ? '' : `, hashtext(${of})`})`);

/** All declared statements, for the test that prepares them. */
export function declaredStatements(): readonly Statement[] {
  return [...declared.values()];
}
