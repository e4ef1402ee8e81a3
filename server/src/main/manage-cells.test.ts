import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionConfig } from '../kit/db.ts';
import { FORMATS } from '../exports/formats.ts';
import { firstIdOf, HOME } from '../kit/per-cell.ts';
import { MOST_OF_EACH } from '../kit/lists/walks.ts';
import * as fc from '../testing/fast-check.ts';
import { manageCalls, walkPages, type ManageCalls } from '../testing/manage-calls.ts';
import { withDatabase } from '../testing/names.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { managementOperations } from './manage.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// A service of three databases answers as one of a single database does that has the same rows: the model.

const CELLS = [HOME, 1, 2];
/** The merchants of the cells in turn, so that each list has rows of all cells beside each other. */
const MERCHANTS = ['a-shop', 'b-shop', 'c-shop', 'd-shop', 'e-shop', 'f-shop'];
const cellOfMerchant = (merchant: string): number => MERCHANTS.indexOf(merchant) % CELLS.length;
/** Two of the merchants have far more than a walk reads: where few rows pass a filter, it stops in their cells, and goes on in the others. */
const ROWS = 8 * MOST_OF_EACH;
const NOW = Temporal.Instant.from('2026-11-21T15:00:00Z');

type Row = Readonly<Record<string, unknown>> & { readonly merchant_id: string | null };

/** `n` draws a value of a row. Few instants, amounts and states: many rows are equal in what orders them. */
const drawn = <T>(choices: readonly T[], n: number): T => choices[n % choices.length] as T;
const at = (hours: number): string => NOW.subtract({ hours }).toString();
const merchantOf = (n: number): string => drawn(n % 5 < 4 ? MERCHANTS.slice(0, 2) : MERCHANTS, n * 7 + Math.floor(n / 11));
const idOf = (merchant: string, n: number): string => (firstIdOf(cellOfMerchant(merchant)) + BigInt(n)).toString();

function ordersOf(n: number): Row {
  const merchant = merchantOf(n);
  const created = at(24 + ((n * 53) % 400));
  return {
    merchant_id: merchant,
    order_id: `o-${n}`,
    service_order_id: idOf(merchant, n),
    state: drawn(['pending', 'approved', 'cancelled', 'approved', 'voided'], n * 3),
    version: 1,
    email: `p${(n * 13) % 700}@example.com`,
    country: '343',
    currency: drawn(['COP', 'USD'], n * 17),
    amount_minor: 1_000 + ((n * 7_919) % 5_000),
    reference: String(900_000 + n),
    method: '',
    description: drawn([null, 'plain', 'in "two"\nlines; with, separators', '=1+1'], n * 7),
    recurrent: n % 2 === 0,
    expires_on: '2027-01-01',
    created_at: created,
    updated_at: at((n * 59) % 20),
    payments: 0,
    payments_given_back: 0,
  };
}

const paymentsOf = (n: number): Row => ({
  merchant_id: merchantOf(n),
  order_id: `o-${n}`,
  payment_number: 1,
  source: drawn(['network:cash', 'network:bank'], n),
  transaction_id: `T-${n}`,
  po_id: `o-${n}`,
  state: 'paid',
  amount_minor: 1_000 + n,
  currency: 'COP',
  fee_minor: 0,
  tax_minor: 0,
  paid_at: at(n % 70),
  refunded_minor: 0,
});

/** Each fifth has ended. Merchants of several cells have refunds of one instant. */
const refundsOf = (n: number): Row => ({
  merchant_id: merchantOf(n),
  refund_id: `r-${n}`,
  order_id: `o-${n}`,
  payment_number: 1,
  state: n % 5 === 0 ? 'cancelled' : drawn(['requested', 'approved'], n * 3),
  amount_minor: 1_000 + n,
  currency: 'COP',
  fee_minor: 0,
  tax_minor: 0,
  keeps_fees: false,
  taken_from: drawn(['collected', 'fund'], n),
  refunded_by: drawn(['network', 'operator', 'merchant'], n),
  reason: 'returned',
  requested_at: at((n * 37) % 50),
  updated_at: at(0),
  ended_at: n % 5 === 0 ? at(0) : null,
});

