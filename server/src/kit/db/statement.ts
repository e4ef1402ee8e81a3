/** A prepared statement. A connection parses it once, under its name. Only its values vary. */
export type Statement = { readonly name: string; readonly text: string };

const declared = new Map<string, Statement>();

/** Declares a statement. Names are unique in the whole service. A test prepares every declared statement against the schema. */
export function statement(name: string, text: string): Statement {
  if (declared.has(name)) throw new Error(`two statements are called ${name}`);
  const made = { name, text };
  declared.set(name, made);
  return made;
}

/** All declared statements, for the test that prepares them. */
export function declaredStatements(): readonly Statement[] {
  return [...declared.values()];
}
