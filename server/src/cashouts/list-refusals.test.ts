import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disableMerchant } from '../merchants/change-merchant.ts';
import { listCalls } from '../testing/cashout-stock.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { startCaudalForTest, startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let calls: ReturnType<typeof listCalls>;
beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  calls = listCalls(service, merchant);
});
afterAll(() => service.close());

type Parameters = Record<string, string | number | undefined>;
const EMPTY = { first: '', previous: '', next: '', end: '', data: [] };

describe('refuses', () => {
  test.each<[string, string, Parameters]>([
    ['0019', 'an unknown status', { status: 'PAGADA' }],
    ['0019', 'all among names', { status: '0,PENDIENTE' }],
    ['0019', 'an empty name', { status: 'PENDIENTE,' }],
    ['0019', 'a name with a space', { status: 'PENDIENTE, APROBADA' }],
    ['0019', 'a state by our own word', { status: 'pending' }],
    ['0019', 'a status over 64 characters', { status: Array(7).fill('PENDIENTE').join(',') }],
    ['0019', 'letters in a document', { document: '12a' }],
    ['0019', 'a document over 20 digits', { document: '1'.repeat(21) }],
    ['0019', 'a cursor that is none', { cursor: 'x' }],
    ['0019', 'an unknown parameter', { state: 'PENDIENTE' }],
    ['0019', 'a parameter named as an own word of JavaScript', { constructor: '1' }],
    ['0019', 'a known parameter in capitals', { Status: '0' }],
    ['0036', 'a start that is no day', { start: '20260229' }],
    ['0036', 'an end in another form', { end: '2026-11-21' }],
    ['0036', 'a start that is cut', { start: '2026112' }],
    ['0036', 'the year 0', { start: '00000101' }],
    ['0037', 'a start after the end', { start: '20261121', end: '20261120' }],
    ['0037', 'a start after today without an end', { start: '20261122' }],
    ['0037', 'an end before today without a start', { end: '20261120' }],
    ['0028', 'page 0', { page: 0 }],
    ['0028', 'page 0000', { page: '0000' }],
    ['0028', 'a page of five digits', { page: 10_000 }],
    ['0028', 'a page with a sign', { page: '+1' }],
    ['0028', 'a page that is no number', { page: '1e1' }],
    ['0026', 'a limit below 10', { limit: 9 }],
    ['0026', 'a limit above 100', { limit: 101 }],
    ['0026', 'a limit that is no number', { limit: '2x' }],
    ['0026', 'a limit of five digits', { limit: '00023' }],
    ['0009', 'no checksum', { checksum: undefined }],
    ['0009', 'an empty checksum', { checksum: '' }],
    ['0009', 'a checksum that is not hex', { checksum: 'z'.repeat(128) }],
    ['0009', 'a checksum over 128 digits', { checksum: '0'.repeat(200) }],
    ['0009', 'a checksum over 512 characters', { checksum: '0'.repeat(513) }],
    ['0009', 'a wrong checksum', { checksum: '0'.repeat(128) }],
  ])('%s %s', async (code, _, parameters) => {
    const answer = await calls.list(parameters);
    expect(answer).toEqual({ ...EMPTY, code, text: expect.stringMatching(/.{10,}/) });
  });

  test.each<[string, string, (url: string) => string]>([
    ['0019', 'a repeated parameter', (url) => `${url}&limit=10&limit=10`],
    ['0019', 'a repeated checksum', (url) => `${url}&checksum=00`],
    ['0019', 'a broken escape', (url) => `${url}&status=%zz`],
    ['0019', 'an escape that is not UTF-8', (url) => `${url}&status=%ff`],
    ['0023', 'a merchant over 30 characters', (url) => url.replace(merchant.merchantId, 'm'.repeat(31))],
    ['0023', 'a merchant with a space', (url) => url.replace(merchant.merchantId, 'a%20b')],
    ['0023', 'a merchant with a slash', (url) => url.replace(merchant.merchantId, 'a%2Fb')],
  ])('%s %s', async (code, _, change) => {
    expect(await calls.follow(change(calls.urlOf({})))).toEqual({ ...EMPTY, code, text: expect.any(String) });
  });

  test('the first in the order of precedence, whatever else is wrong', async () => {
    const wrong: readonly (readonly [string, Parameters])[] = [
      ['0019', { status: 'PAGADA' }],
      ['0036', { start: '20261301' }],
      ['0037', { start: '20261122', end: '20261121' }],
      ['0028', { page: 0 }],
      ['0026', { limit: 5 }],
      ['0009', { checksum: 'ff' }],
    ];
    for (const [earlier, [code, parameters]] of wrong.entries()) {
      for (const [, others] of wrong.slice(earlier + 1)) expect((await calls.list({ ...others, ...parameters })).code).toBe(code);
      const everything = Object.assign(
        {},
        ...wrong
          .slice(earlier)
          .map(([, others]) => others)
          .reverse(),
      ) as Parameters;
      expect((await calls.list(everything)).code).toBe(code);
      expect((await calls.follow(calls.urlOf(everything).replace(merchant.merchantId, 'm'.repeat(31)))).code).toBe('0023');
    }
    // A start in the future is out of range before the page is checked. So it is with today as default end.
    expect((await calls.list({ start: '20261122', page: 0, limit: 5 })).code).toBe('0037');
  });

  test('an unknown merchant, a disabled one and a wrong checksum with one and the same answer', async () => {
    const service = await startCaudalForTest();
    const merchant = await service.merchant();
    const calls = listCalls(service, merchant);
    const brazilian = await service.merchant({ country: '076', language: 'pt' });
    // In Brasilia it is the next day already, in Bogota not yet: only a proved caller may learn that.
    const disabled = await service.merchant();
    await disableMerchant(service, disabled.merchantId);
    await eventually(SOON_MS, async () => expect((await listCalls(service, disabled).list()).code).toBe('0009'));
    for (const parameters of [{}, { start: '20261122' }, { start: '20261121' }, { page: 0 }]) {
      service.clock.set('2026-11-22T04:00:00Z');
      const url = calls.urlOf({ ...parameters, checksum: 'ab' });
      const answers = await Promise.all(
        [merchant.merchantId, brazilian.merchantId, disabled.merchantId, 'nobody'].map(async (id) => {
          // A sandbox shows the text of the request itself, which names the merchant.
          const answer = await calls.follow(url.replace(merchant.merchantId, id));
          return { ...answer, text: answer.text.replace(`«${id}`, '«') };
        }),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
  });

  test("in the merchant's language once the checksum has proved it, in Spanish before", async () => {
    const brazilian = await service.merchant({ country: '076' });
    const english = await service.merchant({ language: 'en' });
    expect((await listCalls(service, brazilian).list({ limit: 5 })).text).toMatch(/^O limite deve estar entre 10 e 100/);
    expect((await listCalls(service, english).list({ colour: 'red' })).text).toBe(
      'A parameter is missing or not valid: colour is not a parameter of this operation',
    );
    expect((await listCalls(service, english).list({ limit: 5, checksum: 'ab' })).text).toMatch(
      /^El límite debe estar entre 10 y 100: limit/,
    );
  });
});

describe('the checksum', () => {
  test('of absent dates is made over empty texts or over today, in the zone of the merchant', async () => {
    const service = await startCaudalForTest();
    const { list, sign } = listCalls(service, await service.merchant());
    expect((await list({ checksum: sign() })).code).toBe('0000');
    expect((await list({ checksum: sign('20261121', '20261121') })).code).toBe('0000');
    expect((await list({ checksum: sign('20261120', '20261120') })).code).toBe('0009');
    expect((await list({ start: '20261101', checksum: sign('20261101', '') })).code).toBe('0000');
    expect((await list({ start: '20261101', checksum: sign('20261101', '20261121') })).code).toBe('0000');
    expect((await list({ start: '20261101', end: '20261121', checksum: sign('20261101', '') })).code).toBe('0009');
    service.clock.set('2026-11-22T04:30:00Z');
    expect((await list({ checksum: sign('20261121', '20261121') })).code).toBe('0000');
    service.clock.set('2026-11-22T05:00:00Z');
    expect((await list({ checksum: sign('20261121', '20261121') })).code).toBe('0009');
  });

  test('passes in capitals and without its leading zeros', async () => {
    const { list, sign } = calls;
    for (let day = 1; ; day++) {
      const start = `2026${String(Math.ceil(day / 28)).padStart(2, '0')}${String(1 + (day % 28)).padStart(2, '0')}`;
      const checksum = sign(start, '20261121');
      if (!checksum.startsWith('0')) continue;
      expect((await list({ start, end: '20261121', checksum: checksum.replace(/^0+/, '').toUpperCase() })).code).toBe('0000');
      return;
    }
  });
});

test('the sandbox answers without /cashout too, production does not', async () => {
  expect((await calls.follow(calls.urlOf({}, '/v1'))).code).toBe('0000');
  const production = await startTestCaudal({ config: { mode: 'production' } });
  try {
    const url = listCalls(production, await production.merchant()).urlOf({}, '/v1');
    expect((await production.app.inject({ method: 'GET', url })).statusCode).toBe(404);
  } finally {
    await production.close();
  }
});
