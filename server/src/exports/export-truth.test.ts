import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { recordActs } from '../audit/index.ts';
import { connectionConfig } from '../kit/db.ts';
import { splitCsv } from '../kit/files/csv.ts';
import { EXPORTED_LISTS } from '../main/exported-lists.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { startChildServer } from '../testing/child-server.ts';
import { eventually, PROCESS_MS, SOON_MS } from '../testing/deadlines.ts';
import * as fc from '../testing/fast-check.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { checkExport } from './check-export.ts';
import type { ExportedList, FilterTexts, FilterValues } from './exported-list.ts';
import { readFilter } from './read-filter.ts';
import { writeExport } from './write-export.ts';

let service: TestCaudal;
let owner: Client;
let staff: ManageCalls;
let directory: string;
const shops: TestMerchant[] = [];

beforeAll(async () => {
  service = await startTestCaudal();
  staff = await manageCalls(service);
  directory = mkdtempSync(join(tmpdir(), 'caudal-truth-'));
  owner = new Client(connectionConfig(service.url, null));
  await owner.connect();
  for (let count = 0; count < 2; count++) shops.push(await service.merchant());
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await owner.end();
  await service.close();
});

const TIME = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`;
const AMOUNT = 'currency, (amount_minor / 100.0)::numeric(30, 2)::text as amount';

/** The rows of each list, without any filter, by plain SQL. Each column is a text. `time` is what `from` and `to` compare. */
const TRUTHS: Readonly<Record<string, string>> = {
  orders: `select merchant_id as merchant, order_id as "order", version::text, state, ${AMOUNT}, email, reference, ${TIME('created_at')}
             from orders order by merchant_id, order_id`,
  cashouts: `select merchant_id as merchant, operation_id as cashout, version::text, state, ${AMOUNT}, document, ${TIME('updated_at')}
               from cashouts order by merchant_id, operation_id`,
  payments: `select merchant_id as merchant, order_id as "order", payment_number::text as number, state, ${AMOUNT}, source, ${TIME('paid_at')}
               from order_payments order by merchant_id, order_id, payment_number`,
  refunds: `select merchant_id as merchant, refund_id as refund, order_id as "order", state, ${AMOUNT}, reason, ${TIME('requested_at')}
              from order_refunds order by merchant_id, refund_id`,
  settlements: `select merchant_id as merchant, settlement_id::text as settlement, state, currency,
                       (net_minor / 100.0)::numeric(30, 2)::text as amount, ${TIME('made_at')}
                  from settlements order by merchant_id, settlement_id`,
  entries: `select merchant_id as merchant, transaction_id as transaction, line::text, kind, account, ${AMOUNT}, ${TIME('posted_at')}
              from ledger_entries order by merchant_id, transaction_id, line`,
  notices: `select merchant_id as merchant, notice_id::text as notice, subject_id as subject, state, attempts::text, ${TIME('written_at')}
              from notices order by merchant_id, notice_id`,
  acts: `select act_id::text as act, operation, actor_id as actor, target, outcome, ${TIME('acted_at')} from acts order by acted_at, act_id`,
};
type Truth = Readonly<Record<string, string>>;

const truthOf = async (client: Client, list: string): Promise<readonly Truth[]> =>
  (await client.query(TRUTHS[list] as string)).rows as Truth[];

/** Whether a row passes a filter, by other means than the code. */
const passes = (row: Truth, filter: FilterTexts): boolean =>
  Object.entries(filter).every(([name, text]) => {
    if (name === 'from') return (row['time'] as string) >= text;
    if (name === 'to') return (row['time'] as string) < text;
    if (name === 'amountFrom') return Number(row['amount']) >= Number(text);
    if (name === 'amountTo') return Number(row['amount']) <= Number(text);
    return name === 'state' ? text.split(',').includes(row['state'] as string) : row[name] === text;
  });

/** Filters of a list, with values that its rows have. */
function anyFilter({ filters }: ExportedList, rows: readonly Truth[]): fc.Arbitrary<FilterTexts> {
  const value = (column: string) => fc.constantFrom(...rows.map((row) => row[column] as string));
  const columnOf: Readonly<Record<string, string>> = { from: 'time', to: 'time', amountFrom: 'amount', amountTo: 'amount' };
  const names = [...Object.keys(filters), 'merchant'].map((name) => [name, columnOf[name] ?? name] as const);
  const known = names.filter(([, column]) => rows[0]?.[column] !== undefined);
  return fc
    .record(Object.fromEntries(known.map(([name, column]) => [name, value(column)])), { requiredKeys: [] })
    .map((filter) => ('amountFrom' in filter || 'amountTo' in filter ? { ...filter, currency: 'COP' } : filter) as FilterTexts);
}

let rounds = 0;
/** One round of writes, of all that is listed. */
async function writeAll(): Promise<void> {
  const number = ++rounds;
  const shop = shops[number % 2] as TestMerchant;
  const [orders, cashouts] = [orderCalls(service, shop), cashoutCalls(service, shop)];
  const id = `${number}`;
  const { data } = await orders.create({ order: id, amount: `${100 + (number % 7)}`, email: `p${number % 3}@example.com` });
  await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: data['Referencia'] }) });
  const part = { amount: { amount: '1', currency: 'COP' }, refundedBy: 'operator', reason: 'returned' };
  await staff.send('POST', `/orders/${shop.merchantId}/${id}/refunds`, { refund: `r${id}`, ...part });
  if (number % 2 === 0) await staff.send('POST', `/refunds/${shop.merchantId}/r${id}/cancel`);
  if (number % 3 === 0) {
    const until = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate().toString();
    await staff.send('POST', `/settlements/${shop.merchantId}/run`, { currency: 'COP', until });
  }
  await cashouts.register(cashouts.registration({ operation: id, amount: `${20_000 + (number % 5)}`, document: `10${number % 4}0304050` }));
  if (number > 3) await orders.update({ order: `${number - 2}`, amount: '50' });
  if (number % 2 === 0) await cashouts.cancel(id, `10${number % 4}0304050`);
  const actor = { kind: 'user', id: `${number % 2}`, name: 'ana@example.com' } as const;
  const act = { actor, source: 'x', requestId: null, operation: `op-${number % 3}`, merchantId: shop.merchantId, target: null };
  await service.db.transaction(async (tx) => recordActs(tx, [{ ...act, at: service.clock.now(), outcome: 'done' }]));
  service.clock.advance({ seconds: 1 });
}

/** The list, whose snapshot another connection can use: its name is shown while the export runs. */
const shared = (list: ExportedList): ExportedList => ({
  ...list,
  query: (...asked) => {
    const { text, values } = list.query(...asked);
    const share = `select set_config('application_name', 'snapshot ' || pg_export_snapshot(), true) as place`;
    return {
      values,
      text: `with shared as materialized (${share}) select asked.* from shared cross join (${text}) as asked where shared.place <> ''`,
    };
  },
});

/** The rows of an export and those of its snapshot, while the writes go on. */
async function compare(list: ExportedList, { merchant, ...filter }: FilterTexts): Promise<void> {
  const scope = merchant === undefined ? 'everybody' : { merchantId: merchant };
  const query = shared(list).query(scope, readFilter(list, filter, 'UTC') as FilterValues, service.clock.now());
  let truth: readonly Truth[] | undefined;
  const chunks: Buffer[] = [];
  const sink = async (bytes: Buffer): Promise<void> => {
    chunks.push(bytes);
    truth ??= await readShared(list.name);
  };
  await writeExport({ urls: [service.url], clock: service.clock, what: { list, format: 'csv', filter, query }, sink });
  const [head = '', ...lines] = Buffer.concat(chunks).toString().split('\n').slice(0, -2);
  const columns = head.split(',');
  const exported = lines.map((line) => {
    const cells = splitCsv(line, ',') ?? [];
    return Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? '']));
  });
  const compared = Object.keys(truth?.[0] ?? {}).filter((name) => columns.includes(name));
  const only = (row: Truth) => Object.fromEntries(compared.map((name) => [name, row[name] ?? '']));
  const wanted = (truth ?? []).filter((row) => passes(row, merchant === undefined ? filter : { ...filter, merchant }));
  expect(exported.map(only), `${list.name} ${JSON.stringify({ merchant, ...filter })}`).toEqual(wanted.map(only));
}

/** What the snapshot of the export sees. It reads after more was written. */
async function readShared(list: string): Promise<readonly Truth[]> {
  const before = rounds;
  await eventually(SOON_MS, () => expect(rounds).toBeGreaterThan(before));
  const found = await owner.query<{ name: string }>(
    `select substr(application_name, 10) as name from pg_stat_activity where datname = current_database() and application_name like 'snapshot %'`,
  );
  await owner.query('begin isolation level repeatable read');
  await owner.query(`set transaction snapshot '${found.rows[0]?.name}'`);
  const rows = await truthOf(owner, list);
  await owner.query('commit');
  return rows;
}

test('an export of every list is what plain SQL says of its snapshot, while all that it lists is written', async () => {
  while (rounds < 12) await writeAll();
  const over = new AbortController();
  const writing = (async () => {
    while (!over.signal.aborted) await writeAll();
  })();
  try {
    for (const list of EXPORTED_LISTS) {
      await compare(list, {});
      const rows = await truthOf(owner, list.name);
      const times = rows.map(({ time }) => time as string).toSorted();
      await compare(list, { from: times[Math.floor(times.length / 3)] as string, to: times.at(-1) as string });
      const filters = anyFilter(list, rows);
      await fc.assert(
        fc.asyncProperty(filters, (filter) => compare(list, filter)),
        { numRuns: 2, interruptAfterTimeLimit: 30_000 },
      );
    }
  } finally {
    over.abort();
    await writing;
  }
});

const CLI = fileURLToPath(new URL('../main/cli.ts', import.meta.url));

test('an export that is killed leaves no file of its name', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const client = new Client(connectionConfig(database.url, null));
  await client.connect();
  await client.query(`
    with many as (
      insert into acts (acted_at, actor_kind, actor_id, actor_name, source, operation, outcome, details_hash)
      select now(), 'command', 'ana', 'ana', 'x', 'many', 'done', '\\x00' from generate_series(1, 3000) returning act_id)
    insert into act_details (act_id, salt, content) select act_id, '\\x00', repeat('x', 10000) from many`);
  await client.end();
  const file = join(directory, 'acts.csv');
  const part = `${file}.part`;
  const run = startChildServer({ DATABASE_URL: database.url, CAUDAL_DATA_DIR: directory }, [CLI, 'export', 'acts', '--output', file]);
  await eventually(PROCESS_MS, () => expect(statSync(part, { throwIfNoEntry: false })?.size ?? 0, run.stderr()).toBeGreaterThan(0));
  await run.stop('SIGKILL');
  // A busy machine may stop this test until the export has ended. Then its file is whole.
  if (existsSync(file)) expect(await checkExport(file)).toHaveProperty('trailer');
  else expect(await checkExport(part)).toHaveProperty('problem');
});
