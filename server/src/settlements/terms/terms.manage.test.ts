import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOME } from '../../kit/per-cell.ts';
import { ROLES } from '../../manage/index.ts';
import { manageCalls, walkPages, type ManageCalls } from '../../testing/manage-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { readTerms } from './read-terms.ts';
import { addRule } from './rule-rows.ts';

let service: TestCaudal;
let owner: ManageCalls;
beforeAll(async () => {
  service = await startTestCaudal({ cells: 1 });
  owner = await manageCalls(service, { name: 'owner' });
  expect(await owner.send('PUT', '/calendars/colombia', {})).toMatchObject({ status: 200 });
});
afterAll(() => service.close());

const shopIn = async (cell: number = HOME): Promise<string> => (await service.merchant({ cell })).merchantId;
/** Somebody of a merchant, who may see what is the merchant's. */
const viewerOf = (merchantId: string): Promise<ManageCalls> =>
  manageCalls(service, { name: 'viewer', merchantId, permissions: [...ROLES.viewer.permissions] });

type Acts = readonly { readonly operation: string; readonly target: string; readonly details: Record<string, unknown> }[];
const newestAct = async (merchant?: string, operation?: string) => {
  const filter = `${merchant === undefined ? '' : `&merchant=${merchant}`}${operation === undefined ? '' : `&operation=${operation}`}`;
  const { body } = await owner.get(`/audit?limit=1${filter}`);
  return (body['items'] as unknown as Acts)[0];
};

const load = (name: string, lines: readonly string[]) => owner.send('PUT', `/calendars/${name}`, { csv: lines.join('\n') });
const inList = async (name: string) =>
  (await walkPages<{ readonly calendar: string }>(owner, '/calendars', [1, 2])).find(({ calendar }) => calendar === name);

describe('a calendar', () => {
  test('that comes with the program covers three years; the list shows it', async () => {
    expect(await inList('colombia')).toEqual({ calendar: 'colombia', years: [2026, 2027, 2028], holidays: 54 });
    expect(await owner.send('PUT', '/calendars/mars', {})).toMatchObject({ status: 422, problem: 'calendar_not_shipped' });
  });

  test('takes a file as a spreadsheet saves it; a year of the file replaces that year, and others stay', async () => {
    const csv = '\u{feff}day;name\r\n2026-12-25;Navidad\r\n2027-01-01;"Año ""Nuevo"""\r\n\r\n';
    expect(await owner.send('PUT', '/calendars/two', { csv })).toMatchObject({ status: 200, body: { years: [2026, 2027], holidays: 2 } });
    expect(await load('two', ['day,name', '2027-05-01,Trabajo', '2028-05-01,Trabajo'])).toMatchObject({
      body: { years: [2026, 2027, 2028], holidays: 3 },
    });
    expect(await newestAct(undefined, 'loadCalendar')).toMatchObject({
      target: 'calendar two',
      details: {
        changes: {
          years: [
            [2026, 2027],
            [2026, 2027, 2028],
          ],
          holidays: [2, 3],
        },
      },
    });
  });

  test.each([
    ['holidays_not_csv', ['2026-12-25,Navidad'], undefined],
    ['holidays_not_csv', ['day,name', '2026-12-25'], 'line 2: 2026-12-25'],
    ['holidays_not_csv', ['day,name', '', '2026-12-25,"Navidad'], 'line 3: 2026-12-25,"Navidad'],
    ['holidays_empty', ['day,name', ''], undefined],
    ['holiday_not_a_day', ['day,name', '2026-12-24,Nochebuena', '25/12/2026,Navidad'], 'line 3: 25/12/2026'],
    ['holiday_not_a_day', ['day,name', '2026-02-30,Nada'], 'line 2: 2026-02-30'],
    ['holiday_not_a_day', ['day,name', '9999-02-20,Nada'], 'line 2: 9999-02-20'],
    ['holiday_twice', ['day,name', '2026-12-25,Navidad', '2026-12-25,Navidad'], 'line 3: 2026-12-25'],
    ['holiday_name_invalid', ['day,name', `2026-12-25,${'x'.repeat(101)}`], /^line 2/],
    ['holidays_too_many', ['day,name', ...Array.from({ length: 2001 }, () => '2026-12-25,x')], undefined],
  ])('is not changed by a file with a fault: %s', async (problem, lines, detail) => {
    await load('kept', ['day,name', '2026-12-25,Navidad']);
    const refused = await load('kept', lines);
    expect(refused).toMatchObject({ status: 422, problem });
    if (detail !== undefined) expect(refused.body['detail']).toEqual(expect.stringMatching(detail));
    expect(await inList('kept')).toEqual({ calendar: 'kept', years: [2026], holidays: 1 });
  });

  test('is loaded by who may change settlements alone, and seen by no merchant', async () => {
    const viewer = await viewerOf(await shopIn());
    expect(await viewer.get('/calendars')).toMatchObject({ status: 403 });
    const auditor = await manageCalls(service, { permissions: [...ROLES.auditor.permissions] });
    expect(await auditor.send('PUT', '/calendars/colombia', {})).toMatchObject({ status: 403 });
  });
});

