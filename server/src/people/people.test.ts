import { domainToASCII } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cashoutChecks } from '../cashouts/index.ts';
import { ledgerChecks } from '../ledger/index.ts';
import { figureChecks } from '../figures/index.ts';
import { openPersonalData } from '../main/connect.ts';
import { noticeChecks } from '../notices/index.ts';
import { orderChecks } from '../orders/index.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { findings } from '../testing/findings.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { peopleCommands, waysToWrite } from './index.ts';

/** What is stored of one person: each text is theirs alone. */
const ANA = { email: 'ana.perez@example.com', document: '52998877', name: 'Ana Perez Rojas', phone: '3001112233', text: 'Seat of Ana' };
const CHECKS = [...ledgerChecks, ...orderChecks, ...cashoutChecks, ...noticeChecks, ...figureChecks];

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;
let cashouts: ReturnType<typeof cashoutCalls>;
const printed = capturePrinted();

beforeEach(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
  cashouts = cashoutCalls(service, merchant);
});
afterEach(() => service.close());

const people = (...words: string[]): Promise<string> =>
  printed.by(() => runCommand(service, (program, connect) => peopleCommands(program, connect, openPersonalData), 'people', ...words));
const post = async (url: string, body: object): Promise<void> => {
  const { json } = await service.app.inject({ method: 'POST', url, payload: JSON.stringify(body) });
  expect(json<{ CODE?: string; code?: string }>()).toSatisfy(
    (answer: { CODE?: string; code?: string }) => (answer.CODE ?? answer.code) === '0000',
  );
};
const anasOrder = (order: string) => ({
  order,
  email: ANA.email,
  description: ANA.text,
  user_di: ANA.document,
  user_name: ANA.name,
});
const anasCashout = (operation: string, document = ANA.document) =>
  cashouts.registration({ operation, document, cellphone: ANA.phone, sms: true, description: ANA.text });

/** A paid order, a collected cashout, and their notices, messages and kept answers. */
async function anasPast(): Promise<void> {
  const { data } = await shop.create(anasOrder('A-1'), { 'idempotency-key': 'key-1' });
  await shop.update({ ...anasOrder('A-1'), amount: '46000', description: `${ANA.text}, changed` });
  await post('/sandbox/v1/payments', { reference: data['Referencia'] });
  const payload = JSON.stringify({ ...anasCashout('W-1'), sms: false });
  const headers = { 'idempotency-key': 'key-2' };
  const registered = await service.app.inject({ method: 'POST', url: '/cashout/v1/operation', payload, headers });
  await post('/sandbox/v1/collections', { document: ANA.document, otp: registered.json<{ data: { otp: string } }>().data.otp });
  await cashouts.register(anasCashout('W-2'));
  await cashouts.cancel('W-2', ANA.document);
  await service.runJobs();
}

/** The tables in which a text is found, in any column: as a text, or as its bytes. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const tables = await service.db.query<{ name: string }>(
    { name: 'test.tables', text: `select tablename as name from pg_tables where schemaname = 'public' order by 1` },
    [],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const search = {
      name: `test.search_${name}`,
      text: `select 1 from ${name} t
              where t::text ilike '%' || $1 || '%' or t::text like '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%' limit 1`,
    };
    if ((await service.db.query(search, [text])).length > 0) found.push(name);
  }
  return found;
}

/** What must outlive an erasure. */
const MONEY = {
  name: 'test.trail_of_money',
  text: `select (select jsonb_agg(to_jsonb(l) order by transaction_id, line) from ledger_entries l) as entries,
       (select jsonb_agg(jsonb_build_array(order_id, state, version, amount_minor, reference, updated_at) order by order_id) from orders) as orders,
       (select jsonb_agg(jsonb_build_array(operation_id, state, version, amount_minor, updated_at) order by operation_id) from cashouts) as cashouts,
       (select jsonb_agg(jsonb_build_array(order_id, version, event, changes -> 'amount', changes -> 'state') order by order_id, version) from order_history) as history`,
};

test('a person is in clear text in orders, cashouts, their histories and notices alone', async () => {
  await anasPast();
  const counted = {
    name: 'test.sealed_rows',
    text: 'select (select count(*) from messages) as messages, (select count(*) from kept_answers) as answers',
  };
  expect(await service.db.query(counted, [])).toEqual([{ messages: expect.toSatisfy((many: bigint) => many > 1n) as bigint, answers: 2n }]);
  const traces = await Promise.all(Object.values(ANA).map(tablesWith));
  expect(new Set(traces.flat())).toEqual(new Set(['cashout_history', 'cashouts', 'notices', 'order_history', 'orders']));
});

