import type { Clock } from '../kit/clock.ts';
import { statement, storedTime, type Db, type Tx } from '../kit/db.ts';
import { openReferenceBook } from './open-references.ts';
import { changedRows, insertEvents, instantTexts, lockOrders, type Row } from './order-rows.ts';
import type { Decided, Order, OrderKey, ReferenceHolder, Refused } from './order.ts';
import type { OrderEvent } from './order-history.ts';

export type Orders = {
  readonly db: Db;
  readonly clock: Clock;
  /** Which commands go into one batch; undefined: any (kit/batch.ts). */
  readonly groupOf?: ((command: OrderKey) => string) | undefined;
};

/**
 * The fields that a creation writes and a change may write, each with its column and the column's type. Only expires_at is in an index: while
 * that stays as it is, the new row version stays on its page (a heap-only update).
 */
export const WRITABLE = [
  ['state', 'state', 'text'],
  ['email', 'email', 'text'],
  ['country', 'country', 'text'],
  ['currency', 'currency', 'text'],
  ['amountMinor', 'amount_minor', 'bigint'],
  ['reference', 'reference', 'text'],
  ['description', 'description', 'text'],
  ['method', 'method', 'text'],
  ['language', 'language', 'text'],
  ['recurrent', 'recurrent', 'bool'],
  ['expiresOn', 'expires_on', 'date'],
  ['expiresAt', 'expires_at', 'timestamptz'],
  ['vatRatePpm', 'vat_rate_ppm', 'int'],
  ['userDocument', 'user_document', 'text'],
  ['userDocumentType', 'user_document_type', 'text'],
  ['userName', 'user_name', 'text'],
  ['redirectTimeoutMs', 'redirect_timeout_ms', 'int'],
] as const satisfies readonly (readonly [field: keyof Order, column: string, type: string])[];

/** What differs comes under its column's name; a column that is not there keeps its value. */
const SAVE = statement(
  'orders.save',
  `update orders o
      set version = k.version, updated_at = k.updated_at,
          ${WRITABLE.map(([, column, type]) => `${column} = case when k.changed ? '${column}' then (k.changed ->> '${column}')::${type} else o.${column} end`).join(', ')}
     from jsonb_to_recordset($1::jsonb) as k (merchant_id text, order_id text, version int, updated_at timestamptz, changed jsonb)
    where o.merchant_id = k.merchant_id and o.order_id = k.order_id`,
);

type Command = OrderKey & { readonly given?: { readonly reference?: string | undefined } };
type Decide<Item, Name extends string> = (
  order: Order | undefined,
  command: Item,
  situation: { readonly now: Temporal.Instant; readonly holder: ReferenceHolder | undefined },
) => Decided | Refused<Name>;

/**
 * Changes many orders in one transaction of two round trips: load and lock all, decide each, save all.
 * Shape: one decision for each command, in their order. Commands for one order are decided one after the other over the same row,
 * which is saved once, with a history row for each.
 * Effects: locks the orders until commit. What changes nothing writes nothing.
 * Source: contract §3.1 rules 2, 5, 6.
 */
export function changeOrders<Item extends Command, Name extends string>(
  { db, clock }: Orders,
  commands: readonly Item[],
  decide: Decide<Item, Name>,
): Promise<readonly (Decided | Refused<Name>)[]> {
  const wanted = commands.flatMap(({ given }) => given?.reference ?? []);
  return db.transaction(async (tx) => {
    const [rows, references] = await Promise.all([lockOrders(tx, commands), openReferenceBook(tx, wanted)]);
    // Asked after the locks are held: a batch that had to wait for one decides as of now, not as of before.
    const now = clock.now();
    const events: OrderEvent[] = [];
    const decisions = commands.map((command, index) => {
      const row = rows[index];
      const reference = command.given?.reference;
      const decision = decide(row?.after, command, { now, holder: reference === undefined ? undefined : references.holder(reference) });
      if (row !== undefined && 'order' in decision && decision.event !== undefined) {
        events.push(decision.event);
        references.note(row.after, decision.order);
        row.after = decision.order;
      }
      return decision;
    });
    if (events.length > 0) {
      const changed = changedRows(rows);
      saveOrders(tx, changed);
      insertEvents(tx, events);
      references.save(tx, changed);
    }
    return decisions;
  });
}

function saveOrders(tx: Tx, changed: readonly Row[]): void {
  const times = instantTexts(changed.map(({ after }) => after.updatedAt));
  const rows = changed.map(({ before, after }, index) => ({
    merchant_id: after.merchantId,
    order_id: after.orderId,
    version: after.version,
    updated_at: times[index],
    changed: writtenColumns(before, after),
  }));
  tx.send(SAVE, [JSON.stringify(rows)]);
}

/**
 * What differs, by column, as JSON; everything where there was no order before. A day or an instant that is another object counts as different:
 * to write an equal one again is harmless.
 */
export function writtenColumns(before: Order | undefined, after: Order): Readonly<Record<string, string | number | boolean | null>> {
  const columns: Record<string, string | number | boolean | null> = {};
  for (const [field, column] of WRITABLE) {
    const value = after[field];
    if (before !== undefined && value === before[field]) continue;
    if (typeof value === 'bigint') columns[column] = value.toString();
    else columns[column] = typeof value === 'object' && value !== null ? storedTime(value) : value;
  }
  return columns;
}
