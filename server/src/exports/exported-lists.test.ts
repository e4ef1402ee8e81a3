import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { recordActs } from '../audit/index.ts';
import { CommandRefused } from '../kit/command-line.ts';
import { FORMATS } from './formats.ts';
import { headingOf, stateWords } from './spreadsheet-words.ts';
import { EXPORTED_LISTS } from '../main/exported-lists.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { exportCommands } from './exports.cli.ts';

let service: TestCaudal;
let directory: string;
let settlement: string;
let startedAt: Temporal.Instant;
let shop: string;
const printed = capturePrinted();

/** Two merchants of two time zones, each with orders, a payment and cashouts. */
beforeAll(async () => {
  service = await startTestCaudal();
  directory = mkdtempSync(join(tmpdir(), 'caudal-lists-'));
  const staff = await manageCalls(service);
  startedAt = service.clock.now();
  for (const country of ['343', '484']) {
    const merchant = await service.merchant({ country });
    shop ??= merchant.merchantId;
    const orders = orderCalls(service, merchant);
    const money = country === '343' ? 'COP' : 'MXN';
    const terms = { money, country, email: 'ana@example.com' };
    const { data } = await orders.create({ ...terms, order: 'A-1', amount: '45000.5', description: '=1+1, "x" ñ' });
    await orders.create({ ...terms, order: 'A-2', amount: '10', email: 'beto@example.com' });
    await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: data['Referencia'] }) });
    const refund = { amount: { amount: '5', currency: money }, refundedBy: 'operator', reason: 'returned' };
    const asked = await staff.send('POST', `/orders/${merchant.merchantId}/A-1/refunds`, { refund: 'R-1', ...refund });
    expect(asked).toMatchObject({ status: 201 });
    service.clock.advance({ seconds: 1 });
    const settled = await staff.send('POST', `/settlements/${merchant.merchantId}/run`, { currency: money, until: '2026-11-21' });
    expect(settled).toMatchObject({ status: 201 });
    settlement ??= String(settled.body['settlement']);
    const cashouts = cashoutCalls(service, merchant);
    await cashouts.register(cashouts.registration({ operation: 'W-1', currency: money, amount: '20000' }));
  }
  const actor = { kind: 'user', id: '7', name: 'ana@example.com' } as const;
  const act = { actor, source: 'x', requestId: null, operation: 'readMe', merchantId: shop, target: null, details: { reason: '=1' } };
  await service.db.transaction(async (tx) => recordActs(tx, [{ ...act, at: service.clock.now(), outcome: 'done' }]));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await service.close();
});
afterEach(() => void (process.exitCode = undefined));

const run = (...words: string[]): Promise<string> =>
  printed.by(() => runCommand(service, (program, connect) => exportCommands(program, connect, EXPORTED_LISTS), 'export', ...words));

type Row = Readonly<Record<string, unknown>>;

/** Exports a list to a file, checks the file, and reads its rows. */
async function rowsOf(list: string, ...words: string[]): Promise<readonly Row[]> {
  const file = join(directory, `${list}.ndjson`);
  await run(list, '--format', 'ndjson', '--output', file, ...words);
  expect(await run('check', file)).toMatch(new RegExp(`is whole: \\d+ ${list}`));
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -2)
    .map((line) => JSON.parse(line) as Row);
}

test('every list is exported in every format, and each file is whole', async () => {
  for (const { name } of EXPORTED_LISTS)
    for (const format of FORMATS) {
      const file = join(directory, `${name}.${format}`);
      expect(await run(name, '--format', format, '--output', file)).toContain(`${file}: `);
      const checked = JSON.parse(await run('check', file, '--json')) as Row;
      expect(checked, `${name} ${format}`).toMatchObject({ whole: true, list: name, format, filter: {} });
      expect(checked['rows'], `${name} ${format}`).toBeGreaterThan(0);
    }
});

test('every column of every list has a heading in the language of its reader, and states and times are in it', async () => {
  for (const { columns } of EXPORTED_LISTS)
    for (const column of Object.keys(columns))
      expect(headingOf(column, 'es'), `COLUMNS of exports/spreadsheet-words.ts: ${column}`).not.toBe(column);
  for (const { name, filters } of EXPORTED_LISTS)
    for (const state of filters['state']?.of ?? [])
      expect(new Map(stateWords(name, 'es')).get(state), `STATES of exports/spreadsheet-words.ts: ${state} of ${name}`).toBeDefined();
  const file = join(directory, 'orders.es.csv');
  await run('orders', '--merchant', shop, '--format', 'csv-es', '--output', file);
  const [head = '', row = ''] = readFileSync(file, 'utf8').split('\n');
  expect(head).toContain('"Creado (America/Bogota)"');
  expect(row).toMatch(/"Pagada";"45000,50";"COP"/);
});

