import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cashoutOperations } from '../../cashouts/index.ts';
import { orderOperations, shopPluginOperations } from '../../orders/index.ts';
import { CONTRACT_DIALECT, type Operation } from '../../requests/index.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { makeDataDirectory, removeDataDirectory } from '../../testing/data-directory.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { createProgram, type World } from '../program.ts';
import type { SignedRequest } from './sign-request.ts';

let service: TestCaudal;
let shop: TestMerchant;
let network: { readonly netname: string; readonly secret: string };
const folder = makeDataDirectory();
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal({ now: new Date().toISOString(), config: { dialect: { ...CONTRACT_DIALECT, servesShopPlugin: true } } });
  shop = await service.merchant();
  const created = await service.network();
  network = { netname: created.netname, secret: created.secret };
});
afterAll(async () => {
  await service.close();
  removeDataDirectory(folder);
});

async function world(): Promise<World> {
  const { url, db, keys, clock } = service;
  const connection = { url, db, ownDb: db, actor: 'command:test', keys, clock, isSandbox: true, close: async () => undefined } as const;
  return { ...(await import('../connect.ts')), connect: async () => connection, readConsoleUrl: () => 'http://127.0.0.1:3000' };
}

/** The real program on the database of the test. */
const run = (...words: string[]): Promise<string> => printed.by(() => createProgram(world).parseAsync(words, { from: 'user' }));

/** The one of a shop plugin that proves who asks. */
const [createShopOrder] = shopPluginOperations;
const operations: readonly Operation<never>[] = [...orderOperations, createShopOrder, ...cashoutOperations];

/** The fields with the examples of their declaration, as words of a command line. */
function exampleWords({ path = {}, fields }: Operation<never>): string[] {
  const examples = Object.entries({ ...path, ...fields }).flatMap(([name, { schema }]) => {
    const [example] = (schema as { readonly examples?: readonly (string | number | boolean)[] }).examples ?? [];
    return example === undefined || name === 'checksum' ? [] : [[name, String(example)] as const];
  });
  const named = { ...Object.fromEntries(examples), ...OWN };
  return Object.entries(named)
    .filter(([name]) => name in path || name in fields)
    .map(([name, value]) => `${name}=${name === 'merchant' ? shop.merchantId : name === 'netname' ? network.netname : value}`);
}
/** The refusal of who is not proved. */
const UNPROVED = /"(?:DESC|text)":"[^"]*(?:checksum|webhook)/i;
/** Examples that do not go together, or that are of another day. */
const OWN = { expiration: '', expire: '', cursor: '', start: '20261101', end: '20261130', page: '1', status: '', user_di: '7' };

const send = async ({ method, path, headers, body }: SignedRequest): Promise<string> => {
  const answer = await service.app.inject({
    method: method as 'GET',
    url: path,
    headers: { ...headers },
    ...(body !== undefined && { payload: body }),
  });
  return answer.body;
};

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'what is signed for %s is proved, and with another secret it is not',
  async (name, operation) => {
    const words = exampleWords(operation);
    const signed = JSON.parse(await run('sign', name, ...words, '--json')) as SignedRequest & { curl: string };
    expect(await send(signed)).not.toMatch(UNPROVED);
    expect(signed.curl).toContain(signed.path.split('?')[0]);
    expect(signed.curl).not.toContain(shop.fixedHash);
    writeFileSync(join(folder, 'secret'), 'another\n');
    const other = JSON.parse(await run('sign', name, ...words, '--secret-file', join(folder, 'secret'), '--json')) as SignedRequest;
    expect(await send(other)).toMatch(UNPROVED);
  },
);

test('the text is shown without the secret, and the secret of the surroundings is used', async () => {
  vi.stubEnv('CAUDAL_SECRET', 'c0ffee11');
  const shown = await run('sign', 'queryOrder', 'order=A-1', "merchant=o'shop", '--server', 'https://caudal.example.com/');
  vi.unstubAllEnvs();
  expect(shown).toContain("text       A-1o'shop<the merchant's fixed hash>\n");
  expect(shown).toContain(checksumOf(['A-1', "o'shop"], 'c0ffee11'));
  expect(shown).toContain("curl -X GET 'https://caudal.example.com/api/v3/porders");
  expect(shown).not.toContain('c0ffee11');
});

test.each([
  [['sign', 'createOrders'], /There is no operation createOrders\. There are: createOrder, /],
  [['sign', 'createOrder', 'ordr=A-1'], /"ordr=A-1" is no field with its value\. Did you mean order=\?/],
  [['sign', 'createOrder', 'checksum=1'], /leave it out/],
  [['sign', 'createOrder', 'order=A-1'], /looked up by merchant/],
  [['sign', 'createOrder', 'merchant=nobody'], /There is no merchant nobody/],
  [['sign', 'payOrder', 'netname=nobody'], /There is no network nobody/],
  [['sign', 'payOrder', '--secret-file', '/nowhere'], /cannot be read: ENOENT/],
])('refuses %j in one line', async (words, said) => {
  await expect(run(...words)).rejects.toThrow(said);
});