test('a document is the same with spaces, points and hyphens, in orders and on the command line', async () => {
  const written = ' 52.998-877 ';
  await shop.create({ ...anasOrder('A-1'), user_di: written });
  await shop.cancel('A-1');
  await cashouts.register(anasCashout('W-1'));
  await cashouts.cancel('W-1', ANA.document);
  await service.runJobs();
  expect(JSON.parse(await people('erase', '--document', '52.998.877', '--json'))).toMatchObject({ erased: { orders: 1, cashouts: 1 } });
  for (const text of [written.trim(), ANA.document]) expect(await tablesWith(text)).toEqual([]);
});

test('erasing a person leaves no trace of them, and the whole trail of the money', async () => {
  await anasPast();
  const before = await service.db.query(MONEY, []);

  const answer = await people('erase', '--document', ANA.document, '--email', ANA.email.toUpperCase());
  expect(answer).toMatch(
    /^Erased: orders 1, cashouts 2, notices 1, answers 1\. The pseudonym is erased-[0-9a-f]{16}; note it with the request\.\n$/,
  );
  for (const text of Object.values(ANA)) expect(await tablesWith(text), text).toEqual([]);
  expect(await service.db.query(MONEY, [])).toEqual(before);
  expect(await findings(service, CHECKS)).toEqual([]);
  expect((await shop.query('A-1')).data).toMatchObject({
    STATE: 'APROBADA',
    AMOUNT: '46000.00',
    EMAIL: expect.stringMatching(/^erased-/) as string,
  });
  expect((await shop.history('A-1')).code).toBe('0000');

  expect(await people('erase', '--document', ANA.document, '--email', ANA.email)).toBe('Nothing was erased.\n');
  expect(await people('export', '--document', ANA.document)).toMatch(
    /"orders":\[\],"cashouts":\[\],"users":\[\],"notices":\[\],"answers":\[\],"acts":\[\]}\n$/,
  );
});

test('each erasure is recorded by its pseudonym, without the person', async () => {
  await anasPast();
  const { pseudonym, erased, left } = JSON.parse(await people('erase', '--document', ANA.document, '--json')) as Record<string, unknown>;
  expect({ erased, left }).toEqual({ erased: { orders: 1, cashouts: 2, notices: 1, answers: 1 }, left: [] });
  const recorded = { name: 'test.erasures', text: 'select kind, erased from erasures where pseudonym = $1 order by 1' };
  expect(await service.db.query(recorded, [pseudonym as string])).toEqual([
    { kind: 'answers', erased: 1 },
    { kind: 'cashouts', erased: 2 },
    { kind: 'notices', erased: 1 },
    { kind: 'orders', erased: 1 },
  ]);
});

test('a document is the same with zeros before it and with marks in it, whichever way somebody asks', async () => {
  const written = { order: '00.52 998-877', cashout: `00${ANA.document}` };
  await shop.create({ ...anasOrder('A-1'), user_di: written.order, email: 'other@example.com' }, { 'idempotency-key': 'key-1' });
  await cashouts.register(anasCashout('W-1', written.cashout));
  await shop.cancel('A-1');
  await cashouts.cancel('W-1', written.cashout);
  await shop.create({ order: 'B-1', user_di: `1${ANA.document}` });
  await service.runJobs();
  for (const asked of [ANA.document, `0${ANA.document}`, ' 052.998.877 ']) {
    const exported = JSON.parse(await people('export', '--document', asked)) as Record<string, readonly unknown[]>;
    expect({ asked, orders: exported['orders']?.length, cashouts: exported['cashouts']?.length }).toEqual({
      asked,
      orders: 1,
      cashouts: 1,
    });
  }
  await people('erase', '--document', `0${ANA.document}`);
  for (const text of Object.values(written)) expect(await tablesWith(text)).toEqual([]);
});

test('what is pending keeps its data until it ends: the command lists it and exits with 3', async () => {
  await shop.create(anasOrder('B-1'));
  await cashouts.register(anasCashout('W-3'));
  const { merchantId } = merchant;
  expect(await people('erase', '--document', ANA.document)).toBe(
    `Nothing was erased.\nLeft, because it is open or in use: B-1 of ${merchantId} (orders).\n` +
      `Left, because it is open or in use: W-3 of ${merchantId} (cashouts).\n`,
  );
  expect(process.exitCode).toBe(3);
  process.exitCode = undefined;
  expect((await shop.query('B-1')).data['EMAIL']).toBe(ANA.email);
  await shop.cancel('B-1');
  await cashouts.cancel('W-3', ANA.document);
  await service.runJobs();
  expect(await people('erase', '--document', ANA.document)).toMatch(/^Erased: orders 1, cashouts 1\./);
});

