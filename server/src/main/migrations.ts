import { fileURLToPath } from 'node:url';
import type { TableRules } from '../kit/db/grants.ts';
import { requireSessions, userOf } from '../kit/db.ts';
import { migrate, type MigrateHooks, type RunStatement } from '../kit/migrate.ts';
import type { Config } from './config.ts';
import { refuseOtherMode } from './database-mode.ts';

/** The directory of the schema's migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * What the user that serves may not change. Of the first two kinds triggers refuse it to everyone, and this user cannot turn them off.
 * Whoever has this user can forget what time would forget anyway: spent proofs, kept answers, notices, sessions. It cannot take away or
 * rewrite what happened: see docs/security.md.
 */
const SERVICE_RULES: TableRules = {
  readOnly: [
    'schema_migrations',
    'act_stubs',
    'ledger_balance_keys',
    'cashout_count_keys',
    'cashout_slot_count_keys',
    'cashout_month_count_keys',
    // Beside that it may seal them again: see neverDeleted.
    'cells',
  ],
  appendOnly: [
    'ledger_entries',
    'merchant_fees',
    'database_mode',
    'acts',
    'act_links',
    'order_transactions',
    'order_id_starts',
    'pictures',
    'page_surroundings',
    'user_subjects',
    'former_secrets',
    'merchant_cells',
    'settlement_lines',
    'settlement_files',
  ],
  neverDeleted: {
    order_history: ['changes'],
    cashout_history: ['changes'],
    act_details: ['salt', 'content', 'erased_as'],
    order_payments: ['state', 'given_back_at', 'refunded_minor'],
    order_refunds: ['state', 'refunded_by', 'operation_id', 'updated_at', 'ended_at', 'proof', 'problem'],
    cashout_payments: ['reversed_at'],
    settlements: ['state', 'approved_at', 'sent_at', 'file_id', 'paid_at', 'bank_reference', 'returned_at', 'problem', 'cancelled_at'],
    settlement_marks: ['settled_to'],
    held_money: ['released_at'],
    erasures: ['erased', 'erased_at'],
    cells: ['master_key_id', 'sealed'],
    settlement_rules: ['until'],
    orders: 'every column',
    cashouts: 'every column',
    merchants: 'every column',
    networks: 'every column',
    ledger_balances: 'every column',
    cashout_counts: 'every column',
    cashout_slot_counts: 'every column',
    cashout_month_counts: 'every column',
    cashout_limits: 'every column',
    settlement_schedules: 'every column',
    merchant_brands: 'every column',
    network_brands: 'every column',
    bank_file_layouts: 'every column',
    notice_attempts: 'every column',
    change_readers: 'every column',
    ledger_days: 'every column',
    ledger_summed: 'every column',
    refused_payments: 'every column',
    refused_payments_beyond: 'every column',
    sandbox_clock: 'every column',
  },
  functions: ['prune_acts'],
};

/** A database as its two users reach it. They may be one. */
export type DatabaseUrls = {
  readonly url: string;
  readonly ownerUrl: string;
  /** It is not an embedded one: a pooler may be in between. */
  readonly mayBePooled?: boolean;
};

/** The users of the settings. */
export function externalUrls({ databaseUrl, migrationsUrl }: Pick<Config, 'databaseUrl' | 'migrationsUrl'>): DatabaseUrls {
  if (databaseUrl === undefined) throw new Error('there is no DATABASE_URL');
  return { url: databaseUrl, ownerUrl: migrationsUrl ?? databaseUrl, mayBePooled: true };
}

/**
 * Migrates a database as its owner, and grants the user that serves its rights.
 * Shape: the users, the mode of this program → the versions that were applied now.
 * Refuses: as migrate; a pooler that shares sessions; with a mode also a database of the other one, before it changes anything.
 */
export async function prepareSchema(
  { url, ownerUrl, mayBePooled = false }: DatabaseUrls,
  mode?: Config['mode'],
  hooks?: Pick<MigrateHooks, 'onApplied' | 'onHeld'>,
): Promise<number[]> {
  if (mayBePooled) await Promise.all([...new Set([url, ownerUrl])].map(requireSessions));
  const user = userOf(url);
  const serviceUser = user === undefined || user === userOf(ownerUrl) ? undefined : { name: user, rules: SERVICE_RULES };
  const mayChange = mode === undefined ? undefined : (query: RunStatement) => refuseOtherMode(query, mode);
  return migrate(ownerUrl, MIGRATIONS, serviceUser, { mayChange, ...hooks });
}
