import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionConfig, inLane } from '../kit/db.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// A job's statement that grows with a table ends at the time-out of statements once the table is large, and then never gets done.
// So every job is run over tables of many rows, and no step may read more of one than a portion or two.

/** Rows that are made of each row that is there. */
const COPIES = 15_000;
/**
 * What one step may read of one table: a portion of a thousand, found, locked and written, in two or three statements. A connection that
 * plans a statement may look through a hundred pages for the end of an index: 7,400 rows of the ledger's entries.
 */
const MOST_READ = 9_000;

let service: TestCaudal;
let owner: Client;

beforeAll(async () => {
  service = await startTestCaudal({
    config: { keptDays: { payers: 30, endUsers: 30, messages: 30, notices: 90, acts: 365, pageViews: 400 } },
  });
  owner = new Client(connectionConfig(service.url, null));
  await owner.connect();
  const shop = await service.merchant({ noticeUrl: 'http://127.0.0.1:9/notices' });
  const network = await service.network();
  const orders = orderCalls(service, shop);
  const paid = (await orders.create({ order: 'A-1' })).data['SVordenID'];
  expect((await networkOrderCalls(service, network).pay(paid, 'T-1')).code).toBe('0000');
  await orders.create({ order: 'A-2' }, { 'idempotency-key': 'K-1' });
  await orders.update({ order: 'A-2', amount: '52000' });
  const cashouts = cashoutCalls(service, shop);
  await cashouts.register(cashouts.registration({ operation: 'W-1', document: '1020304050' }));
  await networkCalls(service, network).lookUp('000000', '1020304050');
  await service.runJobs();
  await owner.query(`
    set session_replication_role = replica;
    update ledger_balances set balance_minor = 1000000000000000 where account = 'reserved';
    insert into former_terms values ('${shop.merchantId}', 'A-2', '');
    insert into sign_in_tries values ('ana@example.com', '192.0.2.7', now(), 1, null);
    insert into spent_challenges values ('', now());
    insert into network_proofs values ('${network.netname}', '', '', now());
    insert into page_views (merchant_id, order_id, etag, version, seen_version, state, days_left, language, device, surroundings_id, first_at, last_at, loads)
    values ('${shop.merchantId}', 'A-1', '', 1, 1, 'paid', 1, 'es', 'phone', '', now(), now(), 1)`);
  await fill();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

/** A value of its own for the n-th copy of a row, by the type of its column. */
const OWN: Readonly<Record<string, string>> = {
  text: `%s || '-' || n`,
  int8: '%s + n::bigint * 1000000',
  bytea: `%s || int4send(n)`,
  timestamptz: `%s + n * interval '1 microsecond'`,
  date: '%s + n',
  int4: '%s + n',
};

/** Makes many rows of the first row of each table. What must be unique differs. */
async function fill(): Promise<void> {
  const { rows: tables } = await owner.query<{
    table: string;
    columns: readonly string[];
    types: readonly string[];
    unique: readonly string[];
  }>(`
    select c.relname as "table", array_agg(a.attname::text order by attnum) as columns, array_agg(t.typname::text order by attnum) as types,
           array(select distinct k.attname::text from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
                  where i.indrelid = c.oid and i.indisunique) as unique
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      join pg_type t on t.oid = a.atttypid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and c.relname not in ('schema_migrations', 'database_mode', 'ledger_summed', 'sandbox_clock', 'merchants', 'networks', 'change_readers', 'change_marks', 'notice_attempts', 'cashout_month_count_keys')
     group by c.oid, c.relname`);
  for (const { table, columns, types, unique } of tables) {
    // Merchants, networks and users stay few: a job may ask each.
    const own = columns.filter(
      (column, index) =>
        (unique.includes(column) || column === 'subject_id') &&
        OWN[types[index] as string] !== undefined &&
        !/^((merchant|network|user)_id|version)$/.test(column),
    );
    if (own.length === 0) continue;
    const select = columns.map((column, index) => (own.includes(column) ? OWN[types[index] as string]?.replaceAll('%s', column) : column));
    // It reads whole tables by itself.
    await owner.query(`alter table ${table} set (autovacuum_enabled = false)`);
    const copies = await owner
      .query(
        `insert into ${table} (${columns.join()}) overriding system value
         select ${select.join()} from (select * from ${table} order by ctid limit 1) as first, generate_series(1, ${COPIES}) as n`,
      )
      .catch((error: Error & { code?: string }) => {
        // Of a kind there is one row for each merchant: its table grows with merchants alone.
        if (error.code !== '23514') throw new Error(`${table}: ${error.message}`);
      });
    if (copies?.rowCount === COPIES) filled.push(table);
  }
  // Of another cluster, whose dump was restored here: their numbers are beyond those of this one.
  await owner.query(
    `insert into changes (written_in, change_id, kind, merchant_ids, ids, versions, events, states) overriding system value
     select '9999999999', n, 'order', '{}', '{}', '{}', '{}', '{}' from generate_series(1, ${COPIES}) as n`,
  );
  await owner.query('analyze');
}
const filled: string[] = [];

test('the tables that grow with the work are large', () => {
  const growing = `acts cashout_history cashout_wrong_tries cashouts changes former_terms kept_answers ledger_entries messages network_proofs
    notices open_references order_history order_payments orders page_views sign_in_tries spent_challenges spent_proofs spent_signatures`;
  expect(filled).toEqual(expect.arrayContaining(growing.split(/\s+/)));
});

/** Rows of each table that were read so far. */
async function rowsRead(): Promise<ReadonlyMap<string, number>> {
  // A connection counts what it read once its transaction has ended.
  for (const name of ['test.count', 'test.counted'])
    await inLane('jobs', () =>
      Promise.all([1, 2, 3].map(() => service.db.transaction((tx) => tx.query({ name, text: 'select pg_stat_force_next_flush()' }, [])))),
    );
  const { rows } = await owner.query<{ table: string; read: string }>(
    'select relname as "table", seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables',
  );
  return new Map(rows.map(({ table, read }) => [table, Number(read)]));
}

test.each([0, 2, 400])('no step of a job reads more of a table than a portion, %d days later', async (days) => {
  service.clock.advance({ days });
  const unbounded: string[] = [];
  // What is summed of the ledger is bounded by time: days.test.ts.
  for (const job of service.jobs.filter(({ name }) => name !== 'ledger.sum_days')) {
    for (let step = 0; step < 3; step++) {
      const before = await rowsRead();
      // The acts are of today: the database deletes none of them.
      const isMore = await inLane('jobs', () => job.step()).catch((error: Error & { code?: string }) => {
        if (job.name !== 'audit.prune-acts' || error.code !== '23001') throw new Error(job.name, { cause: error });
        return false;
      });
      for (const [table, read] of await rowsRead()) {
        const more = read - (before.get(table) ?? 0);
        if (more > MOST_READ) unbounded.push(`${job.name}, step ${step}: ${more} rows of ${table}`);
      }
      if (!isMore) break;
    }
  }
  expect(unbounded).toEqual([]);
});
