import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import type { ApiDocument, ApiOperation, ApiParameter, ApiWebhooks } from '../docs/index.ts';
import { sendJson, type HttpServer } from '../kit/http.ts';
import { boundSchemas } from './bound-schemas.ts';

const DESCRIPTION = `JSON in, JSON out.

A business answer, success or refusal, is HTTP 200 and carries its result code in the body: \`0000\` is success. What is not a business \
answer has a status of its own and the same envelope: 404 unknown path, 405 wrong method (with \`Allow\`), 409 and 422 for \
an \`Idempotency-Key\`, 412 another version, 400 broken HTTP, 408 too slow, 413 and 431 too large, 429 too many requests, 500 our fault, \
503 cannot serve now. A caller that is not proved gets no 401: this is a business answer too, and each operation names its codes.

Every request proves who sends it by a checksum: SHA-512 over some of its values, exactly as they are sent and without separators, \
followed by the merchant's fixed hash or the network's secret. A network also signs its requests, in the form of Standard Webhooks, which covers every byte and \
ends replay (contract §7.5). A merchant may do the same. Amounts are plain decimals; a number is kept as the text that was sent. Days are those of the \
merchant's time zone.`;

const TAGS = [
  { name: 'Orders', description: 'Payment orders: made, changed while they are pending, queried, cancelled.' },
  {
    name: 'Networks',
    description:
      'What a collection network does at its counters: takes cash for orders, hands out that of cashouts, and takes either back.',
  },
  { name: 'Cashouts', description: 'Payouts in cash to end users: registered, listed, queried, cancelled.' },
  {
    name: 'Notices',
    description:
      'What a merchant’s own server receives at its notice URL, signed in the form of Standard Webhooks, at least once and in order for each order, cashout and settlement. With a 2xx it is taken.',
  },
  {
    name: 'Sandbox',
    description:
      'For developers, and absent in production: no checksum, no secret. The header `X-Sandbox-Fault` on any operation of the groups above makes it fail: `503` before any work, `slow` after three seconds, `timeout` never answers what it has done.',
  },
];

/** A document for each kind of caller: who writes a client gets no operation that it may not call. */
const DOCUMENTS = {
  merchants: {
    path: '/openapi.json',
    title: 'Caudal for merchants',
    about: 'Payment orders and cashouts, for merchants. Networks have a document of their own, `/openapi/networks.json`.',
    tags: ['Orders', 'Cashouts', 'Notices', 'Sandbox'],
  },
  networks: {
    path: '/openapi/networks.json',
    title: 'Caudal for networks',
    about: 'What a collection network does for payers and end users at its counters. Merchants have `/openapi.json`.',
    tags: ['Networks'],
  },
} as const;
type Part = (typeof DOCUMENTS)[keyof typeof DOCUMENTS];

/** Faults by status. Each has the envelope of its family of paths (contract §2.6). */
export const FAULTS_BY_STATUS: readonly (readonly [status: string, name: string, description: string])[] = [
  ['400', 'Malformed', 'Code 0011: the bytes are not an HTTP request, or it names no `Host`.'],
  ['404', 'NotFound', 'Code 0940: the path is that of no operation.'],
  ['408', 'TooSlow', 'Code 0011: the request did not arrive within ten seconds.'],
  ['413', 'TooLarge', 'Code 0913: more than 256 KiB of body or 8 KiB of address.'],
  ['431', 'HeadersTooLarge', 'Code 0913: more than 24 KiB of headers.'],
  ['429', 'TooManyRequests', 'Code 0929: the sender has used up a limit; try again after `Retry-After` seconds.'],
  ['500', 'Internal', 'Code 0950: a fault of the service. What became of the request is not known.'],
  ['503', 'Unavailable', 'Code 0953: the service cannot serve now; try again after `Retry-After` seconds.'],
];
/** Faults of a request whose path may be unknown. They may have the envelope of the orders. */
const WITHOUT_PATH: ReadonlySet<string> = new Set(['400', '408', '431']);

