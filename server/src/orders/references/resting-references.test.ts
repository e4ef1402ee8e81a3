import { beforeEach, describe, expect, test } from 'vitest';
import { statement } from '../../kit/db.ts';
import { findings } from '../../testing/findings.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startCaudalForTest, type TestCaudal } from '../../testing/test-caudal.ts';
import { orderChecks } from '../verify-orders.ts';

let service: TestCaudal;
let shop: OrderCalls;
let rival: OrderCalls;

async function open(referenceRestDays?: number): Promise<void> {
  service = await startCaudalForTest(referenceRestDays === undefined ? {} : { config: { referenceRestDays } });
  shop = orderCalls(service, await service.merchant());
  rival = orderCalls(service, await service.merchant());
}

/** Both ways in which a merchant can take a reference. */
async function take(calls: OrderCalls, reference: string): Promise<readonly string[]> {
  const order = await calls.newOrder();
  return [(await calls.create({ order: `${order}-new`, reference })).code, (await calls.update({ order, reference })).code];
}
const TAKEN = ['0043', '0043'];

/** Each leaves the reference of its order. */
const ENDS: Readonly<Record<string, (order: string) => Promise<unknown>>> = {
  cancelled: (order) => shop.cancel(order),
  'given another reference': (order) => shop.update({ order, reference: '990001' }),
  paid: async (order) => {
    const { data } = await shop.query(order);
    const till = networkOrderCalls(service, await service.network());
    expect(await till.pay(String(data['CODE']), 'T-1')).toMatchObject({ code: '0000' });
  },
  'expired, swept or not': async (order) => {
    await shop.update({ order, expiration: '21/11/2026' });
    service.clock.advance({ days: 1 });
    expect(await take(rival, '440001')).toEqual(TAKEN);
    await service.runJobs();
  },
};

describe('by default', () => {
  beforeEach(() => open());

  test.each(Object.keys(ENDS))(
    'the reference of an order that was %s rests for ninety days before another merchant takes it',
    async (end) => {
      const order = await shop.newOrder({ reference: '440001' });
      await ENDS[end]?.(order);
      expect(await take(rival, '440001')).toEqual(TAKEN);
      service.clock.advance({ days: 89 });
      await service.runJobs();
      expect(await take(rival, '440001')).toEqual(TAKEN);
      expect(await findings(service, orderChecks)).toEqual([]);
      service.clock.advance({ days: 1 });
      expect(await rival.create({ order: 'after', reference: '440001' })).toMatchObject({ code: '0000' });
      expect(await take(shop, '440001')).toEqual(TAKEN);
      expect(await findings(service, orderChecks)).toEqual([]);
    },
  );

  test('its own merchant takes it at once, and then its rest begins again', async () => {
    const first = await shop.newOrder({ reference: '440001' });
    await shop.cancel(first);
    const second = await shop.newOrder({ reference: '440001' });
    service.clock.advance({ days: 10 });
    await shop.cancel(second);
    service.clock.advance({ days: 81 });
    expect(await take(rival, '440001')).toEqual(TAKEN);
    const third = await shop.newOrder();
    expect(await shop.update({ order: third, reference: '440001' })).toMatchObject({ code: '0000' });
    expect((await shop.queryByReference('440001')).data).toMatchObject({ ORDER: third });
  });

  test('nobody pays by a reference that rests', async () => {
    const till = networkOrderCalls(service, await service.network());
    const order = await shop.newOrder({ reference: '440001' });
    expect(await till.lookUp('440001')).toMatchObject({ code: '0000' });
    await shop.update({ order, reference: '440002' });
    expect(await till.lookUp('440001')).toMatchObject({ code: '0001' });
    expect(await till.lookUp('440002')).toMatchObject({ code: '0000' });
  });

  test('two requests of one batch: what the first gives up, the second does not take for another merchant', async () => {
    const order = await shop.newOrder({ reference: '440001' });
    const wanting = await rival.newOrder();
    const answers = await Promise.all([shop.update({ order, reference: '440002' }), rival.update({ order: wanting, reference: '440001' })]);
    expect(answers.map(({ code }) => code)).toEqual(['0000', '0043']);
  });

  test('a reference that the service made is never anybody else’s', async () => {
    const made = (await shop.create({ order: 'M-1' })).data['Referencia'] as unknown as string;
    await shop.cancel('M-1');
    await shop.create({ order: 'M-2', reference: made });
    await shop.cancel('M-2');
    service.clock.advance({ days: 10_000 });
    expect(await take(rival, made)).toEqual(TAKEN);
    expect(await shop.create({ order: 'M-3', reference: made })).toMatchObject({ code: '0000' });
  });
});

test('with a rest of 0 days another merchant takes it at once', async () => {
  await open(0);
  const order = await shop.newOrder({ reference: '440001' });
  await shop.cancel(order);
  expect(await rival.create({ order: 'now', reference: '440001' })).toMatchObject({ code: '0000' });
});

const HELD = statement('test.held_references', `select reference from open_references order by reference`);

test('the sweep of expired orders writes no reference: the instant at which the order ends is there already', async () => {
  await open();
  const order = await shop.newOrder({ reference: '440001', expiration: '21/11/2026' });
  service.clock.advance({ days: 1 });
  await service.runJobs();
  expect((await shop.query(order)).data).toMatchObject({ STATE: 'VENCIDA' });
  expect(await service.db.query(HELD, [])).toEqual([{ reference: '440001' }]);
});
