import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { countAgain } from '../src/figures/count-figures.ts';
import { systemClock } from '../src/kit/clock.ts';
import { connectionConfig, openDb } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { migrate } from '../src/kit/migrate.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import { masterKey, randomSecret, type MasterKeys } from '../src/kit/secrets.ts';
import { topUp } from '../src/ledger/index.ts';
import { postingDb } from '../src/testing/posting-db.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { createMerchant } from '../src/merchants/index.ts';
import { withDatabase } from '../src/testing/names.ts';
import { MERCHANTS, type BenchDatabase, type Sizes } from './bench-data.ts';
import { loadCashouts, loadOrders } from './load-data.ts';
import { ask } from './postgres.ts';

/** Enough for a day of registrations. */
const FUND_MINOR = 10n ** 17n;

/** Created when everything is loaded: a database without it is incomplete. */
const SETUP_TABLE = `create table bench_setup (sizes jsonb not null, master_key_hex text not null, fixed_hash text not null, first_day date not null)`;

/**
 * Returns a loaded database of that name and these sizes.
 * Effects: reuses the database of an earlier run with the same sizes. Drops any other of that name, and loads a new one.
 */
export async function openBenchDatabase(
  serverUrl: string,
  name: string,
  sizes: Sizes,
  say: (line: string) => void,
): Promise<BenchDatabase> {
  const url = withDatabase(serverUrl, name);
  const kept = await readSetup(serverUrl, name, sizes);
  if (kept !== undefined) {
    say(`the data of an earlier run is used again`);
    return kept;
  }
  await dropBenchDatabase(serverUrl, name);
  await ask(serverUrl, `create database ${name}`);
  await migrate(url, MIGRATIONS);
  const key = randomBytes(32);
  const fixedHash = randomSecret();
  await createMerchants(url, key, fixedHash);
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  try {
    await loadOrders(client, sizes, say);
    await loadCashouts(client, sizes, say);
    await countFigures(url, say);
    await client.query(SETUP_TABLE);
    await client.query(`insert into bench_setup select $1, $2, $3, min(updated_on) from cashout_counts`, [
      sizes,
      key.toString('hex'),
      fixedHash,
    ]);
  } finally {
    await client.end();
  }
  return (await readSetup(serverUrl, name, sizes)) as BenchDatabase;
}

/** Counts what was loaded, at once. A server would do so while it is measured. */
async function countFigures(url: string, say: (line: string) => void): Promise<void> {
  const db = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  try {
    await countAgain({ db, url, clock: systemClock });
    say('figures are counted');
  } finally {
    await db.close();
  }
}

export async function dropBenchDatabase(serverUrl: string, name: string): Promise<void> {
  await ask(serverUrl, `drop database if exists ${name} with (force)`);
}

async function readSetup(serverUrl: string, name: string, sizes: Sizes): Promise<BenchDatabase | undefined> {
  const [database] = await ask(serverUrl, `select 1 from pg_database where datname = $1`, [name]);
  if (database === undefined) return undefined;
  const url = withDatabase(serverUrl, name);
  const [table] = await ask<{ found: boolean }>(url, `select to_regclass('bench_setup') is not null as found`);
  if (table?.found !== true) return undefined;
  const [setup] = await ask<{ masterKeyHex: string; fixedHash: string; firstDay: string }>(
    url,
    `select master_key_hex as "masterKeyHex", fixed_hash as "fixedHash", to_char(first_day, 'YYYYMMDD') as "firstDay"
       from bench_setup where sizes = $1 and not exists (select from orders where expires_at < now() + interval '1 day')`,
    [sizes],
  );
  return setup === undefined ? undefined : { url, sizes, ...setup };
}

/** The key ring of a benchmark. */
export function keysOf(key: Buffer): MasterKeys {
  const only = masterKey(key);
  return { current: () => only, find: () => only };
}

async function createMerchants(url: string, key: Buffer, fixedHash: string): Promise<void> {
  const keys = keysOf(key);
  const db = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  const others = Array.from({ length: MERCHANTS.otherCount }, (_, index) => `${MERCHANTS.others}${index}`);
  for (const merchantId of [MERCHANTS.orders, MERCHANTS.cashouts, ...others]) {
    const created = await createMerchant({ db, keys, clock: systemClock }, { merchantId, country: '343', fixedHash });
    if (isRefusal(created)) throw new Error(`merchant ${merchantId}: ${created.refusal}`);
  }
  for (const merchantId of [MERCHANTS.cashouts, ...others]) {
    const funded = await topUp(
      { db: postingDb(db, systemClock, merchantId), clock: systemClock },
      { merchantId, currency: 'COP', amountMinor: FUND_MINOR },
    );
    if (isRefusal(funded)) throw new Error(`no fund for the cashouts: ${funded.refusal}`);
  }
  await db.close();
}
