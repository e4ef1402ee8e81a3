import { Client } from 'pg';
import { CommandRefused } from '../kit/command-line.ts';
import { connectionConfig } from '../kit/db.ts';

/**
 * Where the rows of a table are in a database of several machines:
 * - `merchant`: with the other rows of their merchant, so a merchant's batch is a transaction on one machine.
 * - `everywhere`: a copy on each machine, for rows that every statement may need and that change rarely.
 * - a column: distributed by it, because it must be unique across merchants.
 * - `coordinator`: on the machine that clients connect to.
 */
type Place = 'merchant' | 'everywhere' | 'coordinator' | { readonly by: string };

/** Every table of the schema; a test compares. They are distributed in this order: tables that others refer to first. */
export const PLACES: Readonly<Record<string, Place>> = {
  merchants: 'everywhere',
  merchant_secrets: 'everywhere',
  networks: 'everywhere',
  network_secrets: 'everywhere',
  service_secrets: 'everywhere',
  cashout_limits: 'everywhere',
  orders: 'merchant',
  order_history: 'merchant',
  order_payments: 'merchant',
  refused_payments: 'merchant',
  cashouts: 'merchant',
  cashout_history: 'merchant',
  cashout_counts: 'merchant',
  cashout_month_counts: 'merchant',
  cashout_slot_counts: 'merchant',
  spent_signatures: 'merchant',
  kept_answers: 'merchant',
  open_references: { by: 'reference' },
  order_transactions: { by: 'transaction_id' },
  cashout_wrong_tries: { by: 'document' },
  // Unique by transaction and by operation: no column serves both.
  cashout_payments: 'everywhere',
  // Their rules are triggers. The extension runs triggers only on tables of the coordinator.
  merchant_fees: 'coordinator',
  ledger_entries: 'coordinator',
  ledger_balances: 'coordinator',
  // Jobs claim their rows across merchants, with `skip locked`.
  notices: 'coordinator',
  notice_endpoints: 'coordinator',
  messages: 'coordinator',
  sandbox_clock: 'coordinator',
  schema_migrations: 'coordinator',
};

type Distributed = { readonly now: readonly string[]; readonly before: readonly string[] };

/**
 * Distributes an existing database, with its rows, by merchant over the machines of a Citus cluster.
 * Shape: connection string of the coordinator → the tables distributed now, and those distributed before.
 * Refuses (CommandRefused): a server without the extension.
 * Effects: one table after another, each in its own transaction; a second run continues where the first stopped.
 * Stop the servers first: a table is locked while its rows move.
 */
export async function distribute(databaseUrl: string): Promise<Distributed> {
  const client = new Client(connectionConfig(databaseUrl, null));
  client.on('error', () => undefined); // A broken connection fails its statement too.
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_available_extensions where name = 'citus'`);
    if (rowCount === 0)
      throw new CommandRefused(
        'The server of this database does not have the extension Citus: nothing was changed. Install it on every machine, and name it in shared_preload_libraries.',
      );
    await client.query('create extension if not exists citus');
    const { rows } = await client.query<{ name: string }>('select logicalrelid::text as name from pg_dist_partition');
    const before = new Set(rows.map(({ name }) => name));
    const now = Object.keys(PLACES).filter((table) => !before.has(table) && table !== 'schema_migrations');
    for (const table of now) await client.query(placing(table, PLACES[table] as Place));
    return { now, before: [...before] };
  } finally {
    await client.end();
  }
}

function placing(table: string, place: Place): string {
  if (place === 'everywhere') return `select create_reference_table('${table}')`;
  if (place === 'coordinator') return `select citus_add_local_table_to_metadata('${table}')`;
  if (place !== 'merchant') return `select create_distributed_table('${table}', '${place.by}', colocate_with => 'none')`;
  return `select create_distributed_table('${table}', 'merchant_id', colocate_with => '${table === 'orders' ? 'none' : 'orders'}')`;
}
