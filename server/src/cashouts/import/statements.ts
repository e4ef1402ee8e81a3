import { SLOT_OF_UPDATE, type CountChange } from '../cashout-rows.ts';
import type { ImportedCashout } from './import-cashouts.wire.ts';

// These statements work on a table of their own transaction, so they cannot be declared as the others are.

/** Sorting and hashing a million rows then happens in memory; a temporary table has its own buffers, one process long. */
export const SETTINGS = [
  'set local statement_timeout = 0',
  'set local lock_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  `set local work_mem = '64MB'`,
  `set local maintenance_work_mem = '128MB'`,
  `set local temp_buffers = '64MB'`,
  'set local jit = off',
].join('; ');

/** Ids are given in the order of the lines. Where instants are equal, a later line then counts as newer. */
export const CREATE_INCOMING = `create temporary table incoming (
  line                   bigint not null,
  operation_id           text collate "C" not null,
  state                  text collate "C" not null,
  amount_minor           bigint not null,
  transaction_cost_minor bigint not null,
  currency               text not null,
  description            text not null,
  document               text collate "C" not null,
  sms                    boolean not null,
  cellphone              text not null,
  expires_on             date not null,
  updated_at             timestamptz not null,
  updated_on             date not null,
  expires_at             timestamptz not null,
  cashout_id             bigint not null default nextval('cashouts_cashout_id_seq')
) on commit drop`;

const CONTENT = `state, amount_minor, transaction_cost_minor, currency, description, document, sms, cellphone, expires_on, updated_at, updated_on,
  expires_at`;

export const COPY_INCOMING = `copy incoming (line, operation_id, ${CONTENT}) from stdin`;

export const INDEX_INCOMING = 'create index on incoming (operation_id, line); analyze incoming';

/** $1: the last cashout of the slice before, or empty. The last one of the next slice; null where fewer are left. */
export const END_OF_SLICE = `select operation_id as "end" from incoming where operation_id > $1 order by operation_id offset $2 limit 1`;

/** Cashouts are written in the order of their key, as registering does. Two writers then never wait for each other in a circle. */
export const STORE_SLICE = `with stored as (
    insert into cashouts (merchant_id, operation_id, cashout_id, version, created_at, ${CONTENT})
    select $1, operation_id, cashout_id, 1, updated_at, ${CONTENT} from incoming
     where operation_id > $2 and ($3::text is null or operation_id <= $3)
     order by operation_id, line
    on conflict (merchant_id, operation_id) do nothing
    returning updated_on, ${SLOT_OF_UPDATE} as updated_slot, state)
  select updated_on as "updatedOn", updated_slot as "updatedAt", state, count(*)::integer as delta from stored group by 1, 2, 3`;

export type StoredCount = Omit<CountChange, 'merchantId'>;

/**
 * Rows of the file that differ from what is now stored; `firstLine` is the first line of the same cashout. A cashout that has changed
 * here since it came may have another state and update. The rest of it never changes.
 */
export const DECLARE_CONFLICTS = `declare conflicts cursor for
  select incoming.line::integer as line, incoming.operation_id as "operationId",
         (select min(earlier.line)::integer from incoming as earlier where earlier.operation_id = incoming.operation_id) as "firstLine"
    from incoming join cashouts as stored on stored.merchant_id = $1 and stored.operation_id = incoming.operation_id
   where (incoming.amount_minor, incoming.transaction_cost_minor, incoming.currency, incoming.description, incoming.document,
          incoming.sms, incoming.cellphone, incoming.expires_on)
      <> (stored.amount_minor, stored.transaction_cost_minor, stored.currency, stored.description, stored.document,
          stored.sms, stored.cellphone, stored.expires_on)
      or (stored.version = 1 and (incoming.state, incoming.updated_at) <> (stored.state, stored.updated_at))
   order by incoming.line`;

export const FETCH_CONFLICTS = 'fetch 1000 from conflicts';

export type Conflict = { readonly line: number; readonly operationId: string; readonly firstLine: number };

/** One line of COPY's text format. Only a description can hold what has to be escaped, and of that only the backslash. */
export function toCopyLine(row: ImportedCashout): string {
  const { line, operationId, state, amountMinor, transactionCostMinor, currency, document, sms, cellphone } = row;
  const description = row.description.includes('\\') ? row.description.replaceAll('\\', '\\\\') : row.description;
  return (
    `${line}\t${operationId}\t${state}\t${amountMinor}\t${transactionCostMinor}\t${currency}\t${description}\t${document}\t${sms}\t` +
    `${cellphone}\t${row.expiresOn.toString()}\t${row.updatedAt.toString()}\t${row.updatedOn.toString()}\t${row.expiresAt.toString()}\n`
  );
}
