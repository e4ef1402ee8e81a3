import { isDeepStrictEqual } from 'node:util';
import { Type, type TObject, type TSchema } from 'typebox';
import { isWriteOperation, type ManagementOperation } from './management-operation.ts';
import { PERMISSIONS } from './permissions.ts';
import { FAULT_PROBLEMS, SHARED_PROBLEMS, type Problem } from './problems.ts';
import { bodyOf, queryOf } from './read-management.ts';

type Described = ManagementOperation<never>;

/** What documents call a problem: its name, with what it means. */
export type NamedProblem = Problem & { readonly name: string };

const named = (problems: Readonly<Record<string, Problem>>): readonly NamedProblem[] =>
  Object.entries(problems).map(([name, problem]) => ({ name, ...problem }));

/** The problems that an operation can answer, those of its own last. */
export function problemsOf(operation: Described): readonly NamedProblem[] {
  const { permission, stepUp, takesIfMatch, keepsAnswersAs, refusals = {} } = operation;
  const isLeftOut: Readonly<Partial<Record<string, boolean>>> = {
    not_signed_in: permission === 'anyone',
    permission_missing: permission === 'anyone',
    origin_foreign: !isWriteOperation(operation),
    step_up_required: stepUp === undefined,
    if_match_missing: takesIfMatch !== 'required',
    version_mismatch: takesIfMatch === undefined,
    key_in_flight: keepsAnswersAs === undefined,
    key_reused: keepsAnswersAs === undefined,
  };
  return [...named(SHARED_PROBLEMS).filter(({ name }) => isLeftOut[name] !== true), ...named(refusals)];
}

/**
 * Every problem that some operation can answer, by name. A name has one meaning: its page is found by the name alone.
 * Throws: where two declarations disagree.
 */
export function allProblems(operations: readonly Described[]): ReadonlyMap<string, Problem> {
  const own = operations.flatMap(({ refusals = {} }) => Object.entries(refusals));
  const every: readonly (readonly [string, Problem])[] = [...Object.entries(SHARED_PROBLEMS), ...Object.entries(FAULT_PROBLEMS), ...own];
  const found = new Map<string, Problem>();
  for (const [name, problem] of every.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (!isDeepStrictEqual(found.get(name) ?? problem, problem)) throw new Error(`two declarations of the problem ${name} disagree`);
    found.set(name, problem);
  }
  return found;
}

const DESCRIPTION = `What users and their programs do with the service. JSON in, JSON out, in English.

A program sends \`Authorization: Bearer TOKEN\`. A browser sends the cookie of its session, and \`Origin\` with each write. Each operation \
names the permission that it needs. What an actor may not see does not exist for it: the answer is 404.

An answer that says no is a problem (RFC 9457) with a stable \`type\`, which is also the address of its page. Amounts are texts with all \
decimals of their currency, instants are RFC 3339 in UTC, days are days of the merchant's time zone. Unknown parameters and members are refused. \
A list has \`items\` and \`next\`, the cursor of its next page or null.

Where the merchants of a service are in several databases, its cells, an answer made of all of them leaves out a cell that is away, and \
\`Caudal-Missing-Cells\` names it. What concerns a merchant of that cell is answered with 503.`;

const header = (name: string, description: string, required: boolean, schema: object): object => ({
  in: 'header',
  name,
  required,
  description,
  schema,
});
const IF_MATCH = 'The `ETag` that was read, or `*` for any version.';
const KEY =
  'The write is carried out once. A repeated request gets the first answer again, with `Idempotency-Replayed: true`, for 30 days.';

const listed = (place: 'path' | 'query', { properties, required }: TObject): object[] =>
  Object.entries(properties as Readonly<Record<string, TSchema & { description?: string }>>).map(([name, { description, ...schema }]) => ({
    in: place,
    name,
    required: place === 'path' || (required as readonly string[] | undefined)?.includes(name) === true,
    ...(description === undefined ? {} : { description }),
    schema,
    ...('type' in schema && schema.type === 'array' ? { style: 'form', explode: false } : {}),
  }));

function parametersOf(operation: Described): readonly object[] {
  const { path = Type.Object({}), takesIfMatch, keepsAnswersAs } = operation;
  return [
    ...listed('path', path),
    ...listed('query', queryOf(operation)),
    ...(takesIfMatch === undefined
      ? []
      : [header('If-Match', IF_MATCH, takesIfMatch === 'required', { type: 'string', examples: ['"3"'] })]),
    ...(keepsAnswersAs === undefined ? [] : [header('Idempotency-Key', KEY, false, { type: 'string', pattern: '^[!-~]{1,255}$' })]),
  ];
}

