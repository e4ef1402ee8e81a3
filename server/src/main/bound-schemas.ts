/** No text of an answer is longer than the largest request. */
const LONGEST_TEXT = 256 * 1024;
/** No list of an answer has more items: lists come in pages. */
const MOST_ITEMS = 1_000;
/** Whole numbers of answers are ids and counts. */
const INTEGER = { format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/**
 * Gives every text, list and whole number of an OpenAPI document a limit, where its own schema has none.
 * Without them a generated client reserves no room, and a checker of requests lets everything pass.
 */
export function boundSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(boundSchemas);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, boundSchemas(inner)]));
  const { type } = copy;
  if (type === 'integer') return { ...INTEGER, ...copy };
  if (type === 'array') return { maxItems: MOST_ITEMS, ...copy };
  const isOpenText = (type === 'string' || (Array.isArray(type) && type.includes('string'))) && !('enum' in copy) && !('const' in copy);
  return isOpenText ? { maxLength: LONGEST_TEXT, ...copy } : copy;
}