/** Each fifth was cancelled. Merchants of several cells have settlements of one instant. */
const settlementsOf = (n: number): Row => ({
  merchant_id: merchantOf(n),
  settlement_id: idOf(merchantOf(n), n),
  currency: drawn(['COP', 'USD'], n * 17),
  state: n % 5 === 0 ? 'cancelled' : 'draft',
  cutoff_at: at(0),
  settled_on: `2026-11-${20 - (n % 9)}`,
  entries: 1,
  gross_minor: 1_000 + n,
  net_minor: 1_000 + n,
  made_at: at((n * 37) % 50),
  cancelled_at: n % 5 === 0 ? at(0) : null,
});

const holdsOf = (n: number): Row => ({
  merchant_id: merchantOf(n),
  hold_id: idOf(merchantOf(n), n),
  currency: 'COP',
  amount_minor: 1_000 + n,
  reason: 'a dispute',
  held_at: at((n * 37) % 50),
  released_at: n % 3 === 0 ? at(0) : null,
});

function cashoutsOf(n: number): Row {
  const merchant = merchantOf(n);
  const updatedOn = `2026-11-${20 - (n % 9)}`;
  return {
    merchant_id: merchant,
    operation_id: `w-${n}`,
    cashout_id: idOf(merchant, n),
    state: drawn(['approved', 'cancelled', 'nullified', 'expired'], n * 5),
    version: 1,
    amount_minor: 1_000 + ((n * 6_007) % 5_000),
    transaction_cost_minor: 0,
    currency: drawn(['COP', 'USD'], n * 19),
    description: '',
    document: String(700_000 + ((n * 17) % 700)),
    sms: false,
    cellphone: '',
    expires_on: '2027-01-01',
    created_at: at(300),
    updated_at: `${updatedOn}T${10 + (n % 5)}:00:00Z`,
    updated_on: updatedOn,
    fee_minor: 0,
    tax_minor: 0,
    reserved_minor: 0,
    otp_wrong_tries: 0,
    otp_resends: 0,
    otp_length: 4,
  };
}

function noticesOf(n: number): Row {
  const merchant = merchantOf(n);
  return {
    merchant_id: merchant,
    notice_id: idOf(merchant, n),
    kind: 'cashout',
    subject_id: `w-${n}`,
    status: 'cancelled',
    amount_minor: 1_000,
    currency: 'COP',
    document: '1',
    // The numbers of a cell are in the order of time.
    written_at: NOW.subtract({ minutes: 5_000 - n }).toString(),
    state: drawn(['waiting', 'delivered', 'given_up'], n * 11),
    due_at: at(0),
    give_up_at: at(0),
    attempts: 0,
  };
}

function messagesOf(n: number): Row {
  const merchant = merchantOf(n);
  return {
    merchant_id: merchant,
    subject_id: `o-${n % 40}`,
    message_id: idOf(merchant, n),
    kind: drawn(['order_created', 'order_paid'], n),
    channel: 'mail',
    state: drawn(['pending', 'sent', 'given_up'], n * 7),
    attempts: 0,
    problem: drawn([null, '550', '421'], n * 3),
    created_at: at((n * 31) % 90),
    due_at: at(0),
    gives_up_at: at(0),
  };
}

function actsOf(n: number): Row {
  // Home has acts about merchants of every cell.
  const merchant = drawn([merchantOf(n), merchantOf(n), null], n * 5);
  const cell = n % 4 === 0 || merchant === null ? HOME : cellOfMerchant(merchant);
  return {
    merchant_id: merchant,
    // Far from those that the service writes meanwhile.
    act_id: (firstIdOf(cell) + BigInt(100_000 + n)).toString(),
    acted_at: at(48 + ((n * 37) % 60)),
    actor_kind: 'user',
    actor_id: String(n % 3),
    actor_name: `user-${n % 3}@example.com`,
    source: '192.0.2.7',
    operation: drawn(['voidOrder', 'listOrders'], n),
    outcome: drawn(['done', 'done', 'refused:not_found'], n),
    recorded_at: at(0),
  };
}

const entriesOf = (n: number): Row => ({
  merchant_id: merchantOf(Math.floor(n / 2)),
  transaction_id: `order/o-${Math.floor(n / 2)}/paid`,
  line: 1 + (n % 2),
  kind: 'payment',
  account: drawn(['available', 'network:cash'], n),
  currency: 'COP',
  amount_minor: n % 2 === 0 ? 500 : -500,
  posted_at: at(Math.floor(n / 2) % 70),
});

