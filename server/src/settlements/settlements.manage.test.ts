import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClient, connectionConfig } from '../kit/db.ts';
import { firstIdOf } from '../kit/per-cell.ts';
import { ledgerChecks } from '../ledger/index.ts';
import { ROLES } from '../manage/index.ts';
import { freezeMerchant } from '../merchants/change-merchant.ts';
import { findings } from '../testing/findings.ts';
import { manageCalls, walkPages, type ManageCalls } from '../testing/manage-calls.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { bankFileManagement, settlementChecks, settlementManagement } from './index.ts';

let service: TestCaudal;
/** Whoever pays merchants out. */
let finance: ManageCalls;
beforeAll(async () => {
  service = await startTestCaudal({ cells: 1 });
  finance = await manageCalls(service, { name: 'finance', permissions: [...ROLES.finance.permissions] });
});
afterAll(async () => {
  expect(await findings(service, [...settlementChecks, ...ledgerChecks])).toEqual([]);
  await service.close();
});

type Shop = Awaited<ReturnType<typeof openSettledShop>>;
const cop = (amount: string) => ({ amount, currency: 'COP' });
const at = ({ merchantId }: Shop, settlement: unknown, step = ''): string => `/settlements/${merchantId}/${String(settlement)}${step}`;
const approve = async (...settlements: readonly unknown[]) =>
  (await finance.send('POST', '/settlements/approve', { settlements: settlements.map(String) })).body[
    'results'
  ] as unknown as readonly object[];
/** Makes a draft of all until now by the API. Shape: → its number. */
async function draftOf(shop: Shop): Promise<string> {
  service.clock.advance({ seconds: 1 });
  const until = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate().toString();
  const { status, body } = await finance.send('POST', at(shop, 'run'), { currency: 'COP', until });
  expect(status).toBe(201);
  return String(body['settlement']);
}

test('whoever changes what merchants are paid has proved again who it is, by hand or by a file, today or from a day on', () => {
  const writes = [...settlementManagement, ...bankFileManagement].filter(({ route }) => !route.startsWith('GET '));
  expect(writes.length).toBeGreaterThan(10);
  expect(writes.filter(({ stepUp }) => stepUp !== true).map(({ name }) => name)).toEqual([]);
});