test('a filter gives the rows that pass it, and those of one merchant alone', async () => {
  expect((await rowsOf('orders')).length).toBe(4);
  const own = await rowsOf('orders', '--merchant', shop);
  expect(own).toMatchObject([
    { merchant: shop, order: 'A-1', state: 'approved', amount: '45000.50', currency: 'COP', description: '=1+1, "x" ñ', payments: 1 },
    { merchant: shop, order: 'A-2', state: 'pending', amount: '10.00', currency: 'COP', email: 'beto@example.com' },
  ]);
  expect(await rowsOf('orders', '--merchant', shop, '--state', 'pending,expired')).toMatchObject([{ order: 'A-2' }]);
  expect(
    await rowsOf('orders', '--order', 'A-2', '--merchant', shop, '--updated-from', '2026-11-21', '--updated-to', '2026-11-21'),
  ).toMatchObject([{ order: 'A-2' }]);
  expect(await rowsOf('orders', '--merchant', shop, '--paid-from', '2026-11-21', '--paid-to', '2026-11-21')).toMatchObject([
    { order: 'A-1' },
  ]);
  expect(await rowsOf('orders', '--merchant', shop, '--paid-to', '2026-11-20')).toEqual([]);
  expect((await rowsOf('cashouts', '--cashout', 'W-1', '--created-from', '2026-11-21T00:00:00Z')).length).toBe(2);
  expect(await rowsOf('cashouts', '--merchant', shop, '--created-to', '2026-11-20')).toEqual([]);
  expect(await rowsOf('orders', '--email', 'ANA@example.com', '--currency', 'MXN')).toMatchObject([{ order: 'A-1', currency: 'MXN' }]);
  expect(await rowsOf('orders', '--currency', 'COP', '--amount-to', '10')).toMatchObject([{ order: 'A-2' }]);
  expect(await rowsOf('cashouts', '--merchant', shop, '--amount-from', '1', '--currency', 'COP')).toMatchObject([
    { cashout: 'W-1', network: null },
  ]);
  expect(await rowsOf('refunds', '--merchant', shop, '--state', 'approved,paid', '--from', '2026-11-21')).toMatchObject([
    { merchant: shop, refund: 'R-1', order: 'A-1', number: 1, amount: '5.00', currency: 'COP', refundedBy: 'operator', endedAt: null },
  ]);
  expect(await rowsOf('refunds', '--merchant', shop, '--state', 'paid')).toEqual([]);
  expect(await rowsOf('refunds', '--to', '2026-11-20')).toEqual([]);
  const entries = await rowsOf('entries', '--merchant', shop);
  expect(new Set(entries.map(({ merchant }) => merchant))).toEqual(new Set([shop]));
  expect(entries.reduce((sum, { amount }) => sum + BigInt((amount as string).replace('.', '')), 0n)).toBe(0n);
  expect(
    await rowsOf('settlements', '--merchant', shop, '--state', 'draft,paid', '--currency', 'COP', '--from', '2026-11-21'),
  ).toMatchObject([
    {
      merchant: shop,
      settlement: Number(settlement),
      state: 'draft',
      entries: 2,
      amount: '44995.50',
      currency: 'COP',
      settledOn: '2026-11-21',
      paidAt: null,
    },
  ]);
  expect(await rowsOf('settlements', '--to', '2026-11-20')).toEqual([]);
  const settled = await rowsOf('entries', '--settlement', settlement);
  expect(settled.map((one) => [one['account'], one['settlement']])).toEqual([1, 2].map(() => ['collected', Number(settlement)]));
});

test('a day is one of the merchant; where merchants have several zones it is one of UTC', async () => {
  const day = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
  expect((await rowsOf('orders', '--merchant', shop, '--from', day.toString(), '--to', day.toString())).length).toBe(2);
  expect(await rowsOf('orders', '--merchant', shop, '--to', day.subtract({ days: 1 }).toString())).toEqual([]);
  expect((await rowsOf('orders', '--from', startedAt.toString())).length).toBe(4);
  const dayOfUtc = service.clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  expect((await rowsOf('orders', '--from', dayOfUtc.toString(), '--to', dayOfUtc.toString())).length).toBe(4);
  expect(await rowsOf('orders', '--from', dayOfUtc.add({ days: 1 }).toString())).toEqual([]);
});

test.each([
  [['orders', '--state', 'paid'], /^--state takes some of pending/],
  [['orders', '--amount-from', '5'], /^--amount-from takes an amount in the currency/],
  [['orders', '--currency', 'XXX'], /^--currency takes a code/],
  [['orders', '--from', '2026-02-30', '--to', 'soon'], /^--from takes .*\. --to takes /],
  [['orders', '--email', 'a\0b'], /^--email takes 1 to 500 characters/],
  [['orders', '--merchant', 'nobody'], /^There is no merchant nobody\.$/],
  [['orders', '--output', '/no/such/place/x.csv'], /cannot be written \(ENOENT\)\.$/],
  [['check', '/no/such/file'], /cannot be read \(ENOENT\)\.$/],
])('is refused in one line: %j', async (words, line) => {
  const error = await run(...words).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommandRefused);
  expect((error as Error).message).toMatch(line);
  expect((error as Error).message).not.toContain('\n');
});

test('to standard output come the rows alone, and what they are on standard error; a line per stage', async () => {
  const out = await run('orders', '--merchant', shop, '--format', 'csv');
  expect(out).toMatch(/^merchant,order,.*\n[^]*\n#end,.*\n$/);
  expect(printed.stderr()).toMatch(
    /^Counting …\nWriting 2 rows …\n(?:Writing.*\n)?Standard output: 2 orders \(merchant shop-1\), sum 45010\.50 COP, as they were at .*\n$/,
  );
  expect(existsSync(join(directory, 'orders.csv.part'))).toBe(false);
});
