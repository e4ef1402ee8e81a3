import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileCalls } from '../testing/compile-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import type { ApiDocument } from '../docs/index.ts';

const require = createRequire(import.meta.url);
const REDOCLY = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
const ROOT = join(import.meta.dirname, '..', '..', '..');

let service: TestCaudal;
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

const readNetworks = async (): Promise<ApiDocument> => (await service.app.inject('/openapi/networks.json')).json<ApiDocument>();
const readManagement = async (): Promise<object> => (await service.app.inject('/manage/v1/openapi.json')).json<object>();
const readDocument = async (): Promise<ApiDocument> => (await service.app.inject('/openapi.json')).json<ApiDocument>();

/** All patterns of texts in a document. */
const patternsIn = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => (name === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner)));

/** A pattern is tried on a text of any length that a body holds. One that tries all ways to share it out would hold up the whole service. */
test('no pattern takes long for a long text', async () => {
  const documents = [await readDocument(), await readNetworks(), await readManagement()];
  const patterns = new Set(patternsIn(documents));
  expect(patterns.size).toBeGreaterThan(50);
  const texts = ['a', 'A', '0', ' ', '-', '.', '0 ', 'a-'].map((part) => `${part.repeat(40_000)}\u0001`);
  const slow = [...patterns].filter((pattern) => {
    const from = performance.now();
    const compiled = new RegExp(pattern, 'u');
    for (const text of texts) compiled.test(text);
    return performance.now() - from > 1_000;
  });
  expect(slow).toEqual([]);
});

describe('the OpenAPI document', () => {
  test('is clean under the rules of redocly.yaml', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'caudal-openapi-'));
    const files = ['openapi.json', 'networks.json', 'management.json'].map((name) => join(directory, name));
    for (const [index, document] of [await readDocument(), await readNetworks(), await readManagement()].entries())
      writeFileSync(files[index] as string, JSON.stringify(document));
    const lint = spawnSync(process.execPath, [REDOCLY, 'lint', '--config', join(ROOT, 'redocly.yaml'), '--max-problems', '50', ...files], {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    rmSync(directory, { recursive: true });
    expect(lint.status, `${lint.stdout}${lint.stderr}`).toBe(0);
    expect(`${lint.stdout}${lint.stderr}`).not.toContain('warning');
  });

  test('describes every operation of a merchant and of the sandbox, and in another document those of a network: what its checksum covers and why it refuses', async () => {
    const [merchants = [], networks = []] = [await readDocument(), await readNetworks()].map(({ paths }) =>
      Object.values(paths).flatMap((methods) => Object.values(methods)),
    );
    const namesOf = (operations: typeof merchants): string[] => operations.map(({ operationId }) => operationId).sort();
    expect(namesOf(networks)).toEqual([
      'lookUpCashout',
      'lookUpOrder',
      'payCashout',
      'payOrder',
      'reverseCashoutPayment',
      'reversePayment',
    ]);
    expect(namesOf(merchants)).toEqual([
      'cancelCashout',
      'cancelOrder',
      'cancelRefund',
      'createOrder',
      'listCashouts',
      'listMovements',
      'listRefunds',
      'moveClock',
      'moveToFund',
      'queryCashout',
      'queryOrder',
      'queryOrderByReference',
      'queryRefund',
      'readBalance',
      'readClock',
      'readInbox',
      'readOrderHistory',
      'registerCashout',
      'registerRefundCashout',
      'renewOneTimePassword',
      'requestRefund',
      'simulateCollection',
      'simulateCollectionReversal',
      'simulatePayment',
      'simulateReversal',
      'updateOrder',
    ]);
    for (const operation of [...merchants, ...networks]) {
      const isSigned = !operation.tags.includes('Sandbox');
      expect(operation['x-checksum'].length > 0, operation.operationId).toBe(isSigned);
      expect(operation['x-refusals'].length, operation.operationId).toBeGreaterThanOrEqual(isSigned ? 3 : 0);
      // A generated client asks for a body where one is required: never for one without a field that is.
      const { required, content } = operation.requestBody ?? {};
      expect(required ?? false, operation.operationId).toBe((content?.['application/json'].schema.required ?? []).length > 0);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['200', '400', '404', '408', '413', '429', '431', '500', '503']),
      );
    }
  });
});