const balancesOf = (n: number): Row => ({
  merchant_id: MERCHANTS[Math.floor(n / 4)] as string,
  account: drawn(['available', 'reserved', 'service:fees', 'network:cash'], n),
  currency: drawn(['COP', 'USD'], Math.floor(n / 4)),
  balance_minor: 9_000_000_000_000_000 + n * 1_000_003,
  changed_in: 0,
});

const refusedOf = (n: number): Row => ({
  merchant_id: merchantOf(n),
  order_id: `o-${n % 50}`,
  source: drawn(['network:cash', 'network:bank'], n),
  transaction_id: `T-${n}`,
  refusal: drawn(['order_expired', 'amount_mismatch', 'order_not_open'], n * 5),
  order_state: 'expired',
  amount_minor: 1_000,
  currency: 'COP',
  tries: 1,
  first_at: at((n * 3) % 70),
  last_at: at((n * 3) % 70),
  resolved_at: n % 4 === 0 ? at(0) : null,
});

/** What comes beyond is of no merchant: a network is refused by orders of all cells. */
function beyondOf(n: number): Row & { readonly cell: number } {
  const day = Temporal.PlainDate.from('2026-11-20').subtract({ days: n % 80 });
  return {
    merchant_id: null,
    cell: n % CELLS.length,
    source: drawn(['network:cash', 'network:bank'], n),
    day: day.toString(),
    currency: drawn(['COP', 'USD'], Math.floor(n / 160)),
    tries: 3 + n,
    amount_minor: 1_000 * n,
    last_at: day
      .toZonedDateTime('UTC')
      .add({ hours: n % 24 })
      .toInstant()
      .toString(),
  };
}

const figuresOf = (n: number): Row => ({
  merchant_id: merchantOf(n),
  hour: Temporal.Instant.from('2026-11-18T00:00:00Z')
    .add({ hours: (n * 5) % 72 })
    .toString(),
  event: 'order.paid',
  currency: drawn(['COP', 'USD'], n),
  source: drawn(['network:cash', 'network:bank'], Math.floor(n / 2)),
  step: 1 + (n % 6),
  count: 1 + (n % 9),
  amount_minor: 1_000 * n,
  seconds: 60 * n,
});

/** One schedule of each merchant in each currency. */
const schedulesOf = (n: number): Row => ({
  merchant_id: drawn(MERCHANTS, n),
  currency: drawn(['COP', 'USD'], Math.floor(n / MERCHANTS.length)),
  period: 'on_demand',
  delay_days: 1,
  calendar: 'colombia',
  minimum_minor: n,
  reserve_ppm: 0,
  reserve_days: 0,
  bank_code: '1007',
  bank_name: 'Bank',
  account_type: 'savings',
  account_number: `${10_000 + n}`,
  holder_name: 'Shop',
  holder_document_type: 'NIT',
  holder_document: '900123456',
  set_at: at(1),
  looked_to: '2026-11-20',
});

/** Each third is of all merchants. Those of one name follow each other. */
function rulesOf(n: number): Row & { readonly cell: number } {
  const merchant = n % 3 === 0 ? null : drawn(MERCHANTS, n);
  const cell = merchant === null ? HOME : cellOfMerchant(merchant);
  return {
    merchant_id: merchant,
    cell,
    rule_id: (firstIdOf(cell) + BigInt(n)).toString(),
    name: `rule-${n % 7}`,
    kind: 'fee',
    base: 'payments',
    currency: drawn(['COP', 'USD'], n),
    rate_ppm: n,
    fixed_minor: 0,
    tax_ppm: 0,
    since: Temporal.PlainDate.from('2026-01-01').add({ days: n }).toString(),
    until: Temporal.PlainDate.from('2026-01-01').add({ days: n }).toString(),
    set_at: at(1),
  };
}

/** Several are of one instant. */
function filesOf(n: number): Row & { readonly cell: number } {
  const content = Buffer.from(`file ${n}`);
  return {
    merchant_id: null,
    cell: n % 3,
    file_id: `F-${n}`,
    layout: 'bank',
    layout_version: 1,
    format: 'csv',
    currency: drawn(['COP', 'USD'], n),
    pay_on: '2026-11-20',
    payments: 1 + (n % 9),
    total_minor: n + 1,
    sha256: createHash('sha256').update(content).digest('hex'),
    content: `\\x${content.toString('hex')}`,
    made_at: at(Math.floor(n / 4)),
  };
}

