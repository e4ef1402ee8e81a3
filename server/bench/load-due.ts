import { Client } from 'pg';
import { COUNT_CHANGES, countChangeValues } from '../src/cashouts/cashout-rows.ts';
import { digestOfEvent } from '../src/kit/changes/digest.ts';
import { connectionConfig } from '../src/kit/db.ts';
import { eventOf, MERCHANTS, TIME_ZONE, type BenchDatabase } from './bench-data.ts';

/** Orders and cashouts that fell due while no server ran. All are pending and due at the same midnight. */
export type Due = { readonly orders: number; readonly cashouts: number };

/** Due orders for each order that is not due. */
const COPIES = 10;
const LAST_MIDNIGHT = `date_trunc('day', now() at time zone '${TIME_ZONE}')`;
const MADE_BEFORE = `interval '10 days'`;

/**
 * Adds orders and cashouts whose last day was yesterday. Copies each stored order ten times; the cashouts have reserved money.
 * Effects: each has the history, open reference, ledger entries and counts of one that was created here ten days ago.
 */
export async function loadDue({ url, sizes }: BenchDatabase, cashouts: number, say: (line: string) => void): Promise<Due> {
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  try {
    await copyOrders(client);
    say(`${sizes.orders * COPIES} orders that are due`);
    await addCashouts(client, cashouts);
    say(`${cashouts} cashouts that are due`);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
  return { orders: sizes.orders * COPIES, cashouts };
}

const copyId = (order: string): string => `${order}.order_id || '-' || copy`;

/** A loaded reference is '9' and eleven digits. */
async function copyOrders(client: Client): Promise<void> {
  await client.query(
    `insert into orders (merchant_id, order_id, state, version, email, country, currency, amount_minor, reference, description, method,
                         language, recurrent, expires_on, expires_at, created_at, updated_at)
     select merchant_id, ${copyId('o')}, state, version, email, country, currency, amount_minor, 10 + copy || substr(reference, 3), description,
            method, language, recurrent, (midnight - interval '1 day')::date, midnight at time zone '${TIME_ZONE}', created_at - ${MADE_BEFORE},
            updated_at - ${MADE_BEFORE}
       from orders o, generate_series(1, ${COPIES}) as copy, (select ${LAST_MIDNIGHT} as midnight) as moment`,
  );
  await client.query(
    `insert into order_history (merchant_id, order_id, version, event, actor, changed_at, request_id, changes, digest)
     select o.merchant_id, o.order_id, 1, k.*,
            h.changes || jsonb_build_object('serviceOrderId', jsonb_build_array(null, o.service_order_id::text),
              'reference', jsonb_build_array(null, o.reference), 'expiresOn', jsonb_build_array(null, o.expires_on::text),
              'expiresAt', jsonb_build_array(null, to_char(o.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))),
            ${digestOfEvent('k')}
       from order_history h, generate_series(1, ${COPIES}) as copy
       join orders o on true, lateral ${eventOf("'order.created'", 'o.created_at')} as k
      where o.merchant_id = h.merchant_id and o.order_id = ${copyId('h')}`,
  );
  await client.query(
    `insert into open_references select reference, merchant_id, order_id, expires_at from orders where expires_at <= now()`,
  );
}

async function addCashouts(client: Client, cashouts: number): Promise<void> {
  const { rows } = await client.query<{ updatedAt: Temporal.Instant; updatedOn: Temporal.PlainDate }>(
    `insert into cashouts (merchant_id, operation_id, state, version, amount_minor, transaction_cost_minor, currency, description, document,
                           sms, cellphone, expires_on, created_at, updated_at, updated_on, expires_at, reserved_minor)
     select $1, 'D' || n, 'pending', 1, 100000 + n * 7919 % 90000000, 0, 'COP', 'Prize', (10000000 + n * 104729 % 1000000)::text, false, '',
            (midnight - interval '1 day')::date, at, at, (at at time zone '${TIME_ZONE}')::date, midnight at time zone '${TIME_ZONE}',
            100000 + n * 7919 % 90000000
       from generate_series(1, $2::bigint) as n,
            (select ${LAST_MIDNIGHT} as midnight, date_trunc('milliseconds', now() - ${MADE_BEFORE}) as at) as moment
     returning updated_at as "updatedAt", updated_on as "updatedOn"`,
    [MERCHANTS.cashouts, cashouts],
  );
  const { updatedAt, updatedOn } = rows[0] as (typeof rows)[number];
  const count = { merchantId: MERCHANTS.cashouts, updatedAt, updatedOn, state: 'pending', delta: cashouts } as const;
  await client.query(
    COUNT_CHANGES.text,
    countChangeValues([count]).map((column) => (column as unknown[]).map(String)),
  );
  await client.query(
    `insert into cashout_history (merchant_id, operation_id, version, event, actor, changed_at, request_id, changes, digest)
     select merchant_id, operation_id, 1, k.*, '{"state": [null, "pending"]}', ${digestOfEvent('k')}
       from cashouts, lateral ${eventOf("'cashout.registered'", 'created_at')} as k where reserved_minor > 0`,
  );
  await client.query(
    `insert into ledger_entries (merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at)
     select merchant_id, 'cashout/' || operation_id || '/registered', line, 'cashout_registered', account, currency, sign * reserved_minor, created_at
       from cashouts, (values (1, 'available', -1), (2, 'reserved', 1)) as side (line, account, sign)
      where reserved_minor > 0`,
  );
}