const shown = (description: string, example: string): object => ({ type: 'string', description, examples: [example] });
const ENVELOPES = {
  Order: {
    type: 'object',
    description: 'The envelope of the orders around no data.',
    required: ['CODE', 'DESC', 'DATA'],
    properties: {
      CODE: shown('The result code.', '0940'),
      DESC: shown('What was wrong.', 'La ruta no existe'),
      DATA: { type: 'object', maxProperties: 0 },
    },
  },
  Cashout: {
    type: 'object',
    description: 'The envelope of the cashouts around no data.',
    required: ['code', 'text', 'first', 'previous', 'next', 'end', 'data'],
    properties: {
      code: shown('The result code.', '0940'),
      text: shown('What was wrong.', 'La ruta no existe'),
      ...Object.fromEntries(['first', 'previous', 'next', 'end'].map((name) => [name, { type: 'string', const: '' }])),
      data: { type: 'array', maxItems: 0, items: {} },
    },
  },
  Sandbox: {
    type: 'object',
    description: 'The envelope of the sandbox around no data.',
    required: ['code', 'text', 'data'],
    properties: {
      code: shown('The result code.', '0940'),
      text: shown('What was wrong.', 'La ruta no existe'),
      data: { type: 'object', maxProperties: 0 },
    },
  },
} as const;

type Family = keyof typeof ENVELOPES;
const FAMILIES = Object.keys(ENVELOPES) as readonly Family[];
const familyOf = (path: string): Family => (path.startsWith('/cashout/') ? 'Cashout' : path.startsWith('/sandbox/') ? 'Sandbox' : 'Order');

/** Beside the checksum, which is not a header: a request carries none of these, or all (contract §7.5). */
const SIGNATURE_HEADERS = {
  WebhookId: ['webhook-id', 'An id that is new in each request, 1–128 visible ASCII characters without a full stop.'],
  WebhookTimestamp: ['webhook-timestamp', 'Seconds since 1970, not more than five minutes from the service’s time.'],
  WebhookSignature: [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over id, time, method, path with query, and body under the caller’s signing secret; several with spaces.',
  ],
} as const;
const SECURITY_SCHEMES = Object.fromEntries(
  Object.entries(SIGNATURE_HEADERS).map(([scheme, [name, description]]) => [scheme, { type: 'apiKey', in: 'header', name, description }]),
);

/** What a POST of a merchant may carry, and the two answers that only this brings (contract §7.3). */
const IDEMPOTENCY_KEY: ApiParameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'The request is carried out once; a repeated one gets the first answer again, with `Idempotency-Replayed: true`, for 30 days. 1–255 visible ASCII characters.',
  example: 'a1b2c3d4-e5f6-4711-8899-aabbccddeeff',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};
const KEY_REFUSALS = [
  ['409', 'Code 0909: a request with the same `Idempotency-Key` is being carried out; try again.'],
  ['422', 'Code 0922: the `Idempotency-Key` was used before with another body.'],
] as const;

const HEADERS = {
  Replayed: {
    description: 'Where this is the first answer to the same `Idempotency-Key`, given again.',
    schema: { type: 'string', const: 'true' },
  },
  RequestId: { description: 'The id of the request: the caller’s own where it is well-formed.', schema: { type: 'string' } },
  Version: { description: 'The version of the order: for `If-Match`.', schema: { type: 'string', examples: ['"1"'] } },
  RateLimit: {
    description: 'The requests that are left (`r`), and the seconds until the quota is whole (`t`).',
    schema: { type: 'string', examples: ['"merchant";r=0;t=2'] },
  },
  RateLimitPolicy: {
    description: 'The quota (`q`), and the seconds in which it is granted (`w`).',
    schema: { type: 'string', examples: ['"merchant";q=40000;w=2'] },
  },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'string', examples: ['1'] } },
};
const header = (name: keyof typeof HEADERS): object => ({ $ref: `#/components/headers/${name}` });

/** The part of a document that one kind of caller needs. */
function partOf<Whole extends Omit<ApiDocument, 'webhooks'>>(document: Whole, { title, about, tags }: Part): Whole {
  const isOwn = (operation: ApiOperation): boolean => operation.tags.some((tag) => (tags as readonly string[]).includes(tag));
  const paths = Object.entries(document.paths).filter(([, operations]) => Object.values(operations).some(isOwn));
  const info = { ...document.info, title, description: `${about} ${document.info.description}` };
  return { ...document, info, paths: Object.fromEntries(paths) };
}