const TABLES: Readonly<Record<string, readonly [rows: number, rowOf: (n: number) => Row & { readonly cell?: number }]>> = {
  orders: [ROWS, ordersOf],
  order_payments: [300, paymentsOf],
  order_refunds: [300, refundsOf],
  settlements: [300, settlementsOf],
  held_money: [300, holdsOf],
  cashouts: [ROWS, cashoutsOf],
  notices: [300, noticesOf],
  messages: [300, messagesOf],
  acts: [300, actsOf],
  ledger_entries: [300, entriesOf],
  ledger_balances: [4 * MERCHANTS.length, balancesOf],
  refused_payments: [300, refusedOf],
  refused_payments_beyond: [320, beyondOf],
  figures: [400, figuresOf],
  settlement_schedules: [2 * MERCHANTS.length, schedulesOf],
  settlement_rules: [200, rulesOf],
  settlement_files: [200, filesOf],
};

/** The cell that has a row. */
const cellOfRow = ({ merchant_id: merchant, cell, act_id: act }: Row & { readonly cell?: number }): number =>
  cell ?? (act === undefined ? cellOfMerchant(merchant as string) : Number(BigInt(act as string) >> 40n));

let three: TestCaudal;
let one: TestCaudal;
let calls: ManageCalls;
let model: ManageCalls;

beforeAll(async () => {
  three = await startTestCaudal({ cells: 2, now: NOW.toString() });
  one = await startTestCaudal({ now: NOW.toString() });
  for (const merchantId of MERCHANTS) {
    await three.merchant({ merchantId, cell: cellOfMerchant(merchantId), fundMinor: 0n });
    await one.merchant({ merchantId, fundMinor: 0n });
  }
  const databases = three.cells.all.map(([, { url }]) => withDatabase(three.url, String(new Client({ connectionString: url }).database)));
  for (const [cell, url] of databases.entries()) await fill(url, (row) => cellOfRow(row) === cell);
  await fill(one.url, () => true);
  calls = await manageCalls(three);
  model = await manageCalls(one);
}, 60_000);
afterAll(async () => {
  await three.close();
  await one.close();
});

