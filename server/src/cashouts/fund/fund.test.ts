import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importCashouts } from '../import/import-cashouts.ts';
import { changeLimits } from '../limits/set-limits.ts';
import { cashoutCalls, countsOf, type CashoutAnswer } from '../../testing/cashout-calls.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';

let service: TestCaudal;
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

const codes = (answers: readonly CashoutAnswer[], code: string): number => answers.filter((answer) => answer.code === code).length;

describe('the fund', () => {
  test('never goes below zero: 64 registrations at once on two servers take exactly what it holds', async () => {
    const other = await service.openAnother();
    await other.app.ready();
    // Enough for ten of 100 and one of 50: the first ones get it.
    const merchant = await service.merchant({ fundMinor: 105_000n });
    const servers = [cashoutCalls(service, merchant), cashoutCalls(other, merchant)] as const;
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => {
        const calls = servers[index % 2] as (typeof servers)[number];
        return calls.register(calls.registration({ operation: `R-${index}`, amount: index % 8 === 7 ? '50.0' : '100.0' }));
      }),
    );
    await other.close();
    const taken = answers.filter(({ code }) => code === '0000').reduce((sum, { data }) => sum + Number(data['amount']), 0);
    expect(codes(answers, '0000') + codes(answers, '0025')).toBe(64);
    expect(taken).toBe(1050);
    expect(await servers[0].balance()).toEqual({ balance: '0.0', reserved: '1050.0' });
    // Each answer shows what was left after it and those before it.
    const balances = answers.filter(({ code }) => code === '0000').map(({ data }) => Number(data['balance']));
    expect(new Set(balances).size).toBe(balances.length);
    expect(Math.min(...balances)).toBe(0);
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });

  test('gets back what a cancelled cashout took, once; nothing for one that was imported', async () => {
    const merchant = await service.merchant({ fundMinor: 10_000n });
    const calls = cashoutCalls(service, merchant);
    expect(await calls.register(calls.registration({ operation: 'A', amount: '60' }))).toMatchObject({
      code: '0000',
      data: { balance: '40.0' },
    });
    expect(await calls.register(calls.registration({ operation: 'B', amount: '60' }))).toEqual({
      code: '0025',
      text: expect.any(String),
      data: {},
    });
    await Promise.all(Array.from({ length: 8 }, () => calls.cancel('A', '1020304050')));
    expect(await calls.balance()).toEqual({ balance: '100.0', reserved: '0.0' });
    expect(await calls.balance('USD')).toEqual({ balance: '100.0', reserved: '0.0' });

    const file = `amount,document,currency,operation,expire,update,status\n45000,99,COP,OLD,20261231,20261101,PENDIENTE\n`;
    const { merchantId } = merchant;
    await importCashouts({
      url: service.url,
      merchant: { merchantId, timeZone: 'America/Bogota', region: 'CO', currencies: ['COP'], letterDocuments: false, strictAmounts: false },
      now: service.clock.now(),
      source: (async function* () {
        yield Buffer.from(file);
      })(),
      rejects: undefined,
      onProgress: () => undefined,
    });
    const network = networkCalls(service, await service.network());
    expect(await network.lookUp('123456', '99'), 'its password is not known here').toMatchObject({ code: '0002' });
    expect(await calls.renew('OLD', '99')).toMatchObject({ code: '0014' });
    expect(await calls.cancel('OLD', '99')).toMatchObject({ code: '0000', data: { status: 'CANCELADA' } });
    expect(await calls.balance()).toEqual({ balance: '100.0', reserved: '0.0' });
  });

  test('shows its movements newest first, in pages that neither repeat nor skip while it moves', async () => {
    const service = await startCaudalForTest();
    const merchant = await service.merchant({ fundMinor: 1_000_000n });
    const calls = cashoutCalls(service, merchant);
    const { merchantId } = merchant;
    const register = async (name: string): Promise<void> => {
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => calls.register(calls.registration({ operation: `${name}-${index}`, amount: '1' }))),
      );
    };
    for (const name of ['A', 'B']) {
      service.clock.advance({ seconds: 1 });
      await register(name);
    }
    await calls.cancel('A-0', '1020304050');
    const follow = async (url: string): Promise<Movements> => (await service.app.inject(url)).json();
    const first = await follow(`/cashout/v1/walletmovements/${merchantId}?limit=10&start=&end=&checksum=${calls.sign(merchantId)}`);
    expect(first.data[0]).toEqual({
      date: '2026-11-21 10:00:02',
      type: expect.any(String),
      operation: expect.any(String),
      amount: expect.any(String),
      currency: 'COP',
    });
    const all = [...first.data];
    for (let next = first.next; next !== '';) {
      service.clock.advance({ seconds: 1 });
      await register(`NEW${all.length}`);
      const page = await follow(next);
      expect(page).toMatchObject({ code: '0000', previous: '', end: '' });
      all.push(...page.data);
      next = page.next;
    }
    const shown = all.map(({ type, operation, amount, currency }) => `${type} ${operation} ${amount} ${currency}`);
    const expected = [
      ...['A', 'B'].flatMap((name) => Array.from({ length: 12 }, (_, index) => `REGISTRO ${name}-${index} -1.0 COP`)),
      'DEVOLUCION A-0 1.0 COP',
      'RECARGA  10000.0 COP',
      'RECARGA  10000.0 USD',
    ];
    expect(shown.toSorted()).toEqual(expected.toSorted());
    expect((await follow(first.first)).data).not.toEqual(first.data);
    const tomorrow = `start=20261122&end=20261122&checksum=${calls.sign(merchantId, '20261122', '20261122')}`;
    expect(await follow(`/cashout/v1/walletmovements/${merchantId}?${tomorrow}`)).toMatchObject({ code: '0000', first: '', data: [] });
    const always = `start=00010101&end=99991231&limit=100&checksum=${calls.sign(merchantId, '00010101', '99991231')}`;
    expect((await follow(`/cashout/v1/walletmovements/${merchantId}?${always}`)).data.length).toBeGreaterThan(all.length);
    service.clock.advance({ days: 1 });
    expect((await follow(first.next)).data).toHaveLength(10);
  });
});

