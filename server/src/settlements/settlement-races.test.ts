import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredStatements, type Db, type Tx } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import { ledgerChecks } from '../ledger/index.ts';
import type { Caudal } from '../main/rooms.ts';
import { findings } from '../testing/findings.ts';
import { freezeMerchant, thawMerchant } from '../merchants/change-merchant.ts';
import { showMerchant } from '../merchants/index.ts';
import { runAloneOnce } from '../requests/index.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { holdRows } from '../testing/held-rows.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { recordResults } from './bank-files/record-results.ts';
import { changeSettlement } from './change-settlement.ts';
import { placeHold } from './holds/change-holds.ts';
import { settlementChecks } from './index.ts';
import { runSettlement } from './run-settlement.ts';

/** A second server on the same database: between two processes only the database keeps order. */
let service: TestCaudal;
let other: Caudal;
beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
  other = await service.openAnother({ databaseConnections: 4 });
});
afterAll(async () => {
  await expectWhole();
  await other.close();
  await service.close();
});

const expectWhole = async (): Promise<void> => expect(await findings(service, [...settlementChecks, ...ledgerChecks])).toEqual([]);

const WAITING = {
  name: 'test.waiting_results',
  text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
};
const LOCK_COLLECTED = `select from ledger_balances where merchant_id = $1 and account = 'collected' for no key update`;

/** What a merchant collects of 100,000 pesos. */
const OF_ONE = 97_025_00n;
const each = <T>(n: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)));
/** The databases of the two servers, in turn. */
const dbOf = (index: number): Db => (index % 2 === 0 ? service : other).db;

test('of eight runs at once, at both servers, one has all that was collected, and the others nothing', async () => {
  const shop = await openSettledShop(service);
  for (let paid = 0; paid < 5; paid++) await shop.pay();
  service.clock.advance({ days: 1 });
  const command = { merchantId: shop.merchantId, currency: 'COP', until: undefined, dueOn: null };
  const runs = await each(8, (index) => runSettlement({ ...shop.deps, db: dbOf(index) }, command));
  expect(runs.filter((one) => isRefusal(one) && one.refusal === 'nothing_to_settle')).toHaveLength(7);
  expect(runs.flatMap((one) => ('settlement' in one ? [one.settlement.grossMinor] : []))).toEqual([5n * OF_ONE]);
});

test('payments that come while runs are made are in one of them, or free', async () => {
  const shop = await openSettledShop(service);
  await shop.pay();
  const until = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
  const command = { merchantId: shop.merchantId, currency: 'COP', until, dueOn: null };
  const settled: bigint[] = [];
  for (let round = 0; round < 5; round++) {
    service.clock.advance({ seconds: 1 });
    const [runs] = await Promise.all([
      each(4, (index) => runSettlement({ ...shop.deps, db: dbOf(index) }, command)),
      (async () => {
        for (let paid = 0; paid < 4; paid++) await shop.pay();
      })(),
    ]);
    settled.push(...runs.flatMap((one) => ('settlement' in one ? [one.settlement.grossMinor] : [])));
  }
  service.clock.advance({ hours: 2 });
  settled.push((await shop.run()).grossMinor);
  expect(settled.reduce((sum, one) => sum + one, 0n)).toBe(21n * OF_ONE);
  expect((await shop.balances())['collected']).toBe(21n * OF_ONE);
});

test('of eight approvals at once one posts, and the others are told that it was so before', async () => {
  const shop = await openSettledShop(service);
  await shop.pay();
  const { settlementId } = await shop.run();
  const { clock } = service;
  const approve = { merchantId: shop.merchantId, settlementId, step: { to: 'approved' } } as const;
  const approved = await each(8, (index) => changeSettlement({ db: dbOf(index), clock }, approve));
  expect(approved.filter((one) => 'isRepeated' in one && !one.isRepeated)).toHaveLength(1);
  expect(approved.filter(isRefusal)).toEqual([]);
  expect((await shop.balances())['settlements']).toBe(OF_ONE);
});

test('a merchant that is frozen while its approval waits is not paid; what was approved before was so before', async () => {
  const { clock } = service;
  const shop = await openSettledShop(service);
  const { merchantId } = shop;
  await shop.pay();
  const { settlementId } = await shop.run();
  const approve = () => changeSettlement({ db: other.db, clock }, { merchantId, settlementId, step: { to: 'approved' } });
  const letGo = await holdRows(service.url, 'select from settlements where merchant_id = $1 for update', [merchantId]);
  const approved = approve();
  await eventually(SOON_MS, async () => expect(await service.db.query(WAITING, [])).toHaveLength(1));
  await freezeMerchant(service, merchantId);
  await letGo();
  expect(await approved).toEqual({ refusal: 'merchant_frozen' });
  await thawMerchant(service, merchantId);
  expect(await approve()).toMatchObject({ isRepeated: false });
  await freezeMerchant(service, merchantId);
  expect(await approve()).toMatchObject({ settlement: { state: 'approved' }, isRepeated: true });
});

