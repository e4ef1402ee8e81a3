import { Client } from 'pg';
import { systemClock } from '../src/kit/clock.ts';
import { connectionConfig, openDb } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import { createMerchant } from '../src/merchants/index.ts';
import { TIME_ZONE, type BenchDatabase } from './bench-data.ts';
import { withoutIndexes } from './load-data.ts';
import { ask } from './postgres.ts';
import { keysOf } from './setup.ts';

/** Merchants that have collected, and what each of them has: payments, which have one entry of `collected` each. */
export type Collected = { readonly merchants: number; readonly payments: number };

const nameOf = (round: string): string => `bench-${round}-`;
/** Entries of one statement. */
const CHUNK = 1_000_000;
const ENTRIES_OF_PAYMENT = 4;
/** Long enough ago that a business day has come since, whatever the day of the week. */
const PAID_DAYS_AGO = 10;

/**
 * Adds merchants whose payments of one day are in no settlement yet. Each has its entries of the network, the merchant,
 * the fee and the tax. Those of all merchants are interleaved, as they are where they came through the day.
 * Effects: the trigger of the ledger keeps the balances; secondary indexes are made after the rows.
 */
export async function loadCollected(
  { url, masterKeyHex, fixedHash }: BenchDatabase,
  { merchants, payments }: Collected,
  round: string,
  say: (line: string) => void,
): Promise<void> {
  const db = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  try {
    const keys = keysOf(Buffer.from(masterKeyHex, 'hex'));
    for (let number = 0; number < merchants; number++) {
      const created = await createMerchant(
        { db, keys, clock: systemClock },
        { merchantId: `${nameOf(round)}${number}`, country: '343', fixedHash },
      );
      if (isRefusal(created) && created.refusal !== 'merchant_exists') throw new Error(`merchant ${number}: ${created.refusal}`);
    }
  } finally {
    await db.close();
  }
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  try {
    const all = merchants * payments;
    await withoutIndexes(client, ['ledger_entries'], async () => {
      for (let first = 0; first < all; first += CHUNK / ENTRIES_OF_PAYMENT) {
        await client.query(PAYMENTS, [first, Math.min(all, first + CHUNK / ENTRIES_OF_PAYMENT) - 1, merchants, all, nameOf(round)]);
        say(`${Math.min(all, first + CHUNK / ENTRIES_OF_PAYMENT)} payments of ${merchants} merchants`);
      }
    });
    await client.query('vacuum (analyze) ledger_entries');
  } finally {
    await client.end();
  }
}

/** $1 and $2: the numbers of the first payment and the last one. */
const PAYMENTS = `
  insert into ledger_entries (merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at)
  select $5 || n % $3::bigint, 'order/S-' || n || '/paid/1', line, 'order_paid', account, 'COP',
         case line when 1 then -amount when 2 then amount - 1190 when 3 then 1000 else 190 end, day + n * interval '23 hours' / $4::bigint
    from generate_series($1::bigint, $2::bigint) as n, lateral (select 1000000 + n * 7919 % 90000000 as amount) as paid,
         (select (date_trunc('day', now() at time zone '${TIME_ZONE}') - interval '${PAID_DAYS_AGO} days') at time zone '${TIME_ZONE}' as day) as of,
         (values (1, 'network:bench'), (2, 'collected'), (3, 'service:fees'), (4, 'service:tax')) as entry (line, account)
   order by n, line`;

/** Lets them all fall due at once. */
export async function makeDue({ url }: BenchDatabase, round: string): Promise<void> {
  await ask(url, CALENDAR);
  await ask(url, SCHEDULES, [nameOf(round)]);
}

/** It covers the years of the schedules. */
const CALENDAR = `
  insert into holidays (calendar, day, name)
  select 'bench', make_date(extract(year from now())::int + year, 1, 1), 'New Year' from generate_series(-1, 1) as year on conflict do nothing`;

/** Nobody has looked at them since the payments. */
const SCHEDULES = `
  insert into settlement_schedules (merchant_id, currency, period, delay_days, calendar, minimum_minor, reserve_ppm, reserve_days, bank_code, bank_name,
                                    account_type, account_number, holder_name, holder_document_type, holder_document, set_at, looked_to)
  select merchant_id, 'COP', 'daily', 1, 'bench', 0, 0, 0, '051', 'Bank', 'savings', '1020304050', 'Merchant', 'NIT', '900123456', now(),
         (now() at time zone '${TIME_ZONE}')::date - ${PAID_DAYS_AGO - 1}
    from merchants where starts_with(merchant_id, $1)`;
