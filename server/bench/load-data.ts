import type { Client } from 'pg';
import { digestOfEvent } from '../src/kit/changes/digest.ts';
import { eventOf, MERCHANTS, ORDER_EMAIL, TIME_ZONE, type Sizes } from './bench-data.ts';

/** Rows of one statement. Each prints a line of progress every few seconds. */
const CHUNK = 1_000_000;
const YEAR_DAYS = 365;
/** How much later than the first an order is created: within a minute by chance, so that those of two databases are not in turn. */
const SINCE_FIRST = `(n * 10 + (hashtextextended($1 || n, 0) & 65535)) * interval '1 millisecond'`;

/**
 * Fills the orders as if they had been created here. All are pending; each has its first history row and its open reference.
 * Effects: drops secondary indexes and foreign keys, and creates them after the rows, as restoring a dump does.
 */
export async function loadOrders(
  client: Client,
  {
    orders,
    sharedBy = 1,
    createdFrom,
    ofMerchant = MERCHANTS.orders,
  }: Pick<Sizes, 'orders' | 'sharedBy' | 'createdFrom'> & { readonly ofMerchant?: string },
  say: (line: string) => void,
): Promise<void> {
  await withoutIndexes(client, ['orders', 'order_history', 'open_references'], async () => {
    await inChunks(orders, async (first, last) => {
      await client.query(
        `insert into orders (merchant_id, order_id, state, version, email, country, currency, amount_minor, reference, description, method,
                             language, recurrent, expires_on, expires_at, created_at, updated_at)
         select case when n % $5::bigint = 0 then $1 else $6 || (n % $5::bigint - 1) end, n::text, 'pending', 1, $2, '343', 'COP', 1000000 + n * 7919 % 90000000, '9' || lpad(n::text, 11, '0'), 'Order ' || n, '',
                'es', false, today + 30, (today + 31)::timestamp at time zone '${TIME_ZONE}', at, at
           from generate_series($3::bigint, $4::bigint) as n,
                lateral (select coalesce($7::timestamptz + ${SINCE_FIRST}, date_trunc('milliseconds', now())) as at,
                                (now() at time zone '${TIME_ZONE}')::date as today) as moment`,
        [ofMerchant, ORDER_EMAIL, first, last, sharedBy, MERCHANTS.others, createdFrom],
      );
      say(`${last} orders`);
    });
    await client.query(
      `insert into order_history (merchant_id, order_id, version, event, actor, changed_at, request_id, changes, digest)
       select merchant_id, order_id, 1, k.*, jsonb_build_object(${CREATION}), ${digestOfEvent('k')}
         from orders, lateral ${eventOf("'order.created'", 'created_at')} as k`,
    );
    await client.query(`insert into open_references select reference, merchant_id, order_id, expires_at from orders`);
  });
  await client.query('vacuum (analyze) orders, order_history, open_references');
}

/** The changes of a creation: every field from null to its value, in the server's recorded form. */
const CREATION = Object.entries({
  serviceOrderId: 'service_order_id::text',
  state: 'state',
  email: 'email',
  country: 'country',
  amount: `amount_minor || ' ' || currency`,
  reference: 'reference',
  description: 'description',
  method: 'method',
  language: 'language',
  recurrent: 'recurrent',
  expiresOn: 'expires_on::text',
  expiresAt: `to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  vatRatePpm: 'vat_rate_ppm',
  userDocument: 'user_document',
  userDocumentType: 'user_document_type',
  userName: 'user_name',
  redirectTimeoutMs: 'redirect_timeout_ms',
})
  .map(([field, value]) => `'${field}', jsonb_build_array(null, ${value})`)
  .join(', ');

/**
 * Fills the cashouts, spread evenly over the last year, and their stored counts.
 * The rows of all merchants are interleaved, as in a table that grew with time. So a page is not one block.
 * Pending cashouts are not due during the measurement: the server would sweep them while it is measured.
 */
export async function loadCashouts(client: Client, { cashouts, cashoutsOfOne }: Sizes, say: (line: string) => void): Promise<void> {
  await withoutIndexes(client, ['cashouts'], async () => {
    await inChunks(cashouts, async (first, last) => {
      await client.query(
        `insert into cashouts (merchant_id, operation_id, state, version, amount_minor, transaction_cost_minor, currency, description,
                               document, sms, cellphone, expires_on, created_at, updated_at, updated_on, expires_at)
         select case when n % $5::bigint = 0 then $1 else $2 || (n * 7 % $6::bigint) end,
                'L' || lpad(n::text, 9, '0'),
                state, 1, 100000 + n * 7919 % 90000000, 0, 'COP', 'Prize ' || n % 1000, (10000000 + n * 104729 % 1000000)::text, true,
                '300' || lpad((n % 10000000)::text, 7, '0'), last_on, at, at, (at at time zone '${TIME_ZONE}')::date,
                (last_on + 1)::timestamp at time zone '${TIME_ZONE}'
           from generate_series($3::bigint, $4::bigint) as n,
                lateral (select date_trunc('milliseconds', now() - interval '${YEAR_DAYS - 1} days' * (1 - n / $7::double precision)) as at,
                                (array['approved', 'approved', 'approved', 'approved', 'approved', 'pending', 'expired', 'cancelled', 'nullified',
                                       'approved'])[1 + n * 7919 / 13 % 10] as state) as moment,
                lateral (select (case state when 'pending' then now() else at end at time zone '${TIME_ZONE}')::date + 30 as last_on) as term`,
        [MERCHANTS.cashouts, MERCHANTS.others, first, last, Math.round(cashouts / cashoutsOfOne), MERCHANTS.otherCount, cashouts],
      );
      say(`${last} cashouts`);
    });
  });
  const states = ['pending', 'approved', 'expired', 'cancelled', 'nullified'];
  const sums = states.map((state) => `sum(${state})`).join(', ');
  await client.query(
    `insert into cashout_slot_counts
     select merchant_id, updated_on, date_bin('5 minutes', updated_at, 'epoch'), ${states.map((state) => `count(*) filter (where state = '${state}')`).join(', ')}
       from cashouts group by 1, 2, 3`,
  );
  await client.query(`insert into cashout_counts select merchant_id, updated_on, ${sums} from cashout_slot_counts group by 1, 2`);
  await client.query(
    `insert into cashout_month_counts select merchant_id, date_trunc('month', updated_on)::date, ${sums} from cashout_counts group by 1, 2`,
  );
  await client.query('vacuum (analyze) cashouts, cashout_slot_counts, cashout_counts, cashout_month_counts');
}

async function inChunks(count: number, insert: (first: number, last: number) => Promise<void>): Promise<void> {
  for (let first = 1; first <= count; first += CHUNK) await insert(first, Math.min(first + CHUNK - 1, count));
}

/** Maintaining an index row by row costs more than everything else when keys are random. Primary keys stay: rows arrive nearly in order. */
export async function withoutIndexes(client: Client, tables: readonly string[], load: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await client.query<{ drop: string; create: string }>(
    `select format('drop index %I', indexname) as drop, indexdef as create from pg_indexes
      where schemaname = 'public' and tablename = any ($1) and indexname not in (select conname from pg_constraint)`,
    [tables],
  );
  const { rows: keys } = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
       from pg_constraint where contype = 'f' and conrelid = any ($1::regclass[])`,
    [tables],
  );
  for (const { drop } of [...indexes, ...keys]) await client.query(drop);
  await load();
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const { create } of [...indexes, ...keys]) await client.query(create);
}