test('a freeze waits for an approval that has begun', async () => {
  const { clock } = service;
  const shop = await openSettledShop(service);
  const { merchantId } = shop;
  await shop.pay();
  const { settlementId } = await shop.run();
  const release = await holdRows(service.url, LOCK_COLLECTED, [merchantId]);
  const approved = changeSettlement({ db: other.db, clock }, { merchantId, settlementId, step: { to: 'approved' } });
  await eventually(SOON_MS, async () => expect(await service.db.query(WAITING, [])).toHaveLength(1));
  const frozen = freezeMerchant(service, merchantId);
  await eventually(SOON_MS, async () => expect(await service.db.query(WAITING, [])).toHaveLength(2));
  await release();
  expect(await approved).toMatchObject({ isRepeated: false });
  expect(await frozen).toBeUndefined();
});

test('an approval and a cancellation at once: one of them happens', async () => {
  const shop = await openSettledShop(service);
  const { clock } = service;
  for (let round = 0; round < 6; round++) {
    await shop.pay();
    const { settlementId } = await shop.run();
    const key = { merchantId: shop.merchantId, settlementId };
    const outcomes = await Promise.all([
      changeSettlement({ db: dbOf(round), clock }, { ...key, step: { to: 'approved' } }),
      changeSettlement({ db: dbOf(round + 1), clock }, { ...key, step: { to: 'cancelled' } }),
    ]);
    expect(outcomes.filter(isRefusal)).toHaveLength(1);
    await expectWhole();
  }
});

test('an approval and a hold of all that was collected at once: one of them is refused, and nothing falls below zero', async () => {
  const { clock } = service;
  const seen = new Set<string>();
  for (let round = 0; round < 16; round++) {
    const shop = await openSettledShop(service);
    const { merchantId } = shop;
    await shop.pay();
    const { settlementId } = await shop.run();
    const approve = () => changeSettlement({ db: service.db, clock }, { merchantId, settlementId, step: { to: 'approved' } });
    const command = { merchantId, currency: 'COP', amountMinor: OF_ONE, reason: 'a dispute', releaseOn: null };
    const hold = () => placeHold({ db: other.db, clock, runOnce: runAloneOnce }, command);
    // Before it locks anything a hold reads its merchant. So half of the approvals begin only then.
    const approved = round % 2 === 0 ? approve() : showMerchant(service, merchantId, clock.now()).then(approve);
    const outcomes = await Promise.all([approved, hold()]);
    expect(outcomes.filter(isRefusal)).toEqual([{ refusal: 'collected_too_small' }]);
    seen.add(isRefusal(outcomes[0]) ? 'held' : 'approved');
    expect((await shop.balances())['collected'] ?? 0n).toBe(0n);
    // What it would pay is gone: it is cancelled, and there is nothing left.
    if (isRefusal(outcomes[0])) expect(await shop.step({ settlementId }, { to: 'cancelled' })).toMatchObject({ isRepeated: false });
    await expect(shop.run()).rejects.toThrow('nothing_to_settle');
  }
  expect([...seen].toSorted(), 'neither of them always wins').toEqual(['approved', 'held']);
});

test('a refund that comes first: the draft is not approved, and there is nothing left to settle', async () => {
  const shop = await openSettledShop(service);
  const order = await shop.pay();
  service.clock.advance({ minutes: 1 });
  const draft = await shop.run();
  expect(await shop.refund(order)).toMatchObject({ status: 201 });
  expect(await shop.step(draft, { to: 'approved' })).toEqual({ refusal: 'collected_too_small' });
  expect(await shop.step(draft, { to: 'cancelled' })).toMatchObject({ isRepeated: false });
  await expect(shop.run()).rejects.toThrow('nothing_to_settle');
});

test('an approval that comes first, or at the same time: the refund is refused, or the approval is', async () => {
  const { clock } = service;
  for (let round = 0; round < 4; round++) {
    const shop = await openSettledShop(service);
    const order = await shop.pay();
    clock.advance({ minutes: 1 });
    const { settlementId } = await shop.run();
    const approve = { merchantId: shop.merchantId, settlementId, step: { to: 'approved' } } as const;
    const [approved, refunded] = await Promise.all([changeSettlement({ db: other.db, clock }, approve), shop.refund(order)]);
    const outcome = isRefusal(approved) ? approved.refusal : 'approved';
    expect([outcome, refunded.status]).toEqual(outcome === 'approved' ? ['approved', 409] : ['collected_too_small', 201]);
    expect((await shop.balances())['collected'] ?? 0n).toBe(0n);
  }
});

