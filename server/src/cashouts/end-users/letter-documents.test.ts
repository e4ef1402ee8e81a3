import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JsonNumber } from '../../kit/json.ts';
import { setOnOff } from '../../merchants/change-merchant.ts';
import { setNetworkSigning } from '../../networks/change-network.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { checksumOf } from '../../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { manageCalls } from '../../testing/manage-calls.ts';
import { lookUpCashoutOperation } from '../network/look-up-cashout.wire.ts';
import { storedDocument } from './documents.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

// A RUT with K, a CURP, a passport: a merchant of Chile or Mexico has them allowed. For everybody else documents are digits.

const LETTERS = ['12345670K', 'GOMC960212HNLRRS09', 'AB1234567'];
const TODAY = '20261121';

let service: TestCaudal;
let chile: TestMerchant;
let cashouts: ReturnType<typeof cashoutCalls>;
let plain: ReturnType<typeof cashoutCalls>;
let other: TestMerchant;
let network: ReturnType<typeof networkCalls>;
let unsigned: { readonly netname: string; readonly secret: string };

beforeAll(async () => {
  service = await startTestCaudal();
  chile = await service.merchant();
  await setOnOff.letterDocuments(service, chile.merchantId, true);
  await eventually(SOON_MS, async () => expect((await chile.read()).letterDocuments).toBe(true));
  cashouts = cashoutCalls(service, chile);
  other = await service.merchant();
  plain = cashoutCalls(service, other);
  network = networkCalls(service, await service.network());
  unsigned = await service.network();
  await setNetworkSigning(service, unsigned.netname, 'checksum');
  await eventually(SOON_MS, async () => expect(await service.networks.find(unsigned.netname)).toMatchObject({ signing: 'checksum' }));
});
afterAll(() => service.close());

async function list({ merchantId }: TestMerchant, calls: typeof cashouts, document: string): Promise<{ code: string; data: object[] }> {
  const checksum = calls.sign(merchantId, TODAY, TODAY);
  const url = `/cashout/v1/operation/${merchantId}?start=${TODAY}&end=${TODAY}&document=${document}&checksum=${checksum}`;
  return (await service.app.inject({ url })).json();
}

test.each(LETTERS)('%s is registered, queried, listed, renewed, cancelled', async (document) => {
  const operation = `W-${document}`;
  expect(await cashouts.register(cashouts.registration({ operation, document }))).toMatchObject({ code: '0000', data: { document } });
  expect(await cashouts.query(operation, document)).toMatchObject({ code: '0000', data: { document } });
  expect(await cashouts.query(operation, `${document}1`)).toMatchObject({ code: '0001' });
  expect(await list(chile, cashouts, document)).toMatchObject({ code: '0000', data: [{ operation, document }] });
  expect(await cashouts.renew(operation, document)).toMatchObject({ code: '0000' });
  expect(await cashouts.cancel(operation, document)).toMatchObject({ code: '0000' });
});

test.each([
  ['12345670K', '12.345.670-k'],
  ['GOMC960212HNLRRS09', 'gomc960212hnlrrs09'],
  ['AB1234567', 'AB-1234567'],
  ['CD1234567', 'cd 12_34/567'],
])('%s is collected by who types %s', async (document, typed) => {
  const { data } = await cashouts.register(cashouts.registration({ operation: `C-${document}`, document }));
  const found = await network.lookUp(data['otp'], typed);
  expect(found).toMatchObject({ code: '0000', data: { document } });
  expect(await network.pay(found.data['idoperation'], `T-${document}`)).toMatchObject({ code: '0000' });
});

test('people and programs find it as they write it', async () => {
  const staff = await manageCalls(service, { name: 'test' });
  await cashouts.register(cashouts.registration({ operation: 'F-1', document: '11222333K' }));
  await plain.register(plain.registration({ operation: 'F-2', document: '1020304099' }));
  for (const [document, cashout] of [
    ['11.222.333-k', 'F-1'],
    ['11222333K', 'F-1'],
    ['1.020.304.099', 'F-2'],
  ] as const)
    expect((await staff.get(`/cashouts?document=${document}`)).body).toMatchObject({ items: [{ cashout }] });
});

test('what stands for an erased document is looked for as it is', () => {
  for (const pseudonym of ['erased-by-age', 'erased-0123456789abcdef']) expect(storedDocument(pseudonym)).toBe(pseudonym);
});

test('wrong tries of one person count together, however the document is typed', async () => {
  await cashouts.register(cashouts.registration({ operation: 'T-1', document: '7654321K' }));
  const answers = [];
  for (const typed of [
    '7654321K',
    '7654321k',
    '7.654.321-K',
    '7654321-k',
    '7654321K',
    '7654321k',
    '7654321K',
    '7654321K',
    '7654321K',
    '7654321K',
  ])
    answers.push((await network.lookUp('000000', typed)).code);
  expect(answers.at(0)).toBe('0002');
  expect((await network.lookUp('000000', '7.654.321-k')).code).toBe('0013');
});

test('a network that does not sign cannot look one up: the text of its checksum could be that of a payment', async () => {
  const { data } = await cashouts.register(cashouts.registration({ operation: 'U-1', document: '48A291345' }));
  const ask = async (document: string, otp = data['otp']): Promise<string> => {
    const { netname, secret } = unsigned;
    const payload = { otp, document, checksum: checksumOf([netname, otp, document], secret) };
    return (await service.app.inject({ method: 'POST', url: `/cashout/v1/order/${netname}`, payload })).json<{ code: string }>().code;
  };
  expect(await ask('48A291345')).toBe('0009');
  expect(await ask('1020304050', '000000')).toBe('0002');
});

describe('refused with 0019', () => {
  test('a JSON number with an exponent: its E is no letter of a document', async () => {
    const body = cashouts.registration({ operation: 'E-1', document: '1E5' });
    const numeric = JSON.stringify(body).replace('"1E5"', '1E5');
    expect((await cashouts.register(numeric)).code).toBe('0019');
    expect((await cashouts.register(body)).code).toBe('0000');
    const look = lookUpCashoutOperation.fields['document'];
    expect(look?.read('1E5')).toEqual({ value: '1E5' });
    expect(look?.read(new JsonNumber('1E5'))).toEqual({ broken: 'shape' });
  });
  test.each(LETTERS)('%s of a merchant that has no such documents, in every operation', async (document) => {
    const refused = [
      await plain.register(plain.registration({ operation: 'R-1', document })),
      await plain.query('R-1', document),
      await plain.renew('R-1', document),
      await plain.cancel('R-1', document),
      await list(other, plain, document),
    ];
    expect(refused.map(({ code }) => code)).toEqual(['0019', '0019', '0019', '0019', '0019']);
  });

  test('what is no document of any merchant, and one that hides an amount and a currency', async () => {
    for (const document of ['ABC', '12345670k', '12345670-K', 'Ñ123', '1COP2', '50000COP1A', ''])
      expect(await cashouts.register(cashouts.registration({ operation: 'R-2', document })), document).toMatchObject({ code: '0019' });
  });

  test('letters whose checksum is wrong, as before', async () => {
    const body = { ...cashouts.registration({ operation: 'R-3', document: 'AB1' }), checksum: '00' };
    expect(await cashouts.register(body)).toMatchObject({ code: '0019' });
  });
});