const ACCOUNT = {
  bankCode: '1007',
  bankName: 'Banco Ejemplo',
  type: 'savings',
  number: '04512345678',
  holderName: 'Tienda Ejemplo SAS',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
};
const WEEKLY = { period: 'weekly', weekday: 'friday', calendar: 'colombia', account: ACCOUNT };

const at = (merchant: string, currency = 'COP'): string => `/settlement-schedules/${merchant}/${currency}`;
const set = (merchant: string, change: object, currency?: string) => owner.send('PATCH', at(merchant, currency), change);

describe('a schedule', () => {
  test.each([HOME, 1])('of a merchant in cell %s is set, changed in part, shown and listed; each change is an act', async (cell) => {
    const shop = await shopIn(cell);
    expect(await owner.get(at(shop))).toMatchObject({ status: 404 });
    const first = await set(shop, WEEKLY);
    // The 21st is a Saturday.
    expect(first).toMatchObject({
      status: 200,
      body: {
        merchant: shop,
        currency: 'COP',
        ...WEEKLY,
        monthDay: null,
        delayDays: 1,
        minimum: '0.00',
        reservePercent: '0',
        reserveDays: 0,
        nextDue: '2026-11-27',
        problem: null,
        lastRun: null,
      },
    });
    const changed = await set(shop, { period: 'monthly', monthDay: 8, minimum: '50000', reservePercent: '5', reserveDays: 90 });
    // The 8th of December is a holiday.
    expect(changed.body).toMatchObject({ weekday: null, monthDay: 8, minimum: '50000.00', reserveDays: 90, account: ACCOUNT });
    expect(changed.body).toMatchObject({ reservePercent: '5', nextDue: '2026-12-09' });
    expect(await newestAct(shop)).toMatchObject({
      operation: 'setSettlementSchedule',
      target: `merchant ${shop}`,
      details: { changes: { period: ['weekly', 'monthly'], weekday: [5, null], minimumMinor: ['0', '5000000'], reserveDays: [0, 90] } },
    });
    expect((await owner.get(at(shop))).body).toEqual(changed.body);
    expect(await walkPages(owner, `/settlement-schedules?merchant=${shop}`, [1])).toEqual([changed.body]);
    expect(await readTerms({ db: service.cells.of(cell).db, home: service.db }, { merchantId: shop, currency: 'COP' })).toMatchObject({
      reservePpm: 50_000,
      reserveDays: 90,
      minimumMinor: 5_000_000n,
    });
  });

  test('shows the account number whole to who may change it, and its last digits to others', async () => {
    const shop = await shopIn(1);
    await set(shop, WEEKLY);
    const numberFor = async (calls: ManageCalls) => ((await calls.get(at(shop))).body as unknown as { account: object }).account;
    expect(await numberFor(owner)).toMatchObject({ number: '04512345678' });
    for (const calls of [await viewerOf(shop), await manageCalls(service, { permissions: [...ROLES.auditor.permissions] })])
      expect(await numberFor(calls)).toEqual({ ...ACCOUNT, number: '*******5678' });
    const viewer = await viewerOf(shop);
    expect(await viewer.send('PATCH', at(shop), { delayDays: 2 })).toMatchObject({ status: 403 });
    expect(await viewer.get(at(await shopIn()))).toMatchObject({ status: 404 });
    expect(await walkPages(viewer, '/settlement-schedules', [200])).toMatchObject([{ merchant: shop }]);
  });

  test.each([
    ['schedule_incomplete', { period: 'daily', calendar: 'colombia' }],
    ['schedule_incomplete', { calendar: 'colombia', account: ACCOUNT }],
    ['schedule_incomplete', {}],
    ['period_invalid', { ...WEEKLY, weekday: undefined }],
    ['period_invalid', { ...WEEKLY, monthDay: 3 }],
    ['period_invalid', { ...WEEKLY, period: 'daily' }],
    ['period_invalid', { ...WEEKLY, period: undefined }],
    ['reserve_incomplete', { ...WEEKLY, reservePercent: '5' }],
    ['reserve_incomplete', { ...WEEKLY, reserveDays: 5 }],
    ['calendar_unknown', { ...WEEKLY, calendar: 'mars' }],
    ['account_number_invalid', { ...WEEKLY, account: { ...ACCOUNT, number: '045-123 45678' } }],
    ['account_number_invalid', { ...WEEKLY, account: { ...ACCOUNT, number: '123' } }],
    ['fields_invalid', { ...WEEKLY, account: { ...ACCOUNT, bankCode: '' } }],
    ['fields_invalid', { ...WEEKLY, account: { ...ACCOUNT, holderName: ' ' } }],
    ['fields_invalid', { ...WEEKLY, delayDays: 0 }],
    ['fields_invalid', { ...WEEKLY, minimum: '1.001' }],
    ['fields_invalid', { ...WEEKLY, reservePercent: '101', reserveDays: 1 }],
  ])('that is wrong is refused, and nothing is set: %s', async (problem, change) => {
    const shop = await shopIn();
    expect(await set(shop, change)).toMatchObject({ status: 422, problem });
    expect(await owner.get(at(shop))).toMatchObject({ status: 404 });
  });

  test('is refused for what is no merchant, and in a currency that is not its own', async () => {
    expect(await set('nobody', WEEKLY)).toMatchObject({ status: 404 });
    expect(await set(await shopIn(), WEEKLY, 'PEN')).toMatchObject({ status: 422, problem: 'currency_not_allowed' });
  });

  test('is refused where its calendar ends before the next payment, and says so where it has ended since', async () => {
    await owner.send('PUT', '/calendars/short', { csv: 'day,name\n2026-12-25,Navidad' });
    const shop = await shopIn();
    const monthly = { ...WEEKLY, weekday: undefined, period: 'monthly', monthDay: 20, calendar: 'short' };
    expect((await set(shop, monthly)).body).toMatchObject({ nextDue: '2026-12-21', problem: null });
    const late = { ...monthly, monthDay: 27, period: 'monthly' };
    expect((await set(shop, late)).body).toMatchObject({ nextDue: '2026-11-27' });
    await owner.send('PUT', '/calendars/past', { csv: 'day,name\n2025-12-25,Navidad' });
    expect(await set(shop, { calendar: 'past' })).toMatchObject({ status: 409, problem: 'calendar_year_missing' });
    expect(await set(shop, { period: 'on_demand', calendar: 'past' })).toMatchObject({
      status: 200,
      body: { nextDue: null, problem: null },
    });
  });

  test('that two set at once for the first time is set by one after the other', async () => {
    const shop = await shopIn();
    const both = await Promise.all([set(shop, WEEKLY), set(shop, { ...WEEKLY, weekday: 'monday' })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await owner.get(`/audit?merchant=${shop}&operation=setSettlementSchedule`);
    const changes = (body['items'] as unknown as Acts).map(({ details }) => (details['changes'] as Record<string, unknown>)['weekday']);
    expect(changes).toHaveLength(2);
    expect(changes.filter((one) => (one as readonly unknown[])[0] === null)).toHaveLength(1);
  });
});

const RULE = { name: 'rete-fuente', kind: 'withholding', base: 'payments', currency: 'COP', percent: '1.5', since: '2026-12-01' };
const add = (rule: object) => owner.send('POST', '/settlement-rules', { ...RULE, ...rule });
const end = (rule: unknown, until: string) => owner.send('POST', `/settlement-rules/${String(rule)}/end`, { until });
const rulesOf = async (merchant: string, calls = owner) =>
  (
    await walkPages<{ readonly name: string; readonly merchant: string | null }>(calls, `/settlement-rules?merchant=${merchant}`, [1, 2])
  ).map(({ name, merchant: of }) => [name, of]);

describe('a rule', () => {
  test.each([HOME, 1])('is of all merchants, or of one, in cell %s: its list has both, and so have its terms', async (cell) => {
    const [name, shop, other] = [`both-${cell}`, await shopIn(cell), await shopIn(cell)];
    const general = await add({ name, source: 'cashpoint' });
    expect(general).toMatchObject({
      status: 201,
      body: { ...RULE, name, merchant: null, source: 'cashpoint', fixed: '0.00', taxPercent: '0', until: null },
    });
    const own = await add({ name, merchant: shop, percent: '0', until: '2026-12-31' });
    expect(own).toMatchObject({ status: 201, body: { merchant: shop, percent: '0', until: '2026-12-31' } });
    expect(await newestAct(shop)).toMatchObject({
      operation: 'addSettlementRule',
      target: `rule ${name}`,
      details: { changes: { name: [null, name], ratePpm: [null, 0] } },
    });
    const named = (all: readonly (readonly unknown[])[]) => all.filter(([one]) => one === name);
    expect(named(await rulesOf(shop))).toEqual([
      [name, null],
      [name, shop],
    ]);
    expect(named(await rulesOf(shop, await viewerOf(shop)))).toHaveLength(2);
    expect(named(await rulesOf(other))).toEqual([[name, null]]);
    const { rules } = await readTerms({ db: service.cells.of(cell).db, home: service.db }, { merchantId: shop, currency: 'COP' });
    expect(rules.filter((one) => one.name === name).map(({ merchantId, ratePpm }) => [merchantId, ratePpm])).toEqual([
      [shop, 0],
      [null, 15_000],
    ]);
    expect(await end(own.body['rule'], '2026-12-15')).toMatchObject({ status: 200, body: { until: '2026-12-15' } });
    expect(await newestAct(shop, 'endSettlementRule')).toMatchObject({ details: { changes: { until: ['2026-12-31', '2026-12-15'] } } });
  });

  test('of one name there is one at a time; a day later, of another currency, or of a merchant, there may be', async () => {
    const shop = await shopIn();
    const [name, since, until] = ['in-turn', '2026-12-01', '2026-12-31'];
    const first = (await add({ name, since, until })).body['rule'];
    for (const days of [{ since: '2026-12-31' }, { since: '2026-11-01', until: since }, { since: '2026-11-01' }, { since, until: since }])
      expect(await add({ name, ...days })).toMatchObject({ status: 409, problem: 'rule_overlaps' });
    for (const other of [{ since: '2027-01-01' }, { since, currency: 'USD' }, { since, merchant: shop }, { since, until: '2026-11-30' }])
      expect([other, await add({ name, ...other })]).toMatchObject([other, { status: other.until === undefined ? 201 : 422 }]);
    expect(await end(first, '2027-01-01')).toMatchObject({ status: 409, problem: 'rule_overlaps' });
    expect(await end(first, '2026-11-29')).toMatchObject({ status: 422, problem: 'rule_ends_early' });
    // Withdrawn, it leaves its days to another.
    expect(await end(first, '2026-11-30')).toMatchObject({ status: 200 });
    expect(await add({ name, since, until })).toMatchObject({ status: 201 });
  });

  test('that two servers add at once is added by one of them', async () => {
    const other = await service.openAnother();
    const since = Temporal.PlainDate.from('2026-12-01');
    const terms = {
      merchantId: null,
      kind: 'fee',
      base: 'payout',
      source: null,
      currency: 'COP',
      ratePpm: 1,
      fixedMinor: 0n,
      taxPpm: 0,
    } as const;
    for (let race = 0; race < 10; race++) {
      const rule = { ...terms, name: `raced-${race}`, since, until: null };
      const both = await Promise.all([service.db, other.db].map((db) => addRule({ db, clock: service.clock }, rule)));
      expect(both.filter((one) => 'refusal' in one)).toEqual([{ refusal: 'rule_overlaps' }]);
    }
    await other.close();
  });

  test.each([
    ['fields_invalid', { since: undefined }],
    ['fields_invalid', { since: '2026-02-30' }],
    ['fields_invalid', { name: 'Rete Fuente' }],
    ['fields_invalid', { percent: '100.1' }],
    ['fields_invalid', { fixed: '1.001' }],
    ['fields_invalid', { currency: 'XXX', fixed: '1' }],
    ['fields_invalid', { kind: 'reserve' }],
    ['tax_not_of_kind', { taxPercent: '19' }],
    ['source_not_of_base', { base: 'payout', source: 'cashpoint' }],
    ['rule_ends_early', { until: '2026-11-30' }],
    ['merchant_unknown', { merchant: 'nobody' }],
  ])('that is wrong is refused: %s', async (problem, rule) => {
    expect(await add({ name: 'wrong', ...rule })).toMatchObject({ status: 422, problem });
  });

  test('of a merchant is in one of its currencies', async () => {
    expect(await add({ merchant: await shopIn(1), currency: 'PEN' })).toMatchObject({ status: 422, problem: 'currency_not_allowed' });
  });

  test('that does not exist is not ended, and who may only read ends and adds none', async () => {
    for (const rule of ['999999', '1099511627999']) expect(await end(rule, '2026-12-01')).toMatchObject({ status: 404 });
    const viewer = await viewerOf(await shopIn());
    expect(await viewer.send('POST', '/settlement-rules', RULE)).toMatchObject({ status: 403 });
  });
});