type Movements = { readonly first: string; readonly next: string; readonly data: readonly Record<string, string>[] };

describe('limits', () => {
  test('bound amounts and the cashouts of a document on a day, also at once and over midnight', async () => {
    const service = await startCaudalForTest();
    service.clock.set('2026-11-22T04:59:00Z'); // 23:59 in Bogota
    const merchant = await service.merchant();
    const calls = cashoutCalls(service, merchant);
    const key = { merchantId: merchant.merchantId, currency: 'COP' };
    await changeLimits(service, key, { leastMinor: 1_000_00n, mostMinor: 2_000_00n, perDocumentAndDay: 3 });
    let count = 0;
    const register = (amount: string, document = '1'): Promise<CashoutAnswer> =>
      calls.register(calls.registration({ operation: `L-${++count}`, amount, document }));
    for (const amount of ['999.99', '2000.01']) expect(await register(amount)).toMatchObject({ code: '0004' });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => register(index % 2 === 0 ? '1000' : '2000')));
    expect([codes(answers, '0000'), codes(answers, '0020')]).toEqual([3, 13]);
    expect(await register('1000', '2')).toMatchObject({ code: '0000' });
    const registeredOne = answers.findIndex(({ code }) => code === '0000') + 3;
    await calls.cancel(`L-${registeredOne}`, '1');
    expect(await register('1000'), 'a cancelled one counts').toMatchObject({ code: '0020' });
    const registeredNext = answers.findLastIndex(({ code }) => code === '0000') + 3;
    service.clock.advance({ minutes: 1 });
    expect(await calls.cancel(`L-${registeredNext}`, '1'), 'changed today, but of yesterday').toMatchObject({ code: '0000' });
    const today = [await register('1000'), await register('1000'), await register('1000'), await register('1000')];
    expect(today.map(({ code }) => code)).toEqual(['0000', '0000', '0000', '0020']);
    await changeLimits(service, { ...key, currency: 'USD' }, { leastMinor: undefined, mostMinor: undefined, perDocumentAndDay: 1 });
    const inDollars = (operation: string) => calls.register(calls.registration({ operation, amount: '1', currency: 'USD', document: '1' }));
    expect(await inDollars('USD-1'), 'those in other currencies do not count').toMatchObject({ code: '0000' });
    expect(await inDollars('USD-2')).toMatchObject({ code: '0020' });
  });
});

test('a production server without a way for SMS registers nothing that needs one', async () => {
  const production = await service.openAnother({ mode: 'production' });
  await production.app.ready();
  const merchant = await service.merchant();
  const calls = cashoutCalls(production, merchant);
  const withSms = calls.registration({ operation: 'S', sms: true, cellphone: '3001234567' });
  expect(await calls.register(withSms)).toEqual({ code: '0020', text: expect.stringContaining('sms'), data: {} });
  expect(await calls.register(calls.registration({ operation: 'S' }))).toMatchObject({ code: '0000' });
  await production.close();
});
