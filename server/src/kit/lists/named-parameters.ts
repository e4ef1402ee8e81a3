import type { Db, Value } from '../db.ts';
import { statement } from '../db/statement.ts';

/** The SQL type of each parameter, by its name. */
type Types = Readonly<Record<string, string>>;
export type NamedValues<Name extends string> = { readonly [name in Name]?: Value | undefined };

/** SQL whose parameters have numbers, and the values that belong to them. */
type Numbered<Name extends string> = { readonly text: string; readonly valuesOf: (values: NamedValues<Name>) => readonly Value[] };

/**
 * Numbers the parameters of SQL that writes them as `$name`. Each gets its type. A value that is absent is null.
 * Throws: for a name without a type, which is a programming error.
 */
export function numbered<T extends Types>(types: T, named: string): Numbered<keyof T & string> {
  const names: string[] = [];
  const text = named.replace(/\$([a-zA-Z]+)/g, (_, name: string) => {
    if (types[name] === undefined) throw new Error(`no type of the parameter ${name}`);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}::${types[name]}`;
  });
  return { text, valuesOf: (values) => names.map((name) => values[name] ?? null) };
}

/** Declares a statement with named parameters. Shape: → runs it. */
export function namedStatement<T extends Types>(
  name: string,
  types: T,
  named: string,
): <Row>(db: Pick<Db, 'query'>, values: NamedValues<keyof T & string>) => Promise<Row[]> {
  const { text, valuesOf } = numbered(types, named);
  const declared = statement(name, text);
  return (db, values) => db.query(declared, valuesOf(values));
}
