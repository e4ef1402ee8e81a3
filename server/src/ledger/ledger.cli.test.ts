import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandRefused } from '../kit/command-line.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { fillAccount } from '../testing/full-account.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { cashoutPaid, cashoutRegistered, ledgerCommands, postTransactions } from './index.ts';
import type { CashoutMoney } from './postings.ts';
import { postingDb } from '../testing/posting-db.ts';

let service: TestCaudal;
let merchantId: string;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

beforeEach(async () => {
  ({ merchantId } = await service.merchant({ fundMinor: 0n }));
});

const run = (...words: string[]): Promise<string> =>
  printed.by(() => runCommand({ ...service, db: postingDb(service.db, service.clock, 'shop') }, ledgerCommands, 'ledger', ...words));
const runJson = async (...words: string[]): Promise<unknown> => JSON.parse(await run(...words, '--json'));
const topUp = (amount: string, ...words: string[]): Promise<string> =>
  run('top-up', '--merchant', merchantId, '--amount', amount, '--currency', 'COP', ...words);
const adjust = (...words: string[]): Promise<string> => run('adjust', '--merchant', merchantId, '--currency', 'COP', ...words);

/** A cashout of 100.00 that efecty has paid, with a fee of 2.50 and a tax of 0.48 on it. */
async function payCashout(): Promise<void> {
  const cashout: CashoutMoney = {
    merchantId,
    operationId: 'W-1',
    refundId: null,
    currency: 'COP',
    amountMinor: 10_000n,
    feeMinor: 250n,
    taxMinor: 48n,
  };
  const now = service.clock.now();
  await service.db.transaction(async (tx) => postTransactions(tx, [cashoutRegistered(cashout, now), cashoutPaid(cashout, 'efecty', now)]));
}

