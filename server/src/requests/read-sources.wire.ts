import { readFields, type Declaration, type Field, type Texts, type Violation } from '../kit/fields.ts';
import type { HttpRequest } from '../kit/http.ts';
import { decodeUtf8, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../kit/json.ts';
import { findLanguage, type Language } from '../kit/language.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { parseQuery } from '../kit/query-string.ts';
import type { Operation, SourceError, FieldSource } from './operation.ts';

/** What was read of a request beside the values of its fields: every refusal that they earn. */
export type Received = {
  readonly refusals: Refusal[];
  readonly query: ReadonlyMap<string, string>;
  /** The language that it names for the text of its refusal, in either source that is readable. Source: contract §2.1. */
  readonly language: () => Language | undefined;
};

/** How the sources of a request must look. */
export const SOURCE_FORMS: Readonly<Record<string, Texts>> = {
  body: {
    es: 'un objeto JSON en UTF-8, sin comprimir',
    en: 'a JSON object in UTF-8, not compressed',
    pt: 'um objeto JSON em UTF-8, sem compressão',
  },
  query: { es: 'parámetros escapados como UTF-8', en: 'parameters escaped as UTF-8', pt: 'parâmetros escapados como UTF-8' },
};

type Reading = Pick<Operation<never>, 'path' | 'from' | 'fields' | 'aliases' | 'isStrict' | 'envelope'>;

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();
const NO_MEMBERS: JsonObject = new Map();

/**
 * Reads the fields of a request from its path and from its sources. Adds them to `values`.
 * Shape: all refusals are collected, because the first in the order of precedence is the answer. The fields of a source that cannot be
 * read are not judged.
 * Source: contract §2.2 – §2.4, §2.10.
 */
export function readSources(operation: Reading, request: HttpRequest, values: Record<string, unknown>): Received {
  const { path, from, fields, envelope } = operation;
  const refusals: Refusal[] = [];
  if (path !== undefined) judge(operation, path, pathOf(request), values, refusals);
  const query = from.includes('query') ? readQuery(request) : NO_PARAMETERS;
  const body = from.includes('body') ? readBody(request.body, from === 'body' ? 'required' : 'optional') : NO_MEMBERS;
  // Only a refusal asks. What the operation itself does not read is read then.
  const language = (): Language | undefined => {
    const inQuery = nameIn(from.includes('query') ? query : readQuery(request));
    const inBody = nameIn(from.includes('body') ? body : readBody(request.body, 'optional'));
    return from.startsWith('query') ? findLanguage(inQuery, inBody) : findLanguage(inBody, inQuery);
  };
  if (!(query instanceof Map) || !(body instanceof Map)) {
    for (const source of [body, query])
      if (!(source instanceof Map)) refusals.push(refuse(envelope.malformed, envelope.unreadable(source as SourceError)));
    return { refusals, query: NO_PARAMETERS, language };
  }
  const sent = merge(from, body as JsonObject, query, operation.aliases);
  if (operation.isStrict) {
    for (const name of sent.keys())
      if (!Object.hasOwn(fields, name) && name !== LANGUAGE)
        refusals.push(refuse(envelope.malformed, { field: shorten(name), rule: 'unknown' }));
  }
  judge(operation, fields, sent, values, refusals);
  return { refusals, query, language };
}

/** Every operation takes it, for the texts of its refusals: contract §2.1. */
const LANGUAGE = 'language';

const nameIn = (source: ReadonlyMap<string, JsonValue> | SourceError): unknown =>
  source instanceof Map ? source.get(LANGUAGE) : undefined;

/** A name of the caller's own choice appears in an answer only up to this length. */
const SHOWN_CHARACTERS = 40;
const shorten = (name: string): string => (name.length <= SHOWN_CHARACTERS ? name : `${name.slice(0, SHOWN_CHARACTERS)}…`).toWellFormed();

const pathOf = ({ params }: HttpRequest): Pick<JsonObject, 'get'> => ({ get: (name) => (params as Record<string, string>)[name] });

/** Adds the values of the declared fields to `values`, and what they break to `refusals`. */
function judge(
  operation: Reading,
  declaration: Declaration,
  sent: Pick<JsonObject, 'get'>,
  values: Record<string, unknown>,
  refusals: Refusal[],
): void {
  const read = readFields(declaration, sent, values);
  if (read.ok) return;
  for (const violation of read.violations)
    refusals.push(refusalOf(declaration[violation.field] as Field, violation, operation.envelope.malformed));
}

function refusalOf({ refusal, refusesAbsence }: Field, { field, rule, limit }: Violation, malformed: string): Refusal {
  const isAbsent = rule === 'required' || rule === 'type';
  const name = refusal !== undefined && (refusesAbsence || !isAbsent) ? refusal : malformed;
  return refuse(name, limit === undefined ? { field, rule } : { field, rule, limit });
}

/** A null of the source that wins hides nothing in the other. */
function merge(from: FieldSource, body: JsonObject, query: ReadonlyMap<string, string>, aliases: Reading['aliases']): JsonObject {
  if (from === 'body') return body;
  if (body.size === 0 && aliases === undefined) return query;
  const [first, second] = from.startsWith('query') ? [query, body] : [body, query];
  const merged = new Map<string, JsonValue>(second);
  for (const [name, value] of first) if (value !== null) merged.set(name, value);
  for (const [alias, name] of Object.entries(aliases ?? {}))
    if ((merged.get(name) ?? null) === null) merged.set(name, merged.get(alias) ?? null);
  return merged;
}

function readQuery(request: HttpRequest): ReadonlyMap<string, string> | SourceError {
  const query = parseQuery(request.raw.url ?? '');
  if (query instanceof Map) return query;
  return query.error === 'repeated' ? { source: 'query', rule: 'repeated', name: shorten(query.name) } : { source: 'query', rule: 'shape' };
}

const NO_OBJECT: SourceError = { source: 'body', rule: 'shape' };

/** An optional body may be absent, `[]` or null: contract §2.3. */
function readBody(body: unknown, need: 'required' | 'optional'): JsonObject | SourceError {
  if (!Buffer.isBuffer(body) || body.length === 0) return need === 'optional' ? NO_MEMBERS : NO_OBJECT;
  const text = decodeUtf8(body);
  if (text === undefined) return NO_OBJECT;
  const json = parseJson(text);
  if (!json.ok) {
    if (json.error !== 'duplicate_key' && json.error !== 'forbidden_key') return NO_OBJECT;
    return { source: 'body', rule: json.error === 'duplicate_key' ? 'repeated' : 'unknown', name: shorten(keyAt(text, json.at)) };
  }
  if (isJsonObject(json.value)) return json.value;
  const isEmpty = json.value === null || (Array.isArray(json.value) && json.value.length === 0);
  return need === 'optional' && isEmpty ? NO_MEMBERS : NO_OBJECT;
}

/** The key that begins there, in a text that was well-formed so far. */
function keyAt(text: string, at: number): string {
  const key = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
  key.lastIndex = at;
  return JSON.parse(key.exec(text)?.[0] ?? '""') as string;
}