/** A database whose transactions end before their nth statement, as where the process is killed. */
const dyingDb = (db: Db, nth: number): Db => ({
  ...db,
  transaction: (work) => {
    let left = nth;
    const step = (): void => {
      if (--left === 0) throw new Error('killed');
    };
    return db.transaction((tx: Tx) =>
      work({
        ...tx,
        query: (...asked) => (step(), tx.query(...asked)) as never,
        send: (...sent) => (step(), tx.send(...sent)),
      }),
    );
  },
});

test('whatever is killed before whichever statement, nothing is half written, and the same again succeeds', async () => {
  const shop = await openSettledShop(service);
  for (let paid = 0; paid < 3; paid++) await shop.pay();
  const { clock } = service;
  clock.advance({ days: 1 });
  const { merchantId } = shop;
  const untilDone = async <T>(work: (db: Db) => Promise<T>): Promise<{ readonly done: T; readonly kills: number }> => {
    for (let nth = 1; ; nth++) {
      const before = await shop.balances();
      try {
        return { done: await work(dyingDb(shop.db, nth)), kills: nth - 1 };
      } catch (error) {
        expect(String(error)).toContain('killed');
        expect(await shop.balances()).toEqual(before);
        await expectWhole();
      }
    }
  };
  const run = await untilDone((db) => runSettlement({ ...shop.deps, db }, { merchantId, currency: 'COP', until: undefined, dueOn: null }));
  expect(run.kills).toBeGreaterThan(4);
  if (isRefusal(run.done)) throw new Error(run.done.refusal);
  const { settlementId } = run.done.settlement;
  const killed: Record<string, number> = {};
  for (const step of [
    { to: 'approved' },
    { to: 'sent', fileId: null },
    { to: 'paid', bankReference: 'B-1' },
    { to: 'returned', problem: 'closed' },
  ] as const) {
    const { done, kills } = await untilDone((db) => changeSettlement({ db, clock }, { merchantId, settlementId, step }));
    expect(done).toMatchObject({ settlement: { state: step.to }, isRepeated: false });
    killed[step.to] = kills;
  }
  // So many statements has each step: of one that moves no money, its lock and its change.
  expect(killed).toEqual({ approved: 6, sent: 2, paid: 4, returned: 5 });
  expect((await shop.balances())['collected']).toBe(3n * OF_ONE);
  const draft = await shop.run();
  await untilDone((db) => changeSettlement({ db, clock }, { merchantId, settlementId: draft.settlementId, step: { to: 'cancelled' } }));
  expect(await shop.run()).toMatchObject({ entries: 1, grossMinor: 3n * OF_ONE });
});

test('results lock balances in one order, whatever that of their lines is', async () => {
  const shops = [await openSettledShop(service), await openSettledShop(service)].toSorted((one, other) =>
    one.merchantId < other.merchantId ? -1 : 1,
  );
  const lines: string[] = [];
  for (const shop of shops) {
    await shop.pay();
    const settlement = await shop.run();
    await shop.step(settlement, { to: 'approved' });
    await shop.step(settlement, { to: 'sent', fileId: null });
    lines.unshift(`${settlement.settlementId},returned,closed`);
  }
  const [first, second] = shops.map(({ merchantId }) => merchantId);
  const release = await holdRows(service.url, LOCK_COLLECTED, [first]);
  const recorded = recordResults(service, ['settlement,result,reason', ...lines].join('\n'));
  await eventually(SOON_MS, async () => expect(await service.db.query(WAITING, [])).toHaveLength(1));
  await holdRows(service.url, `${LOCK_COLLECTED} nowait`, [second]).then((end) => end());
  await release();
  expect(await recorded).toMatchObject({ isRecorded: true });
  for (const shop of shops) expect(await shop.balances()).toMatchObject({ collected: OF_ONE });
});

test('a schedule is set while a top-up of the same fund waits', async () => {
  const { owner, merchantId } = await openSettledShop(service);
  expect(await owner.send('PUT', '/calendars/colombia', {})).toMatchObject({ status: 200 });
  const { text } = declaredStatements().find(({ name }) => name === 'ledger.take_turn_to_top_up') as { readonly text: string };
  await holdRows(service.url, text, [merchantId, 'COP']);
  const account = { bankCode: '1051', bankName: 'Banco', type: 'savings', number: '0047001234', holderName: 'Panadería Ñandú' };
  const holder = { holderDocumentType: 'NIT', holderDocument: '900123456' };
  const schedule = { period: 'daily', calendar: 'colombia', account: { ...account, ...holder } };
  expect(await owner.send('PATCH', `/settlement-schedules/${merchantId}/COP`, schedule)).toMatchObject({ status: 200 });
});
