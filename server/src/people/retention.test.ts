import { expect, onTestFinished, test } from 'vitest';
import { cashoutChecks } from '../cashouts/index.ts';
import type { Config } from '../main/config.ts';
import { readConfig } from '../main/config.ts';
import { orderChecks } from '../orders/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { findings } from '../testing/findings.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal } from '../testing/test-caudal.ts';

const DOCUMENT = '52998877';

/** A service with an ended and an open order, and an ended and an open cashout, of the same person. */
async function startWithRecords(keptDays: Config['keptDays']) {
  const service = await startTestCaudal({ config: { keptDays } });
  onTestFinished(() => service.close());
  const merchant = await service.merchant();
  const shop = orderCalls(service, merchant);
  const cashouts = cashoutCalls(service, merchant);
  const person = { email: 'ana@example.com', user_di: DOCUMENT, user_name: 'Ana' };
  for (const order of ['ENDED', 'OPEN']) await shop.create({ ...person, order, recurrent: true });
  for (const operation of ['ENDED', 'OPEN'])
    await cashouts.register(cashouts.registration({ operation, document: DOCUMENT, expire: '2027-11-20' }));
  await shop.cancel('ENDED');
  await cashouts.cancel('ENDED', DOCUMENT);
  const rows = {
    name: 'test.people_kept',
    text: `select order_id as id, user_document as document, email as "at" from orders
           union all select operation_id, document, cellphone from cashouts order by 1, 2`,
  };
  const documents = async (): Promise<readonly unknown[]> => {
    await service.runJobs();
    return (await service.db.query<{ id: string; document: string }>(rows, [])).map(({ id, document }) => `${id} ${document}`);
  };
  return { service, documents };
}

test('who pays or collects is erased when its time after the end is over, and what is open keeps it', async () => {
  const { service, documents } = await startWithRecords({
    payers: 100,
    endUsers: 200,
    messages: 30,
    notices: 90,
    acts: 2557,
    pageViews: 400,
  });
  const all = [`ENDED ${DOCUMENT}`, `ENDED ${DOCUMENT}`, `OPEN ${DOCUMENT}`, `OPEN ${DOCUMENT}`];
  service.clock.advance({ days: 99 });
  expect(await documents()).toEqual(all);
  service.clock.advance({ days: 2 });
  expect(await documents()).toEqual([`ENDED ${DOCUMENT}`, 'ENDED erased-by-age', ...all.slice(2)]);
  service.clock.advance({ days: 100 });
  expect(await documents()).toEqual(['ENDED erased-by-age', 'ENDED erased-by-age', ...all.slice(2)]);
  expect(await findings(service, [...orderChecks, ...cashoutChecks])).toEqual([]);
});

test('nobody is erased by age where the settings say off', async () => {
  const { service, documents } = await startWithRecords({
    payers: undefined,
    endUsers: undefined,
    messages: 30,
    notices: 90,
    acts: 2557,
    pageViews: 400,
  });
  service.clock.advance({ days: 300 });
  expect(new Set(await documents())).toEqual(new Set([`ENDED ${DOCUMENT}`, `OPEN ${DOCUMENT}`]));
});

test('messages and notices are deleted when their own times are over', async () => {
  const { service } = await startWithRecords({ payers: 3650, endUsers: 3650, messages: 5, notices: 20, acts: 2557, pageViews: 400 });
  const counted = {
    name: 'test.outboxes',
    text: `select (select count(*) from messages) as messages, (select count(*) from notices) as notices`,
  };
  const left = async (): Promise<unknown> => {
    await service.runJobs();
    return (await service.db.query(counted, []))[0];
  };
  await service.runJobs();
  service.clock.advance({ days: 6 });
  expect(await left()).toMatchObject({ messages: 0n });
  service.clock.advance({ days: 30 });
  expect(await left()).toEqual({ messages: 0n, notices: 0n });
});

test('the settings of retention have least values, and off for persons', () => {
  expect(readConfig({ CAUDAL_KEEP_PAYERS_DAYS: 'off', CAUDAL_KEEP_END_USERS_DAYS: '90' }).keptDays).toMatchObject({
    payers: undefined,
    endUsers: 90,
  });
  const low = { CAUDAL_KEEP_PAYERS_DAYS: '89', CAUDAL_KEEP_MESSAGES_DAYS: '3', CAUDAL_KEEP_NOTICES_DAYS: 'off' };
  expect(() => readConfig(low)).toThrow(/CAUDAL_KEEP_PAYERS_DAYS: .*\n.*CAUDAL_KEEP_MESSAGES_DAYS: .*\n.*CAUDAL_KEEP_NOTICES_DAYS/);
});