/** One call of each operation of a merchant, and what it reads of the answer. Nothing is cast. */
const CALLS = `
const key = { merchant: 'demo', checksum: '00' };
const order = { ...key, email: 'ana@example.com', country: 343, order: 'A-1', money: 'COP', amount: '45000' };
const { DATA: created } = await call('createOrder', { body: { ...order, recurrent: true }, header: { 'Idempotency-Key': 'k' } });
export const checkout: string = 'checkout' in created ? created.checkout : '';
export const { CODE } = await call('updateOrder', { body: { ...order, description: null }, header: { 'If-Match': '"1"' } });
const { DATA: found } = await call('queryOrder', { path: { order: 'A-1' }, query: key });
export const state: 'PENDIENTE' | 'APROBADA' | 'VENCIDA' | 'CANCELADA' | 'ANULADA' | undefined = 'STATE' in found ? found.STATE : undefined;
await call('queryOrderByReference', { query: { ...key, reference: '1' } });
await call('cancelOrder', { path: { order: 'A-1' }, query: key });
await call('cancelOrder', { path: { order: 'A-1' }, body: key });
const { DATA: history } = await call('readOrderHistory', { path: { order: 'A-1' }, query: { ...key, after: '1' } });
if ('HISTORY' in history) for (const { CHANGES } of history.HISTORY) void CHANGES['amount']?.to;
const refund = { ...key, type: 'refund.request', order: 'A-1', refund: 'R-1', refunded_by: 'operator', money: 'COP', amount: 1.5, reason: 'r' };
const { DATA: asked } = await call('requestRefund', { body: refund, header: { 'Idempotency-Key': 'k' } });
export const refunder: 'network' | 'operator' | 'merchant' | 'cashout' | undefined = 'STATE' in asked ? asked.REFUNDED_BY : undefined;
await call('queryRefund', { path: { refund: 'R-1' }, query: { ...key, type: 'refund.query' } });
await call('cancelRefund', { path: { refund: 'R-1' }, query: { ...key, type: 'refund.cancel' } });
const { DATA: refunds } = await call('listRefunds', { query: { ...key, type: 'refund.list', start: '20261101', end: '20261130', state: 'PAGADO' } });
if ('REFUNDS' in refunds) for (const { STATE } of refunds.REFUNDS) void STATE;
const path = { merchant: 'demo', operation: 'W-1' };
const { data: cashouts, next } = await call('listCashouts', { path, query: { checksum: '00', status: 'PENDIENTE', limit: 50, page: 2 } });
export const listed: string | undefined = cashouts[0]?.operation ?? next;
const cashout = { checksum: '00', document: 1020304050 };
const ofRefund = { ...key, type: 'refund.cashout', operation: 'W-2', document: '1020304050' };
const { data: handed } = await call('registerRefundCashout', { path: { refund: 'R-1' }, body: ofRefund, header: { 'Idempotency-Key': 'k' } });
if ('otp' in handed) void handed.otp;
const { data: made } = await call('registerCashout', { body: { ...key, ...cashout, operation: 'W-1', amount: 1.5, currency: 'COP', sms: false } });
export const otp: string | undefined = 'otp' in made ? made.otp : undefined;
await call('queryCashout', { path, query: cashout });
await call('cancelCashout', { path, query: cashout });
await call('cancelCashout', { path, body: cashout });
await call('renewOneTimePassword', { path, body: { ...cashout, renewal: 'otp.1' } });
const { data: funds } = await call('readBalance', { path, query: { checksum: '00' } });
export const balance: string | undefined = 'balances' in funds ? funds.balances[0]?.balance : undefined;
const { data: movements } = await call('listMovements', { path, query: { checksum: '00', start: '20261101' } });
export const moved: string | undefined = movements[0]?.amount;
`;

test('gives generators types with which calls of a merchant compile under `strict`, and nothing else does', async () => {
  const document = await readDocument();
  expect(compileCalls(document, CALLS)).toBe('');
  expect(compileCalls(document, `await call('queryOrder', { path: { order: 'A-1' }, query: { merchant: 'demo' } });`)).toContain(
    'checksum',
  );
});

test('bounds every text, list and whole number', async () => {
  const unbounded: string[] = [];
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Readonly<Record<string, unknown>>;
    const type = new Set([schema['type']].flat());
    const lacks = (...names: readonly string[]): boolean => names.some((name) => !(name in schema));
    if (type.has('string') && lacks('maxLength') && lacks('enum') && lacks('const')) unbounded.push(place);
    if (type.has('array') && lacks('maxItems')) unbounded.push(place);
    if (type.has('integer') && lacks('format', 'minimum', 'maximum')) unbounded.push(place);
    for (const [name, inner] of Object.entries(schema)) walk(inner, `${place}/${name}`);
  };
  const document = await readDocument();
  walk(document, '');
  walk(await readNetworks(), 'networks');
  walk(await readManagement(), 'management');
  expect(unbounded).toEqual([]);
  expect(JSON.stringify(document)).toContain('"maxItems":1000');
});

test('names its licence, whom to ask, and the codes that answer instead of 401', async () => {
  for (const { info, paths } of [await readDocument(), await readNetworks()]) {
    expect(info).toMatchObject({ license: { identifier: 'Apache-2.0' }, contact: { name: 'The operator of this server' } });
    for (const [path, methods] of Object.entries(paths))
      for (const { responses } of Object.values(methods))
        expect(/not proved: [0-9]{4}/.test(responses['200']?.description ?? ''), path).toBe(!path.startsWith('/sandbox/'));
  }
});

test('offers signing to every operation of a merchant, demands it of a network, and offers a key to every POST of a merchant', async () => {
  const documents = [await readDocument(), await readNetworks()];
  const operations = documents.flatMap(({ paths }) => Object.values(paths).flatMap((methods) => Object.entries(methods)));
  for (const [method, { operationId, tags, parameters = [], responses, ...rest }] of operations) {
    const isMerchants = tags.includes('Orders') || tags.includes('Cashouts');
    const ways = ('security' in rest ? (rest.security as object[]) : []).map((way) => 'WebhookSignature' in way);
    expect(ways, operationId).toEqual(isMerchants ? [false, true] : tags.includes('Networks') ? [true] : []);
    const hasKey = isMerchants && method === 'post';
    expect(
      parameters.some(({ name }) => name === 'Idempotency-Key'),
      operationId,
    ).toBe(hasKey);
    expect(
      ['409', '422'].every((status) => status in responses),
      operationId,
    ).toBe(hasKey);
  }
});
