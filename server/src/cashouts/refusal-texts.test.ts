import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CreatedNetwork } from '../networks/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let network: CreatedNetwork;
beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant({ language: 'en' });
  network = await service.network();
});
afterAll(() => service.close());

type Members = Readonly<Record<string, unknown>>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function send(method: Method, path: string, payload?: string): Promise<{ readonly code: string; readonly text: string }> {
  const url = `/cashout/v1${path.replace('NETWORK', network.netname).replace('MERCHANT', merchant.merchantId)}`;
  const reply = await service.app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

const WRONG = 'checksum=ff';
const BODIES: readonly (readonly [Method, string, Members])[] = [
  ['POST', '/operation', { merchant: 'demo', operation: 'W-1', amount: '1', currency: 'COP', document: '1' }],
  ['POST', '/operation/MERCHANT/W-1/otp', { document: '1', renewal: 'otp.1' }],
  ['DELETE', '/operation/MERCHANT/W-1', { document: '1' }],
  ['POST', '/order/NETWORK', { otp: '1234', document: '1' }],
  ['POST', '/transaction/NETWORK', { idoperation: '1', transaction: 'T' }],
  ['PATCH', '/transaction/NETWORK/T', { idoperation: '1' }],
];
const QUERIES: readonly (readonly [Method, string])[] = [
  ['GET', `/operation/MERCHANT?${WRONG}`],
  ['GET', `/operation/MERCHANT/W-1?document=1&${WRONG}`],
  ['GET', `/operation/available/MERCHANT?${WRONG}`],
  ['GET', `/walletmovements/MERCHANT?${WRONG}`],
  ['DELETE', `/operation/MERCHANT/W-1?document=1&${WRONG}`],
];

describe('the text of a refusal is in', () => {
  test.each(BODIES)('the language that the body names, else in Spanish: %s %s', async (method, path, members) => {
    const text = async (language: unknown): Promise<string> =>
      (await send(method, path, JSON.stringify({ ...members, checksum: 'ff', language }))).text;
    expect(await text('pt')).toMatch(/^O checksum não corresponde/);
    expect(await text('en')).toMatch(/^The checksum does not match/);
    for (const none of ['PT', '', 7, null]) expect(await text(none)).toMatch(/^El checksum no corresponde/);
  });

  test.each(QUERIES)('the language that the query names, else in Spanish: %s %s', async (method, path) => {
    const text = async (language: string): Promise<string> => (await send(method, `${path}&language=${language}`)).text;
    expect(await text('pt')).toMatch(/^O checksum não corresponde/);
    expect(await text('en')).toMatch(/^The checksum does not match/);
    for (const none of ['PT', '']) expect(await text(none)).toMatch(/^El checksum no corresponde/);
  });

  test('that language also once the merchant is known, whose own it is where none is named; and links of a list keep it', async () => {
    const { sign } = cashoutCalls(service, merchant);
    const { merchantId } = merchant;
    const one = `/operation/MERCHANT/W-1?document=1&checksum=${sign(merchantId, 'W-1', '1')}`;
    expect((await send('GET', one)).text).toMatch(/^There is no operation/);
    expect((await send('GET', `${one}&language=pt`)).text).toMatch(/^Não há uma operação/);
    const calls = cashoutCalls(service, merchant);
    expect(await calls.register(calls.registration())).toMatchObject({ code: '0000' });
    expect(await calls.register(calls.registration({ language: 'pt' }))).toMatchObject({
      text: expect.stringMatching(/^Já existe/) as string,
    });
    const ask = `checksum=${sign(merchantId, '', '')}&language=pt`;
    for (const path of ['/operation/MERCHANT', '/walletmovements/MERCHANT'])
      expect(await send('GET', `${path}?${ask}`)).toMatchObject({ code: '0000', first: expect.stringContaining('language=pt') as string });
  });
});

describe('the text of a refusal names', () => {
  test.each(BODIES)('the key that is there twice, or forbidden, or the body: %s %s', async (method, path) => {
    const answer = (payload: string): ReturnType<typeof send> => send(method, path, payload);
    const twice = { code: '0019', text: 'Falta un parámetro o no es válido: zz está repetido' };
    expect(await answer('{"zz":1,"a":2,"zz":3}')).toMatchObject(twice);
    expect(await answer('{"z\\u007a":1,"zz":3}')).toMatchObject(twice);
    expect((await answer(`{"a":"\\"","${'a'.repeat(50)}":1,"${'a'.repeat(50)}":1}`)).text).toMatch(/: a{40}… está repetido$/);
    expect((await answer('{"a":{"__proto__":1}}')).text).toMatch(/: __proto__ no es un parámetro de esta operación$/);
    for (const none of ['[1]', '{', '7'])
      expect((await answer(none)).text).toMatch(/: body no tiene la forma esperada: un objeto JSON en UTF-8, sin comprimir$/);
  });

  test.each(QUERIES)('the parameter that is there twice, or the query: %s %s', async (method, path) => {
    expect(await send(method, `${path}&zz=1&zz=2`)).toMatchObject({
      code: '0019',
      text: 'Falta un parámetro o no es válido: zz está repetido',
    });
    expect((await send(method, `${path}&zz=%zz`)).text).toMatch(/: query no tiene la forma esperada: parámetros escapados como UTF-8$/);
  });

  test.each(['/operation/MERCHANT', '/walletmovements/MERCHANT'])('the parameter that is unknown: %s', async (path) => {
    expect((await send('GET', `${path}?${WRONG}&state=1`)).text).toMatch(/: state no es un parámetro de esta operación$/);
    expect((await send('GET', `${path}?${WRONG}&${'s'.repeat(99)}=1`)).text).toMatch(/: s{40}… no es un parámetro/);
  });
});
