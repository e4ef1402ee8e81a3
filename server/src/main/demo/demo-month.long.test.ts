import { expect, test } from 'vitest';
import { statement } from '../../kit/db.ts';
import { createMerchant } from '../../merchants/index.ts';
import { startCaudalForTest, type TestCaudal } from '../../testing/test-caudal.ts';
import { fillDemo } from './demo.ts';

const DAYS = statement(
  'test.days_of_demo',
  `select count(distinct (created_at at time zone 'America/Bogota')::date) as days, count(*) as orders, max(updated_at) as last from orders`,
);
const STATES = statement('test.states_of_demo', `select distinct state from orders union all select distinct state from cashouts`);
const NOTICES = statement('test.notices_of_demo', 'select state, count(*) as notices from notices group by state');

const URL_OF_DEMO = statement('test.notice_url_of_demo', 'select notice_url as url from merchants');

async function fill(service: TestCaudal): Promise<{ readonly days: bigint; readonly orders: bigint; readonly last: Temporal.Instant }> {
  await fillDemo({ service: await service.openAnother(), openAsOf: service.openAsOf, keys: service.keys });
  const [filled] = await service.db.query<{ days: bigint; orders: bigint; last: Temporal.Instant }>(DAYS, []);
  if (filled === undefined) throw new Error('the demo is empty');
  return filled;
}

test('a new sandbox has four weeks of orders and cashouts of every state, whose notices were taken; none is of later than now', async () => {
  const service = await startCaudalForTest();
  const { days, orders, last } = await fill(service);
  expect(days).toBe(28n);
  expect(orders).toBe(110n);
  expect(Temporal.Instant.compare(last, service.clock.now())).toBe(-1);
  const states = await service.db.query<{ state: string }>(STATES, []);
  expect(states.map(({ state }) => state).toSorted()).toEqual([
    'approved',
    'approved',
    'cancelled',
    'cancelled',
    'expired',
    'expired',
    'pending',
    'pending',
  ]);
  expect(await service.db.query(NOTICES, [])).toEqual([{ state: 'delivered', notices: expect.any(BigInt) as bigint }]);
});

test('what was played once is not played again, also as of a clock that was moved', async () => {
  const service = await startCaudalForTest();
  await service.app.inject({ method: 'POST', url: '/sandbox/v1/clock', payload: { advance: 'P3D' } });
  const first = await fill(service);
  const moved = service.clock.now().add({ hours: 72 });
  expect(Temporal.Instant.compare(first.last, moved)).toBe(-1);
  expect(moved.since(first.last).total('hours')).toBeLessThan(48);
  expect(await fill(service)).toEqual(first);
});

test('a start that was cut off is completed by the next one: no notice goes to the server that is gone', async () => {
  const service = await startCaudalForTest();
  const { db, keys, clock } = service;
  await createMerchant({ db, keys, clock }, { merchantId: 'demo', country: '343', noticeUrl: 'http://127.0.0.1:9/notices' });
  expect((await fill(service)).orders).toBe(110n);
  expect(await db.query(NOTICES, [])).toEqual([{ state: 'delivered', notices: expect.any(BigInt) as bigint }]);
  expect(await db.query(URL_OF_DEMO, [])).toEqual([{ url: null }]);
});
