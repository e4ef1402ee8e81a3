import { readFileSync } from 'node:fs';
import type { InjectOptions } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { Caudal } from '../main/rooms.ts';
import type { Signing } from '../merchants/merchant.ts';
import { signingSecretRotation, setSigning } from '../merchants/change-merchant.ts';
import { signingSecretOf } from '../networks/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { signContent } from './request-signature.wire.ts';

type Vector = Readonly<Record<'id' | 'method' | 'path' | 'body' | 'signed' | 'signature', string>> & { readonly timestamp: number };
const contract = JSON.parse(readFileSync(new URL('../../../contract/signed-requests.json', import.meta.url), 'utf8')) as {
  readonly secret: string;
  readonly vectors: readonly Vector[];
};

const SPENT = statement('test.spent_signatures', 'select message_id as id from spent_signatures where merchant_id = $1');

let service: TestCaudal;
let other: Caudal;
let count = 0;

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
  other = await service.openAnother();
});
afterAll(async () => {
  await other.close();
  await service.close();
});

/** As a migration of a later release does. */
async function asOwner(sql: string): Promise<void> {
  const owner = new Client(service.url);
  await owner.connect();
  await owner.query(sql);
  await owner.end();
}

type Signer = TestMerchant & { readonly secret: string };
type Request = { readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'; readonly url: string; readonly payload?: string };
type Signed = { readonly id?: string; readonly at?: Temporal.Instant; readonly secret?: string; readonly headers?: Record<string, string> };
type Answer = { readonly status: number; readonly code: string; readonly text: string };

async function signer(signing: Signing): Promise<Signer> {
  const merchant = await service.merchant();
  const first = await setSigning(service, merchant.merchantId, 'accept');
  if (isRefusal(first)) throw new Error(first.refusal);
  if (signing !== 'accept') await setSigning(service, merchant.merchantId, signing);
  await eventually(SOON_MS, async () => {
    expect((await other.merchants.find(merchant.merchantId))?.signing).toBe(signing);
    expect((await merchant.read()).signing).toBe(signing);
  });
  return { ...merchant, secret: first.signingSecret as string };
}

/** The headers as the library of the standard makes them, over the bytes of contract §7.5. */
function headersOf({ secret: own }: Signer, { method, url, payload = '' }: Request, signed: Signed = {}): Record<string, string> {
  const { id = `msg_${++count}`, at = service.clock.now(), secret = own, headers } = signed;
  const signature = new Webhook(secret).sign(id, new Date(at.epochMilliseconds), `${method}\n${url}\n${payload}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.epochMilliseconds / 1000)}`,
    'webhook-signature': signature,
    ...headers,
  };
}

async function send(request: Request, headers: Record<string, string> = {}, app = service.app): Promise<Answer> {
  const response = await app.inject({ ...request, headers } as InjectOptions);
  const { CODE, DESC, code, text } = response.json<Record<string, string>>();
  return { status: response.statusCode, code: (CODE ?? code) as string, text: (DESC ?? text) as string };
}

const queryOf = ({ merchantId, fixedHash }: TestMerchant, order = 'none'): Request => ({
  method: 'GET',
  url: `/api/v3/porders/${order}?merchant=${merchantId}&checksum=${checksumOf([order, merchantId], fixedHash)}`,
});
const createOf = (merchant: TestMerchant, order: string, description = 'Books'): Request => ({
  method: 'POST',
  url: '/api/v3/porders',
  payload: JSON.stringify(orderCalls(service, merchant).signed({ order, description })),
});

test('the signature is that of Standard Webhooks over method, address and body, as the vectors of the contract show', () => {
  expect(contract.vectors.length).toBeGreaterThan(2);
  for (const { id, timestamp, method, path, body, signed, signature } of contract.vectors) {
    expect(signed).toBe(`${id}.${timestamp}.${method}\n${path}\n${body}`);
    expect(new Webhook(contract.secret).sign(id, new Date(timestamp * 1000), `${method}\n${path}\n${body}`)).toBe(signature);
    const content = { method, url: path, body: body === '' ? undefined : Buffer.from(body) };
    const ours = (url: string): string => `v1,${signContent(contract.secret, id, timestamp, { ...content, url }).toString('base64')}`;
    expect(ours(path)).toBe(signature);
    expect(ours(`http://pay.example:8080${path}`), 'with the whole address in the request line').toBe(signature);
  }
});

test('off: headers are not looked at; accept, and a read under require-writes: checked when present; require: asked for', async () => {
  const nonsense = { 'webhook-id': 'x', 'webhook-timestamp': 'yesterday', 'webhook-signature': 'v1,nonsense' };
  const passes = { status: 200, code: '0001' };
  const refused = { status: 200, code: '0025' };
  const outcomes = async (signing: Signing) => {
    const merchant = await signer(signing);
    const request = queryOf(merchant);
    return [await send(request), await send(request, nonsense), await send(request, headersOf(merchant, request))];
  };
  expect(await outcomes('off')).toMatchObject([passes, passes, passes]);
  for (const signing of ['accept', 'require-writes'] as const) expect(await outcomes(signing)).toMatchObject([passes, refused, passes]);
  expect(await outcomes('require')).toMatchObject([
    { ...refused, text: expect.stringContaining('webhook-signature') as string },
    refused,
    passes,
  ]);
});

test('a setting of a later release is as strict as require', async () => {
  await asOwner('alter table merchants drop constraint merchants_signing_check');
  const merchant = await signer('later' as Signing);
  const request = queryOf(merchant);
  expect(await send(request)).toMatchObject({ code: '0025', text: expect.stringContaining('webhook-signature') as string });
  expect(await send(request, headersOf(merchant, request))).toMatchObject({ code: '0001' });
});

test.each(['require', 'require-writes'] as const)('%s: what must be signed is refused unsigned and served signed', async (signing) => {
  const merchant = await signer(signing);
  const { merchantId: id, fixedHash } = merchant;
  const calls = orderCalls(service, merchant);
  const cashouts = cashoutCalls(service, merchant);
  const sum = (...values: string[]): string => `checksum=${checksumOf(values, fixedHash)}`;
  const cashout = `/cashout/v1/operation/${id}/W-1`;
  const days = `start=20261121&end=20261121&${sum(id, '20261121', '20261121')}`;
  const operations: readonly Request[] = [
    createOf(merchant, 'E-1'),
    { method: 'PATCH', url: '/api/v3/porders', payload: JSON.stringify(calls.signed({ order: 'E-1', amount: 7 })) },
    { method: 'GET', url: `/api/v3/porders/E-1?${calls.parameters('E-1')}` },
    { method: 'GET', url: `/api/v3/porders/E-1/history?${calls.parameters('E-1')}` },
    { method: 'DELETE', url: `/api/v3/porders/E-1?${calls.parameters('E-1')}` },
    { method: 'POST', url: '/cashout/v1/operation', payload: JSON.stringify(cashouts.registration()) },
    {
      method: 'POST',
      url: `${cashout}/otp`,
      payload: JSON.stringify({ document: '1020304050', renewal: 'otp.1', checksum: cashouts.sign('1020304050', 'W-1', id, 'otp.1') }),
    },
    { method: 'GET', url: `${cashout}?document=1020304050&${sum(id, 'W-1', '1020304050')}` },
    { method: 'GET', url: `/cashout/v1/operation/${id}?${days}` },
    { method: 'GET', url: `/v1/operation/${id}?${days}` },
    { method: 'GET', url: `/cashout/v1/operation/available/${id}?${sum(id)}` },
    { method: 'GET', url: `/cashout/v1/walletmovements/${id}?${days}` },
    { method: 'DELETE', url: cashout, payload: JSON.stringify({ document: '1020304050', checksum: cashouts.sign(id, 'W-1') }) },
  ];
  for (const request of operations) {
    const what = `${request.method} ${request.url}`;
    const code = request.url.startsWith('/api') ? '0025' : '0009';
    if (signing === 'require' || request.method !== 'GET')
      expect(await send(request), what).toMatchObject({ code, text: expect.stringContaining('webhook-signature') as string });
    expect(await send(request, headersOf(merchant, request)), what).toMatchObject({ status: 200, code: '0000' });
  }
});

test('a caller that has not proved the checksum learns nothing of signatures', async () => {
  const merchant = await signer('require');
  const known = queryOf({ ...merchant, fixedHash: 'another' });
  const unknown = queryOf({ ...merchant, merchantId: 'nobody' });
  const answers = await Promise.all([send(known), send(known, headersOf(merchant, known)), send(unknown)]);
  // A sandbox shows a caller the text of its own request, which names the merchant.
  const texts = answers.map((answer) => JSON.stringify(answer).replaceAll(merchant.merchantId, 'nobody'));
  expect(new Set(texts).size).toBe(1);
  expect(await service.db.query(SPENT, [merchant.merchantId])).toEqual([]);
});

describe('a signed request is refused', () => {
  let merchant: Signer;
  beforeAll(async () => void (merchant = await signer('accept')));

  test.each<[string, string, Signed]>([
    ['without an id', 'webhook-id', { headers: { 'webhook-id': '' } }],
    ['with a full stop in the id', 'webhook-id', { id: 'a.b' }],
    ['with an id of 129 characters', 'webhook-id', { id: 'x'.repeat(129) }],
    ['with a time that is no number', 'webhook-timestamp', { headers: { 'webhook-timestamp': '1e9' } }],
    ['with an empty signature', 'webhook-signature', { headers: { 'webhook-signature': '' } }],
    ['with a signature of another version only', 'webhook-signature', { headers: { 'webhook-signature': 'v2,AAAA v1a,AAAA' } }],
    ['by another secret', 'webhook-signature', { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }],
    ['five minutes and a second early', 'webhook-timestamp', { at: Temporal.Instant.from('2026-11-21T14:54:59Z') }],
    ['five minutes and a second late', 'webhook-timestamp', { at: Temporal.Instant.from('2026-11-21T15:05:01Z') }],
  ])('%s', async (_what, header, signed) => {
    const request = queryOf(merchant);
    expect(await send(request, headersOf(merchant, request, signed))).toMatchObject({
      status: 200,
      code: '0025',
      text: expect.stringContaining(header) as string,
    });
  });

  test('when anything of it was changed on the way, also what no checksum covers', async () => {
    const create = createOf(merchant, 'S-1');
    const other = createOf(merchant, 'S-1', 'Bricks');
    expect(await send(other, headersOf(merchant, create))).toMatchObject({ code: '0025' });
    const query = queryOf(merchant, 'S-1');
    expect(await send({ ...query, url: `${query.url}&x=1` }, headersOf(merchant, query))).toMatchObject({ code: '0025' });
    expect(await send({ ...query, method: 'DELETE' }, headersOf(merchant, query))).toMatchObject({ code: '0025' });
    expect(await send(create, headersOf(merchant, create))).toMatchObject({ code: '0000' });
  });

  test('the second time, for half an hour and on whichever server, and never after a refusal that it was not the reason of', async () => {
    const request = queryOf(merchant, 'S-2');
    const headers = headersOf(merchant, request);
    const spoilt = { ...headers, 'webhook-signature': 'v1,AAAA' };
    expect(await send(request, spoilt)).toMatchObject({ code: '0025' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(request, headers, index % 2 ? other.app : service.app)),
    );
    expect(answers.filter(({ code }) => code === '0001')).toHaveLength(1);
    expect(answers.filter(({ code, text }) => code === '0025' && /webhook-id (ya fue usado|was used)/.test(text))).toHaveLength(19);
    expect(await send(request, headersOf(merchant, request))).toMatchObject({ code: '0001' });
  });
});

test('is let in at five minutes to either side, by any of several signatures, under either of two secrets', async () => {
  const merchant = await signer('require');
  const request = queryOf(merchant);
  const now = service.clock.now();
  for (const seconds of [-300, 300]) {
    expect(await send(request, headersOf(merchant, request, { at: now.add({ seconds }) }))).toMatchObject({ code: '0001' });
  }
  const rotated = await service.db.transaction(signingSecretRotation(service, merchant.merchantId, 1));
  if (isRefusal(rotated)) throw new Error(rotated.refusal);
  await eventually(SOON_MS, async () => expect((await merchant.read()).signingSecrets).toHaveLength(2));
  const next = { ...merchant, secret: rotated.signingSecret };
  expect(await send(request, headersOf(merchant, request))).toMatchObject({ code: '0001' });
  expect(await send(request, headersOf(next, request))).toMatchObject({ code: '0001' });
  const several = headersOf(next, request);
  several['webhook-signature'] = `v1,AAAA v2,${'A'.repeat(44)} ${several['webhook-signature']}`;
  expect(await send(request, several)).toMatchObject({ code: '0001' });
  service.clock.advance({ days: 1 });
  expect(await send(request, headersOf(merchant, request))).toMatchObject({ code: '0025' });
  expect(await send(request, headersOf(next, request))).toMatchObject({ code: '0001' });
});

test('an id is forgotten once no clock would let its request in', async () => {
  const merchant = await signer('accept');
  const request = queryOf(merchant);
  const headers = headersOf(merchant, request);
  await send(request, headers);
  service.clock.advance({ minutes: 29 });
  await service.runJobs();
  expect(await service.db.query(SPENT, [merchant.merchantId])).toHaveLength(1);
  service.clock.advance({ minutes: 2 });
  await service.runJobs();
  expect(await service.db.query(SPENT, [merchant.merchantId])).toEqual([]);
  expect(await send(request, headers)).toMatchObject({ code: '0025' });
});

test('the ids of a merchant and of a network with one name are apart', async () => {
  const merchant = await signer('require');
  const network = await service.network({ netname: merchant.merchantId });
  const lookUp: Request = {
    method: 'POST',
    url: `/api/v3/references/${network.netname}`,
    payload: JSON.stringify({ reference: '1', checksum: checksumOf([network.netname, '1'], network.secret) }),
  };
  const byNetwork = (id: string) => send(lookUp, headersOf({ ...merchant, secret: signingSecretOf(network.secret) }, lookUp, { id }));
  const byMerchant = (id: string) => send(queryOf(merchant), headersOf(merchant, queryOf(merchant), { id }));
  for (const sends of [
    [byMerchant, byNetwork],
    [byNetwork, byMerchant],
  ] as const) {
    const id = `shared-${++count}`;
    for (const by of sends) expect(await by(id)).toMatchObject({ code: '0001' });
    for (const by of sends) expect(await by(id)).toMatchObject({ code: '0025' });
  }
  await expect(service.merchant({ merchantId: `network:${network.netname}` })).rejects.toThrow('merchant_id_invalid');
});
