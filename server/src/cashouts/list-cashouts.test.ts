import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { bruteForce, cashoutStock, listCalls, operationsOf, type StockedCashout } from '../testing/cashout-stock.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';
import { CASHOUT_STATES } from './cashout.ts';
import { CONTRACT_DIALECT } from '../requests/index.ts';

// The clock is at 2026-11-21, 10:00 in Bogota.
let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal()));
afterAll(() => service.close());

/** Sixty cashouts of every state, three of each instant, half a day apart, the newest now. */
const sixty: readonly StockedCashout[] = Array.from({ length: 60 }, (_, index) => ({
  operationId: `W-${index}`,
  cashoutId: BigInt(1000 + index),
  state: CASHOUT_STATES[index % 5]!,
  document: `77${index % 4}`,
  updatedAt: Temporal.Instant.from('2026-11-21T15:00:00Z').subtract({ hours: 12 * Math.trunc((59 - index) / 3) }),
}));

async function stocked(cashouts: readonly StockedCashout[] = sixty): Promise<ReturnType<typeof listCalls> & { merchant: TestMerchant }> {
  const merchant = await service.merchant();
  await cashoutStock(service, merchant).add(cashouts);
  return { ...listCalls(service, merchant), merchant };
}

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const ALL = { start: '20261001', end: '20261130' };
const ALL_DAYS = { start: day('2026-10-01'), end: day('2026-11-30') };

describe('an answer', () => {
  test('shows each cashout as texts, in the order of the contract', async () => {
    const { list, merchant } = await stocked([]);
    const { registration, register } = cashoutCalls(service, merchant);
    await register(
      registration({
        operation: 'Ab-9',
        amount: '11.80',
        transactionCost: '150',
        description: 'Año nuevo',
        document: '0012',
        cellphone: '300',
        expire: '2026-12-31',
      }),
    );
    const { data, ...envelope } = await list();
    expect(JSON.stringify(data)).toBe(
      '[{"amount":"11.8","transactionCost":"150.0","currency":"COP","description":"Año nuevo","document":"0012","sms":"false","cellphone":"300","operation":"Ab-9","expire":"20261231","update":"20261121","status":"PENDIENTE"}]',
    );
    expect(Object.keys(envelope)).toEqual(['code', 'text', 'first', 'previous', 'next', 'end']);
    expect(envelope).toMatchObject({ code: '0000', text: 'OK', previous: '', next: '' });
  });

  test('without cashouts is a success with no items and no links', async () => {
    const { list } = await stocked();
    expect(await list({ start: '20200101', end: '20200131' })).toEqual({
      code: '0000',
      text: 'OK',
      first: '',
      previous: '',
      next: '',
      end: '',
      data: [],
    });
  });

  test('prints days day-first where the deployment is set so', async () => {
    const dayFirst = await startTestCaudal({ config: { dialect: { ...CONTRACT_DIALECT, listedDateForm: 'DDMMYYYY' } } });
    try {
      const merchant = await dayFirst.merchant();
      await cashoutStock(dayFirst, merchant).add(sixty.slice(-1));
      expect((await listCalls(dayFirst, merchant).list()).data[0]).toMatchObject({ expire: '31012027', update: '21112026' });
    } finally {
      await dayFirst.close();
    }
  });

  test('holds 23 cashouts where no limit is given, and those of the given limit otherwise', async () => {
    const { list } = await stocked();
    expect((await list(ALL)).data).toHaveLength(23);
    expect((await list({ ...ALL, limit: '' })).data).toHaveLength(23);
    for (const limit of [10, 59]) expect((await list({ ...ALL, limit })).data).toHaveLength(limit);
    expect((await list({ ...ALL, limit: '0011' })).data).toHaveLength(11);
    expect((await list({ ...ALL, limit: 100 })).data).toHaveLength(60);
  });

  test('is given to HEAD and with a trailing slash too', async () => {
    const { urlOf, follow } = await stocked();
    expect((await service.app.inject({ method: 'HEAD', url: urlOf(ALL) })).statusCode).toBe(200);
    expect((await follow(urlOf(ALL).replace('?', '/?'))).data).toHaveLength(23);
  });
});

const changedAt = (instant: string, index: number): StockedCashout => ({
  operationId: `B-${index}`,
  cashoutId: BigInt(5000 + index),
  state: 'pending',
  document: '1',
  updatedAt: Temporal.Instant.from(instant),
});