/** What is made of all cells may lack some. */
const MISSING_CELLS = {
  'Caudal-Missing-Cells': {
    description: 'The names of cells that are away, with commas between them. What they hold is not in the answer.',
    schema: { type: 'string', examples: ['north, south'] },
  },
};
const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

function successOf({ cells, page, shows, streams, status }: Described): readonly [string, object] {
  const headers = typeof cells === 'object' ? { ...REQUEST_ID, ...MISSING_CELLS } : REQUEST_ID;
  if (streams !== undefined) return ['200', { description: 'Success.', headers, content: { [streams]: { schema: { type: 'string' } } } }];
  if (shows === undefined) return [String(status ?? 204), { description: 'Success.', headers }];
  const next = { type: ['string', 'null'], description: 'The cursor of the next page; null: this is the last one.' };
  const schema =
    page === undefined
      ? shows
      : { type: 'object', required: ['items', 'next'], properties: { items: { type: 'array', items: shows }, next } };
  return [String(status ?? 200), { description: 'Success.', headers, content: { 'application/json': { schema } } }];
}

const problemResponse = (description: string): object => ({
  description,
  headers: REQUEST_ID,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

function responsesOf(operation: Described): object {
  const byStatus = Map.groupBy(problemsOf(operation), ({ status }) => status);
  const problems = [...byStatus].map(([status, those]) => [
    String(status),
    problemResponse(those.map(({ name, title }) => `\`${name}\`: ${title}.`).join(' ')),
  ]);
  const faults = Object.entries(FAULT_PROBLEMS).filter(([, { status }]) => !byStatus.has(status) && status !== 405);
  return Object.fromEntries([
    successOf(operation),
    ...problems,
    ...faults.map(([name, { status }]) => [String(status), { $ref: `#/components/responses/${name}` }]),
  ]);
}

/** The sentence that says who may run an operation. */
export function permissionText({ permission, scope, stepUp }: Pick<Described, 'permission' | 'scope' | 'stepUp'>): string {
  if (permission === 'anyone') return 'Anyone may.';
  const who = permission === 'signed-in' ? 'Everyone who is signed in may.' : `Needs \`${permission}\`.`;
  const side = scope === 'service' ? ' Only for the service’s own side.' : '';
  return `${who}${side}${stepUp ? ' A session must have proved its user again.' : ''}`;
}

function describeOperation(operation: Described): object {
  const { name, summary, description, tag, permission, body } = operation;
  return {
    operationId: name,
    summary,
    description: [description, permissionText(operation)].filter((one) => one !== undefined).join(' '),
    tags: [tag],
    security: permission === 'anyone' ? [] : [{ AccessToken: [] }, { Session: [] }],
    'x-permission': permission,
    parameters: parametersOf(operation),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: (body.required ?? []).length > 0,
            content: { 'application/json': { schema: bodyOf(operation) } },
          },
        }),
    responses: responsesOf(operation),
  };
}

/** Makes the OpenAPI 3.1 document of the management API. */
export function managementDocument(operations: readonly Described[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = describeOperation(operation);
  }
  const texts = { type: 'string' };
  const parts = { type: 'object', required: ['detail'], properties: { pointer: texts, parameter: texts, header: texts, detail: texts } };
  const properties = {
    type: texts,
    title: texts,
    status: { type: 'integer' },
    detail: texts,
    instance: texts,
    errors: { type: 'array', items: parts },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Caudal: management API',
      version,
      description: DESCRIPTION,
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: `Operations of ${name.toLowerCase()}.` })),
    paths,
    components: {
      securitySchemes: {
        AccessToken: { type: 'http', scheme: 'bearer', description: `A token has permissions: ${Object.keys(PERMISSIONS).join(', ')}.` },
        Session: { type: 'apiKey', in: 'cookie', name: '__Host-caudal', description: 'The session of a browser.' },
      },
      schemas: { Problem: { type: 'object', required: ['type', 'title', 'status'], properties } },
      responses: Object.fromEntries(
        Object.entries(FAULT_PROBLEMS)
          .filter(([, { status }]) => status !== 405 && status !== 404 && status !== 400)
          .map(([name, { title, meaning }]) => [name, problemResponse(`${title}. ${meaning}`)]),
      ),
      headers: { RequestId: { description: 'The id of the request: the caller’s own where it is well-formed.', schema: texts } },
    },
  };
}
