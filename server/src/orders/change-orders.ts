import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import { openReferenceBook } from './open-references.ts';
import { distinctKeys, insertEvents, instantTexts, keyText, lockOrders } from './order-rows.ts';
import type { Decided, Order, OrderKey, ReferenceHolder, Refused } from './order.ts';
import type { OrderEvent } from './order-history.ts';

export type Orders = {
  readonly db: Db;
  readonly clock: Clock;
  /** Which commands go into one batch; undefined: any (kit/batch.ts). */
  readonly groupOf?: ((command: OrderKey) => string) | undefined;
};

/** None of these columns is in an index, so that the new row version stays on its page (a heap-only update). */
const SAVE = statement(
  'orders.save',
  `update orders o
      set state = k.state, version = k.version, email = k.email, country = k.country, currency = k.currency, amount_minor = k.amount_minor,
          reference = k.reference, description = k.description, method = k.method, language = k.language, recurrent = k.recurrent,
          expires_on = k.expires_on, expires_at = k.expires_at, vat_rate_ppm = k.vat_rate_ppm, user_document = k.user_document,
          user_document_type = k.user_document_type, user_name = k.user_name, redirect_timeout_ms = k.redirect_timeout_ms,
          updated_at = k.updated_at
     from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[],
                 $11::text[], $12::text[], $13::bool[], $14::date[], $15::timestamptz[], $16::int[], $17::text[], $18::text[], $19::text[],
                 $20::int[], $21::timestamptz[])
       as k (merchant_id, order_id, state, version, email, country, currency, amount_minor, reference, description, method, language,
             recurrent, expires_on, expires_at, vat_rate_ppm, user_document, user_document_type, user_name, redirect_timeout_ms, updated_at)
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
    const [orders, references] = await Promise.all([lockOrders(tx, distinctKeys(commands)), openReferenceBook(tx, wanted)]);
    // Asked after the locks are held: a batch that had to wait for one decides as of now, not as of before.
    const now = clock.now();
    const rows = new Map(orders.map((order) => [keyText(order), { before: order, after: order }]));
    const events: OrderEvent[] = [];
    const decisions = commands.map((command) => {
      const row = rows.get(keyText(command));
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
      const changed = [...rows.values()].filter(({ before, after }) => before !== after);
      saveOrders(
        tx,
        changed.map(({ after }) => after),
      );
      insertEvents(tx, events);
      references.save(tx, changed);
    }
    return decisions;
  });
}

function saveOrders(tx: Tx, orders: readonly Order[]): void {
  tx.send(SAVE, [
    orders.map((order) => order.merchantId),
    orders.map((order) => order.orderId),
    orders.map((order) => order.state),
    orders.map((order) => order.version),
    ...termColumns(orders),
    instantTexts(orders.map((order) => order.updatedAt)),
  ]);
}

/** The columns that a merchant sets, with the instant that follows from them, in the order in which both statements take them. */
export function termColumns(orders: readonly Order[]): (readonly (string | number | bigint | boolean | null | Temporal.PlainDate)[])[] {
  return [
    orders.map((order) => order.email),
    orders.map((order) => order.country),
    orders.map((order) => order.currency),
    orders.map((order) => order.amountMinor),
    orders.map((order) => order.reference),
    orders.map((order) => order.description),
    orders.map((order) => order.method),
    orders.map((order) => order.language),
    orders.map((order) => order.recurrent),
    orders.map((order) => order.expiresOn),
    instantTexts(orders.map((order) => order.expiresAt)),
    orders.map((order) => order.vatRatePpm),
    orders.map((order) => order.userDocument),
    orders.map((order) => order.userDocumentType),
    orders.map((order) => order.userName),
    orders.map((order) => order.redirectTimeoutMs),
  ];
}
