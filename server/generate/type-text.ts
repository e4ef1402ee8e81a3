// JSON schemas as types of TypeScript.

/** What is read of a JSON schema. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
};

/** One step of indentation in what is written. */
export const INDENT = '  ';

/** A text as a literal of TypeScript. */
export const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const literal = (value: unknown): string => (typeof value === 'string' ? quote(value) : JSON.stringify(value));
/** A type that is safe in front of `[]`. */
export const parenthesized = (type: string): string => (/^[^{]* \| /.test(type) ? `(${type})` : type);

/** The TypeScript type of what fits a schema. */
export function typeOf(schema: Schema, depth: number): string {
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((one) => typeOf(one, depth)))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type }, depth)).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly ${parenthesized(typeOf(schema.items ?? {}, depth))}[]`;
    case 'object':
      return typeOfObject(schema, depth);
    default:
      return 'unknown';
  }
}

function typeOfObject({ properties = {}, patternProperties, additionalProperties, required = [] }: Schema, depth: number): string {
  const others = Object.values(patternProperties ?? {})[0] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (others !== undefined) return `Readonly<Record<string, ${typeOf(others, depth)}>>`;
  const members = Object.entries(properties);
  if (members.length === 0) return `Readonly<Record<string, ${additionalProperties === false ? 'never' : 'unknown'}>>`;
  const indent = INDENT.repeat(depth + 1);
  const lines = members.map(([name, inner]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : quote(name);
    const type = typeOf(inner, depth + 1);
    return `${indent}readonly ${key}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  return `{\n${lines.join('\n')}\n${INDENT.repeat(depth)}}`;
}
