import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainCheck, openChainSigner, recordActs } from '../audit/index.ts';
import { cashoutChecks } from '../cashouts/index.ts';
import { figureChecks } from '../figures/index.ts';
import type { Check } from '../kit/checks/finding.ts';
import { runCheck } from '../kit/checks/run-check.ts';
import { connectionConfig } from '../kit/db.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { snapshotOf } from '../kit/snapshot.ts';
import { setFees } from '../ledger/fees.ts';
import { settlementChecks } from '../settlements/index.ts';
import { ledgerChecks } from '../ledger/index.ts';
import { noticeChecks } from '../notices/index.ts';
import { orderChecks } from '../orders/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { draftWithLines } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { isLong } from '../testing/lanes.ts';

// Every column of every table, altered as a superuser for whom no trigger fires: verify finds it, or docs/operations/evidence.md says why not.

let service: TestCaudal;
let shop: TestMerchant;
let client: Client;
let checks: readonly Check[];

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant({ noticeUrl: 'http://127.0.0.1:9/notices' });
  const terms = { percentPpm: 30_000, fixedMinor: 900n, taxPpm: 190_000 };
  for (const kind of ['order', 'cashout'] as const)
    await setFees(service, { merchantId: shop.merchantId, kind, currency: 'COP', ...terms });
  const network = await service.network();
  await playOrders(networkOrderCalls(service, network));
  await playRefunds(await manageCalls(service));
  await playCashouts(networkCalls(service, network));
  await playSettlements(await manageCalls(service));
  service.clock.advance({ hours: 3 });
  await service.runJobs();
  const actor = { kind: 'user', id: '7', name: 'ana@example.com' } as const;
  const act = {
    actor,
    source: '192.0.2.7',
    requestId: 'r',
    operation: 'voidOrder',
    merchantId: shop.merchantId,
    target: 'order A-1',
  } as const;
  const done = { ...act, at: service.clock.now(), outcome: 'done', details: { reason: 'as asked' } } as const;
  await service.db.transaction(async (tx) => recordActs(tx, [done]));
  await service.runJobs();
  const { byName } = await openServiceKeys({ db: service.db, keys: service.keys, clock: service.clock }, ['audit-log']);
  checks = [
    ...ledgerChecks,
    ...orderChecks,
    ...settlementChecks,
    ...cashoutChecks,
    ...noticeChecks,
    ...figureChecks,
    chainCheck(openChainSigner(byName['audit-log'])),
  ];
  client = new Client(connectionConfig(service.url, null));
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query(`set local session_replication_role = replica`);
  const loosened = await client.query<{ sql: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as sql
      from pg_constraint where contype in ('c', 'f') and connamespace = 'public'::regnamespace
    union all
    select format('alter table %I alter %I drop not null', c.relname, a.attname)
      from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     where a.attnum > 0 and a.attnotnull and a.attidentity = '' and not a.attisdropped
       and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey))`);
  for (const { sql } of loosened.rows) await client.query(sql);
});
afterAll(async () => {
  await client.query('rollback');
  await client.end();
  await service.close();
});

async function playOrders(till: ReturnType<typeof networkOrderCalls>): Promise<void> {
  const shopCalls = orderCalls(service, shop);
  const headers = { 'idempotency-key': 'K-1' };
  const idOf = async (order: string, fields: object = {}): Promise<unknown> =>
    (await shopCalls.create({ order, ...fields }, headers)).data['SVordenID'];
  const paid = await idOf('A-1');
  await shopCalls.update({ order: 'A-1', amount: '52000', description: 'larger' });
  expect((await till.pay(paid, 'T-1', '52000.0')).code).toBe('0000');
  const reversed = (await shopCalls.create({ order: 'A-2' })).data['SVordenID'];
  expect((await till.pay(reversed, 'T-2')).code).toBe('0000');
  expect((await till.pay(reversed, 'T-X')).code).not.toBe('0000');
  service.clock.advance({ seconds: 1 });
  expect((await till.reverse(reversed, 'T-2')).code).toBe('0000');
  await shopCalls.create({ order: 'A-3' });
  await shopCalls.cancel('A-3');
  await shopCalls.create({ order: 'A-4' });
  service.clock.advance({ seconds: 1 });
}

/** One that is paid, one that failed, one that is open. */
async function playRefunds({ send }: ManageCalls): Promise<void> {
  const ends = [
    ['R-1', 'pay', { proof: 'TRX-1' }],
    ['R-2', 'fail', { reason: 'closed' }],
    ['R-3', 'approve', undefined],
  ] as const;
  for (const [refund, how, body] of ends) {
    const asked = { refund, amount: { amount: '1000', currency: 'COP' }, refundedBy: 'operator', reason: 'returned' };
    expect(await send('POST', `/orders/${shop.merchantId}/A-1/refunds`, asked)).toMatchObject({ status: 201 });
    service.clock.advance({ seconds: 1 });
    expect(await send('POST', `/refunds/${shop.merchantId}/${refund}/${how}`, body)).toMatchObject({ status: 200 });
  }
}

/** One that came back after it was paid, two in a bank file, one with lines that is a draft, and one that was cancelled; money that is held, and some that is not any more. */
async function playSettlements({ send }: ManageCalls): Promise<void> {
  const of = (path: string, body?: object) => send('POST', path, body);
  const collect = async (): Promise<void> => {
    const amount = { amount: '500', currency: 'COP' };
    expect(await of(`/ledger/${shop.merchantId}/adjustments`, { account: 'collected', amount, reason: 'a test' })).toMatchObject({
      status: 201,
    });
    service.clock.advance({ seconds: 1 });
  };
  const settle = async (): Promise<string> => {
    await collect();
    const until = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate().toString();
    return String((await of(`/settlements/${shop.merchantId}/run`, { currency: 'COP', until })).body['settlement']);
  };
  await collect();
  const reserve = { kind: 'reserve', base: 'collected', amountMinor: 7_00n, releaseOn: Temporal.PlainDate.from('2027-01-01') } as const;
  const fee = { kind: 'fee', base: 'payout', amountMinor: 10_00n, taxMinor: 1_90n } as const;
  const id = await draftWithLines(service, shop.merchantId, [fee, { kind: 'withholding', base: 'payments', amountMinor: 5_00n }, reserve]);
  for (const [step, body] of [
    ['sent', undefined],
    ['paid', { bankReference: 'B-1' }],
    ['returned', { reason: 'closed' }],
  ] as const) {
    if (step === 'sent') await of('/settlements/approve', { settlements: [id] });
    service.clock.advance({ seconds: 1 });
    expect(await of(`/settlements/${shop.merchantId}/${id}/${step}`, body)).toMatchObject({ status: 200 });
  }
  expect(await of(`/settlements/${shop.merchantId}/${await settle()}/cancel`, { reason: 'r' })).toMatchObject({ status: 200 });
  await sendInFile({ send }, [await settle(), await settle()]);
  await settle();
  await collect();
  const placed = [];
  for (const amount of ['10', '20'])
    placed.push(await of(`/holds/${shop.merchantId}`, { amount: { amount, currency: 'COP' }, reason: 'r' }));
  service.clock.advance({ seconds: 1 });
  expect(await of(`/holds/${shop.merchantId}/${String(placed[0]?.body['hold'])}/release`, { reason: 'r' })).toMatchObject({ status: 200 });
}

/** Sends settlements to a bank, in a file that names them. */
async function sendInFile({ send }: Pick<ManageCalls, 'send'>, settlements: readonly string[]): Promise<void> {
  const account = {
    bankCode: '1007',
    bankName: 'Banco',
    type: 'savings',
    number: '0451',
    holderName: 'Tienda',
    holderDocumentType: 'NIT',
    holderDocument: '900123456',
  };
  const layout = { format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: account };
  for (const [method, path, body] of [
    ['PUT', '/calendars/colombia', {}],
    ['PATCH', `/settlement-schedules/${shop.merchantId}/COP`, { period: 'on_demand', calendar: 'colombia', account }],
    ['PUT', '/bank-file-layouts/bank', layout],
    ['POST', '/settlements/approve', { settlements }],
    ['POST', '/settlement-files', { file: 'F-1', layout: 'bank', currency: 'COP', settlements }],
  ] as const)
    expect((await send(method, path, body)).status, path).toBeLessThan(300);
}

async function playCashouts(till: ReturnType<typeof networkCalls>): Promise<void> {
  const calls = cashoutCalls(service, shop);
  for (const [number, isReversed] of [false, true].entries()) {
    const document = `102030405${number}`;
    const { data } = await calls.register(calls.registration({ operation: `W-${number}`, document }));
    service.clock.advance({ seconds: 1 });
    const found = await till.lookUp(data['otp'], document);
    const { idoperation } = found.data;
    expect((await till.pay(idoperation, `T-${number}`)).code).toBe('0000');
    service.clock.advance({ seconds: 1 });
    if (isReversed) expect((await till.reverse(idoperation, `T-${number}`)).code).toBe('0000');
  }
  await calls.register(calls.registration({ operation: 'W-2' }));
  expect((await calls.renew('W-2', '1020304050')).code).toBe('0000');
}

/** A little more than what is there, or something where nothing is. */
const ALTERED: Readonly<Record<string, string>> = {
  text: `coalesce(%s, '') || '1'`,
  int4: 'coalesce(%s, 0) + 1',
  int2: 'coalesce(%s, 0) + 1',
  int8: 'coalesce(%s, 0) + 1',
  numeric: 'coalesce(%s, 0) + 1',
  bool: 'not coalesce(%s, false)',
  timestamptz: `coalesce(%s, now()) + interval '1 second'`,
  date: 'coalesce(%s, current_date) + 1',
  jsonb: `'{"altered": [null, 1]}'`,
  bytea: `coalesce(%s, '') || '\\x01'`,
  _text: `coalesce(%s, '{}') || '{altered}'`,
  _int4: `coalesce(%s, '{}') || '{9}'`,
  _timestamptz: `coalesce(%s, '{}') || now()`,
};

type Column = { readonly table: string; readonly column: string; readonly type: string };
const columnsOf = async (): Promise<readonly Column[]> =>
  (
    await client.query<Column>(
      `select table_name::text as table, column_name::text as column, udt_name::text as type from information_schema.columns
        where table_schema = 'public' and table_name <> 'schema_migrations' and identity_generation is distinct from 'ALWAYS'
        order by table_name, ordinal_position`,
    )
  ).rows;

/** How a column is altered. Undefined: the type has no alteration. */
const change = ({ column, type }: Column): string | undefined => {
  const to = ALTERED[type]?.replaceAll('%s', column);
  return to && `${column} = ${to}`;
};

/** What all checks find while one statement has altered the database. */
async function findingsAfter(sql: string): Promise<readonly string[] | 'nothing was there'> {
  await client.query('savepoint whole');
  try {
    const { rowCount } = await client.query(sql);
    if (rowCount === 0) return 'nothing was there';
    const snapshot = snapshotOf(client);
    const found: string[] = [];
    for (const check of checks) {
      const { finding } = await runCheck(check, snapshot, service.clock.now());
      if (finding !== undefined) found.push(`${check.promise}: ${finding.id} ${finding.problem}`);
    }
    return found;
  } finally {
    await client.query('rollback to savepoint whole');
  }
}

const ofOneRow = (table: string): string => `ctid = (select ctid from ${table} order by ctid limit 1)`;

/** The columns that the page says are not proved, as `table.column`; `table.*`: all of them; `table.(row)`: that a row is there. */
function unproved(): ReadonlySet<string> {
  const page = readFileSync(new URL('../../../docs/operations/evidence.md', import.meta.url), 'utf8');
  const lines = page.matchAll(/^\| `(\w+)` \| ((?:`[^`]+` ?)+) \| [^|]+ \|$/gm);
  return new Set(
    Array.from(lines).flatMap(([, table, cells = '']) => Array.from(cells.matchAll(/`([^`]+)`/g), ([, column]) => `${table}.${column}`)),
  );
}

test('verify finds nothing in what the service wrote', async () => {
  expect(await findingsAfter('update orders set version = version')).toEqual([]);
});

test('an alteration of every column and the loss of a row of every table is found, or is on the page of what is not proved', async () => {
  const listed = unproved();
  const isListed = (table: string, column: string): boolean =>
    listed.has(`${table}.${column}`) || (column !== '(row)' && listed.has(`${table}.*`));
  const wrong: string[] = [];
  const columns = await columnsOf();
  const tables = [...new Set(columns.map(({ table }) => table))];
  const tries = tables.flatMap((table) => {
    const changes = columns.filter((one) => one.table === table).flatMap((one) => ({ column: one.column, set: change(one) ?? [] }));
    const possible = changes.flatMap(({ column, set }) => (typeof set === 'string' ? [{ column, set }] : []));
    // Of a table in which nothing is proved all columns are altered together.
    const together = listed.has(`${table}.*`) ? [{ column: '*', set: possible.map(({ set }) => set).join(', ') }] : possible;
    return [
      ...together.map(({ column, set }) => ({ table, column, sql: `update ${table} set ${set} where ${ofOneRow(table)}` })),
      { table, column: '(row)', sql: `delete from ${table} where ${ofOneRow(table)}` },
    ];
  });
  for (const { table, column, sql } of tries) {
    const found = await findingsAfter(sql).catch((error: Error) => [error.message]);
    const isFound = found !== 'nothing was there' && found.length > 0;
    if (isFound === isListed(table, column))
      wrong.push(`${table} ${column} ${isFound ? 'is found, and is listed' : 'is not found, and is not listed'}`);
  }
  expect(wrong).toEqual([]);
}, 300_000);

test.runIf(isLong)(
  'no check throws, whatever a column holds',
  async () => {
    const garbage: Readonly<Record<string, readonly string[]>> = {
      text: [`'-'`],
      int4: ['-2147483648'],
      int8: ['-9223372036854775808'],
      numeric: [`'NaN'`],
      timestamptz: [`'infinity'`],
      date: [`'infinity'`],
      jsonb: [`'"x"'`],
      bytea: [`''`],
    };
    const thrown: string[] = [];
    const listed = unproved();
    // What no check reads cannot stop one.
    for (const { table, column, type } of (await columnsOf()).filter((one) => !listed.has(`${one.table}.*`)))
      for (const value of ['null', ...(garbage[type] ?? [])]) {
        const sql = `update ${table} set ${column} = ${value} where ${ofOneRow(table)}`;
        await findingsAfter(sql).catch((error: Error & { code?: string }) => {
          // The database itself refuses a value: a key is never null.
          if (error.code === undefined || !/^(23|22|42|428C9)/.test(error.code))
            thrown.push(`${table} ${column} ${value}: ${error.message}`);
        });
      }
    expect(thrown).toEqual([]);
  },
  300_000,
);
