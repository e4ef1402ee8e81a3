import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Statement } from '../kit/db.ts';
import { bruteForce, cashoutStock, listCalls, operationsOf, type StockedCashout } from '../testing/cashout-stock.ts';
import { seededBytes } from '../testing/seed.ts';
import { startCaudalForTest } from '../testing/test-caudal.ts';
import { openCursor, sealCursor, type ListScope, type ListCursor } from './list-cursor.ts';

const NOW = '2026-11-21T15:00:00Z';
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

/** Cashouts of one day, the newest first: W-0, W-1, … */
const ofDay = (count: number, newest: string): readonly StockedCashout[] =>
  Array.from({ length: count }, (_, index) => ({
    operationId: `W-${index}`,
    cashoutId: BigInt(1000 - index),
    state: 'pending',
    document: '1',
    updatedAt: Temporal.Instant.from(newest).subtract({ minutes: index }),
  }));

async function stocked(cashouts: readonly StockedCashout[]) {
  const service = await startCaudalForTest();
  const merchant = await service.merchant();
  const stock = cashoutStock(service, merchant);
  await stock.add(cashouts);
  return { ...listCalls(service, merchant), service, merchant, stock };
}

const named = (operations: readonly string[], from: number, to: number): string[] => operations.slice(from, to);
const parametersOf = (link: string): URLSearchParams => new URLSearchParams(link.slice(link.indexOf('?')));

/** The operations M-$2 to M-$3, one a minute, the first the newest. */
const MANY: Statement = {
  name: 'testing.many_cashouts',
  text: `with added as (
      insert into cashouts (merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
        document, sms, cellphone, expires_on, created_at, updated_at, updated_on)
      select $1, 'M-' || n, n, 'approved', 1, 100, 0, 'COP', '', '1', false, '', '2026-12-31', instant, instant, (instant at time zone 'America/Bogota')::date
        from (select n, '2026-11-20T12:00:00Z'::timestamptz - n * interval '1 minute' as instant from generate_series($2::integer, $3) as n) as made
      returning updated_on, updated_at)
    select count_cashouts(array_agg($1::text), array_agg(updated_on), array_agg(updated_at), array_agg('approved'::text), array_agg(1::bigint)) from added`,
};

