import { readFields, text, type Declaration, type FieldValues, type Violation } from '../kit/fields.ts';
import type { HttpRequest } from '../kit/http.ts';
import { decodeUtf8, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../kit/json.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { parseQuery } from '../kit/query-string.ts';
import { findLanguage, type Language } from '../kit/language.ts';
import type { IfMatch } from './order.ts';
import { checksumField, merchantField, ORDER_ID } from './order-fields.wire.ts';

type Refused = Refusal<'content_invalid' | 'merchant_invalid'>;

const pathFields = { order: text({ required: true, ...ORDER_ID, description: 'The merchant’s id of the order.', example: 'A-1001' }) };

/** What a request about one order in the path carries: contract §3.3, §3.4, §7.2. */
export const signedFields = { merchant: merchantField, checksum: checksumField };
export const orderPath = pathFields;

/** In checksum order, as sent: contract §2.2. */
export const signedTexts = ({ order, merchant }: { readonly order: string; readonly merchant: string }): readonly string[] => [
  order,
  merchant,
];

/**
 * Reads the order of the path and the parameters of the query.
 * Shape: values of the declared fields, with `order`. Parameters that are not declared are ignored.
 * Refuses: content_invalid (also a parameter sent twice, or misshapen in the path), merchant_invalid.
 * Source: contract §3.3.
 */
export function readOrderParameters<Fields extends Declaration>(
  declaration: Fields,
  request: HttpRequest,
  body: JsonObject = new Map(),
): (FieldValues<Fields> & { readonly order: string }) | Refused {
  const query = parseQuery(request.raw.url ?? '');
  if (!(query instanceof Map))
    return refuse('content_invalid', { field: 'query', rule: query.fault === 'repeated' ? 'repeated' : 'shape' });
  const path = readFields(pathFields, new Map(Object.entries(request.params as Record<string, string>)));
  const sent = body.size === 0 ? query : new Map<string, JsonValue>([...body, ...query]);
  const read = readFields(declaration, sent);
  if (path.ok && read.ok) return { ...read.values, ...path.values };
  return firstOf([...(path.ok ? [] : path.violations), ...(read.ok ? [] : read.violations)]);
}

/**
 * Reads the body that some clients send with a DELETE, where they keep what others put into the query.
 * Shape: a JSON object; nothing, `[]` and null are an empty one.
 * Refuses: content_invalid.
 * Source: contract §2.3.
 */
export function readDeleteBody(body: unknown): JsonObject | Refusal<'content_invalid'> {
  if (!Buffer.isBuffer(body) || body.length === 0) return new Map();
  const decoded = decodeUtf8(body);
  const json = decoded === undefined ? undefined : parseJson(decoded);
  if (json?.ok) {
    if (isJsonObject(json.value)) return json.value;
    if (json.value === null || (Array.isArray(json.value) && json.value.length === 0)) return new Map();
  }
  return refuse('content_invalid', { field: 'body', rule: 'shape' });
}

/**
 * Tells the language that a request names for the texts of its refusal, in its query or its body, where that much is readable.
 * For refusals alone: what is asked is read once more here. Source: contract §2.1.
 */
export function languageAsked({ raw, body }: Pick<HttpRequest, 'raw' | 'body'>): Language | undefined {
  const query = parseQuery(raw.url ?? '');
  const members = readDeleteBody(body);
  return findLanguage(query instanceof Map && query.get('language'), !isRefusal(members) && members.get('language'));
}

/** Any other fault of the content comes before the merchant's: contract §3.1. */
function firstOf(violations: readonly Violation[]): Refused {
  const first = violations.find(({ field }) => field !== 'merchant');
  return first === undefined ? refuse('merchant_invalid', violations[0]) : refuse('content_invalid', first);
}

/** One entity tag and what separates it from the next: RFC 9110 §8.8.3. */
const TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(,|$)/y;
const VERSION = /^[1-9][0-9]{0,9}$/;

/**
 * Reads an If-Match header.
 * Shape: absent → undefined; `*` → 'any'; a list of entity tags → the versions among them. A weak tag never matches, because
 * If-Match compares strongly (RFC 9110 §13.1.1), and neither does a tag that is no version of ours.
 * Refuses: content_invalid.
 * Source: contract §7.1.
 */
export function readIfMatch(header: string | undefined): IfMatch | undefined | Refusal<'content_invalid'> {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const versions: number[] = [];
  TAG.lastIndex = 0;
  for (;;) {
    const match = TAG.exec(header);
    if (match === null) return refuse('content_invalid', { field: 'If-Match', rule: 'shape' });
    const [, weak, tag = '', separator] = match;
    if (weak === undefined && VERSION.test(tag)) versions.push(Number(tag));
    if (separator === '') return versions;
  }
}
