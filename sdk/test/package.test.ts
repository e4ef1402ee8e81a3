import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as exported from '../src/index.ts';
import { Caudal, CaudalError, webhooks, type Code, type Reason } from '../src/index.ts';
import { compileBlocks, readmeBlocks } from './readme.ts';

const SOURCE = join(import.meta.dirname, '..', 'src', 'index.ts');
const MOST_BYTES = 8_300;

/** Bundles a program that uses the package, as browsers and workers get it. */
async function bundle(
  program: string,
  format: 'es' | 'iife' = 'es',
): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const made = await rolldown({
    input: 'program',
    external: /^node:/,
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : id === '@caudal/sdk' ? SOURCE : null),
        load: (id) => (id === 'program' ? program : null),
      },
    ],
  });
  const { output } = await made.generate({ minify: true, format });
  const chunks = output.filter((one) => one.type === 'chunk');
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    imports: chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]),
  };
}

const methodsOf = ([name, part]: readonly [string, object]): readonly string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(part)).flatMap((method) => (method === 'constructor' ? [] : [`${name}.${method}(`]));

describe('the package', () => {
  test(`has ${MOST_BYTES} bytes at most, compressed, and imports nothing that a bundler looks for`, async () => {
    const whole = await bundle(`export * from '@caudal/sdk'`);
    expect(gzipSync(whole.code).length).toBeLessThanOrEqual(MOST_BYTES);
    expect(whole.imports).toEqual([]);
  });

  test('leaves the client out of a bundle of the webhooks', async () => {
    const { code: hooks } = await bundle(`import { webhooks } from '@caudal/sdk'; export const { verify } = webhooks;`);
    expect(hooks).toContain('webhook-signature');
    for (const word of ['porders', 'idempotency-key', 'CaudalError', '0041']) expect(hooks, word).not.toContain(word);
  });

  test('runs where there is nothing of Node, as at the edge', async () => {
    const program = `import { Caudal, webhooks } from '@caudal/sdk';
      const notice = { type: 'order', order: 'A-1', status: 'approved', amount: '1.0', money: 'COP', id: '7', payment: '' };
      const caudal = new Caudal({ url: 'https://pay.example', merchant: 'demo', fixedHash: 'c0ffee', signingSecret: 'whsec_AAAA', fetch });
      done((async () => {
        const { body, headers } = await webhooks.sign(notice, 'c0ffee');
        const verified = await webhooks.verify(await new Request('https://shop.example', { method: 'POST', body }).text(), new Headers(headers), 'c0ffee');
        const globals = Object.getOwnPropertyNames(globalThis).filter((name) => /^(process|Buffer|require)$/.test(name));
        return [verified.notice.order, await caudal.balance(), globals.length];
      })());`;
    const { AbortController, Headers, Request, TextDecoder, TextEncoder, URL, URLSearchParams, atob, btoa, crypto } = globalThis;
    const web = { AbortController, Headers, Request, TextDecoder, TextEncoder, URL, URLSearchParams, atob, btoa, crypto };
    const balances = [{ currency: 'COP', balance: '1.0', reserved: '0.0' }];
    const answer = async (): Promise<Response> => Response.json({ code: '0000', text: 'OK', data: { balances } });
    const result = await new Promise((resolve, reject) => {
      const world = { ...web, clearTimeout, setTimeout, fetch: answer, done: resolve };
      bundle(program, 'iife').then(({ code }) => void runInNewContext(code, world), reject);
    });
    expect(result).toEqual(['A-1', balances, 0]);
  });

  test('has a README that shows every method, and all else that it exports', () => {
    const caudal = new Caudal({ url: 'https://pay.example', merchant: 'demo', fixedHash: 'c0ffee' });
    const names = [
      ...[
        ['caudal', caudal] as const,
        ...Object.entries(caudal).map(([name, part]) => [`caudal.${name}`, part as object] as const),
      ].flatMap(methodsOf),
      ...Object.keys(webhooks).map((name) => `webhooks.${name}`),
      ...Object.keys(exported),
    ];
    const programs = readmeBlocks().join('');
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !programs.includes(name))).toEqual([]);
  });

  test('has a README whose programs compile under `strict`', () => {
    expect(compileBlocks(readmeBlocks())).toBe('');
    expect(compileBlocks([`await new CaudalError({}).nothing;`])).toContain('nothing');
  });
});

/** The compiler is the test: `npm run check` runs it. */
export const typed = async (caudal: Caudal): Promise<void> => {
  const order = { order: 'A-1', email: 'ana@example.com', country: '343' };
  await caudal.orders.create({ ...order, amount: '1', money: 'COP' });
  await caudal.orders.create({ ...order, amount: { minor: 1n, currency: 'COP' } });
  // @ts-expect-error -- a number is a float
  await caudal.orders.create({ ...order, amount: 1, money: 'COP' });
  // @ts-expect-error -- minor units are whole
  await caudal.orders.create({ ...order, amount: { minor: 1, currency: 'COP' } });
  // @ts-expect-error -- a text has no currency of its own
  await caudal.orders.create({ ...order, amount: '1' });
  // @ts-expect-error -- a field that is required
  await caudal.orders.create({ order: 'A-1', amount: '1', money: 'COP' });
  // @ts-expect-error -- a misspelt field
  await caudal.orders.update({ ...order, amount: '1', money: 'COP', referense: '1' });
  await caudal.cashouts.list().page(7);
  // @ts-expect-error -- its pages have no numbers: the service would answer with the first one
  await caudal.movements().page(7);
  // @ts-expect-error -- neither have these
  await caudal.orders.history('A-1').page(7);
  // @ts-expect-error -- a state that no cashout has
  caudal.cashouts.list({ status: 'PENDING' });
  const { state } = await caudal.orders.query('A-1');
  expectTypeOf(state).toEqualTypeOf<'PENDIENTE' | 'APROBADA' | 'VENCIDA' | 'CANCELADA' | 'ANULADA'>();
  for await (const cashout of caudal.cashouts.list()) expectTypeOf(cashout.sms).toEqualTypeOf<boolean>();
  const error = new CaudalError({ code: '0041', text: '' });
  error.is('order_not_open');
  // @ts-expect-error -- a reason that nothing declares
  error.is('order_not_opened');
  expectTypeOf<'0041' | 'timed_out'>().toExtend<Code>();
  expectTypeOf<'4141'>().not.toExtend<Code>();
  expectTypeOf<'order_not_open' | 'unavailable'>().toExtend<Reason>();
};