describe('the links', () => {
  test('are paths that repeat the own parameters of the request, its very checksum, and add page and cursor', async () => {
    const { urlOf, follow, merchant, sign } = await stocked(ofDay(25, NOW));
    for (const prefix of ['/cashout/v1', '/v1']) {
      const { next, first, end } = await follow(urlOf({ status: 'pendiente,APROBADA', document: '1', limit: '', page: 1 }, prefix));
      for (const link of [next, first, end]) {
        expect(link.startsWith(`${prefix}/operation/${merchant.merchantId}?`)).toBe(true);
        const parameters = parametersOf(link);
        expect([...parameters.keys()]).toEqual(['checksum', 'status', 'document', 'limit', 'page', 'cursor']);
        expect(Object.fromEntries(parameters)).toMatchObject({ checksum: sign(), status: 'pendiente,APROBADA', document: '1', limit: '' });
      }
      expect([next, first, end].map((link) => parametersOf(link).get('page'))).toEqual(['2', '1', '2']);
    }
  });

  test('keep the day that was today across midnight, whichever way the checksum was made', async () => {
    const rows = ofDay(25, '2026-11-22T04:59:00Z');
    const whole = bruteForce(rows, { start: day('2026-11-21'), end: day('2026-11-21') });
    for (const signedDay of ['', '20261121']) {
      const { service, list, follow, sign, stock } = await stocked(rows);
      service.clock.set('2026-11-22T04:59:30Z');
      const one = await list({ limit: 10, checksum: sign(signedDay, signedDay) });
      service.clock.set('2026-11-22T05:00:30Z');
      await stock.add([{ ...rows[0]!, operationId: 'tomorrow', cashoutId: 9n, updatedAt: service.clock.now() }]);
      const two = await follow(one.next);
      expect(operationsOf(two)).toEqual(named(whole, 10, 20));
      expect(operationsOf(await follow(two.next))).toEqual(named(whole, 20, 25));
      expect(operationsOf(await follow(two.first))).toEqual(named(whole, 0, 10));
      expect(operationsOf(await follow(two.end))).toEqual(named(whole, 20, 25));
      expect(operationsOf(await list())).toEqual(['tomorrow']);
    }
  });

  test('say exactly whether there is a page before, also where what was there has changed', async () => {
    const rows = ofDay(25, '2026-11-20T15:00:00Z');
    const yesterday = { start: '20261120', end: '20261120', limit: 10 };
    const { service, list, follow, stock } = await stocked(rows);
    const { next } = await list(yesterday);
    const leave = (index: number) => stock.change(rows[index]!, { ...rows[index]!, updatedAt: service.clock.now() });
    for (let index = 0; index < 9; index++) await leave(index);
    expect(operationsOf(await follow((await follow(next)).previous))).toEqual(['W-9']);
    await leave(9);
    const two = await follow(next);
    expect(operationsOf(two)).toEqual(named(bruteForce(rows, { start: day('2026-11-20'), end: day('2026-11-20') }), 10, 20));
    expect(two.previous).toBe('');
  });

  test('lead on from a page whose cashouts have all gone', async () => {
    const rows = ofDay(25, '2026-11-20T15:00:00Z');
    const yesterday = { start: '20261120', end: '20261120', limit: 10 };
    const { service, list, follow, stock } = await stocked(rows);
    const two = await follow((await list(yesterday)).next);
    for (const row of rows.slice(20)) await stock.change(row, { ...row, updatedAt: service.clock.now() });
    const three = await follow(two.next);
    expect(three).toMatchObject({ code: '0000', next: '', data: [] });
    expect(operationsOf(await follow(three.previous))).toEqual(operationsOf(two));
    for (const row of rows.slice(0, 10)) await stock.change(row, { ...row, updatedAt: service.clock.now() });
    const one = await follow(two.previous);
    expect(one).toMatchObject({ code: '0000', previous: '', data: [] });
    expect(operationsOf(await follow(one.next))).toEqual(operationsOf(two));
    expect(parametersOf(one.end).get('page')).toBe('1');
  });

  test('go on beyond page 9999, where a page has no number, and end at the true last page', async () => {
    const { service, list, follow, merchant } = await stocked([]);
    for (let from = 1; from < 100_004; from += 10_000) {
      await service.db.query(MANY, [merchant.merchantId, from, Math.min(from + 9_999, 100_004)]);
    }
    const walk = { start: '20260101', end: '20261121', limit: 10 };
    const last = await list({ ...walk, page: 9999 });
    expect(operationsOf(last)).toEqual(Array.from({ length: 10 }, (_, index) => `M-${99_981 + index}`));
    const beyond = await follow(last.next);
    expect(operationsOf(beyond)).toEqual(Array.from({ length: 10 }, (_, index) => `M-${99_991 + index}`));
    const end = await follow(beyond.next);
    expect(operationsOf(end)).toEqual(['M-100001', 'M-100002', 'M-100003', 'M-100004']);
    expect(end.next).toBe('');
    expect(operationsOf(await follow(last.end))).toEqual(operationsOf(end));
    expect(operationsOf(await follow((await follow(last.end)).previous))).toEqual(operationsOf(beyond));
    for (const link of [last.next, beyond.next, last.end, end.previous]) expect(parametersOf(link).get('page')).toBe('9999');
    expect(parametersOf((await follow((await follow(end.previous)).previous)).previous).get('page')).toBe('9998');
  });
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a cursor', () => {
  test('is refused with any character changed, cut, added or encoded otherwise', async () => {
    const { list, follow } = await stocked(ofDay(25, NOW));
    const { next } = await list();
    const cursor = parametersOf(next).get('cursor')!;
    const refused = async (forged: string): Promise<void> =>
      expect(await follow(next.replace(cursor, forged))).toMatchObject({ code: '0019', data: [], next: '', end: '' });
    for (let index = 0; index < cursor.length; index++) {
      await refused(`${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`);
    }
    // The last character has unused bits: the same bytes in another spelling.
    await refused(`${cursor.slice(0, -1)}${LETTERS[LETTERS.indexOf(cursor.at(-1)!) + 1]}`);
    await refused(cursor.slice(0, -1));
    await refused(`${cursor}A`);
    await refused(`${cursor}%3D`);
    await refused('A'.repeat(cursor.length));
    await refused(seededBytes(50).toString('base64url'));
  });

  test('is refused by another merchant, for another range or for other filters; a new limit is fine', async () => {
    const { list, urlOf, follow } = await stocked(ofDay(45, NOW));
    const other = await stocked(ofDay(25, NOW));
    const filters = { start: '20261101', end: '20261130', status: 'PENDIENTE,APROBADA', document: '1' };
    const cursor = parametersOf((await list(filters)).next).get('cursor')!;
    const code = async (changes: Record<string, string | number | undefined>): Promise<string> =>
      (await follow(urlOf({ ...filters, ...changes, cursor }))).code;
    expect(await code({})).toBe('0000');
    expect(await code({ status: 'aprobada,pendiente', limit: 20 })).toBe('0000');
    expect(await code({ status: 'PENDIENTE' })).toBe('0019');
    expect(await code({ status: undefined })).toBe('0019');
    expect(await code({ document: '2' })).toBe('0019');
    expect(await code({ document: undefined })).toBe('0019');
    expect(await code({ start: '20261102' })).toBe('0019');
    expect(await code({ end: '20261129' })).toBe('0019');
    expect(await code({ start: undefined, end: undefined })).toBe('0019');
    expect((await other.list({ ...filters, cursor })).code).toBe('0019');
  });

  test('decides which page is shown, whatever the parameter page says; page keeps its rule', async () => {
    const { list, urlOf, follow } = await stocked(ofDay(45, NOW));
    const one = await list({ limit: 10 });
    const two = await follow(one.next);
    const cursor = parametersOf(one.next).get('cursor')!;
    for (const page of [undefined, 1, 4]) expect((await follow(urlOf({ limit: 10, page, cursor }))).data).toEqual(two.data);
    expect((await follow(urlOf({ limit: 10, page: 0, cursor }))).code).toBe('0028');
  });

  test('comes back as it was written, and opens under its own key and scope only', () => {
    const key = seededBytes(32);
    const scope: ListScope = { merchantId: 'shop', start: '', end: '20261231', states: ['pending'], document: undefined };
    const place = {
      updatedOn: day('2026-02-28'),
      updatedAt: Temporal.Instant.from('2026-02-28T23:59:59.123456Z'),
      cashoutId: 9_007_199_254_740_993n,
    };
    const range = { startOn: day('0001-01-01'), endOn: day('9999-12-31') };
    const cursors: ListCursor[] = [
      { ...range, position: { at: 'page', page: 1 } },
      { ...range, position: { at: 'last' } },
      { ...range, position: { at: 'after', page: 123_456, key: place } },
      { ...range, position: { at: 'before', page: 1, key: place } },
    ];
    for (const cursor of cursors) {
      const text = sealCursor(key, scope, cursor);
      expect(JSON.stringify(openCursor(key, scope, text), write)).toBe(JSON.stringify(cursor, write));
      expect(openCursor(seededBytes(32), scope, text)).toBeUndefined();
      // The same characters in all, cut elsewhere.
      expect(openCursor(key, { ...scope, merchantId: 'sho', start: 'p' }, text)).toBeUndefined();
      expect(openCursor(key, { ...scope, end: '', document: '20261231' }, text)).toBeUndefined();
    }
  });
});

test('a cursor is signed as before: links that merchants have kept stay good', () => {
  const scope: ListScope = { merchantId: 'shop', start: '', end: '20261231', states: ['pending', 'approved'], document: '7' };
  const cursor: ListCursor = { startOn: day('2026-01-01'), endOn: day('2026-12-31'), position: { at: 'last' } };
  const secret = seededBytes(32);
  const bytes = Buffer.from(sealCursor(secret, scope, cursor), 'base64url');
  const mac = createHmac('sha256', secret).update('shop\n\n20261231\npending,approved\n7\n').update(bytes.subarray(0, -16)).digest();
  expect(bytes.subarray(-16)).toEqual(mac.subarray(0, 16));
});

const write = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
