import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LockTimeout, statement, Unavailable, type Db } from '../../kit/db.ts';
import { HOME } from '../../kit/per-cell.ts';
import { openSettledShop } from '../../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { draftDue } from './draft-due.job.ts';
import { settledAt } from './due-days.ts';
import { listToLookAt } from './schedule-rows.ts';

// What schedules draft, in a service of two databases. The clock begins on a Saturday at ten.

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal({ cells: 1 })));
afterAll(() => service.close());

type Shop = Awaited<ReturnType<typeof openSettledShop>>;

const ACCOUNT = {
  bankCode: '1007',
  bankName: 'Banco Ejemplo',
  type: 'savings',
  number: '04512345678',
  holderName: 'Tienda Ejemplo SAS',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
};
const DAILY = { period: 'daily', calendar: 'colombia', account: ACCOUNT };

async function set(shop: Shop, change: object): Promise<void> {
  const path = `/settlement-schedules/${shop.merchantId}/COP`;
  expect(await shop.owner.send('PATCH', path, change)).toMatchObject({ status: 200 });
}
const scheduleOf = async ({ owner, merchantId }: Shop) => (await owner.get(`/settlement-schedules/${merchantId}/COP`)).body;

const DRAFTS = statement(
  'test.drafts_of_merchant',
  `select due_on::text as "dueOn", settled_on::text as "settledOn", entries, gross_minor as "grossMinor", net_minor as "netMinor"
     from settlements where merchant_id = $1 order by due_on`,
);
const draftsOf = ({ db, merchantId }: Shop) =>
  db.query<{ dueOn: string; settledOn: string; entries: number; grossMinor: bigint; netMinor: bigint }>(DRAFTS, [merchantId]);

/** Moves the clock to a time of day in the zone of the merchants. */
const goTo = (day: string, time: string): void =>
  service.clock.set(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime('America/Bogota').toInstant().toString());
const jobsOf = () => service.jobs.filter(({ name }) => name === 'settlements.draft_due');
/** A round of the job in each cell. */
const runRound = async (): Promise<void> => {
  service.clock.advance({ seconds: 60 });
  for (const job of jobsOf()) while (await job.step());
};

/** What the merchant collects of 100,000 pesos. */
const OF_ONE = 97_025_00n;

/** The first Saturday of a week of its own. */
let saturday: string;
let weeks = 0;
beforeEach(async () => {
  saturday = Temporal.PlainDate.from('2026-11-21').add({ weeks: weeks++ }).toString();
  goTo(saturday, '10:00');
  const { owner } = await openSettledShop(service);
  await owner.send('PUT', '/calendars/colombia', {});
});
const dayAfter = (days: number): string => Temporal.PlainDate.from(saturday).add({ days }).toString();

