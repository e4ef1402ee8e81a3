import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connect } from '../../kit/command-line.ts';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { findings } from '../../testing/findings.ts';
import { openSilentOutbox } from '../../testing/message-room.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { orderChecks, orderCommands } from '../index.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant({ fundMinor: 0n });
  shop = orderCalls(service, merchant);
});
afterAll(async () => {
  expect(await findings(service, orderChecks)).toEqual([]);
  await service.close();
});

const register = (program: Command, connect: Connect): void => orderCommands(program, connect, () => openSilentOutbox(service));
/** Runs `caudal orders …` for the merchant and gives what it printed. */
const run = (...words: string[]): Promise<string> =>
  printed.by(() => runCommand(service, register, 'orders', ...words, '--merchant', merchant.merchantId));
const mails = { name: 'test.mails', text: `select kind from messages where subject_id = $1 order by message_id` };

test('pay records what came to the operator, under the rules of every payment, once for a transfer', async () => {
  const { merchantId } = merchant;
  await shop.create({ order: 'A-1', amount: '45000' });
  const pay = (amount: string, ...more: string[]) => run('pay', 'A-1', '--amount', amount, '--currency', 'COP', ...more);
  await expect(pay('45001', '--transaction', 'B-1')).rejects.toThrow(
    `A-1 of ${merchantId} is of another amount: expected 45 000.00 COP, given 45 001.00 COP.`,
  );
  expect(await pay('45000', '--transaction', 'B-1')).toBe(`A-1 of ${merchantId} is paid: payment 1, transaction B-1.\n`);
  expect(await pay('45000.00', '--transaction', 'B-1')).toBe(`A-1 of ${merchantId} is paid: payment 1, transaction B-1.\n`);
  await expect(pay('45000')).rejects.toThrow('A-1 of shop-1 is not pending.');
  expect((await shop.query('A-1')).data).toMatchObject({ STATE: 'APROBADA', TRANSACTION: { ID: 'B-1', SOURCE: 'operator', NUMBER: 1 } });
  const owed = {
    name: 'test.operator_balances',
    text: 'select account, balance_minor as balance from ledger_balances where merchant_id = $1 order by 1',
  };
  expect(await service.db.query(owed, [merchantId])).toEqual([
    { account: 'collected', balance: 4_500_000n },
    { account: 'network:operator:bank', balance: -4_500_000n },
  ]);
  expect(await service.db.query(mails, ['A-1'])).toEqual([{ kind: 'order_created' }, { kind: 'order_paid' }]);
  await expect(run('pay', 'A-2', '--amount', '1', '--currency', 'COP')).rejects.toThrow('A-2 of shop-1 does not exist.');
  for (const [amount, currency, transaction, option] of [
    ['x', 'COP', 'B', '--amount'],
    ['1.001', 'COP', 'B', '--amount'],
    ['1', 'XXX', 'B', '--currency'],
    ['1', 'cop', 'B', '--currency'],
    ['1', 'COP', 'a b', '--transaction'],
  ] as const) {
    const refused = run('pay', 'A-1', '--amount', amount, '--currency', currency, '--transaction', transaction);
    await expect(refused).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(`${option} takes`) as string });
  }
});

const line = (number: number): string => `Payment ${number} of R-1, 45 000.00 COP, is given back; the order is pending.\n`;