/** Adds to each operation what all of them share: headers and transport errors. */
function completeDocument(document: Omit<ApiDocument, 'webhooks'>, webhooks: ApiWebhooks): ApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const family = familyOf(path);
    const complete = Object.entries(operations).map(([method, operation]) => [method, completeOperation(operation, method, family)]);
    return [path, Object.fromEntries(complete)];
  });
  const operations = [...Object.values(document.paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods));
  const tags = document.tags.filter(({ name }) => operations.some((operation) => operation.tags.includes(name)));
  const families = FAMILIES.filter((family) => Object.keys(document.paths).some((path) => familyOf(path) === family));
  const responses = families.flatMap((family) =>
    FAULTS_BY_STATUS.map(([status, name, description]) => [
      `${family}${name}`,
      {
        description,
        headers: {
          'X-Request-Id': header('RequestId'),
          ...(status === '429' ? { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') } : {}),
          ...(status === '429' || status === '503' ? { 'Retry-After': header('RetryAfter') } : {}),
        },
        content: { 'application/json': { schema: faultSchema(family, status) } },
      },
    ]),
  );
  const schemas = Object.fromEntries(families.map((family) => [`${family}Fault`, ENVELOPES[family]]));
  const used = JSON.stringify([paths, responses]);
  const headers = Object.fromEntries(Object.entries(HEADERS).filter(([name]) => used.includes(`headers/${name}"`)));
  return boundSchemas({
    ...document,
    tags,
    paths: Object.fromEntries(paths),
    webhooks,
    components: { ...document.components, schemas, responses: Object.fromEntries(responses), headers },
  }) as ApiDocument;
}

function faultSchema(family: Family, status: string): object {
  const refTo = (name: Family): object => ({ $ref: `#/components/schemas/${name}Fault` });
  return family !== 'Order' && WITHOUT_PATH.has(status) ? { anyOf: [refTo(family), refTo('Order')] } : refTo(family);
}

function completeOperation(operation: ApiOperation, method: string, family: Family): object {
  const isMerchants = operation.tags.some((tag) => tag === 'Orders' || tag === 'Cashouts');
  const hasKey = isMerchants && method === 'post';
  const own = Object.entries(operation.responses).map(([status, response]) => {
    const version = family === 'Order' ? { ETag: header('Version') } : {};
    const replayed = hasKey ? { 'Idempotency-Replayed': header('Replayed') } : {};
    return [status, { ...response, headers: { 'X-Request-Id': header('RequestId'), ...version, ...replayed } }];
  });
  const { content } = operation.responses['200'] ?? {};
  const keyRefusals = (hasKey ? KEY_REFUSALS : []).map(([status, description]) => [
    status,
    { description, headers: { 'X-Request-Id': header('RequestId') }, content },
  ]);
  const faults = FAULTS_BY_STATUS.map(([status, name]) => [status, { $ref: `#/components/responses/${family}${name}` }]);
  const { requestBody } = operation;
  const isNeeded = (requestBody?.content['application/json'].schema.required ?? []).length > 0;
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: { ...requestBody, required: isNeeded } }),
    ...(hasKey ? { parameters: [...(operation.parameters ?? []), IDEMPOTENCY_KEY] } : {}),
    responses: Object.fromEntries([...own, ...keyRefusals, ...faults]),
  };
}

/**
 * Describes the routes that are added after this call. GET /openapi.json is the OpenAPI 3.1 document of merchants,
 * GET /openapi/networks.json that of networks. They leave out routes without tags.
 * Shape: `webhooks` are what the service sends to merchants. Returns what reads both documents as one, once all routes are there.
 */
export async function addApiDocument(app: HttpServer, webhooks: ApiWebhooks): Promise<() => ApiDocument> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Caudal',
        version,
        description: DESCRIPTION,
        contact: { name: 'The operator of this server' },
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: '/', description: 'This server: in production, or a local sandbox.', 'x-internal': false } as { url: string }],
      tags: TAGS,
      security: [],
      components: { securitySchemes: SECURITY_SCHEMES as never },
    },
    hideUntagged: true,
  });
  const read = (): ApiDocument => app.swagger() as unknown as ApiDocument;
  for (const part of Object.values(DOCUMENTS)) {
    let text: string | undefined;
    const calls = part === DOCUMENTS.merchants ? webhooks : {};
    const render = (): string => JSON.stringify(completeDocument(partOf(read(), part), calls), null, 2);
    app.get(part.path, (_request, reply) => sendJson(reply, (text ??= render())));
  }
  return () => completeDocument(read(), webhooks);
}