/** Writes rows as the owner, without what the database does of itself for rows that the service writes. */
async function fill(url: string, isThere: (row: Row) => boolean): Promise<void> {
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const [table, [count, rowOf]] of Object.entries(TABLES)) {
    const rows = Array.from({ length: count }, (_, n) => rowOf(n)).filter(isThere);
    const { rows: names } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0`,
      [table],
    );
    const columns = names.map(({ name }) => name).filter((name) => name in (rows[0] ?? {}) && name !== 'cell');
    // The model has what several cells count of a network in one row.
    const text =
      table === 'refused_payments_beyond'
        ? `insert into ${table} as kept (${columns.join(', ')})
           select source, day, currency, sum(tries), sum(amount_minor), max(last_at)
             from jsonb_populate_recordset(null::${table}, $1) group by source, day, currency`
        : `insert into ${table} (${columns.join(', ')}) overriding system value
           select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1)`;
    await client.query(text, [JSON.stringify(table === 'figures' ? summed(rows) : rows)]);
  }
  await client.end();
}

/** Figures have one row for each hour and kind. */
function summed(rows: readonly Row[]): readonly Row[] {
  const byKey = Map.groupBy(rows, ({ merchant_id: merchant, hour, event, currency, source, step }) =>
    JSON.stringify([merchant, hour, event, currency, source, step]),
  );
  return [...byKey.values()].map((same) => same[0] as Row);
}

type Item = Readonly<Record<string, unknown>>;

const rarely = <T>(choices: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...choices), { freq: 2, nil: undefined });
const queryOf = (filter: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))).toString();
const merchant = rarely(MERCHANTS);
const money = { currency: rarely(['COP', 'USD']) };
/** Few orders and cashouts pass it, so that walks stop on their way. */
const rareMoney = fc.constantFrom({}, { currency: 'USD', amountFrom: '58' }, { currency: 'COP', amountFrom: '20', amountTo: '25' });
const days = (name: string) => ({
  [`${name}From`]: rarely(['2026-11-17', '2026-11-19']),
  [`${name}To`]: rarely(['2026-11-19', '2026-11-20']),
});
const withMoney = (filter: fc.Arbitrary<Record<string, string | undefined>>): fc.Arbitrary<Record<string, string | undefined>> =>
  fc.tuple(filter, rareMoney).map(([asked, amounts]) => ({ ...asked, ...amounts }));

const ORDERS = withMoney(
  fc.record({
    merchant,
    ...money,
    state: rarely(['approved', 'cancelled,voided']),
    email: rarely(['P13@example.com']),
    ...days('created'),
  }),
);
const CASHOUTS = withMoney(fc.record({ merchant, ...money, state: rarely(['approved', 'expired,nullified']), ...days('updated') }));
const NOTICES = fc.record({ merchant, state: rarely(['waiting', 'given_up']), ...days('written') });
const REFUNDS = fc.record({ merchant, state: rarely(['requested', 'approved,cancelled', 'paid']) });
const SETTLEMENTS = fc.record({
  merchant,
  state: rarely(['draft', 'cancelled,paid']),
  currency: rarely(['USD']),
  from: rarely(['2026-11-15']),
  to: rarely(['2026-11-18']),
});
const HOLDS = fc.record({ merchant, released: rarely(['true', 'false']) });
const MESSAGES = fc.record({ merchant, subject: rarely(['o-3', 'o-4']), state: rarely(['sent', 'pending']), ...days('created') });
/** What is read here is an act itself. */
const BEFORE = { until: fc.constant('2026-11-20T00:00:00Z') };
const ACTS = fc.record({ merchant, actor: rarely(['1']), operation: rarely(['voidOrder']), only: rarely(['changes', 'reads']), ...BEFORE });
const ENTRIES = fc.record({ merchant, account: rarely(['available']), from: rarely(['2026-11-20T00:00:00Z']) });
const REFUSED = fc.record({ merchant, resolved: rarely(['true']), since: rarely(['2026-11-20T00:00:00Z']) });

/** Items without the name of a cell, which the model has not. */
const withoutCell = (items: readonly Item[]): readonly Item[] => items.map(({ cell: _cell, ...item }) => item);

type Tried = readonly [path: string, filters: fc.Arbitrary<Record<string, string | undefined>>];
const LISTS: readonly Tried[] = [
  ['/orders', ORDERS],
  ['/cashouts', CASHOUTS],
  ['/refunds', REFUNDS],
  ['/settlements', SETTLEMENTS],
  ['/holds', HOLDS],
  ['/messages', MESSAGES],
  ['/audit', ACTS],
  ['/ledger/entries', ENTRIES],
  ['/refused-payments', REFUSED],
  ['/merchants', fc.record({ merchant })],
  ['/settlement-schedules', fc.record({ merchant })],
  ['/settlement-rules', fc.record({ merchant })],
  ['/settlement-files', fc.record({})],
  ['/notice-endpoints', fc.record({ merchant })],
];
describe.each(LISTS)('the list %s of three cells', (path, filters) => {
  test('is that of one database, each item once, however long its pages are', async () => {
    const limits = fc.array(fc.constantFrom(1, 7, 30, 100, 200), { minLength: 1, maxLength: 3 }).filter((some) => Math.max(...some) > 6);
    await fc.assert(
      fc.asyncProperty(filters, limits, async (filter, pages) => {
        const asked = `${path}?${queryOf(filter)}`;
        const found = await walkPages(calls, asked, pages);
        expect(withoutCell(found)).toEqual(withoutCell(await walkPages(model, asked, [200])));
      }),
      { numRuns: 12 },
    );
  });
});

describe('the list of notices of three cells', () => {
  test('has each once, in the order of time, however long its pages are', async () => {
    const limits = fc.array(fc.constantFrom(1, 7, 30, 200), { minLength: 1, maxLength: 3 }).filter((some) => Math.max(...some) > 6);
    await fc.assert(
      fc.asyncProperty(NOTICES, limits, async (filter, pages) => {
        const asked = `/notices?${queryOf(filter)}`;
        const expected = (await walkPages(model, asked, [200])) as readonly { readonly writtenAt: string }[];
        const byTime = expected.toSorted((a, b) => Temporal.Instant.compare(b.writtenAt, a.writtenAt));
        expect(await walkPages(calls, asked, pages)).toEqual(byTime);
      }),
      { numRuns: 12 },
    );
  });
});

const ANSWERS: readonly Tried[] = [
  ['/orders/summary', ORDERS],
  ['/cashouts/summary', CASHOUTS],
  ['/notices/summary', NOTICES],
  ['/messages/summary', MESSAGES],
  ['/messages/counts', fc.record({ failed: rarely(['true', 'false']) })],
  ['/audit/summary', ACTS],
  ['/orders/last-paid', fc.record({ merchant })],
  ['/ledger/balances', fc.record({ merchant, account: rarely(['available']), service: rarely(['true']) })],
  ['/refused-payments/beyond', fc.record({ since: rarely(['2026-11-19T00:00:00Z', '2026-11-18T12:00:00Z']) })],
  [
    '/figures',
    fc.record({
      merchant,
      network: rarely(['cash']),
      by: rarely(['hour', 'day']),
      from: rarely(['2026-11-18']),
      to: rarely(['2026-11-20']),
    }),
  ],
  ['/figures/refused-payments', fc.record({ merchant, network: rarely(['cash']), from: fc.constant('2026-11-18') })],
  [
    '/search',
    fc.record({
      text: fc.constantFrom('o-12', 'O-12', 'p130', 'P7@EXAMPLE.COM', '9007', '7003', 'w-7', 'W-41', '0077', '%', 'nothing'),
      merchant,
      currency: rarely(['COP']),
    }),
  ],
];
describe.each(ANSWERS)('the answer of %s of three cells', (path, filters) => {
  test('is that of one database', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const asked = `${path}?${queryOf(filter)}`;
        const answer = await model.get(asked);
        expect(await calls.get(asked)).toMatchObject({ status: answer.status, body: answer.body });
      }),
      { numRuns: 25 },
    );
  });
});

describe('an export of everybody in three cells', () => {
  type Shown = { readonly export: string; readonly state: string; readonly trailer: { readonly rows: number } };

  /** The bytes of an export, written by the job of its service. */
  async function exported(
    { jobs }: TestCaudal,
    { get, send }: ManageCalls,
    asked: object,
  ): Promise<{ readonly rows: number; readonly text: string }> {
    const made = await send('POST', '/exports', asked);
    expect(made.status, made.text).toBe(202);
    const { export: id } = made.body as unknown as Shown;
    await jobs.find(({ name }) => name === 'exports.write')?.step();
    const { state, trailer } = (await get(`/exports/${id}`)).body as unknown as Shown;
    expect(state).toBe('done');
    const { text } = await get(`/exports/${id}/content`);
    await send('DELETE', `/exports/${id}`);
    return { rows: trailer.rows, text };
  }

  const FILTERS: Readonly<Record<string, object>> = { acts: { to: '2026-11-20T00:00:00Z' } };

  test.each(
    EXPORTED_LISTS.flatMap(({ name }) =>
      (name === 'orders' ? FORMATS : (['csv', 'ndjson'] as const)).map((format) => [name, format] as const),
    ),
  )('of %s as %s is the file of one database, byte by byte', async (list, format) => {
    const asked = { list, format, filter: FILTERS[list] ?? {} };
    const file = await exported(three, calls, asked);
    expect(file.rows).toBeGreaterThan(100);
    expect(file.text).toBe((await exported(one, model, asked)).text);
  });

  test.each(['orders', 'acts'])('of %s of one merchant has what all cells have about it', async (list) => {
    for (const merchantId of MERCHANTS.slice(0, 3)) {
      const asked = { list, format: 'csv', merchant: merchantId, filter: FILTERS[list] ?? {} };
      const file = await exported(three, calls, asked);
      expect(file.rows).toBeGreaterThan(5);
      expect(file.text).toBe((await exported(one, model, asked)).text);
    }
  });
});

/** What they answer has no model in one database: manage-in-cells.test.ts tries them. */
const ELSEWHERE = ['GET /manage/v1/sandbox/inbox', 'POST /manage/v1/notices/redeliver'];

test('each operation that is carried out in every cell is tried: a new one fails here until it is', () => {
  const merging = managementOperations.filter(({ cells }) => typeof cells === 'object').map(({ route }) => route);
  const tried = ['/notices', ...[...LISTS, ...ANSWERS].map(([path]) => path)].map((path) => `GET /manage/v1${path}`);
  expect([...tried, ...ELSEWHERE].toSorted()).toEqual(merging.toSorted());
});
