import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionConfig, declaredStatements } from '../kit/db.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let client: Client;

/** A merchant with 120,000 cashouts over 25 days, among as many of others. So a plan that reads too much shows. */
beforeAll(async () => {
  service = await startTestCaudal();
  for (const merchantId of ['big', 'other']) await service.merchant({ merchantId });
  client = new Client(connectionConfig(service.url, null));
  await client.connect();
  // A check of the merchant per row is most of the work, and is not what is tested.
  await client.query('alter table cashouts drop constraint cashouts_merchant_id_fkey');
  await client.query(
    `insert into cashouts (merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
       document, sms, cellphone, expires_on, created_at, updated_at, updated_on)
     select case when n % 2 = 0 then 'big' else 'other' end, 'P-' || n, n,
       (array['approved', 'approved', 'approved', 'pending', 'approved', 'expired', 'approved', 'cancelled', 'approved'])[1 + n / 2 % 9], 1, 100, 0, 'COP', '',
       (n / 2 % 20000)::text, false, '', '2026-12-31', instant, instant, (instant at time zone 'America/Bogota')::date
       from (select n, '2026-10-01T05:00:00Z'::timestamptz + n * interval '9 seconds' as instant from generate_series(1, 240000) as n) as made`,
  );
  await client.query(
    `insert into cashout_slot_counts select merchant_id, updated_on, date_bin('5 minutes', updated_at, 'epoch'), count(*) filter (where state = 'pending'),
       count(*) filter (where state = 'approved'), count(*) filter (where state = 'expired'), count(*) filter (where state = 'cancelled'), 0
       from cashouts group by 1, 2, 3`,
  );
  const sums = 'sum(pending), sum(approved), sum(expired), sum(cancelled), sum(nullified)';
  await client.query(`insert into cashout_counts select merchant_id, updated_on, ${sums} from cashout_slot_counts group by 1, 2`);
  await client.query(
    `insert into cashout_month_counts select merchant_id, date_trunc('month', updated_on)::date, ${sums} from cashout_counts group by 1, 2`,
  );
  await client.query('vacuum analyze cashouts, cashout_slot_counts, cashout_counts, cashout_month_counts');
});
afterAll(async () => {
  await client.end();
  await service.close();
});

type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
};

/** Rows of cashouts that a plan read, and how. */
function readsOf(plan: Plan): { readonly rows: number; readonly scans: readonly string[] } {
  const below = (plan.Plans ?? []).map(readsOf);
  const isScan = plan['Relation Name'] === 'cashouts';
  const own = isScan ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0;
  return {
    rows: below.reduce((sum, { rows }) => sum + rows, own),
    scans: [...below.flatMap(({ scans }) => scans), ...(isScan ? [plan['Node Type']] : [])],
  };
}

const LIMIT = 101;
/** Cashouts of the fullest five minutes. A page by number skips half of them at most, in each state that is merged. */
const SLOT = 17;
const RANGE = ['big', '2026-10-01', '2026-10-25', LIMIT];
const PLACE = ['2026-10-12', '2026-10-12T17:00:00Z', 100_000];
const FILTERS = {
  all: { values: [], offset: 60_000 },
  state: { values: ['{approved}'], offset: 40_000 },
  states: { values: ['{pending,expired,cancelled}'], offset: 20_000 },
  document: { values: ['{pending,approved,expired,cancelled,nullified}', '77'], offset: 2 },
} as const;

const shapes = ['first', 'forward', 'backward', 'numbered'].flatMap((kind) =>
  (['all', 'state', 'states', 'document'] as const).map((filter) => [kind, filter] as const),
);

test.each(shapes)('the %s walk over %s reads from its index, and hardly more rows than it shows', async (kind, filter) => {
  const found = declaredStatements().find(({ name }) => name === `cashouts.list_${kind}_${filter}`)!;
  const { values, offset } = FILTERS[filter];
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare shape as ${found.text}`);
  const given = [...RANGE, ...(kind === 'first' ? [] : kind === 'numbered' ? [offset] : PLACE), ...values]
    .map((value) => `'${value}'`)
    .join(', ');
  const shown = await client.query<{ rows: string }>(`execute shape (${given})`);
  const explained = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `explain (analyze, format json) execute shape (${given})`,
  );
  await client.query('deallocate shape');
  const { rows, scans } = readsOf(explained.rows[0]!['QUERY PLAN'][0].Plan);
  expect(shown.rows[0]!.rows.split('\x1e').length).toBeGreaterThan(filter === 'document' ? 0 : LIMIT - 1);
  expect(scans.filter((scan) => !scan.startsWith('Index'))).toEqual([]);
  expect(rows).toBeLessThanOrEqual(2 * LIMIT + (kind === 'numbered' ? (SLOT / 2 + 1) * (filter === 'states' ? 3 : 1) : 4));
});

test.each(['operation_id', 'currency', 'description', 'document', 'cellphone'])(
  'the table refuses a %s with a character that ends a row or a value of a page',
  async (column) => {
    for (const end of ['\x1e', '\x1f']) {
      const update = client.query(`update cashouts set ${column} = ${column} || $1 where merchant_id = 'big' and operation_id = 'P-2'`, [
        end,
      ]);
      await expect(update).rejects.toMatchObject({ constraint: 'cashouts_texts_without_separators' });
    }
  },
);