describe('a schedule', () => {
  test.each([HOME, 1])('in cell %s has its draft an hour after its day begins, once, however often it is looked at', async (cell) => {
    const shop = await openSettledShop(service, { cell });
    await set(shop, DAILY);
    await shop.pay();
    goTo(dayAfter(1), '12:00');
    await shop.pay();
    goTo(dayAfter(2), '00:30');
    await shop.pay();
    await runRound();
    expect(await draftsOf(shop)).toEqual([]);
    expect(await scheduleOf(shop)).toMatchObject({ nextDue: dayAfter(2), lastRun: null });
    goTo(dayAfter(2), '01:00');
    for (let round = 0; round < 3; round++) await runRound();
    // A Monday has what was paid on the weekend.
    const draft = { dueOn: dayAfter(2), settledOn: dayAfter(2), entries: 2, grossMinor: 2n * OF_ONE, netMinor: 2n * OF_ONE };
    expect(await draftsOf(shop)).toEqual([draft]);
    expect(await scheduleOf(shop)).toMatchObject({
      nextDue: dayAfter(3),
      lastRun: { due: dayAfter(2), outcome: 'drafted', settlement: expect.stringMatching(/^[0-9]+$/) },
    });
  });

  test('that several servers look at at once has one draft', async () => {
    const shop = await openSettledShop(service);
    await set(shop, DAILY);
    await shop.pay();
    goTo(dayAfter(2), '01:00');
    const { clock, log } = service;
    const jobs = Array.from({ length: 4 }, () => draftDue({ db: shop.db, home: service.db, clock, log }));
    await Promise.all(jobs.map((job) => job.step()));
    expect(await draftsOf(shop)).toHaveLength(1);
    expect(await scheduleOf(shop)).toMatchObject({ lastRun: { outcome: 'drafted' } });
  });

  test('whose draft was made before a server died says so in the next round', async () => {
    const shop = await openSettledShop(service);
    await set(shop, DAILY);
    await shop.pay();
    goTo(dayAfter(2), '01:00');
    const dying: Db = {
      ...shop.db,
      query: async (what, values) => {
        if (what.name === 'settlements.mark_run' && values[0] === shop.merchantId) throw new Unavailable('killed');
        return shop.db.query(what, values);
      },
    };
    const { clock, log } = service;
    await expect(draftDue({ db: dying, home: service.db, clock, log }).step()).rejects.toThrow('killed');
    expect(await scheduleOf(shop)).toMatchObject({ lastRun: null });
    await shop.pay();
    await runRound();
    expect(await draftsOf(shop)).toMatchObject([{ entries: 1 }]);
    expect(await scheduleOf(shop)).toMatchObject({ lastRun: { outcome: 'drafted' } });
  });

  test('for which nobody was there has one draft for all the days, of the last of them', async () => {
    const shop = await openSettledShop(service);
    await set(shop, DAILY);
    await shop.pay();
    goTo(dayAfter(3), '12:00');
    await shop.pay();
    goTo(dayAfter(5), '09:00');
    await runRound();
    expect(await draftsOf(shop)).toMatchObject([{ dueOn: dayAfter(5), entries: 2 }]);
  });
});

describe('a round', () => {
  test('looks at what is due alone, and reads holidays once', async () => {
    const shops: Shop[] = [];
    for (let made = 0; made < 6; made++) shops.push(await openSettledShop(service));
    for (const shop of shops) await set(shop, DAILY);
    const asked: string[] = [];
    const counting: Db = { ...service.db, query: (what, values) => (asked.push(what.name), service.db.query(what, values)) };
    const { clock, log, db } = service;
    const round = async (): Promise<void> => {
      const job = draftDue({ db: counting, home: counting, clock, log });
      while (await job.step());
    };
    const lookedAt = async () => {
      const schedules = await listToLookAt({ db }, { at: settledAt(clock.now()), after: undefined, limit: 1_000 });
      return schedules.filter(({ merchantId }) => shops.some((shop) => shop.merchantId === merchantId)).length;
    };
    goTo(dayAfter(2), '00:59');
    await round();
    expect(await lookedAt()).toBe(0);
    asked.length = 0;
    goTo(dayAfter(2), '01:00');
    expect(await lookedAt()).toBe(6);
    await round();
    expect(asked.filter((name) => name === 'settlements.schedules_to_look_at').length).toBeGreaterThan(1);
    expect(asked.filter((name) => name === 'settlements.read_holidays')).toHaveLength(1);
    expect(await lookedAt()).toBe(0);
  });

  test.each([
    ['is wrong', new Error('nobody has thought of this')],
    ['waits for a lock too long', new LockTimeout('somebody holds it')],
  ])('in which something %s for one merchant drafts what is due for others', async (_what, error) => {
    const shops = [await openSettledShop(service), await openSettledShop(service)];
    const [failing, other] = shops.toSorted((one, two) => (one.merchantId < two.merchantId ? -1 : 1)) as [Shop, Shop];
    for (const shop of shops) {
      await set(shop, DAILY);
      await shop.pay();
    }
    goTo(dayAfter(4), '01:00');
    const { clock, log } = service;
    const db: Db = {
      ...service.db,
      query: (what, values) => {
        if (what.name === 'settlements.mark_run' && values[0] === failing.merchantId) throw error;
        return service.db.query(what, values);
      },
    };
    const job = draftDue({ db, home: service.db, clock, log });
    while (await job.step());
    expect(await scheduleOf(other)).toMatchObject({ lastRun: { outcome: 'drafted' } });
    expect(await scheduleOf(failing)).toMatchObject({ lastRun: null });
    await runRound();
    expect(await scheduleOf(failing)).toMatchObject({ lastRun: { outcome: 'drafted' } });
  });
});

