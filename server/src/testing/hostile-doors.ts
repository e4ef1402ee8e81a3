import { queryOf, writeBody, type Parameter, type Plan } from './hostile-bodies.ts';
import type { Target } from './hostile-network.ts';
import { bytesOf, damaged, ODD_TEXTS, oddComponent, oddToken } from './hostile-values.ts';
import type { Random } from './seed.ts';

const VERSIONS = ['1', '1', '1', '2', '2', '3', '0', '999999999', '1e3'];
const CLOCKS = [
  '"PT0.001S"',
  '"PT0S"',
  '"-PT1S"',
  '"P11Y"',
  '"P1000000000Y"',
  '"PT9007199254740993S"',
  '"1970-01-01T00:00:00Z"',
  '"+275760-09-13T00:00:00Z"',
  '"2026-13-01T00:00:00Z"',
];
const DOCUMENTS = [
  '/docs',
  '/openapi.json',
  '/openapi/networks.json',
  '/healthz',
  '/readyz',
  '/docs/',
  '/openapi.json?x=1',
  '/healthz?',
  '/readyz?%00',
];

const oddText = (random: Random): string => random.pick(ODD_TEXTS).slice(0, 500);

/** The root, as a browser asks for it. */
const home = (random: Random): Plan => ({
  method: random.pick(['GET', 'GET', 'HEAD']),
  path: random.pick(['/', '/?x=1']),
  headers: ['accept: text/html'],
});
const document = (random: Random): Plan => ({ method: random.pick(['GET', 'GET', 'HEAD', 'POST']), path: random.pick(DOCUMENTS) });

/** Requests that prove nobody: links and forms of the checkout, every route and page of a sandbox, documents, probes. */
export function doorRequests(random: Random, targets: readonly Target[]): () => Plan {
  const maybe = (right: string): string => (random.oneIn(10) ? oddText(random) : right);
  const json = (right: string): string => (random.oneIn(3) ? oddToken(random) : JSON.stringify(right));

  function checkout({ token }: Target): Plan {
    const link = queryOf(random, [
      ['token', random.oneIn(4) ? random.pick([damaged(random, token), oddText(random)]) : token],
      ...(random.oneIn(2) ? [['seen', random.oneIn(3) ? oddText(random) : random.pick(VERSIONS)] satisfies Parameter] : []),
    ]);
    const path = `/checkout${link}`;
    if (random.oneIn(3)) return { method: 'POST', path, body: random.oneIn(4) ? oddToken(random) : bytesOf(form()) };
    const etag = random.pick(['"1-CREADA-5-es"', 'W/"1-PENDIENTE-30-es"', '*', '', ',,,', '"'.repeat(3_000)]);
    return { method: random.pick(['GET', 'GET', 'HEAD']), path, headers: random.oneIn(3) ? [`if-none-match: ${etag}`] : [] };
  }

  const form = (): string =>
    queryOf(random, [
      ['version', maybe(random.pick(VERSIONS))],
      ['amount', maybe(random.pick(['45000.0', '45000.00', '45000.01']))],
      ['money', maybe('COP')],
    ]).slice(1);

  function simulation({ reference, document, otp }: Target): Plan {
    const [method, path, members] = random.pick([
      ['POST', 'payments', [['reference', json(reference)]]],
      [
        'POST',
        'collections',
        [
          ['document', json(document)],
          ['otp', json(otp)],
        ],
      ],
      ['POST', 'clock', [[random.pick(['now', 'advance']), random.oneIn(2) ? oddToken(random) : random.pick(CLOCKS)]]],
      ['PATCH', `payments/${oddComponent(random)}`, []],
      ['PATCH', `collections/${oddComponent(random)}`, []],
      ['PATCH', `payments/${random.below(300)}-0af3c2d1e4b5`, []],
      ['PATCH', `collections/${random.below(300)}-0af3c2d1e4b5`, []],
      ['GET', 'clock', []],
    ] as const);
    const body = members.length === 0 ? {} : { body: writeBody(random, members) };
    return { method, path: `/sandbox/v1/${path}`, ...body };
  }

  function inbox(): Plan {
    const path = random.pick([
      '/sandbox/v1/inbox',
      '/sandbox/inbox',
      `/sandbox/inbox/mail/${random.below(400)}`,
      '/sandbox/inbox/mail/%00',
    ]);
    const merchant = random.oneIn(2) ? oddText(random).slice(0, 100) : 'victim';
    const limit = random.pick(['0', '1', '2', '500', '501', '']);
    return {
      method: random.pick(['GET', 'GET', 'HEAD']),
      path:
        path +
        queryOf(random, [
          ['merchant', merchant],
          ['limit', limit],
        ]),
    };
  }

  return () =>
    random.pick<() => Plan>([
      () => checkout(random.pick(targets)),
      () => checkout(random.pick(targets)),
      () => checkout(random.pick(targets)),
      () => simulation(random.pick(targets)),
      () => simulation(random.pick(targets)),
      () => (random.oneIn(4) ? inbox() : random.oneIn(8) ? home(random) : document(random)),
    ])();
}
