import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashoutChecks } from '../cashouts/index.ts';
import { ledgerChecks } from '../ledger/index.ts';
import { orderChecks } from '../orders/index.ts';
import { peopleCommands } from '../people/index.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { findings } from '../testing/findings.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { createEmptyDatabase } from '../testing/test-database.ts';
import { openPersonalData } from './connect.ts';
import { prepareSchema } from './migrations.ts';

// A database where the small letter of I is not an i. Whatever folds letters says itself by which rules.

const TURKISH = `template template0 encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' locale 'C.UTF-8'`;
const EMAIL = 'Info.IZMIR@Example.com';

let service: TestCaudal;
let merchant: TestMerchant;
let operator: ManageCalls;
const printed = capturePrinted();

beforeAll(async () => {
  const database = await createEmptyDatabase(TURKISH);
  await prepareSchema({ url: database.serviceUrl, ownerUrl: database.url });
  service = await startTestCaudal({ database });
  merchant = await service.merchant();
  operator = await manageCalls(service);
  await orderCalls(service, merchant).create({ order: 'TITLE-1', email: EMAIL, user_di: '1-9k' });
  const cashouts = cashoutCalls(service, merchant);
  await cashouts.register(cashouts.registration({ operation: 'I-1', document: '0012' }));
});
afterAll(() => service.close());

test('it is one', async () => {
  const [folded] = await service.db.query({ name: 'test.folded', text: `select lower('I') as i` }, []);
  expect(folded).toEqual({ i: 'ı' });
});

const exported = (...whom: string[]): Promise<string> =>
  printed.by(() =>
    runCommand(service, (program, connect) => peopleCommands(program, connect, openPersonalData), 'people', 'export', ...whom),
  );
const found = async (path: string): Promise<string> => JSON.stringify((await operator.get(path)).body);

test.each([EMAIL, EMAIL.toLowerCase(), EMAIL.toUpperCase()])(
  'an order is listed, searched and found for its person by %s',
  async (email) => {
    const asked = encodeURIComponent(email);
    expect(await found(`/orders?merchant=${merchant.merchantId}&email=${asked}`)).toContain('TITLE-1');
    expect(await found(`/search?merchant=${merchant.merchantId}&text=${asked}`)).toContain('TITLE-1');
    expect(await exported('--email', email)).toContain('TITLE-1');
  },
);

test('documents are the same whatever their letters and zeros, and nothing is found wrong', async () => {
  for (const document of ['1-9K', '0019k', '12']) {
    expect(await exported('--document', document)).toContain(document === '12' ? 'I-1' : 'TITLE-1');
  }
  expect(await findings(service, [...orderChecks, ...cashoutChecks, ...ledgerChecks])).toEqual([]);
});