describe('the range of days', () => {
  test('is today where neither start nor end is given, and today for the one that is absent', async () => {
    const { list } = await stocked();
    const today = day('2026-11-21');
    expect(operationsOf(await list())).toEqual(bruteForce(sixty, { start: today, end: today }));
    expect(operationsOf(await list({ start: '', end: '' }))).toEqual(bruteForce(sixty, { start: today, end: today }));
    expect(operationsOf(await list({ start: '20261119' }))).toEqual(bruteForce(sixty, { start: day('2026-11-19'), end: today }));
    expect(operationsOf(await list({ end: '20261121' }))).toEqual(bruteForce(sixty, { start: today, end: today }));
  });

  test('includes both of its days, from the first instant to the last', async () => {
    const { list } = await stocked(
      ['2026-11-10T04:59:59.999Z', '2026-11-10T05:00:00Z', '2026-11-12T04:59:59.999Z', '2026-11-12T05:00:00Z'].map(changedAt),
    );
    expect(operationsOf(await list({ start: '20261110', end: '20261111' }))).toEqual(['B-2', 'B-1']);
  });
});

describe('the filters', () => {
  test.each([
    ['PENDIENTE', ['pending']],
    ['aprobada', ['approved']],
    ['Vencida,ANULADA', ['expired', 'nullified']],
    ['cancelada,CANCELADA,pendiente,vencida', ['cancelled', 'pending', 'expired']],
    ['ANULADA,APROBADA,CANCELADA,PENDIENTE,VENCIDA', CASHOUT_STATES],
    ['0', CASHOUT_STATES],
    ['', CASHOUT_STATES],
  ] as const)('status %s shows these states only', async (status, states) => {
    const { list } = await stocked();
    expect(operationsOf(await list({ ...ALL, status, limit: 100 }))).toEqual(bruteForce(sixty, { ...ALL_DAYS, states }));
  });

  test('a document shows its cashouts only, of the states that are asked for', async () => {
    const { list } = await stocked();
    expect(operationsOf(await list({ ...ALL, document: '772' }))).toEqual(bruteForce(sixty, { ...ALL_DAYS, document: '772' }));
    expect(operationsOf(await list({ ...ALL, document: '772', status: 'APROBADA,VENCIDA' }))).toEqual(
      bruteForce(sixty, { ...ALL_DAYS, document: '772', states: ['approved', 'expired'] }),
    );
    expect((await list({ ...ALL, document: '', limit: 100 })).data).toHaveLength(60);
    expect((await list({ ...ALL, document: '99' })).data).toEqual([]);
  });

  test('never show cashouts of another merchant', async () => {
    await stocked();
    const { list } = await stocked([]);
    expect((await list(ALL)).data).toEqual([]);
  });
});

describe('a page by its number', () => {
  test('is the same slice of the list, of every filter and limit', async () => {
    const { list } = await stocked();
    for (const filter of [{}, { status: 'APROBADA' }, { status: 'APROBADA,PENDIENTE,ANULADA' }, { document: '771' }]) {
      const whole = operationsOf(await list({ ...ALL, ...filter, limit: 100 }));
      for (const limit of [10, 11, 17])
        for (let page = 1; page <= 7; page++)
          expect(operationsOf(await list({ ...ALL, ...filter, limit, page }))).toEqual(whole.slice((page - 1) * limit, page * limit));
    }
  });

  test('beyond the last is empty, and its previous page is the last one', async () => {
    const { list, follow } = await stocked();
    const beyond = await list({ ...ALL, page: 9999 });
    expect(beyond).toMatchObject({ code: '0000', text: 'OK', next: '', data: [] });
    expect(operationsOf(await follow(beyond.previous))).toEqual(bruteForce(sixty, ALL_DAYS).slice(46));
    expect(operationsOf(await follow(beyond.first))).toEqual(bruteForce(sixty, ALL_DAYS).slice(0, 23));
    expect(new URLSearchParams(beyond.end.split('?')[1]).get('page')).toBe('3');
  });

  test('leads to its neighbours, and nowhere from the first back and from the last on', async () => {
    const { list, follow } = await stocked();
    const whole = bruteForce(sixty, ALL_DAYS);
    const [one, two, three] = await Promise.all([1, 2, 3].map((page) => list({ ...ALL, page })));
    expect(one!.previous).toBe('');
    expect(operationsOf(await follow(one!.next))).toEqual(whole.slice(23, 46));
    expect(operationsOf(await follow(two!.previous))).toEqual(whole.slice(0, 23));
    expect(operationsOf(await follow(two!.next))).toEqual(whole.slice(46));
    expect(operationsOf(await follow(three!.previous))).toEqual(whole.slice(23, 46));
    expect(three!.next).toBe('');
  });
});
