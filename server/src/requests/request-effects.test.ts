import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import { setSigning } from '../merchants/change-merchant.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;

beforeAll(async () => void (service = await startTestCaudal()));
afterAll(() => service.close());
beforeEach(async () => void (merchant = await service.merchant()));

const DOCUMENT = '1020304050';

async function signWrites(): Promise<void> {
  const set = await setSigning(service, merchant.merchantId, 'require-writes');
  if (isRefusal(set)) throw new Error(set.refusal);
  await eventually(SOON_MS, async () => expect((await merchant.read()).signing).toBe('require-writes'));
}

async function codeOf(method: string, url: string, body?: object): Promise<string | undefined> {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const { CODE, code } = (await service.app.inject({ method, url, ...payload } as InjectOptions)).json<Record<string, string>>();
  return CODE ?? code;
}
const sum = (...values: string[]): string => checksumOf(values, merchant.fixedHash);

/** Requests under the checksum that a client made for something harmless, and the code of their refusal. */
const BORROWED = [
  {
    what: 'the checksum of a query of an order cancels it',
    refused: '0025',
    prepare: () => orderCalls(service, merchant).create({ order: 'E-1' }),
    send: () => codeOf('DELETE', `/api/v3/porders/E-1?merchant=${merchant.merchantId}&checksum=${sum('E-1', merchant.merchantId)}`),
    isUntouched: async () => (await orderCalls(service, merchant).query('E-1')).data['STATE'] === 'PENDIENTE',
  },
  {
    what: 'the checksum of a query of cashout W, document 7, cancels cashout W7',
    refused: '0009',
    prepare: () =>
      cashoutCalls(service, merchant).register(cashoutCalls(service, merchant).registration({ operation: 'W7', document: DOCUMENT })),
    send: () =>
      codeOf('DELETE', `/cashout/v1/operation/${merchant.merchantId}/W7`, {
        document: DOCUMENT,
        checksum: sum(merchant.merchantId, 'W', '7'),
      }),
    isUntouched: async () => {
      const { data } = await cashoutCalls(service, merchant).query('W7', DOCUMENT);
      return data['status'] === 'PENDIENTE';
    },
  },
  ...['operation', 'walletmovements'].map((list) => ({
    what: `the checksum of a balance lists ${list === 'operation' ? 'the cashouts' : 'the movements'} of today`,
    refused: '0009',
    prepare: () => Promise.resolve({}),
    send: () => codeOf('GET', `/cashout/v1/${list}/${merchant.merchantId}?checksum=${sum(merchant.merchantId)}`),
    isUntouched: () => Promise.resolve(true),
  })),
];

describe.each(BORROWED)('$what', ({ refused, prepare, send, isUntouched }) => {
  test('by default, as the contract has it', async () => {
    await prepare();
    expect(await send()).toBe('0000');
  });

  test('not where the merchant signs what changes something', async () => {
    await prepare();
    await signWrites();
    expect(await send()).toBe(refused);
    expect(await isUntouched()).toBe(true);
  });
});

test('where a merchant signs what changes something, whatever reads needs only its checksum', async () => {
  const { merchantId } = merchant;
  const orders = orderCalls(service, merchant);
  const cashouts = cashoutCalls(service, merchant);
  await orders.create({ order: 'R-1', reference: '778899' });
  await cashouts.register(cashouts.registration());
  await signWrites();
  const answers = [
    (await orders.query('R-1')).code,
    (await orders.queryByReference('778899')).code,
    (await orders.history('R-1')).code,
    (await cashouts.query('W-1', DOCUMENT)).code,
    await codeOf('GET', `/cashout/v1/operation/available/${merchantId}?checksum=${sum(merchantId)}`),
  ];
  // It is 2026-11-21 in Bogota.
  for (const list of ['operation', 'walletmovements']) {
    const checksum = sum(merchantId, '20261121', '20261121');
    answers.push(await codeOf('GET', `/cashout/v1/${list}/${merchantId}?checksum=${checksum}`));
    answers.push(await codeOf('GET', `/cashout/v1/${list}/${merchantId}?start=20261121&end=20261121&checksum=${checksum}`));
  }
  expect(new Set(answers)).toEqual(new Set(['0000']));

  const refused = [
    (await orders.create({ order: 'R-2' })).code,
    (await orders.update({ order: 'R-1', amount: 7 })).code,
    (await orders.cancel('R-1')).code,
    (await cashouts.register(cashouts.registration({ operation: 'W-2' }))).code,
    (await cashouts.renew('W-1', DOCUMENT)).code,
    (await cashouts.cancel('W-1', DOCUMENT)).code,
  ];
  expect(refused).toEqual(['0025', '0025', '0025', '0009', '0009', '0009']);
});
