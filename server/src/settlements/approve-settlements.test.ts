import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActs } from '../audit/act-rows.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal()));
afterAll(() => service.close());

test('of several approvals in one request each has an act: what was approved, and why others were not', async () => {
  const shop = await openSettledShop(service);
  const order = await shop.pay();
  const cancelled = await shop.run();
  await shop.step(cancelled, { to: 'cancelled' });
  const uncovered = await shop.run();
  service.clock.advance({ minutes: 1 });
  await shop.refund(order, '1000');
  const other = await openSettledShop(service);
  await other.pay();
  const approved = await other.run();
  const unknown = '999999';
  const asked = [cancelled, approved, uncovered].map(({ settlementId }) => String(settlementId));
  const owners = [shop.merchantId, other.merchantId, shop.merchantId, null];
  const { body } = await shop.owner.send('POST', '/settlements/approve', { settlements: [...asked, unknown] });
  const problems = ['settlement_ended', null, 'collected_too_small', 'not_found'];
  expect(body['results']).toMatchObject(problems.map((problem) => ({ problem })));
  const acts = await listActs(service.db, { operation: 'approveSettlements', limit: 10 });
  expect(acts.map(({ target, merchantId, outcome }) => `${target} ${merchantId} ${outcome}`).toSorted()).toEqual(
    [...asked, unknown]
      .map((id, place) => `settlement ${id} ${owners[place]} ${problems[place] === null ? 'done' : `refused:${problems[place]}`}`)
      .toSorted(),
  );
});