describe('a settlement', () => {
  test('is shown before it is made, made, approved, sent and paid; its entries are listed page by page, and each names it', async () => {
    const shop = await openSettledShop(service);
    for (let paid = 0; paid < 5; paid++) await shop.pay();
    await shop.refund(await shop.pay(), '1000');
    service.clock.advance({ days: 1 });
    const sums = { entries: 7, gross: cop('581179.75'), net: cop('581179.75'), lines: [] };
    expect(await finance.get(`${at(shop, 'preview')}?currency=COP`)).toMatchObject({ status: 200, body: sums });
    const made = await finance.send('POST', at(shop, 'run'), { currency: 'COP' });
    expect(made).toMatchObject({ status: 201, body: { ...sums, state: 'draft', settledOn: '2026-11-22', dueOn: null } });
    const id = made.body['settlement'] as unknown as string;
    expect(await finance.send('POST', at(shop, 'run'), { currency: 'COP' })).toMatchObject({ status: 409, problem: 'nothing_to_settle' });

    type Entry = { readonly transaction: string; readonly amount: { readonly amount: string } };
    const entries = await walkPages<Entry>(finance, at(shop, id, '/entries'), [2, 3]);
    expect(entries.map(({ transaction }) => transaction)).toEqual([...new Set(entries.map(({ transaction }) => transaction))].toSorted());
    expect(entries.reduce((sum, { amount }) => sum + Number(amount.amount), 0)).toBe(581_179.75);
    const listed = await walkPages<{ account: string; settlement: string | null }>(
      finance,
      `/ledger/entries?merchant=${shop.merchantId}`,
      [200],
    );
    expect(listed.filter(({ account, settlement }) => (account === 'collected') !== (settlement === id))).toEqual([]);

    expect(await approve(id, id)).toEqual(
      [1, 2].map(() => ({ settlement: id, merchant: shop.merchantId, state: 'approved', isRepeated: false, problem: null })),
    );
    expect(await approve(id)).toMatchObject([{ state: 'approved', isRepeated: true }]);
    const steps = [
      ['/sent', undefined, { state: 'sent', file: null }],
      ['/paid', { bankReference: 'B-1' }, { state: 'paid', bankReference: 'B-1' }],
      ['/returned', { reason: 'the account is closed' }, { state: 'returned', problem: 'the account is closed' }],
    ] as const;
    for (const [step, body, shown] of steps)
      for (const isRepeated of [false, true])
        expect(await finance.send('POST', at(shop, id, step), body)).toMatchObject({ status: 200, body: { ...shown, isRepeated } });
    expect(await finance.get(at(shop, id))).toMatchObject({ status: 200, body: { state: 'returned', bankReference: 'B-1', ...sums } });
    const next = await draftOf(shop);
    expect((await finance.get(at(shop, next, '/entries'))).body['items']).toMatchObject([{ transaction: `settlement/${id}/returned` }]);
  });

  test('refuses steps out of their order, and says which', async () => {
    const shop = await openSettledShop(service);
    await shop.pay();
    const id = await draftOf(shop);
    const step = (name: string, body?: object) => finance.send('POST', at(shop, id, name), body);
    const reason = { reason: 'r' };
    expect((await step('/sent')).problem).toBe('settlement_not_approved');
    expect((await step('/paid', { bankReference: 'B-1' })).problem).toBe('settlement_not_sent');
    expect((await step('/returned', reason)).problem).toBe('settlement_not_approved');
    await approve(id);
    expect((await step('/cancel', reason)).problem).toBe('settlement_approved');
    await step('/sent');
    await step('/paid', { bankReference: 'B-1' });
    expect((await step('/paid', { bankReference: 'B-2' })).problem).toBe('settlement_paid_otherwise');
    const again = await openSettledShop(service);
    await again.pay();
    const cancelled = await draftOf(again);
    expect(await finance.send('POST', at(again, cancelled, '/cancel'), reason)).toMatchObject({
      body: { state: 'cancelled', isRepeated: false },
    });
    expect(await approve(cancelled)).toMatchObject([{ problem: 'settlement_ended', state: null }]);
    expect((await finance.get(at(again, cancelled, '/entries'))).body['items']).toEqual([]);
    expect((await finance.send('POST', at(again, '999999', '/cancel'), reason)).status).toBe(404);
    for (const unknown of [at(again, id), at(again, '9007199254740993'), at(again, id, '/entries')])
      expect(await finance.get(unknown)).toMatchObject({ status: 404, problem: 'not_found' });
  });

  test('that is approved and wrong is taken back before the bank is told: the next one names it, and the bank is told of that alone', async () => {
    const shop = await openSettledShop(service);
    await shop.pay();
    const id = await draftOf(shop);
    await approve(id);
    expect(await shop.balances()).toMatchObject({ settlements: 97_025_00n });
    for (const isRepeated of [false, true])
      expect(await finance.send('POST', at(shop, id, '/returned'), { reason: 'another account' })).toMatchObject({
        status: 200,
        body: { state: 'returned', sentAt: null, problem: 'another account', isRepeated },
      });
    expect((await finance.send('POST', at(shop, id, '/sent'))).problem).toBe('settlement_ended');
    expect((await finance.send('POST', at(shop, id, '/paid'), { bankReference: 'B-1' })).problem).toBe('settlement_ended');
    expect(await shop.balances()).toMatchObject({ collected: 97_025_00n });
    expect(await shop.balances()).not.toHaveProperty('settlements');
    const next = await draftOf(shop);
    expect((await finance.get(at(shop, next))).body).toMatchObject({ entries: 1, net: cop('97025.00') });
    expect((await finance.get(at(shop, next, '/entries'))).body['items']).toMatchObject([{ transaction: `settlement/${id}/returned` }]);
  });

  test('is refused for a day to come, a day that is none, another currency, and nobody', async () => {
    const shop = await openSettledShop(service);
    const run = (body: object, merchantId = shop.merchantId) => finance.send('POST', `/settlements/${merchantId}/run`, body);
    expect((await run({ currency: 'COP', until: '2027-12-31' })).problem).toBe('day_to_come');
    expect((await run({ currency: 'COP', until: '2026-02-30' })).problem).toBe('fields_invalid');
    expect((await run({ currency: 'PEN' })).problem).toBe('currency_not_allowed');
    expect((await run({ currency: 'COP' }, 'nobody')).problem).toBe('not_found');
    expect((await finance.get(`/settlements?from=2026-02-30`)).problem).toBe('fields_invalid');
    expect((await finance.get(`${at(shop, 'preview')}?currency=COP&until=2026-02-30`)).problem).toBe('fields_invalid');
  });
});

