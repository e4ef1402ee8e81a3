import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEngine } from '../kit/changes/engine.ts';
import { openDb } from '../kit/db.ts';
import { cashoutCalls, countsOf, type CashoutAnswer } from '../testing/cashout-calls.ts';
import * as fc from '../testing/fast-check.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';
import { createCancel } from './cancel-cashout.ts';
import { CONTRACT_DIALECT } from '../requests/index.ts';

const DOCUMENT = '1020304050';

let service: TestCaudal;
let merchant: TestMerchant;
let calls: ReturnType<typeof cashoutCalls>;

beforeEach(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  calls = cashoutCalls(service, merchant);
});
afterEach(() => service.close());

let count = 0;
async function registered(members: Record<string, unknown> = {}): Promise<string> {
  const operation = `C-${++count}`;
  expect(await calls.register(calls.registration({ operation, ...members }))).toMatchObject({ code: '0000' });
  return operation;
}

const url = (operation: string, query = ''): string => `/cashout/v1/operation/${merchant.merchantId}/${operation}${query}`;
const sign = (operation: string): string => calls.sign(merchant.merchantId, operation);

async function send(method: 'GET' | 'DELETE', url: string, payload?: string): Promise<CashoutAnswer> {
  return (await service.app.inject({ method, url, ...(payload === undefined ? {} : { payload }) })).json();
}

const history = (operation: string): Promise<object[]> =>
  service.db.query(
    {
      name: 'testing.cashout_history',
      text: 'select version, event, actor, changes from cashout_history where operation_id = $1 order by version',
    },
    [operation],
  );

const setState = (operation: string, state: string): Promise<unknown> =>
  service.db.query({ name: 'testing.set_state', text: 'update cashouts set state = $2 where operation_id = $1' }, [operation, state]);

const item = (operation: string, status: string): object => ({
  amount: '45000.0',
  transactionCost: '0.0',
  currency: 'COP',
  description: '',
  document: DOCUMENT,
  sms: 'false',
  cellphone: '',
  operation,
  expire: '20261221',
  update: '20261121',
  status,
});

describe('querying one cashout', () => {
  test('answers it as the list does, in the same order', async () => {
    const operation = await registered();
    const answer = await calls.query(operation, DOCUMENT);
    expect(answer).toEqual({ code: '0000', text: 'OK', data: item(operation, 'PENDIENTE') });
    expect(Object.keys(answer.data)).toEqual(Object.keys(item(operation, '')));
  });

  test('prints days as the deployment does', async () => {
    const dayFirst = await startTestCaudal({
      config: { dialect: { ...CONTRACT_DIALECT, listedDateForm: 'DDMMYYYY' }, mode: 'production' },
    });
    const theirs = cashoutCalls(dayFirst, await dayFirst.merchant());
    await theirs.register(theirs.registration({ operation: 'D-1' }));
    expect((await theirs.query('D-1', DOCUMENT)).data).toMatchObject({ expire: '21122026', update: '21112026' });
    expect((await theirs.register(theirs.registration(), '/v1/operation')).text).toBe('HTTP 404');
    await dayFirst.close();
  });

  test('0001 for another document, an unknown cashout, and the cashout of another merchant', async () => {
    const operation = await registered();
    expect(await calls.query(operation, '1')).toMatchObject({ code: '0001', data: {} });
    expect(await calls.query('UNKNOWN', DOCUMENT)).toMatchObject({ code: '0001', data: {} });
    const theirs = cashoutCalls(service, await service.merchant());
    expect(await theirs.query(operation, DOCUMENT)).toMatchObject({ code: '0001', data: {} });
  });
});

describe.each(['GET', 'DELETE'] as const)('%s refuses, the first that applies:', (method) => {
  test('0023, 0019, 0024, 0009', async () => {
    const long = 'x'.repeat(41);
    const base = `/cashout/v1/operation`;
    expect(await send(method, `${base}/${'m'.repeat(31)}/${long}?document=x&checksum=!`)).toMatchObject({ code: '0023', data: {} });
    expect(await send(method, `${base}/m/${long}?document=x&checksum=!`)).toMatchObject({ code: '0019', data: {} });
    expect(await send(method, `${base}/m/${long}?document=1&checksum=!`)).toMatchObject({ code: '0024', data: {} });
    expect(await send(method, `${base}/m/W?document=1&checksum=!`)).toMatchObject({ code: '0009', data: {} });
    expect(await send(method, `${base}/m/W?document=1`)).toMatchObject({ code: '0009', data: {} });
    expect(await send(method, `${base}/m/W?document=1&checksum=f00`)).toMatchObject({ code: '0009', data: {} });
    expect(await send(method, `${base}/m/W?checksum=f00`)).toMatchObject({ code: '0019', data: {} });
    expect(await send(method, `${base}/m/W?document=1&checksum=f00&document=2`)).toMatchObject({ code: '0019', data: {} });
    expect(await send(method, `${base}/m/W?document=%ff&checksum=f00`)).toMatchObject({ code: '0019', data: {} });
    expect(await send(method, `${base}/m/a%20b?document=1&checksum=f00`)).toMatchObject({ code: '0024', data: {} });
  });
});

