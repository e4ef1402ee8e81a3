import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import * as fc from '../testing/fast-check.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';
import { replay } from './order-history.ts';
import { queryOrder } from './query-order.ts';
import { MAX_EVENTS, readHistory } from './read-history.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
});
afterAll(() => service.close());

type Row = { VERSION: number; CHANGES: Record<string, { from: string | null; to: string | null }> };
type Shown = { OrdenID: string; HISTORY: Row[]; NEXT: string };
const shown = async (order: string, extra = ''): Promise<Shown> => (await shop.history(order, extra)).data as unknown as Shown;

describe('the history of an order', () => {
  test('shows who changed what, when, from what to what, in the words of the request', async () => {
    const service = await startCaudalForTest();
    const shop = orderCalls(service, await service.merchant());
    await shop.create({ order: 'H-1', reference: '91', expiration: '01/12/2026' });
    service.clock.advance({ minutes: 5 });
    await shop.update({
      order: 'H-1',
      reference: '91',
      amount: '12.50',
      money: 'USD',
      expiration: '02/12/2026',
      iva: '8.50',
      recurrent: 1,
      description: 'Books',
    });
    await shop.update({ order: 'H-1', amount: '12.5', money: 'USD' });
    service.clock.advance({ minutes: 5 });
    const cancelled = await shop.cancel('H-1');
    const answer = await shop.history('H-1');
    expect(answer).toMatchObject({ code: '0000', text: 'OK', etag: cancelled.etag });
    expect(answer.data).toEqual({
      OrdenID: 'H-1',
      NEXT: '',
      HISTORY: [
        {
          VERSION: 1,
          OPERATION: 'CREADA',
          ACTOR: 'merchant',
          DATE: '2026-11-21 10:00:00',
          INSTANT: '2026-11-21T15:00:00Z',
          CHANGES: {
            CODE: { from: null, to: '1' },
            STATE: { from: null, to: 'PENDIENTE' },
            email: { from: null, to: 'ana@example.com' },
            country: { from: null, to: '343' },
            money: { from: null, to: 'COP' },
            amount: { from: null, to: '45000.0' },
            reference: { from: null, to: '91' },
            method: { from: null, to: '' },
            recurrent: { from: null, to: 'false' },
            expiration: { from: null, to: '01/12/2026' },
          },
        },
        {
          VERSION: 2,
          OPERATION: 'ACTUALIZADO',
          ACTOR: 'merchant',
          DATE: '2026-11-21 10:05:00',
          INSTANT: '2026-11-21T15:05:00Z',
          CHANGES: {
            money: { from: 'COP', to: 'USD' },
            amount: { from: '45000.0', to: '12.5' },
            description: { from: null, to: 'Books' },
            recurrent: { from: 'false', to: 'true' },
            expiration: { from: '01/12/2026', to: '02/12/2026' },
            iva: { from: null, to: '8.5' },
          },
        },
        {
          VERSION: 3,
          OPERATION: 'DELETED',
          ACTOR: 'merchant',
          DATE: '2026-11-21 10:10:00',
          INSTANT: '2026-11-21T15:10:00Z',
          CHANGES: { STATE: { from: 'PENDIENTE', to: 'CANCELADA' } },
        },
      ],
    });
  });

  test('comes in pages that join without a gap', async () => {
    await shop.create({ order: 'H-2' });
    await Promise.all(Array.from({ length: MAX_EVENTS + 9 }, (_, index) => shop.update({ order: 'H-2', amount: index + 1 })));
    const first = await shown('H-2');
    expect([first.HISTORY.length, first.NEXT]).toEqual([MAX_EVENTS, String(MAX_EVENTS)]);
    const second = await shown('H-2', `&after=${first.NEXT}`);
    expect([second.HISTORY.length, second.NEXT]).toEqual([10, '']);
    expect([...first.HISTORY, ...second.HISTORY].map(({ VERSION }) => VERSION)).toEqual(
      Array.from({ length: MAX_EVENTS + 10 }, (_, index) => index + 1),
    );
    expect(await shop.history('H-2', '&after=-1')).toMatchObject({ code: '0011' });
  });

  const sent = fc.record(
    {
      email: fc.constantFrom('ana@example.com', 'luz@example.com'),
      country: fc.constantFrom('343', 170),
      money: fc.constantFrom('COP', 'USD'),
      amount: fc.oneof(fc.integer({ min: 1, max: 9_999_999 }), fc.constantFrom('45000.0', '0.10', '9999999999999.99', '1e4')),
      reference: fc.constantFrom('', 5001, '5002', '5003'),
      description: fc.constantFrom('', 'Books', 'ñandú 🦤', 'a"b\\c,{}'),
      method: fc.constantFrom('', 'PSE', '{"a"}'),
      language: fc.constantFrom('', 'es', 'en'),
      recurrent: fc.constantFrom(true, false, 'true', 0),
      expiration: fc.constantFrom('', '21/11/2026', '30/11/2026', '21/12/2026', '30/12/2026'),
      iva: fc.constantFrom('', 19, '19.00', '8.5', '0'),
      user_di: fc.constantFrom('', 5, '5', 'NULL'),
      user_type_di: fc.constantFrom('', 'CC'),
      user_name: fc.constantFrom('', 'Ana', 'null'),
      redirect_timeout: fc.constantFrom('', '0300', 300),
      order: fc.constantFrom('1', '2', '3'),
      cancel: fc.constant(false),
    },
    { requiredKeys: ['order', 'cancel'] },
  );
  const step = fc.oneof(
    { weight: 12, arbitrary: sent },
    { weight: 1, arbitrary: fc.record({ order: fc.constantFrom('1', '2', '3'), cancel: fc.constant(true) }) },
  );

  test('replays to the stored order, for random requests that come in crowds', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }), async (crowds) => {
        const prefix = `P${++run}-`;
        for (const order of ['1', '2', '3']) await shop.create({ order: prefix + order });
        for (const crowd of crowds) {
          service.clock.advance({ seconds: 1 });
          await Promise.all(
            crowd.map(({ cancel, order, ...fields }) =>
              cancel ? shop.cancel(prefix + order) : shop.update({ ...fields, order: prefix + order }),
            ),
          );
        }
        for (const order of ['1', '2', '3']) {
          const key = { merchantId: merchant.merchantId, orderId: prefix + order };
          const [stored, history] = [await queryOrder(service.db, key), await readHistory(service.db, key, 0)];
          if (isRefusal(history)) throw new Error(history.refusal);
          expect(replay(history.events)).toEqual(stored);
          await shop.cancel(key.orderId);
        }
      }),
      { numRuns: 40 },
    );
  });
});