const numbers = async (query: string, limits = [2]): Promise<readonly string[]> =>
  (await walkPages<{ settlement: string }>(finance, `/settlements?${query}`, limits)).map(({ settlement }) => settlement);

describe('many settlements', () => {
  test('are approved at once, in both cells; one that is not covered any more, or of a frozen merchant, keeps no other one', async () => {
    const [near, far, refunded, frozen] = [
      await openSettledShop(service),
      await openSettledShop(service, { cell: 1 }),
      await openSettledShop(service),
      await openSettledShop(service),
    ];
    const orders: string[] = [];
    const ids: string[] = [];
    for (const shop of [near, far, refunded, frozen]) {
      orders.push(await shop.pay());
      service.clock.advance({ minutes: 1 });
      ids.push(await draftOf(shop));
    }
    expect(await refunded.refund(orders[2] as string)).toMatchObject({ status: 201 });
    await freezeMerchant(service, frozen.merchantId);
    const ofNoCell = String(firstIdOf(77));
    expect(await approve(...ids, '999999', ofNoCell)).toMatchObject([
      { settlement: ids[0], merchant: near.merchantId, state: 'approved', problem: null },
      { settlement: ids[1], merchant: far.merchantId, state: 'approved', problem: null },
      { settlement: ids[2], merchant: refunded.merchantId, state: null, problem: 'collected_too_small' },
      { settlement: ids[3], merchant: frozen.merchantId, state: null, problem: 'merchant_frozen' },
      { settlement: '999999', merchant: null, state: null, problem: 'not_found' },
      { settlement: ofNoCell, merchant: null, state: null, problem: 'not_found' },
    ]);
    expect(await finance.send('POST', '/settlements/approve', { settlements: ['999999'] })).toMatchObject({ status: 404 });
    for (const body of [{ settlements: [] }, { settlements: ['x'] }, { settlements: ['0'] }])
      expect(await finance.send('POST', '/settlements/approve', body)).toMatchObject({ status: 422 });
    const acts = (await (await manageCalls(service)).get('/audit?operation=approveSettlements&limit=9')).body as unknown as {
      items: { target: string; outcome: string }[];
    };
    expect(acts.items.map(({ target, outcome }) => `${target} ${outcome}`)).toEqual(
      expect.arrayContaining([`settlement ${ids[0]} done`, `settlement ${ids[1]} done`]),
    );
  });

  test('are listed by merchant, state, currency and day, each once, however long the pages are', async () => {
    const shop = await openSettledShop(service);
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) {
      await shop.pay();
      ids.unshift(await draftOf(shop));
      if (made === 2) service.clock.advance({ days: 1 });
    }
    await approve(ids[0], ids[4]);
    const own = `merchant=${shop.merchantId}`;
    for (const limits of [[1], [2], [3, 1], [200]]) expect(await numbers(own, limits)).toEqual(ids);
    expect(await numbers(`${own}&state=approved`)).toEqual([ids[0], ids[4]]);
    expect(await numbers(`${own}&state=draft,cancelled&currency=COP`)).toEqual(ids.slice(1, 4));
    expect(await numbers(`${own}&currency=USD`)).toEqual([]);
    const today = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
    expect(await numbers(`${own}&from=${today.toString()}`)).toEqual(ids.slice(0, 2));
    expect(await numbers(`${own}&to=${today.subtract({ days: 1 }).toString()}`)).toEqual(ids.slice(2));
    expect(await numbers('state=draft,approved,sent', [3])).toEqual(expect.arrayContaining(ids));
  });
});

