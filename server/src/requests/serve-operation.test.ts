import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { text } from '../kit/fields.ts';
import { createHttpServer, type HttpServer } from '../kit/http.ts';
import type { Answer } from '../kit/once.ts';
import { homeAlone } from '../kit/per-cell.ts';
import { captureLog } from '../testing/captured.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { operation, type Envelope } from './operation.ts';
import { serveOperations, type Gates } from './serve-operation.ts';
import { CONTRACT_DIALECT } from './dialect.ts';

const { log, lines } = captureLog();
let app: HttpServer;
afterEach(() => app.close());

const field = text({ required: true, max: 9, description: 'A text.', example: 'x' });
const envelope: Envelope = {
  malformed: 'malformed',
  language: 'en',
  refusal: (code, words) => ({ code, text: words }),
  text: (_declared, { field: name = '' }) => name,
  unreadable: ({ source }) => ({ field: source }),
  schema: () => field.schema,
};

let counted: string[] = [];
beforeEach(() => {
  counted = [];
});
/** No request of these tests reaches another gate. Every caller is proved. */
const gates = {
  limits: {
    countUnproved: () => undefined,
    admit: (...[, , , , left = []]: Parameters<Gates['limits']['admit']>) => counted.push(...left),
    leave: () => undefined,
  },
  callers: { authenticate: () => ({ merchantId: 'demo', limits: null }) },
  answerOnce: async (_proved: object, render: (outcome: object) => Answer, execute: (once: undefined) => Promise<object>) => ({
    answer: render(await execute(undefined)),
    isReplay: false,
  }),
  tally: (reason: string) => counted.push(reason),
  onRefusal: (...refused: readonly string[]) => counted.push(refused.join(' ')),
  requestLog: { writerOf: () => () => undefined },
} as unknown as Gates;

function serve(
  fields: Record<string, typeof field>,
  more: { readonly effect?: 'writes'; readonly keepsAnswersAs?: 'hello'; readonly until?: Promise<void> } = {},
): string[] {
  const ran: string[] = [];
  const one = operation({
    name: 'sayHello',
    route: 'GET /hello/:merchant',
    tag: 'Orders',
    summary: '',
    description: '',
    section: '',
    envelope,
    path: { merchant: field },
    from: 'query',
    fields,
    caller: 'merchant',
    effect: more.effect ?? 'reads',
    proof: ['merchant'],
    refusals: { malformed: { code: '1' } },
    ...(more.keepsAnswersAs === undefined ? {} : { keepsAnswersAs: more.keepsAnswersAs }),
    run: async ({ path }) => {
      const length = ran.push(path());
      await more.until;
      return { length };
    },
    answer: () => ({ status: 200, etag: null, body: '{}' }),
    data: () => field.schema,
  });
  app = createHttpServer({ log, faultEnvelopes: [{ prefix: '/', renderFault: ({ code }) => ({ code }) }] });
  serveOperations({ app, gates, deps: homeAlone({}), dialect: CONTRACT_DIALECT }, [one]);
  return ran;
}

test('a declaration without the fields that prove its caller runs for nobody', async () => {
  const ran = serve({});
  expect((await app.inject('/hello/demo')).statusCode).toBe(500);
  expect(ran).toEqual([]);
  expect(lines.join('')).toContain('sayHello proves no merchant');
});

test('a request without a checksum is refused before anything runs', async () => {
  const ran = serve({ checksum: field });
  expect((await app.inject('/hello/demo')).json()).toEqual({ code: '1', text: 'checksum' });
  expect(ran).toEqual([]);
  expect(counted).toEqual(['sayHello 1 malformed']);
});

test('a write counts towards its merchant’s day, and its Idempotency-Key does', async () => {
  const asked = { url: '/hello/demo?checksum=x', headers: { 'idempotency-key': 'a-key' } };
  const countedBy = async (more: Parameters<typeof serve>[1]): Promise<string[]> => {
    counted = [];
    serve({ checksum: field }, more);
    expect((await app.inject(asked)).statusCode).toBe(200);
    return counted;
  };
  expect(await countedBy({})).toEqual([]);
  expect(await countedBy({ effect: 'writes' })).toEqual(['writes']);
  expect(await countedBy({ effect: 'writes', keepsAnswersAs: 'hello' })).toEqual(['keys', 'writes']);
});

const ask = async () => app.inject('/hello/demo?checksum=x');

describe('where as many requests run as can be answered soon', () => {
  const MOST = 4_000;
  let release: () => void;
  let crowd: Promise<{ readonly statusCode: number }[]>;

  beforeEach(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    const ran = serve({ checksum: field }, { until: promise });
    crowd = Promise.all(Array.from({ length: MOST }, ask));
    await eventually(SOON_MS, () => expect(ran).toHaveLength(MOST));
  });

  test('one more is refused at once, and later ones are served', async () => {
    expect(await ask()).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    expect(counted).toEqual(['overload']);
    release();
    expect(new Set((await crowd).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await ask()).statusCode).toBe(200);
  });
});