test('an order that a server has locked is left, not waited for', async () => {
  await shop.create(anasOrder('C-1'));
  await shop.cancel('C-1');
  const other = await service.openAnother();
  const lock = { name: 'test.lock', text: 'select 1 from orders where order_id = $1 for update' };
  await other.db.transaction(async (tx) => {
    await tx.query(lock, ['C-1']);
    expect(await people('erase', '--email', ANA.email)).toContain(`C-1 of ${merchant.merchantId} (orders)`);
  });
  process.exitCode = undefined;
  expect(await people('erase', '--email', ANA.email)).toMatch(/^Erased: orders 1\./);
  await other.close();
});

test('an order whose e-mail address was changed is found by the old one', async () => {
  await shop.create(anasOrder('D-1'));
  await shop.update({ ...anasOrder('D-1'), email: 'other@example.com' });
  await shop.cancel('D-1');
  expect(await people('erase', '--email', ANA.email)).toMatch(/^Erased: orders 1\./);
  expect(await tablesWith(ANA.email)).toEqual([]);
  expect(await findings(service, CHECKS)).toEqual([]);
});

const ways = (name: string): string[] => [name, name.toUpperCase(), name.normalize('NFD'), name.toUpperCase().normalize('NFD')];

test('an e-mail address is the same in capitals, with accents in one character or two, and with its domain in ASCII', async () => {
  const domain = 'ñandú.example';
  const emails = ways('José.Núñez').flatMap((name) => [...ways(domain), domainToASCII(domain)].map((of) => `${name}@${of}`));
  const others = ['jose.nunez@ñandú.example', 'JoséxNúñez@ñandú.example', 'José.Núñez@ñandú.example.com', 'xJosé.Núñez@ñandú.example'];
  for (const email of emails)
    for (const other of emails) expect(new RegExp(`^${waysToWrite(email)}$`, 'u').test(other), `${email} finds ${other}`).toBe(true);
  for (const other of others) expect(new RegExp(`^${waysToWrite(emails[0] as string)}$`, 'u').test(other), other).toBe(false);

  const stored = { name: 'test.store_email', text: 'update orders set email = $1 where order_id = $2' };
  for (const [index, email] of [...emails, ...others].entries()) {
    await shop.create({ order: `F-${index}` });
    await service.db.query(stored, [email, `F-${index}`]);
    await shop.cancel(`F-${index}`);
  }
  const exported = JSON.parse(await people('export', '--email', emails.at(-1) as string)) as { orders: { email: string }[] };
  expect(exported.orders.map(({ email }) => email)).toEqual(emails);
});

test('export prints what is stored of a person, with histories, notices and answers, and of nobody else', async () => {
  await anasPast();
  await shop.create({ order: 'E-1', email: 'luis@example.com' });
  const {
    orders,
    cashouts: paidOut,
    notices,
    answers,
    ...rest
  } = JSON.parse(await people('export', '--document', ANA.document)) as {
    [kind: string]: Record<string, unknown>[];
  };
  expect(rest).toEqual({
    person: { document: ANA.document, email: null },
    users: [],
    exportedAt: service.clock.now().toString(),
    acts: [],
  });
  expect(orders).toMatchObject([
    {
      orderId: 'A-1',
      email: ANA.email,
      userName: ANA.name,
      amountMinor: '4600000',
      history: [{ event: 'order.created' }, { version: 2 }, { event: 'order.paid' }],
    },
  ]);
  expect(paidOut).toMatchObject([
    { operationId: 'W-1', cellphone: ANA.phone, state: 'approved' },
    { operationId: 'W-2', state: 'cancelled', history: [{ event: 'cashout.registered' }, { event: 'cashout.cancelled' }] },
  ]);
  expect(notices).toMatchObject([{ notice: { operationId: 'W-1', document: ANA.document } }]);
  expect(answers).toMatchObject([{ merchantId: merchant.merchantId, answer: { data: { document: ANA.document } } }]);
  expect(JSON.stringify([orders, paidOut, notices, answers])).not.toContain('luis@example.com');
});

test('a command that names nobody is refused', async () => {
  await expect(people('erase')).rejects.toMatchObject({ exitCode: 2, message: 'Name the person: --document, --email, or both.' });
  await expect(people('export', '--email', ' ')).rejects.toMatchObject({ exitCode: 2 });
});
