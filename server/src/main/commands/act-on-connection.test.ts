import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActs } from '../../audit/act-rows.ts';
import { fileMaking, resultsRecording } from '../../settlements/bank-files/bank-files.manage.ts';
import { approveSettlements } from '../../settlements/settlements.manage.ts';
import { CONTRACT_DIALECT } from '../../requests/index.ts';
import { openSettledShop } from '../../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { connectionFor } from './act-on-connection.ts';
import { openOperations } from './open-operations.ts';

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal()));
afterAll(() => service.close());

/** Carries out an operation as a command does whose words say nothing of what it is done on. Shape: → the acts that it leaves. */
async function actsOf(name: string, operation: object, body: object) {
  const { url, db, keys, clock } = service;
  const act = { operation: name, merchantId: null, target: null, details: {} };
  const connection = connectionFor({ url, db, keys, clock, isSandbox: true, close: async () => undefined }, { act, as: 'Ana' });
  const terms = { dialect: CONTRACT_DIALECT, referenceRestDays: 90, shortPasswordDays: 1 };
  const settings = { ...terms, checkoutUrl: 'http://localhost', consoleUrl: 'http://localhost', machineClock: clock };
  const here = openOperations(connection, async () => service.messages, settings);
  await here.call(operation as never, { body });
  await here.close();
  await connection.close();
  return (await listActs(db, { operation: name, limit: 10 })).map(({ merchantId, target }) => ({ merchantId, target }));
}

test('an act says what it was done on where the words of the command do not', async () => {
  const shop = await openSettledShop(service);
  const { owner, merchantId } = shop;
  const holder = { holderName: 'Panadería Ñandú', holderDocumentType: 'NIT', holderDocument: '900123456' };
  const account = { bankCode: '1051', bankName: 'Banco', type: 'savings', number: '0047001234', ...holder };
  const layout = { format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: account };
  await owner.send('PUT', '/calendars/colombia', {});
  expect(await owner.send('PUT', '/bank-file-layouts/bank', layout)).toMatchObject({ status: 200 });
  const schedule = { period: 'on_demand', calendar: 'colombia', account };
  expect(await owner.send('PATCH', `/settlement-schedules/${merchantId}/COP`, schedule)).toMatchObject({ status: 200 });
  const drafts: string[] = [];
  for (let made = 0; made < 2; made++) {
    await shop.pay();
    drafts.push(String((await shop.run()).settlementId));
  }

  const approved = await actsOf('settlements approve', approveSettlements, { settlements: drafts });
  expect(approved.toReversed()).toEqual(drafts.map((id) => ({ merchantId, target: `settlement ${id}` })));

  const made = await actsOf('settlements make-file', fileMaking, { layout: 'bank', currency: 'COP' });
  const { body: files } = await owner.get('/settlement-files');
  const [file] = files['items'] as unknown as readonly { readonly file: string }[];
  expect(made).toEqual([{ merchantId: null, target: `file ${file?.file}` }]);

  const csv = `settlement,result,reference\n${drafts.map((id) => `${id},paid,T-${id}\n`).join('')}`;
  const recorded = await actsOf('settlements results', resultsRecording, { csv });
  expect(recorded).toEqual([{ merchantId: null, target: `results ${createHash('sha256').update(csv).digest('hex').slice(0, 16)}` }]);
});
