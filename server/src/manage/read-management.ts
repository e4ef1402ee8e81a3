import { Type, type TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { HttpRequest } from '../kit/http.ts';
import { decodeUtf8, isJsonNumber, isJsonObject, parseJson, type JsonValue } from '../kit/json.ts';
import { parseQuery } from '../kit/query-string.ts';
import type { ManagementOperation } from './management-operation.ts';
import type { ProblemPart } from './problems.ts';
import { MAX_CURSOR_CHARACTERS } from './cursors.ts';

/** A request that cannot be read at all. */
export class UnreadableRequest extends Error {
  override readonly name = 'Unreadable';
}

/** What was read, and what is wrong with it. */
export type ReadParts = {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown>;
  /** The path names something that cannot exist. */
  readonly isPathWrong: boolean;
  readonly errors: readonly ProblemPart[];
};

export const DEFAULT_PAGE = 50;
const MAX_PAGE = 200;

/** The parameters of every list. */
const PAGE_PARAMETERS = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE,
      description: `Items of a page; ${DEFAULT_PAGE} where absent.`,
      examples: [DEFAULT_PAGE],
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_CURSOR_CHARACTERS, description: 'The `next` of the page before, with the same filters.' }),
  ),
};

/** The query of an operation with the parameters of a list. */
export const queryOf = ({ query, page }: Pick<ManagementOperation<never>, 'query' | 'page'>): TObject =>
  Type.Object({ ...query?.properties, ...(page === undefined ? {} : PAGE_PARAMETERS) }, { additionalProperties: false });

const NOTHING = Type.Object({});

/** The body of an operation. No object in it, however deep, takes a member that it does not name. */
export const bodyOf = ({ body = NOTHING }: Pick<ManagementOperation<never>, 'body'>): TObject => closed(body) as TObject;

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner: Record<string, unknown> = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  return inner['type'] === 'object' ? { ...inner, additionalProperties: false } : inner;
}

/** The parts of a request as they were sent. */
export type Sent = Pick<ReadParts, 'path' | 'query' | 'body'>;

/** The merchants that a request names. */
export const merchantsNamed = ({ path, query, body }: Sent): readonly string[] =>
  [path, query, body].flatMap(({ merchant }) => (typeof merchant === 'string' ? [merchant] : []));

/** Makes what judges the parts of a request. Its validators are compiled with the first one: most processes never need them. */
export function judgeOf(operation: ManagementOperation<never>): (sent: Sent) => ReadParts {
  const { path = NOTHING } = operation;
  let compiled: { readonly path: Validator; readonly query: Validator; readonly body: Validator } | undefined;
  return (sent) => {
    compiled ??= { path: Compile(path), query: Compile(queryOf(operation)), body: Compile(bodyOf(operation)) };
    const errors: ProblemPart[] = [
      ...violationsOf(compiled.query, sent.query).map(({ pointer, detail }) => ({ parameter: pointer.slice(1), detail })),
      ...violationsOf(compiled.body, sent.body),
    ];
    return { ...sent, isPathWrong: violationsOf(compiled.path, sent.path).length > 0, errors };
  };
}

/** Makes the reader of the requests of an operation. */
export function readerOf(operation: ManagementOperation<never>): (request: HttpRequest) => ReadParts {
  const { path = NOTHING } = operation;
  const query = queryOf(operation);
  const judge = judgeOf(operation);
  return (request) =>
    judge({
      path: convertTexts(path, Object.entries(request.params as Record<string, string>)),
      query: convertTexts(query, readQuery(request)),
      body: readBody(request.body),
    });
}

function readQuery(request: HttpRequest): Iterable<readonly [string, string]> {
  const query = parseQuery(request.raw.url ?? '');
  if (query instanceof Map) return query;
  throw new UnreadableRequest(
    query.error === 'repeated' ? `the query has ${JSON.stringify(query.name)} twice` : 'the query is not escaped as UTF-8',
  );
}

/** Turns texts of a URL into what their schemas ask for: whole numbers, booleans, lists with commas. Other texts stay. */
function convertTexts({ properties }: TObject, texts: Iterable<readonly [string, string]>): Record<string, unknown> {
  const convert = (name: string, text: string): unknown => {
    const { type } = (properties[name] ?? {}) as { readonly type?: string };
    if (type === 'integer' && /^-?[0-9]{1,15}$/.test(text)) return Number(text);
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
    return type === 'array' ? text.split(',') : text;
  };
  return Object.fromEntries(Array.from(texts, ([name, text]) => [name, convert(name, text)]));
}

function readBody(body: unknown): Record<string, unknown> {
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const text = decodeUtf8(body);
  if (text === undefined) throw new UnreadableRequest('the body is not UTF-8');
  const json = parseJson(text);
  if (!json.ok)
    throw new UnreadableRequest(`the body is not a JSON object: ${json.error.replaceAll('_', ' ')} at character ${json.at + 1}`);
  if (!isJsonObject(json.value)) throw new UnreadableRequest('the body is not a JSON object');
  return plain(json.value) as Record<string, unknown>;
}

/** Numbers stay exact: one that is not a safe integer breaks every schema, because amounts are texts. */
function plain(value: JsonValue): unknown {
  if (isJsonNumber(value)) return Number.isSafeInteger(Number(value.text)) ? Number(value.text) : Number.NaN;
  if (isJsonObject(value)) return Object.fromEntries(Array.from(value, ([name, inner]) => [name, plain(inner)]));
  return Array.isArray(value) ? value.map((inner) => plain(inner as JsonValue)) : value;
}

type Violation = { readonly pointer: string; readonly detail: string };

/** At most one violation for each place, and twenty in all. */
const MOST_VIOLATIONS = 20;
const SHOWN_CHARACTERS = 100;

function violationsOf(validator: Validator, value: Record<string, unknown>): Violation[] {
  const found = new Map<string, string>();
  const add = (pointer: string, detail: string): void => {
    const shown = pointer.slice(0, SHOWN_CHARACTERS).toWellFormed();
    if (!found.has(shown) && found.size < MOST_VIOLATIONS) found.set(shown, detail);
  };
  if (!validator.Check(value)) {
    for (const { keyword, instancePath, params, message } of validator.Errors(value)) {
      if (keyword === 'boolean') add(instancePath, 'is not known');
      else if (keyword === 'required') for (const name of params.requiredProperties) add(`${instancePath}/${name}`, 'is missing');
      else if (keyword !== 'additionalProperties') add(instancePath, message);
    }
  }
  for (const pointer of unstorable(value, '')) add(pointer, 'must be Unicode without NUL');
  return Array.from(found, ([pointer, detail]) => ({ pointer, detail }));
}

/** The places of texts, and of members by their names, that PostgreSQL cannot store as they are: with a lone surrogate or NUL. */
function unstorable(value: unknown, pointer: string): string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    isStorable(name) ? unstorable(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`) : [pointer],
  );
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
