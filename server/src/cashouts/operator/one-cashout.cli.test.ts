import { afterAll, beforeAll, expect, test } from 'vitest';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { cashoutCommands } from '../index.ts';

const DOCUMENT = '1020304050';

let service: TestCaudal;
let merchant: TestMerchant;
let calls: ReturnType<typeof cashoutCalls>;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant({ fundMinor: 10_000_000n });
  calls = cashoutCalls(service, merchant);
});
afterAll(() => service.close());

const run = (...words: string[]): Promise<string> =>
  printed.by(() => runCommand(service, cashoutCommands, 'cashouts', ...words, '--merchant', merchant.merchantId));

test('nullify ends a pending cashout with its reason, and gives the money back', async () => {
  await calls.register(calls.registration({ operation: 'A', amount: '60' }));
  expect(await run('nullify', 'A', '--reason', 'a complaint')).toBe(
    `A of ${merchant.merchantId} is nullified; 60.00 COP went back to its fund.\n`,
  );
  expect(await calls.query('A', DOCUMENT)).toMatchObject({ data: { status: 'ANULADA' } });
  expect(await calls.balance()).toEqual({ balance: '100000.0', reserved: '0.0' });
  const history = {
    name: 'testing.nullified',
    text: `select actor, changes from cashout_history where operation_id = 'A' and version = 2`,
  };
  expect(await service.db.query(history, [])).toEqual([
    { actor: 'command:test', changes: { state: ['pending', 'nullified'], reason: [null, 'a complaint'] } },
  ]);
  await expect(run('nullify', 'A', '--reason', 'again')).rejects.toThrow('is not pending any more');
  await expect(run('nullify', 'B', '--reason', 'x')).rejects.toThrow('is not registered here');
  await expect(run('nullify', 'A', '--reason', ' ')).rejects.toMatchObject({ exitCode: 2 });
});

test('resend prints a password that opens the cashout, or sends it by SMS', async () => {
  await calls.register(calls.registration({ operation: 'B' }));
  const [, otp = ''] = /^The new password is ([0-9]{6})\.\n$/.exec(await run('resend', 'B')) ?? [];
  const network = networkCalls(service, await service.network());
  expect(await network.lookUp(otp, DOCUMENT)).toMatchObject({ data: { operation: 'B' } });
  await expect(run('resend', 'B')).rejects.toThrow('is held by a network');
  service.clock.advance({ minutes: 10 });
  expect(JSON.parse(await run('resend', 'B', '--json'))).toMatchObject({
    operation: 'B',
    isSentBySms: false,
    otp: expect.any(String) as string,
  });
  await calls.register(calls.registration({ operation: 'C', sms: true, cellphone: '3001234567' }));
  printed.clear();
  expect(await run('resend', 'C')).toBe('The new password leaves by SMS.\n');
});

test('show prints all that is stored of a cashout, for people and for programs', async () => {
  const { data } = await calls.register(calls.registration({ operation: 'S-1', amount: '60' }));
  await calls.register(calls.registration({ operation: 'S-10', amount: '70' }));
  service.clock.advance({ seconds: 1 });
  const owner = await service.network();
  const network = networkCalls(service, owner);
  const found = await network.lookUp(data['otp'], DOCUMENT);
  await network.pay(found.data['idoperation'], 'T-S-1');
  const shown = JSON.parse(await run('show', 'S-1', '--json')) as object;
  expect(shown).toMatchObject({
    operation: 'S-1',
    state: 'approved',
    // Who paid it holds it no more.
    lockedBy: null,
    lockedUntil: null,
    amount: { amount: '60.00', currency: 'COP' },
    history: [
      { version: 1, event: 'cashout.registered' },
      { event: 'cashout.paid', actor: `network:${owner.netname}`, changes: { state: { from: 'pending', to: 'approved' } } },
    ],
    payment: { transaction: 'T-S-1', network: owner.netname, reversedAt: null },
    notices: [{ status: 'approved', state: 'waiting', attempts: 0 }],
    entries: ['registered', 'registered', 'paid', 'paid'].map((event) => ({ transaction: `cashout/S-1/${event}` })),
  });
  printed.clear();
  const text = await run('show', 'S-1');
  expect(text).toMatch(/^cashout +S-1\nmerchant +/);
  expect(text).toMatch(/\ncreated +2026-11-21 [0-9:]+ America\/Bogota\n/);
  expect(text).toMatch(/\n +2 .* cashout\.paid +network:\S+ +state: pending → approved\n/);
  await expect(run('show', 'none')).rejects.toThrow('none of shop-1 does not exist.');
});

test('limits are set one by one, shown, and taken away', async () => {
  expect(await run('limits')).toBe(`${merchant.merchantId} has no limits.\n`);
  await run('limits', '--currency', 'COP', '--most', '500.50', '--per-document-and-day', '2');
  printed.clear();
  expect(JSON.parse(await run('limits', '--currency', 'COP', '--least', '10', '--json'))).toEqual([
    { currency: 'COP', least: '10.00', most: '500.50', perDocumentAndDay: 2 },
  ]);
  expect(await calls.register(calls.registration({ operation: 'D', amount: '500.51' }))).toMatchObject({ code: '0004' });
  // Zeros before a document are no other document.
  const registrations = ['1020', '01020', '0001020'].map((document, at) =>
    calls.registration({ operation: `Z-${at}`, amount: '20', document }),
  );
  const codes: string[] = [];
  for (const one of registrations) codes.push((await calls.register(one)).code);
  expect(codes.toSorted()).toEqual(['0000', '0000', '0020']);
  await run('limits', '--currency', 'COP', '--most', 'none');
  expect(await calls.register(calls.registration({ operation: 'D', amount: '500.51', document: '7' }))).toMatchObject({ code: '0000' });
  for (const words of [
    ['--least', '10'],
    ['--currency', 'EUR', '--least', '1'],
    ['--currency', 'COP', '--least', 'x'],
  ]) {
    await expect(run('limits', ...words), words.join(' ')).rejects.toMatchObject({ exitCode: 2 });
  }
  await expect(run('limits', '--currency', 'COP', '--least', '10', '--most', '9')).rejects.toThrow('above');
});
