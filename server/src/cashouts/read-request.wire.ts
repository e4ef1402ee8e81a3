import type { HttpRequest } from '../kit/http.ts';
import { decodeUtf8, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../kit/json.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { parseQuery } from '../kit/query-string.ts';
import { findLanguage, type Language } from '../kit/language.ts';
import type { Merchant } from '../merchants/index.ts';

/** What is wrong with a request as a whole; where a name is at fault, its text names it. */
type Unreadable = Refusal<'parameter_invalid'>;

/**
 * Reads a body whatever its Content-Type says.
 * Refuses: parameter_invalid where it is not one JSON object, has a key twice, or one that is forbidden.
 * Source: contract §2.2, §2.4.
 */
export function readObject(body: unknown): JsonObject | Unreadable {
  const value = readBody(body);
  return isRefusal(value) || isJsonObject(value) ? value : NO_OBJECT;
}

/** Reads the body of a request that may do without, otherwise as readObject: where there is none, or `[]`, it has no members (contract §2.3). */
export function readOptionalObject(body: unknown): JsonObject | Unreadable {
  if (!Buffer.isBuffer(body) || body.length === 0) return new Map();
  const value = readBody(body);
  if (Array.isArray(value) && value.length === 0) return new Map();
  return isRefusal(value) || isJsonObject(value) ? value : NO_OBJECT;
}

/** Reads a query. Refuses: parameter_invalid for a broken one, or a parameter that is there twice. Source: contract §4.1. */
export function readQuery(url: string): ReadonlyMap<string, string> | Unreadable {
  const query = parseQuery(url);
  if (query instanceof Map) return query;
  return query.fault === 'repeated' ? refuse('parameter_invalid', { field: shorten(query.name), rule: 'repeated' }) : NO_QUERY;
}

/** A name of the caller's own choice is shown back only so far. */
export const shorten = (name: string): string => (name.length <= 40 ? name : `${name.slice(0, 40)}…`).toWellFormed();

const NO_OBJECT = refuse('parameter_invalid', { field: 'body', rule: 'shape' });
const NO_QUERY = refuse('parameter_invalid', { field: 'query', rule: 'shape' });

function readBody(body: unknown): JsonValue | Unreadable {
  const sent = Buffer.isBuffer(body) ? decodeUtf8(body) : undefined;
  const read = sent === undefined ? undefined : parseJson(sent);
  if (sent === undefined || read === undefined) return NO_OBJECT;
  if (read.ok) return read.value;
  if (read.fault !== 'duplicate_key' && read.fault !== 'forbidden_key') return NO_OBJECT;
  return refuse('parameter_invalid', {
    field: shorten(keyAt(sent, read.at)),
    rule: read.fault === 'duplicate_key' ? 'repeated' : 'unknown',
  });
}

/** The key that begins there, in a text that was well-formed so far. */
function keyAt(sent: string, at: number): string {
  const key = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
  key.lastIndex = at;
  return JSON.parse(key.exec(sent)?.[0] ?? '""') as string;
}

/**
 * Tells the language of a refusal's text: the one that the request names, in its body or its query, where that much is readable; else the
 * merchant's, given once the checksum has proved it; else Spanish. For refusals alone: what is asked is read once more here.
 * Source: contract §2.1.
 */
export function languageOf({ raw, body }: Pick<HttpRequest, 'raw' | 'body'>, merchant?: Pick<Merchant, 'language'>): Language {
  const [members, query] = [readOptionalObject(body), readQuery(raw.url as string)];
  const named = [members, query].map((given) => (isRefusal(given) ? undefined : given.get('language')));
  return findLanguage(...named) ?? merchant?.language ?? 'es';
}