describe('caudal ledger top-up', () => {
  test('adds to the fund and says what it holds; with the same reference only once', async () => {
    expect(await topUp('500000', '--reference', 'BANK-77')).toBe(
      `top-up/BANK-77 is posted. The available fund of ${merchantId} holds 500 000.00 COP.\n`,
    );
    expect(await topUp('500000.00', '--reference', 'BANK-77')).toBe(
      `top-up/BANK-77 was posted before, nothing is posted now. The available fund of ${merchantId} holds 500 000.00 COP.\n`,
    );
    await expect(topUp('600000', '--reference', 'BANK-77')).rejects.toThrow('of another amount or currency');
    expect(JSON.parse(await topUp('0.05', '--json'))).toEqual({
      merchant: merchantId,
      transaction: expect.stringMatching(/^top-up\/[0-9a-f-]{36}$/),
      isRepeated: false,
      available: '500000.05',
      currency: 'COP',
    });
  });

  test('the same amount without a reference is posted a second time only where --again says so', async () => {
    expect(await topUp('7000')).toContain('is posted');
    await expect(topUp('7000.00')).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('--again') as string });
    expect(await topUp('7000', '--again')).toContain('is posted');
    expect(await topUp('7000', '--reference', 'BANK-78')).toContain('is posted');
    service.clock.advance({ hours: 1, seconds: 1 });
    expect(await topUp('7000')).toContain('is posted');
  });

  test.each([
    ['0', 2],
    ['-5', 2],
    ['1e4', 2],
    ['10.005', 2],
    ['500.000', 2],
    ['45000.000', 2],
    ['1,500', 2],
  ])('takes plain decimals above zero with the decimals of the currency, not %s', async (amount, exitCode) => {
    await expect(topUp(amount)).rejects.toMatchObject({ exitCode, message: expect.stringContaining('--amount takes a plain decimal') });
  });

  test('says what to write in place of an amount that can be read in two ways, and takes what can be read in one', async () => {
    await expect(topUp('500.000')).rejects.toThrow('write 500000.00 or 500.00');
    await expect(
      run('adjust', '--merchant', merchantId, '--account', 'available', '--debit', '5.000', '--currency', 'COP', '--reason', 'x'),
    ).rejects.toThrow(
      '--debit takes a plain decimal above zero, such as 45000.50, with no more decimals than COP has: “5.000” can be read in two ways: write 5000.00 or 5.00.',
    );
    await expect(
      run('set-fees', '--merchant', merchantId, '--operation', 'order', '--currency', 'COP', '--percent', '1.500'),
    ).rejects.toThrow('It takes 0 to 100, with at most four decimals');
    expect(await topUp('1.234.567,89', '--reference', 'BANK-79')).toContain('is posted');
  });

  test('knows merchants, their currencies, and what a reference is', async () => {
    await expect(run('top-up', '--merchant', 'nobody', '--amount', '1', '--currency', 'COP')).rejects.toThrow(
      'There is no merchant nobody.',
    );
    await expect(run('top-up', '--merchant', merchantId, '--amount', '1', '--currency', 'PEN')).rejects.toThrow(
      'a currency of the merchant',
    );
    for (const currency of ['cop', 'XXX'])
      await expect(run('top-up', '--merchant', merchantId, '--amount', '1', '--currency', currency)).rejects.toThrow(
        '--currency takes a code',
      );
    await expect(topUp('1', '--reference', 'two words')).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('caudal ledger adjust', () => {
  test('corrects an account against the adjustments of the service, and keeps the reason', async () => {
    await topUp('100');
    expect(await adjust('--account', 'available', '--debit', '0.50', '--reason', 'Bank charge')).toMatch(
      new RegExp(`^adjustment/[0-9a-f-]{36} is posted: -0.50 COP on available of ${merchantId}\\.\n$`),
    );
    await adjust('--account', 'collected', '--debit', '20', '--reason', 'Paid out to the merchant’s bank');
    expect(await runJson('balances', '--merchant', merchantId)).toEqual([
      { account: 'available', currency: 'COP', balance: '99.50' },
      { account: 'collected', currency: 'COP', balance: '-20.00' },
      { account: 'service:adjustments', currency: 'COP', balance: '20.50' },
      { account: 'service:bank', currency: 'COP', balance: '-100.00' },
    ]);
    expect(await run('entries', '--merchant', merchantId, '--account', 'available')).toContain('Bank charge');
  });

  test('needs a reason, one direction, an account that can be adjusted, and money where it takes some', async () => {
    await topUp('1');
    const credit = ['--credit', '1', '--reason', 'why'];
    await expect(adjust('--account', 'available', '--credit', '1')).rejects.toThrow(/required option '--reason/);
    await expect(adjust('--account', 'available', '--credit', '1', '--reason', ' ')).rejects.toMatchObject({ exitCode: 2 });
    await expect(adjust('--account', 'available', '--reason', 'why')).rejects.toThrow('takes --credit or --debit');
    await expect(adjust('--account', 'available', '--debit', '1', ...credit)).rejects.toThrow(/cannot be used with/);
    await expect(adjust('--account', 'available', '--debit', '1.01', '--reason', 'why')).rejects.toThrow('holds less');
    for (const account of ['reserved', 'service:fees', 'network:misspelt'])
      await expect(adjust('--account', account, ...credit)).rejects.toThrow('--account takes available, collected, or network:NAME');
  });
});

test('caudal ledger adjust refuses what an account cannot hold', async () => {
  const settle = await fillAccount(service, { merchantId, account: 'collected' });
  const credit = ['--account', 'collected', '--credit', '1', '--reason', 'why'];
  await expect(adjust(...credit)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('than an account can') as string });
  await settle();
  expect(await adjust(...credit)).toContain('is posted');
});

describe('caudal ledger balances and entries', () => {
  test('show a merchant, a network, and the service', async () => {
    await topUp('1000', '--reference', 'R');
    await payCashout();
    await adjust('--account', 'network:efecty', '--debit', '40', '--reason', 'Settled by transfer');
    expect(await run('balances', '--merchant', merchantId)).toBe(
      `ACCOUNT                    BALANCE
available               897.02 COP
network:efecty           60.00 COP
reserved                  0.00 COP
service:adjustments      40.00 COP
service:bank         -1 000.00 COP
service:fees              2.50 COP
service:tax               0.48 COP
`,
    );
    expect(await runJson('balances', '--network', 'efecty')).toEqual([{ account: 'network:efecty', currency: 'COP', balance: '60.00' }]);
    expect(await runJson('balances', '--service', '--merchant', merchantId)).toHaveLength(4);
    // All merchants together: whatever else the tests of this file did, it all sums to zero.
    const all = (await runJson('balances')) as { balance: string }[];
    expect(all.reduce((sum, { balance }) => sum + Math.round(Number(balance) * 100), 0)).toBe(0);
    expect(await run('balances', '--network', 'nobody')).toBe('No money has moved there yet.\n');
    await expect(run('balances', '--merchant', 'nobody')).rejects.toThrow(CommandRefused);
  });

  test('filter entries by account, transaction and time, newest first, as many as asked for', async () => {
    await topUp('1000', '--reference', 'R');
    const before = service.clock.now().toString();
    service.clock.advance({ minutes: 1 });
    await payCashout();
    const entries = (...words: string[]): Promise<unknown> => runJson('entries', '--merchant', merchantId, ...words);
    expect(await entries('--transaction', 'cashout/W-1/registered')).toEqual([
      {
        merchant: merchantId,
        transaction: 'cashout/W-1/registered',
        line: 1,
        kind: 'cashout_registered',
        account: 'available',
        currency: 'COP',
        postedAt: service.clock.now().toString(),
        reason: null,
        settlement: null,
        amount: '-102.98',
      },
      expect.objectContaining({ line: 2, account: 'reserved', amount: '102.98' }),
    ]);
    expect(await entries()).toHaveLength(8);
    expect(await entries('--limit', '2')).toHaveLength(2);
    expect(await entries('--until', service.clock.now().toString())).toMatchObject([{ kind: 'top_up' }, { kind: 'top_up' }]);
    expect(await entries('--from', before, '--account', 'available')).toMatchObject([{ amount: '-102.98' }, { amount: '1000.00' }]);
    expect(await entries('--currency', 'USD')).toEqual([]);
    await expect(entries('--limit', '0')).rejects.toThrow('It takes 1 to 10000.');
    await expect(entries('--from', 'yesterday')).rejects.toThrow('It takes an instant');
  });
});

describe('caudal ledger set-fees and fees', () => {
  test('set what the service takes from now on, and keep what it took', async () => {
    const set = (...words: string[]): Promise<string> =>
      run('set-fees', '--merchant', merchantId, '--operation', 'cashout', '--currency', 'COP', ...words);
    expect(await run('fees', '--merchant', merchantId)).toBe(`The service takes nothing from ${merchantId}.\n`);
    expect(await set('--percent', '2.5', '--fixed', '900', '--tax', '19')).toBe(
      `From now on ${merchantId} pays 2.5 % and 900.00 COP for each cashout, and 19 % tax on that.\n`,
    );
    const first = service.clock.now().toString();
    service.clock.advance({ days: 1 });
    expect(JSON.parse(await set('--percent', '100.0000', '--json'))).toEqual({
      merchant: merchantId,
      operation: 'cashout',
      currency: 'COP',
      percent: '100',
      fixed: '0.00',
      tax: '0',
    });
    const second = service.clock.now().toString();
    expect(await runJson('fees', '--merchant', merchantId)).toEqual([
      { operation: 'cashout', currency: 'COP', percent: '100', fixed: '0.00', tax: '0', since: second, until: null },
      { operation: 'cashout', currency: 'COP', percent: '2.5', fixed: '900.00', tax: '19', since: first, until: second },
    ]);
    for (const percent of ['100.0001', '-1', '2.55555', '1e1'])
      await expect(set('--percent', percent)).rejects.toThrow('It takes 0 to 100');
    await expect(set()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('--percent, --fixed or --tax') as string });
    await expect(set('--fixed', '0.001')).rejects.toThrow('--fixed takes a plain decimal or zero');
    await expect(set('--operation', 'refund')).rejects.toThrow('order, cashout');
  });
});

const day = (...words: string[]): Promise<string> =>
  printed.by(() => runCommand(service, ledgerCommands, 'day', '--merchant', merchantId, ...words));
const dayJson = async (...words: string[]): Promise<unknown> => JSON.parse(await day(...words, '--json'));
const today = (): Temporal.PlainDate => service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();

describe('caudal day', () => {
  test('has the funds before and after a day of the merchant, and what moved between: it adds up', async () => {
    const first = today();
    await topUp('1000');
    service.clock.advance({ hours: 24 });
    await payCashout();
    service.clock.advance({ hours: 24 });
    await topUp('7');
    const [before, during, after] = [0, 1, 2].map((days) => first.add({ days }).toString()) as [string, string, string];
    expect(await dayJson('--date', during)).toEqual({
      merchant: merchantId,
      date: during,
      zone: 'America/Bogota',
      from: `${during}T05:00:00Z`,
      until: `${after}T05:00:00Z`,
      currencies: [
        {
          currency: 'COP',
          statement: {
            opening: '1000.00',
            lines: [
              { kind: 'cashout_registered', transactions: 1, amount: '0.00', fees: '0.00', tax: '0.00', net: '0.00', parts: [] },
              {
                kind: 'cashout_paid',
                transactions: 1,
                amount: '-100.00',
                fees: '-2.50',
                tax: '-0.48',
                net: '-102.98',
                parts: [{ account: 'network:efecty', transactions: 1, amount: '-100.00' }],
              },
            ],
            closing: '897.02',
          },
          start: expect.objectContaining({ available: '1000.00', reserved: '0.00', 'service:bank': '-1000.00' }) as object,
          movements: [
            { kind: 'cashout_registered', transactions: 1, amounts: { available: '-102.98', reserved: '102.98' } },
            {
              kind: 'cashout_paid',
              transactions: 1,
              amounts: { reserved: '-102.98', 'network:efecty': '100.00', 'service:fees': '2.50', 'service:tax': '0.48' },
            },
          ],
          end: expect.objectContaining({ available: '897.02', reserved: '0.00', 'network:efecty': '100.00' }) as object,
          faults: [],
        },
      ],
      addsUp: true,
    });
    expect(await dayJson('--date', before)).toMatchObject({
      currencies: [{ start: { available: '0.00' }, end: { available: '1000.00' } }],
    });
    expect(await dayJson()).toMatchObject({ date: after, currencies: [{ start: { available: '897.02' }, end: { available: '904.02' } }] });
    const shown = await day('--date', during);
    expect(shown).toMatch(/^cashout_paid +1 +0\.00 COP/m);
    expect(shown).toMatch(/^cashout_paid +1 +-100\.00 COP +-2\.50 COP +-0\.48 COP +-102\.98 COP\n  network:efecty +1 +-100\.00 COP/m);
    expect(shown).toMatch(/^at the end +897\.02 COP.*\n\nIt adds up\.\n$/m);
  });

  test('says when it does not add up, and ends with 1', async () => {
    await topUp('1000');
    const owner = new Client({ connectionString: service.url });
    await owner.connect();
    await owner.query('set session_replication_role = replica');
    await owner.query("update ledger_balances set balance_minor = 5 where merchant_id = $1 and account = 'available'", [merchantId]);
    await owner.end();
    expect(await day()).toMatch(/It does not add up.*\nCOP: available ends with 100000 and keeps 5 in minor units\.\n/);
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
  });

  test('is empty for a merchant without money, and refuses a merchant that is not there and a day that is none', async () => {
    expect(await day()).toContain('No money has moved there yet.');
    await expect(day('--date', '2026-02-30')).rejects.toThrow('takes a day');
    await expect(printed.by(() => runCommand(service, ledgerCommands, 'day', '--merchant', 'nobody'))).rejects.toThrow(
      'There is no merchant nobody.',
    );
  });
});
