import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const readManagement = async (): Promise<object> => (await service.app.inject('/manage/v1/openapi.json')).json<object>();
const readDocument = async (): Promise<ApiDocument> => (await service.app.inject('/openapi.json')).json<ApiDocument>();

describe('the OpenAPI document', () => {
  test('is clean under the rules of redocly.yaml', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'caudal-openapi-'));
    const files = ['openapi.json', 'management.json'].map((name) => join(directory, name));
    for (const [index, document] of [await readDocument(), await readManagement()].entries())
      writeFileSync(files[index] as string, JSON.stringify(document));
    const lint = spawnSync(process.execPath, [REDOCLY, 'lint', '--config', join(ROOT, 'redocly.yaml'), '--max-problems', '50', ...files], {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    rmSync(directory, { recursive: true });
    expect(lint.status, `${lint.stdout}${lint.stderr}`).toBe(0);
    expect(`${lint.stdout}${lint.stderr}`).not.toContain('warning');
  });

  test('describes every operation of a merchant, of a network and of the sandbox, what its checksum covers and why it refuses', async () => {
    const { paths } = await readDocument();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual([
      'cancelCashout',
      'cancelOrder',
      'createOrder',
      'listCashouts',
      'listMovements',
      'lookUpCashout',
      'lookUpOrder',
      'moveClock',
      'payCashout',
      'payOrder',
      'queryCashout',
      'queryOrder',
      'queryOrderByReference',
      'readBalance',
      'readClock',
      'readInbox',
      'readOrderHistory',
      'registerCashout',
      'renewOneTimePassword',
      'reverseCashoutPayment',
      'reversePayment',
      'simulateCollection',
      'simulateCollectionReversal',
      'simulatePayment',
      'simulateReversal',
      'updateOrder',
    ]);
    for (const operation of operations) {
      const isSigned = !operation.tags.includes('Sandbox');
      expect(operation['x-checksum'].length > 0, operation.operationId).toBe(isSigned);
      expect(operation['x-refusals'].length, operation.operationId).toBeGreaterThanOrEqual(isSigned ? 3 : 0);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['200', '400', '404', '408', '413', '429', '431', '500', '503']),
      );
    }
  });
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
  walk(await readManagement(), 'management');
  expect(unbounded).toEqual([]);
  expect(JSON.stringify(document)).toContain('"maxItems":1000');
});

test('names its licence, whom to ask, and the codes that answer instead of 401', async () => {
  const { info, paths } = await readDocument();
  expect(info).toMatchObject({ license: { identifier: 'Apache-2.0' }, contact: { name: 'The operator of this server' } });
  for (const [path, methods] of Object.entries(paths))
    for (const { responses } of Object.values(methods))
      expect(/not proved: [0-9]{4}/.test(responses['200']?.description ?? ''), path).toBe(!path.startsWith('/sandbox/'));
});

test('offers signing to every operation of a merchant, demands it of a network, and offers a key to every POST of a merchant', async () => {
  const { paths } = await readDocument();
  const operations = Object.values(paths).flatMap((methods) => Object.entries(methods));
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
