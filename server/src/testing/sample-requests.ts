import type { TSchema } from 'typebox';
import type { ManagementOperation } from '../manage/index.ts';

export type Shape = TSchema & {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
};

/** A value that a schema accepts: its example, else the least. */
function sampleOf(schema: Shape, place: string): unknown {
  const { type, examples, enum: names, const: only, anyOf, items, minimum = 1, required = [], properties = {} } = schema;
  if (examples !== undefined) return examples[0];
  if (names !== undefined) return names[0];
  if (only !== undefined) return only;
  if (anyOf !== undefined) return sampleOf(anyOf[0] as Shape, place);
  if (type === 'integer') return minimum;
  if (type === 'boolean') return true;
  if (type === 'array') return [sampleOf(items as Shape, place)];
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as Shape, `${place}.${name}`)]));
  throw new Error(`${place} has no example: give its schema one`);
}

/** A request that the operation would read, about one merchant. */
export function sampleRequest({ name, route, path, query, body }: ManagementOperation<never>, merchant: string) {
  const [method = '', template = ''] = route.split(' ');
  const named = (schema: Shape | undefined): Record<string, unknown> => {
    const sample = (schema === undefined ? {} : sampleOf(schema, name)) as Record<string, unknown>;
    return schema?.properties?.['merchant'] === undefined ? sample : { ...sample, merchant };
  };
  const values = named(path);
  const search = new URLSearchParams(Object.entries(named(query)).map(([key, value]) => [key, String(value)]));
  const url = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])));
  return {
    method: method as 'GET',
    url: search.size === 0 ? url : `${url}?${search.toString()}`,
    headers: { 'if-match': '*' },
    ...(body === undefined ? {} : { payload: JSON.stringify(named(body)) }),
  };
}