describe('cancelling a cashout', () => {
  test('cancels it, answers it, records it, counts it; and again is success that writes nothing', async () => {
    const operation = await registered();
    expect(await calls.cancel(operation, DOCUMENT)).toEqual({ code: '0000', text: 'OK', data: item(operation, 'CANCELADA') });
    service.clock.advance({ days: 40 }); // Also when its day is long over.
    expect(await calls.cancel(operation, DOCUMENT)).toEqual({ code: '0000', text: 'OK', data: item(operation, 'CANCELADA') });
    expect(await history(operation)).toEqual([
      expect.objectContaining({ version: 1, event: 'cashout.registered' }),
      { version: 2, event: 'cashout.cancelled', actor: 'merchant', changes: { state: ['pending', 'cancelled'] } },
    ]);
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });

  test('moves it to the day of the change', async () => {
    const operation = await registered();
    service.clock.set('2026-12-22T04:59:59.999Z'); // the last instant of its last day in Bogota
    expect((await calls.cancel(operation, DOCUMENT)).data).toMatchObject({ status: 'CANCELADA', update: '20261221' });
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });

  test('takes what it needs from the body, from the query, or from both; also under the old name', async () => {
    const ways: ((operation: string) => Promise<CashoutAnswer>)[] = [
      (one) => send('DELETE', url(one), JSON.stringify({ checksum: sign(one), documet: DOCUMENT })),
      (one) => send('DELETE', url(one), JSON.stringify({ checksum: sign(one), document: Number(DOCUMENT), documet: 'x' })),
      (one) => send('DELETE', url(one, `?checksum=${sign(one)}&document=${DOCUMENT}`)),
      (one) => send('DELETE', url(one, `?checksum=${sign(one)}&documet=${DOCUMENT}&other=1`), '[]'),
      (one) => send('DELETE', url(one, `/?checksum=${sign(one)}`), JSON.stringify({ document: DOCUMENT, checksum: null })),
    ];
    for (const way of ways) expect(await way(await registered())).toMatchObject({ code: '0000', data: { status: 'CANCELADA' } });
    const operation = await registered();
    for (const body of ['{', '"x"', '[1]', `{"checksum":"${sign(operation)}"}`]) {
      expect(await send('DELETE', url(operation), body)).toMatchObject({ code: '0019', data: {} });
    }
  });

  test('0014 for another document or an unknown cashout, before 0021 for one that is not pending or whose days are over', async () => {
    const operation = await registered();
    expect(await calls.cancel('UNKNOWN', DOCUMENT)).toMatchObject({ code: '0014', data: {} });
    for (const state of ['approved', 'expired', 'nullified']) {
      await setState(operation, state);
      expect(await calls.cancel(operation, DOCUMENT)).toMatchObject({ code: '0021', data: {} });
      expect(await calls.cancel(operation, '1')).toMatchObject({ code: '0014', data: {} });
    }
    await setState(operation, 'pending');
    service.clock.set('2026-12-22T05:00:00Z'); // its last day is over in Bogota
    expect(await calls.cancel(operation, DOCUMENT)).toMatchObject({ code: '0021', data: {} });
    expect(await history(operation)).toHaveLength(1);
  });
});

describe('under a race', () => {
  test('64 cancellations of one cashout: all succeed, one is written', async () => {
    const operation = await registered();
    const answers = await Promise.all(Array.from({ length: 64 }, () => calls.cancel(operation, DOCUMENT)));
    expect(answers.every(({ code }) => code === '0000')).toBe(true);
    expect(await history(operation)).toHaveLength(2);
  });

  test('two servers on one database, in opposite orders: each cashout is cancelled once', async () => {
    const other = openDb({ url: service.url, log: service.log, connections: 1, statementTimeoutMs: 3_000 });
    const servers = [service.db, other].map((db) => createCancel({ engine: openEngine({ db, clock: service.clock }) }));
    const { merchantId } = merchant;
    const by = { timeZone: 'America/Bogota', actor: 'merchant', requestId: 'r' } as const;
    for (let round = 0; round < 10; round++) {
      const operations = await Promise.all(Array.from({ length: 8 }, () => registered()));
      const answers = await Promise.all(
        servers.flatMap((cancel, server) =>
          (server === 0 ? operations : operations.toReversed()).map((operationId) =>
            cancel({ merchantId, operationId, document: DOCUMENT, ...by }),
          ),
        ),
      );
      expect(answers.every((answer) => 'cashout' in answer && answer.cashout.state === 'cancelled')).toBe(true);
      for (const operation of operations) expect(await history(operation)).toHaveLength(2);
    }
    await other.close();
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });

  test('after any concurrent registrations and cancellations the kept counts are those of the rows', async () => {
    const step = fc.record({ kind: fc.constantFrom('register', 'cancel'), operation: fc.nat(12), hours: fc.nat(30), shop: fc.nat(1) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 4 }), async (rounds) => {
        const shops = [await service.merchant(), await service.merchant({ country: '484' })];
        const clients = shops.map((shop) => cashoutCalls(service, shop));
        for (const round of rounds) {
          const answers = await Promise.all(
            round.map(({ kind, operation, shop }) => {
              const client = clients[shop] as typeof calls;
              return kind === 'register'
                ? client.register(client.registration({ operation: `P-${operation}`, currency: 'USD' }))
                : client.cancel(`P-${operation}`, DOCUMENT);
            }),
          );
          for (const { code } of answers) expect(['0000', '0042', '0014']).toContain(code);
          service.clock.advance({ hours: (round.reduce((sum, { hours }) => sum + hours, 0) / 4) | 0 });
        }
        for (const { merchantId } of shops) {
          const { kept, counted } = await countsOf(service, merchantId);
          expect(kept).toEqual(counted);
        }
      }),
      { numRuns: 25 },
    );
  });
});
