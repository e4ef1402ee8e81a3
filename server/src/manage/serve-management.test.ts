import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { afterAll, describe, expect, test } from 'vitest';
import { refuse } from '../kit/outcome.ts';
import { serveAlone } from '../testing/served-management.ts';
import { managementOperation } from './management-operation.ts';

const read = managementOperation({
  name: 'readThing',
  route: 'GET /manage/v1/things/{merchant}/{thing}',
  tag: 'Things',
  summary: 'Show a thing',
  permission: 'orders:read',
  scope: 'merchant',
  path: Type.Object({ merchant: Type.String({ pattern: '^[a-z-]+$' }), thing: Type.String() }),
  run: ({ path: { thing } }) => (thing === 'gone' ? refuse('not_found') : { thing }),
  answer: (body) => ({ etag: '3', body }),
});
const list = managementOperation({
  name: 'listThings',
  route: 'GET /manage/v1/things',
  tag: 'Things',
  summary: 'List things',
  permission: 'orders:read',
  scope: 'merchant',
  query: Type.Object({ state: Type.Optional(Type.Enum(['open', 'shut'])), isBig: Type.Optional(Type.Boolean()) }),
  run: ({ page: { after, limit }, merchantId, query }) => ({ from: Number(after?.[0] ?? 0), limit, merchantId, query }),
  page: ({ from, limit, ...rest }) => ({
    items: Array.from({ length: Math.min(limit, 5 - from) }, (_, index) => ({ number: from + index + 1, ...rest })),
    next: from + limit < 5 ? [String(from + limit)] : undefined,
  }),
});
const change = managementOperation({
  name: 'changeThing',
  route: 'PATCH /manage/v1/things/{merchant}/{thing}',
  tag: 'Things',
  summary: 'Change a thing',
  permission: 'orders:write',
  scope: 'merchant',
  path: Type.Object({ merchant: Type.String(), thing: Type.String() }),
  body: Type.Object({
    amount: Type.Optional(Type.String({ maxLength: 9 })),
    of: Type.Optional(Type.Object({ note: Type.String() })),
  }),
  takesIfMatch: 'required',
  refusals: { thing_shut: { status: 409, title: 'The thing is shut', meaning: 'It takes no changes.' } },
  run: ({ path: { thing }, body, ifMatch }) => (thing === 'shut' ? refuse('thing_shut') : { body, ifMatch }),
  answer: ({ body, ifMatch }) => ({ etag: '4', body: { body, ifMatch } }),
});

const listParts = managementOperation({
  name: 'listParts',
  route: 'GET /manage/v1/things/{merchant}/{thing}/parts',
  tag: 'Things',
  summary: 'List the parts of a thing',
  permission: 'orders:read',
  scope: 'merchant',
  path: Type.Object({ merchant: Type.String(), thing: Type.String() }),
  run: ({ page: { after } }) => ({ isLast: after !== undefined }),
  page: ({ isLast }) => ({ items: [{ isLast }], next: isLast ? undefined : ['1'] }),
});

const served = serveAlone([read, list, change, listParts], {});
afterAll(() => served.app.close());
const permissions = new Set(['orders:read', 'orders:write'] as const);
const service = served.signIn({ permissions });
const bound = served.signIn({ permissions, merchantId: 'shop' });

const get = (url: string, headers: object = service) => served.app.inject({ url: `/manage/v1/things${url}`, headers: { ...headers } });
const patch = (payload: string, headers: object = {}, thing = 'a') =>
  served.app.inject({
    method: 'PATCH',
    url: `/manage/v1/things/shop/${thing}`,
    payload,
    headers: { 'if-match': '"3"', ...service, ...headers },
  });