test('void records that the money went back, of the last payment or of the one that is named, and why', async () => {
  const { data } = await shop.create({ order: 'R-1', amount: '45000', recurrent: true });
  const till = networkOrderCalls(service, await service.network());
  for (const transaction of ['R-1', 'R-2']) expect((await till.pay(data['SVordenID'], transaction)).code).toBe('0000');
  const giveBack = (order: string, ...words: string[]): Promise<string> =>
    run('void', order, '--refunded-by', 'network', '--reason', 'Paid twice', ...words);
  expect(await giveBack('R-1', '--payment', '1', '--claim')).toBe(line(1));
  expect(await run('void', 'R-1', '--refunded-by', 'network', '--reason', 'Never delivered')).toBe(line(2));
  service.clock.advance({ hours: 1 });
  expect(await giveBack('R-1')).toBe(
    'Payment 2 of R-1, 45 000.00 COP, was given back already, on 2026-11-21 10:00:00 America/Bogota; the order is pending.\n',
  );
  expect(JSON.parse(await giveBack('R-1', '--json'))).toMatchObject({ order: 'R-1', payment: 2, state: 'pending', isRepeated: true });
  const { HISTORY } = (await shop.history('R-1')).data as unknown as { HISTORY: readonly { OPERATION: string; CHANGES: object }[] };
  expect(HISTORY.filter(({ OPERATION }) => OPERATION === 'ANULADA').map(({ CHANGES }) => CHANGES)).toEqual([
    { PAYMENTS_GIVEN_BACK: { from: null, to: '1' }, reason: { from: null, to: 'Paid twice' } },
    { PAYMENTS_GIVEN_BACK: { from: '1', to: '2' }, reason: { from: null, to: 'Never delivered' } },
  ]);
  const notices = { name: 'test.void_notices', text: `select po_id as id from notices where status = 'cancelled' and subject_id = 'R-1'` };
  expect(await service.db.query(notices, [])).toEqual([{ id: 'R-1_1' }]);
  await expect(giveBack('R-1', '--payment', '3')).rejects.toThrow('R-1 of shop-1 has no such payment.');
  await expect(giveBack('R-2')).rejects.toThrow('R-2 of shop-1 does not exist.');
  await expect(giveBack('R-1', '--payment', '0')).rejects.toMatchObject({ exitCode: 2 });
  await expect(run('void', 'R-1', '--refunded-by', 'network')).rejects.toThrow(/required option '--reason/);
  for (const reason of [' ', 'two\nlines', 'x'.repeat(501)])
    await expect(run('void', 'R-1', '--refunded-by', 'network', '--reason', reason)).rejects.toMatchObject({
      exitCode: 2,
      message: '--reason takes 1 to 500 characters on one line.',
    });
});

const money = (amount: string) => ({ amount, currency: 'COP' });

test('show prints all that is stored of an order, for people and for programs', async () => {
  const { data } = await shop.create({ order: 'S-1', amount: '45000', reference: '900100', description: 'Two shoes' });
  const network = await service.network();
  const till = networkOrderCalls(service, network);
  await till.pay(data['SVordenID'], 'S-1', '1');
  await shop.update({ order: 'S-1', amount: '46000', reference: '900100', description: 'Two shoes' });
  expect(await run('show', 'S-1')).toMatch(/checkout link +valid until 2026-12-22 00:00:00 America\/Bogota\n/);
  await till.pay(data['SVordenID'], 'S-2', '46000');
  service.clock.advance({ seconds: 2 });
  await till.reverse(data['SVordenID'], 'S-2');
  const by = `network:${network.netname}`;
  const at = service.clock.now();
  const paidAt = at.subtract({ seconds: 2 }).toString();
  const shown = JSON.parse(await run('show', 'S-1', '--json')) as { history: unknown };
  const amount = money('46000.00');
  expect(shown).toMatchObject({
    merchant: 'shop-1',
    order: 'S-1',
    state: 'voided',
    amount,
    description: 'Two shoes',
    email: 'ana@example.com',
    reference: '900100',
    version: 4,
    paymentList: [
      { number: 1, source: by, transaction: 'S-2', amount, fee: money('0.00'), state: 'reversed', paidAt, givenBackAt: at.toString() },
    ],
    refusedPayments: [
      { source: by, transaction: 'S-1', refusal: 'amount_changed', orderState: 'pending', amount: money('1.00'), tries: 1, lastAt: paidAt },
    ],
    notices: [
      { status: 'cancelled', state: 'waiting', attempts: 0 },
      { status: 'approved', state: 'waiting', attempts: 0 },
    ],
    messages: [
      { kind: 'order_paid', state: 'kept' },
      { kind: 'order_created', state: 'kept' },
    ],
    entries: [
      { transaction: 'order/S-1/paid/1', account: by, amount: money('-46000.00') },
      { transaction: 'order/S-1/paid/1', account: 'collected', amount },
      { transaction: 'order/S-1/reversed/1', account: by, amount },
      { transaction: 'order/S-1/reversed/1', account: 'collected', amount: money('-46000.00') },
    ],
  });
  expect(shown, 'its link opens it').not.toHaveProperty('checkoutUrl');
  expect(shown.history).toMatchObject([
    { version: 1, event: 'order.created', actor: 'merchant' },
    { version: 2, event: 'order.updated', changes: { amount: { from: money('45000.00'), to: amount } } },
    { version: 3, event: 'order.paid', actor: by },
    { version: 4, event: 'order.reversed', actor: by },
  ]);
  const text = await run('show', 'S-1', '--utc');
  expect(text).toMatch(/^order +S-1\nmerchant +shop-1\n/);
  expect(text).toContain('not payable: the order is voided');
  expect(text).toMatch(/\n +2 .* order\.updated +merchant +amount: 45 000\.00 COP → 46 000\.00 COP\n/);
  expect(text).toMatch(/\n +1 +network:\S+ +S-2 +46 000\.00 COP +0\.00 COP +0\.00 COP +reversed +2026/);
  expect(text).toMatch(/\n *network:\S+ +S-1 +1\.00 COP +amount_changed +pending +1 /);
  await expect(run('show', 'S-2')).rejects.toThrow('S-2 of shop-1 does not exist.');
});

test('refused lists the payments for which somebody may hold money, of all orders, and not those that succeeded later', async () => {
  const network = await service.network();
  const till = networkOrderCalls(service, network);
  const ids: Record<string, unknown> = {};
  for (const order of ['T-1', 'T-2']) ids[order] = (await shop.create({ order, amount: '45000' })).data['SVordenID'];
  service.clock.advance({ minutes: 1 });
  const since = service.clock.now();
  await till.pay(ids['T-1'], 'T-1', '44000');
  await till.pay(ids['T-1'], 'T-1', '45000');
  await shop.cancel('T-2');
  for (const transaction of ['T-2', 'T-2']) await till.pay(ids['T-2'], transaction, '45000');
  service.clock.advance({ seconds: 30 });
  expect((await till.reverse(ids['T-1'], 'T-1')).code).toBe('0000');
  const refused = async (...words: string[]): Promise<unknown> =>
    JSON.parse(await run('refused', '--since', since.toString(), '--json', ...words));
  const cancelled = {
    merchant: merchant.merchantId,
    order: 'T-2',
    by: `network:${network.netname}`,
    transaction: 'T-2',
    why: 'order_not_open',
  };
  expect(await refused()).toMatchObject([
    { ...cancelled, state: 'cancelled', amount: '45000.00', currency: 'COP', tries: 2, lastAt: since.toString() },
  ]);
  // Reversed, and then sent again by the network: it may have the money.
  await till.pay(ids['T-1'], 'T-1', '45000');
  expect(await refused()).toMatchObject([{ order: 'T-1', why: 'payment_given_back', state: 'voided', tries: 2 }, { order: 'T-2' }]);
  expect(await refused('--limit', '1')).toHaveLength(1);
  const resolve = (order: string, ...words: string[]): Promise<string> =>
    run('resolve', order, '--note', 'sent back by the bank', ...words);
  expect(await resolve('T-1')).toBe('Resolved for T-1 of shop-1: T-1.\n');
  expect(await refused()).toMatchObject([{ order: 'T-2' }]);
  expect(await refused('--all')).toMatchObject([
    { order: 'T-1', note: 'sent back by the bank', resolvedBy: expect.stringMatching(/^command:./) as string },
    {},
  ]);
  await expect(resolve('T-1')).rejects.toThrow('T-1 of shop-1 has no such refused payment that is open.');
  await expect(run('resolve', 'T-2', '--note', ' ')).rejects.toMatchObject({ exitCode: 2 });
  await till.pay(ids['T-1'], 'T-1', '45000');
  expect(await refused(), 'a later try opens it again').toMatchObject([{ order: 'T-1', resolvedAt: null, note: null }, { order: 'T-2' }]);
  // What came to the operator's own bank is somebody's money too. The order shows the same as the list.
  const byBank = { by: 'operator', order: 'T-2', why: 'order_not_open', transaction: 'bank-9' };
  await expect(run('pay', 'T-2', '--amount', '45000', '--currency', 'COP', '--transaction', 'bank-9')).rejects.toThrow(
    /is not pending.*orders resolve/,
  );
  expect(await refused()).toHaveLength(3);
  expect(await refused()).toEqual(expect.arrayContaining([expect.objectContaining(byBank)]));
  const shown = JSON.parse(await run('show', 'T-2', '--json')) as { refusedPayments: readonly { transaction: string }[] };
  expect(shown.refusedPayments.map(({ transaction }) => transaction)).toContain('bank-9');
  await run('resolve', 'T-2', '--transaction', 'bank-9', '--note', 'sent back');
  expect(await refused()).toHaveLength(2);
  await shop.create({ order: 'T-3', amount: '45000' });
  const pay = (amount: string) => run('pay', 'T-3', '--amount', amount, '--currency', 'COP', '--transaction', 'bank-10');
  await expect(pay('44000')).rejects.toThrow('expected 45 000.00 COP, given 44 000.00 COP');
  expect(await refused()).toEqual(
    expect.arrayContaining([expect.objectContaining({ order: 'T-3', by: 'operator', why: 'amount_changed' })]),
  );
  await pay('45000');
  expect(await refused(), 'the same transfer has paid the order').toHaveLength(2);
  const [heading, , last] = (await run('refused', '--since', since.toString())).trimEnd().split('\n');
  expect(heading).toMatch(
    /^MERCHANT +ORDER +REFUSED BY +TRANSACTION +AMOUNT +WHY +ORDER THEN +TRIES +LAST \(America\/Bogota\) +RESOLVED +NOTE$/,
  );
  expect(last).toMatch(/ +T-2 +network:\S+ +T-2 +45 000\.00 COP +order_not_open +cancelled +2 /);
  expect(await run('refused', '--since', '2030-01-01T00:00:00Z')).toBe('No payment was refused.\n');
  await expect(run('refused', '--since', 'yesterday')).rejects.toThrow('It takes an instant');
});