describe('a merchant', () => {
  test('sees its own settlements and holds, and decides about none', async () => {
    const [shop, other] = [await openSettledShop(service), await openSettledShop(service)];
    for (const one of [shop, other]) await one.pay();
    const [own, foreign] = [await draftOf(shop), await draftOf(other)];
    const viewer = await manageCalls(service, { merchantId: shop.merchantId, permissions: [...ROLES.viewer.permissions] });
    const everything = await manageCalls(service, { merchantId: shop.merchantId });
    const listed = await walkPages<{ settlement: string }>(viewer, '/settlements', [10]);
    expect(listed.map(({ settlement }) => settlement)).toEqual([own]);
    expect((await viewer.get(at(shop, own))).status).toBe(200);
    for (const path of [at(other, foreign), at(shop, foreign), at(other, foreign, '/entries')])
      expect((await viewer.get(path)).status).toBe(404);
    expect((await viewer.get('/holds')).body['items']).toEqual([]);
    for (const [path, body] of [
      ['/settlements/approve', { settlements: [own] }],
      [at(shop, 'run'), { currency: 'COP' }],
      [at(shop, own, '/cancel'), { reason: 'r' }],
      [`/holds/${shop.merchantId}`, { amount: cop('1'), reason: 'r' }],
    ] as const)
      expect((await everything.send('POST', path, body)).status).toBe(403);
  });
});

describe('money that is held', () => {
  test('is in no settlement until it is released: by hand, or on its day in the zone of the merchant', async () => {
    const shop = await openSettledShop(service);
    await shop.pay();
    const place = (body: object, headers = {}) =>
      finance.send('POST', `/holds/${shop.merchantId}`, { reason: 'a dispute', ...body }, headers);
    const today = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
    const first = await place({ amount: cop('7025') }, { 'idempotency-key': 'H-1' });
    expect(first).toMatchObject({
      status: 201,
      body: { amount: cop('7025.00'), reason: 'a dispute', settlement: null, releaseOn: null, releasedAt: null },
    });
    expect((await place({ amount: cop('7025') }, { 'idempotency-key': 'H-1' })).text).toBe(first.text);
    const releaseOn = today.add({ days: 1 }).toString();
    expect(await place({ amount: cop('10000'), releaseOn })).toMatchObject({ status: 201, body: { releaseOn } });
    expect((await place({ amount: cop('80000.01') })).problem).toBe('collected_too_small');
    expect((await place({ amount: { amount: '1', currency: 'PEN' } })).problem).toBe('currency_not_allowed');
    expect((await place({ amount: cop('1'), releaseOn: '2026-02-30' })).problem).toBe('fields_invalid');
    expect(await shop.balances()).toMatchObject({ collected: 80_000_00n, held: 17_025_00n });
    const draft = await draftOf(shop);
    expect((await finance.get(at(shop, draft))).body).toMatchObject({ entries: 3, gross: cop('80000.00') });

    const id = String(first.body['hold']);
    const release = () => finance.send('POST', `/holds/${shop.merchantId}/${id}/release`, { reason: 'won' });
    for (const isRepeated of [false, true]) expect(await release()).toMatchObject({ status: 200, body: { hold: id, isRepeated } });
    expect((await finance.send('POST', `/holds/${shop.merchantId}/999999/release`, { reason: 'r' })).status).toBe(404);
    await service.runJobs();
    expect(await shop.balances()).toMatchObject({ held: 10_000_00n });
    service.clock.set(today.add({ days: 1 }).toZonedDateTime('America/Bogota').toInstant().subtract({ seconds: 1 }).toString());
    await service.runJobs();
    expect(await shop.balances()).toMatchObject({ held: 10_000_00n });
    service.clock.advance({ minutes: 2 });
    await service.runJobs();
    const { held, collected } = await shop.balances();
    expect([held, collected]).toEqual([undefined, 97_025_00n]);
    type Held = { readonly amount: { readonly amount: string } };
    const listed = (query: string) => walkPages<Held>(finance, `/holds?merchant=${shop.merchantId}${query}`, [1]);
    expect((await listed('')).map(({ amount }) => amount.amount)).toEqual(['10000.00', '7025.00']);
    expect([await listed('&released=false'), (await listed('&released=true')).length]).toEqual([[], 2]);
  });
});

test('no entry belongs to a settlement that was never made', async () => {
  const shop = await openSettledShop(service);
  await shop.pay();
  const client = await connectClient(connectionConfig(service.serviceUrl, 10_000));
  const take = `insert into settlement_entries select merchant_id, transaction_id, line, 999999 from ledger_entries where merchant_id = $1 and account = 'collected'`;
  await expect(client.query(take, [shop.merchantId])).rejects.toThrow('settlement_entries_settlement_fkey');
  await client.end();
});
