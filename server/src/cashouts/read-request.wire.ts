import { text } from '../kit/fields.ts';
import type { HttpRequest } from '../kit/http.ts';
import { decodeUtf8, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../kit/json.ts';
import { parseQuery } from '../kit/query-string.ts';
import { LANGUAGES, type Language, type Merchant } from '../merchants/index.ts';

/** Reads a body whatever its Content-Type says; undefined where it is not one JSON object (contract §2.2, §2.4). */
export function readObject(body: unknown): JsonObject | undefined {
  const value = readBody(body);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/** Reads the body of a request that may do without: where there is none, or `[]` (contract §2.3), it has no members. */
export function readOptionalObject(body: unknown): JsonObject | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return new Map();
  const value = readBody(body);
  if (Array.isArray(value) && value.length === 0) return new Map();
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

function readBody(body: unknown): JsonValue | undefined {
  const text = Buffer.isBuffer(body) ? decodeUtf8(body) : undefined;
  const read = text === undefined ? undefined : parseJson(text);
  return read?.ok === true ? read.value : undefined;
}

/** What each operation takes beside its own fields, in its query or its body, as the OpenAPI document shows it. */
export const LANGUAGE = {
  language: text({
    required: false,
    max: 2,
    pattern: /^(es|en|pt)?$/,
    description: "The language of a refusal's text, es, en or pt; anything else is as good as none.",
    example: 'es',
  }),
};

/**
 * Tells the language of a refusal's text: the one that the request names, in its body or its query, where that much is readable; else the
 * merchant's, given once the checksum has proved it; else Spanish. For refusals alone: what is asked is read once more here.
 * Source: contract §2.1.
 */
export function languageOf({ raw, body }: Pick<HttpRequest, 'raw' | 'body'>, merchant?: Pick<Merchant, 'language'>): Language {
  const query = parseQuery(raw.url as string);
  const named = [readOptionalObject(body)?.get('language'), query instanceof Map ? query.get('language') : undefined];
  return LANGUAGES.find((one) => one === named[0]) ?? LANGUAGES.find((one) => one === named[1]) ?? merchant?.language ?? 'es';
}