describe('no draft is made, and the schedule says why', () => {
  test('where nothing was collected, and where less is left than its minimum: that stays for the next one', async () => {
    const shop = await openSettledShop(service);
    await set(shop, { ...DAILY, minimum: '150000' });
    goTo(dayAfter(2), '01:00');
    await runRound();
    expect(await scheduleOf(shop)).toMatchObject({ lastRun: { due: dayAfter(2), outcome: 'nothing_to_settle', settlement: null } });
    await shop.pay();
    goTo(dayAfter(3), '01:00');
    await runRound();
    expect(await scheduleOf(shop)).toMatchObject({ lastRun: { due: dayAfter(3), outcome: 'below_minimum', settlement: null } });
    await shop.pay();
    goTo(dayAfter(4), '01:00');
    await runRound();
    expect(await draftsOf(shop)).toMatchObject([{ dueOn: dayAfter(4), entries: 2 }]);
  });

  test('where rules leave nothing; the lines of another one are what they leave', async () => {
    const shop = await openSettledShop(service, { cell: 1 });
    const rule = { currency: 'COP', since: saturday, merchant: shop.merchantId };
    const add = (given: object) => shop.owner.send('POST', '/settlement-rules', { ...rule, ...given });
    expect(await add({ name: 'all', kind: 'fee', base: 'collected', percent: '100', until: dayAfter(1) })).toMatchObject({ status: 201 });
    expect(await add({ name: 'tax', kind: 'transfer_tax', base: 'payout', percent: '0.4' })).toMatchObject({ status: 201 });
    await set(shop, { ...DAILY, reservePercent: '10', reserveDays: 30 });
    await shop.pay();
    goTo(dayAfter(2), '01:00');
    await runRound();
    expect(await scheduleOf(shop)).toMatchObject({ lastRun: { outcome: 'deductions_too_large', settlement: null } });
    await shop.pay('10000000');
    goTo(dayAfter(3), '01:00');
    await runRound();
    const grossMinor = 101n * OF_ONE;
    const left = grossMinor - OF_ONE - grossMinor / 10n;
    expect(await draftsOf(shop)).toMatchObject([{ grossMinor, netMinor: left - (left * 4n + 500n) / 1000n }]);
  });

  test('where its calendar does not cover the days: once it does, what was due is drafted', async () => {
    const { year } = Temporal.PlainDate.from(saturday);
    goTo(`${year}-12-29`, '10:00');
    const shop = await openSettledShop(service);
    const load = (of: number) => shop.owner.send('PUT', '/calendars/short', { csv: `day,name\n${of}-12-25,Navidad` });
    await load(year);
    await set(shop, { ...DAILY, calendar: 'short' });
    await shop.pay();
    goTo(`${year + 1}-01-05`, '10:00');
    await shop.pay();
    await runRound();
    const first = await draftsOf(shop);
    expect(first).toMatchObject([{ dueOn: `${year}-12-31`, entries: 1 }]);
    await runRound();
    expect(await scheduleOf(shop)).toMatchObject({ nextDue: null, problem: 'calendar_year_missing', lastRun: { due: `${year}-12-31` } });
    await load(year + 1);
    goTo(`${year + 1}-01-06`, '10:00');
    await runRound();
    expect(await draftsOf(shop)).toMatchObject([first[0], { dueOn: `${year + 1}-01-06`, entries: 1 }]);
    expect(await scheduleOf(shop)).toMatchObject({ problem: null, lastRun: { due: `${year + 1}-01-06`, outcome: 'drafted' } });
  });
});