test('who reads what takes long waits for itself, and is told when to come again; others read, and everybody writes', async () => {
  const answer = Promise.withResolvers<object>();
  const readSlowly = managementOperation({
    name: 'readSlowly',
    route: 'GET /manage/v1/slow-things',
    tag: 'Things',
    summary: 'Show what takes long',
    permission: 'orders:read',
    scope: 'merchant',
    run: () => answer.promise,
    answer: (body) => ({ body }),
  });
  const alone = serveAlone([read, change, readSlowly], {});
  const [viewer, other] = ['shop', 'other'].map((merchantId) => alone.signIn({ permissions, merchantId })) as [object, object];
  const send = (headers: object, url: string, more: object = {}) =>
    alone.app.inject({ url: `/manage/v1${url}`, ...more, headers: { ...headers, 'if-match': '"3"' } });
  const slow = [send(viewer, '/slow-things'), send(viewer, '/slow-things')];
  const refused = [send(viewer, '/slow-things'), send(viewer, '/things/shop/a')];
  expect((await send(other, '/things/other/a')).statusCode).toBe(200);
  expect((await send(viewer, '/things/shop/a', { method: 'PATCH', payload: '{"amount":"1"}' })).statusCode).toBe(200);
  for (const one of await Promise.all(refused))
    expect([one.statusCode, one.headers['retry-after'], one.json()]).toMatchObject([503, /^[1-9]/, { status: 503 }]);
  answer.resolve({});
  expect((await Promise.all(slow)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  await alone.app.close();
});

test('of many people that cannot be recorded is not sent, and keeps nothing open', async () => {
  const content = Readable.from(['ana']);
  const people = managementOperation({
    name: 'readPeople',
    route: 'GET /manage/v1/things',
    tag: 'Things',
    summary: 'Show people',
    permission: 'orders:read',
    scope: 'merchant',
    bulkPersonal: true,
    streams: 'application/json',
    run: () => ({ content }),
    answer: ({ content: body }) => ({ body }),
  });
  const alone = serveAlone([people], {}, { recordAct: () => Promise.reject(new Error('no database')) });
  const answer = await alone.app.inject({ url: '/manage/v1/things', headers: alone.signIn({ permissions }) });
  expect([answer.statusCode, answer.body.includes('ana'), content.destroyed]).toEqual([500, false, true]);
  await alone.app.close();
});

describe('an answer', () => {
  test('has its version, its id, and is not stored', async () => {
    const { statusCode, headers } = await get('/shop/a');
    expect({ statusCode, ...headers }).toMatchObject({ statusCode: 200, etag: '"3"', 'cache-control': 'no-store' });
    expect(headers['x-request-id']).toBeTypeOf('string');
  });

  test('that says no is a problem with a type, and names the request', async () => {
    const answer = await get('/shop/gone', { ...service, 'x-request-id': 'mine-1' });
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.json()).toEqual({
      type: '/docs/problems/not_found',
      title: 'Not found',
      status: 404,
      instance: 'urn:caudal:request:mine-1',
    });
  });

  test('for another merchant is the very one for what does not exist', async () => {
    const id = { 'x-request-id': 'same' };
    const gone = await get('/shop/gone', { ...bound, ...id });
    for (const url of ['/other/a', '/no-such-shop/a', '/NOT-AN-ID/a']) {
      const foreign = await get(url, { ...bound, ...id });
      expect([foreign.statusCode, foreign.body]).toEqual([gone.statusCode, gone.body]);
    }
  });

  test('of a path that is none, or has other methods, is a problem too', async () => {
    const unknown = await served.app.inject({ url: '/manage/v1/nothing' });
    expect([unknown.statusCode, unknown.json()]).toEqual([404, expect.objectContaining({ type: '/docs/problems/unknown_route' })]);
    const wrong = await served.app.inject({ method: 'DELETE', url: '/manage/v1/things', headers: service });
    expect([wrong.statusCode, wrong.headers['allow']]).toEqual([405, expect.stringContaining('GET')]);
  });
});

describe('a list', () => {
  test('is walked by cursors, to its end', async () => {
    const seen: number[] = [];
    let next: string | null = '';
    for (let pages = 0; next !== null; pages++) {
      const page: { items: { number: number }[]; next: string | null } = (
        await get(`?limit=2${next === '' ? '' : `&cursor=${next}`}`)
      ).json();
      seen.push(...page.items.map(({ number }) => number));
      next = page.next;
      expect(pages).toBeLessThan(4);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test('takes a cursor only with the same filters and the same merchant, and only as it was given', async () => {
    const { next } = (await get('?limit=2&state=open')).json<{ next: string }>();
    expect((await get(`?state=open&limit=1&cursor=${next}`)).statusCode).toBe(200);
    const changed = `${next.startsWith('A') ? 'B' : 'A'}${next.slice(1)}`;
    for (const [url, headers] of [
      [`?cursor=${next}`, service],
      [`?state=shut&cursor=${next}`, service],
      [`?state=open&cursor=${next}`, bound],
      [`?state=open&cursor=${changed}`, service],
      [`?state=open&cursor=${next}x`, service],
    ] as const) {
      const answer = await get(url, headers);
      expect([answer.statusCode, answer.json<{ errors: unknown }>().errors]).toEqual([
        422,
        [{ parameter: 'cursor', detail: 'does not belong to this filter' }],
      ]);
    }
  });

  test('takes a cursor only for the thing and the merchant that its path names', async () => {
    const { next } = (await get('/shop/a/parts')).json<{ next: string }>();
    const statuses = ['/shop/a', '/other/a', '/shop/b'].map(async (of) => (await get(`${of}/parts?cursor=${next}`)).statusCode);
    expect(await Promise.all(statuses)).toEqual([200, 422, 422]);
  });

  test('of a bound actor is limited to its merchant', async () => {
    expect((await get('?limit=1', bound)).json()).toMatchObject({ items: [{ merchantId: 'shop' }] });
  });

  test.each([
    ['?stat=open', 'stat', 'is not known'],
    ['?state=half', 'state', 'must be equal to one of the allowed values'],
    ['?limit=0', 'limit', 'must be >= 1'],
    ['?limit=201', 'limit', 'must be <= 200'],
    ['?limit=many', 'limit', 'must be integer'],
    ['?isBig=yes', 'isBig', 'must be boolean'],
  ])('refuses %s', async (url, parameter, detail) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.json<{ errors: unknown }>().errors]).toEqual([422, [{ parameter, detail }]]);
  });

  test.each(['?state=open&state=open', '?state=%ff', '?state=%'])('cannot read %s', async (url) => {
    expect((await get(url)).json()).toMatchObject({ type: '/docs/problems/request_malformed', status: 400 });
  });
});

describe('a write', () => {
  test('gets the members and the versions', async () => {
    expect((await patch('{"amount":"1.00"}', { 'if-match': '"3", W/"4"' })).json()).toEqual({ body: { amount: '1.00' }, ifMatch: ['3'] });
    expect((await patch('', { 'if-match': '*' })).json()).toEqual({ body: {}, ifMatch: 'any' });
  });

  test.each([
    ['{"amont":"1"}', '/amont', 'is not known'],
    ['{"amount":1}', '/amount', 'must be string'],
    ['{"amount":"1234567890"}', '/amount', 'must not have more than 9 characters'],
    ['{"of":{}}', '/of/note', 'is missing'],
    ['{"of":{"note":"a","no/te":1}}', '/of/no~1te', 'is not known'],
    [String.raw`{"amount":"\u0000"}`, '/amount', 'must be Unicode without NUL'],
    [String.raw`{"of":{"note":"\ud800"}}`, '/of/note', 'must be Unicode without NUL'],
  ])('refuses %s', async (payload, pointer, detail) => {
    const answer = await patch(payload);
    expect([answer.statusCode, answer.json<{ errors: unknown }>().errors]).toEqual([422, [{ pointer, detail }]]);
  });

  test.each(['[]', '1', '{', '{"amount":"1","amount":"2"}', '{"__proto__":{}}'])('cannot read %s', async (payload) => {
    expect((await patch(payload)).json()).toMatchObject({ type: '/docs/problems/request_malformed', status: 400 });
  });

  test('says which version it changes', async () => {
    const without = await served.app.inject({ method: 'PATCH', url: '/manage/v1/things/shop/a', headers: service });
    expect(without.json()).toMatchObject({ type: '/docs/problems/if_match_missing', status: 428 });
    expect((await patch('{}', { 'if-match': '3' })).json()).toMatchObject({ status: 422, errors: [{ header: 'If-Match' }] });
  });

  test('that the operation refuses is an act', async () => {
    served.acts.length = 0;
    expect((await patch('{}', { 'x-request-id': 'shut-1' }, 'shut')).json()).toMatchObject({
      type: '/docs/problems/thing_shut',
      status: 409,
    });
    expect(served.acts).toMatchObject([
      { operation: 'changeThing', outcome: 'refused:thing_shut', requestId: 'shut-1', actor: { kind: 'user', name: 'ana@example.com' } },
    ]);
  });
});
