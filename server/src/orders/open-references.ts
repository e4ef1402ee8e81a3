import { statement, type Tx } from '../kit/db.ts';
import { isTaken, type Order, type OrderKey, type ReferenceHolder } from './order.ts';

type HolderRow = ReferenceHolder & { readonly reference: string };
type Held = OrderKey & { readonly reference: string };

const READ_HOLDERS = statement(
  'orders.read_holders',
  `select reference, merchant_id as "merchantId", order_id as "orderId", expires_at as "expiresAt" from open_references where reference = any($1::text[])`,
);

/** Deletes and inserts run sorted by reference, deletes first. Batches with the same references then wait in one order. */
const FREE = statement(
  'orders.free_references',
  `with freed as (
     select r.reference from unnest($1::text[], $2::text[], $3::text[]) as k (reference, merchant_id, order_id)
       join open_references r on r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id
      order by r.reference for update of r)
   delete from open_references r using freed where r.reference = freed.reference`,
);
/** A plain insert: who lost a race for a reference fails here, runs again, and then sees it taken. */
const TAKE = statement(
  'orders.take_references',
  `insert into open_references (reference, merchant_id, order_id, expires_at)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as k (reference, merchant_id, order_id, expires_at) order by reference`,
);
const MOVE = statement(
  'orders.move_references',
  `update open_references r set expires_at = k.expires_at
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as k (reference, merchant_id, order_id, expires_at)
    where r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id`,
);

/** Who holds each reference of a batch: as loaded, and as the batch's own decisions change it. */
export type ReferenceBook = {
  /** The holder at this point of the batch. */
  holder(reference: string): ReferenceHolder | undefined;
  /** Notes what a decision did to one order, so that the next decision of the batch sees it. */
  note(before: Order | undefined, after: Order): void;
  /** Writes the difference between the orders before the batch and after it. */
  save(tx: Tx, saved: readonly { readonly before: Order | undefined; readonly after: Order }[]): void;
};

/**
 * Reads who holds these references, the ones that the batch may want.
 * Effects: none is locked. A holder that vanishes meanwhile was still there when the decision was taken; one that appears makes
 * the insert, and so the whole transaction, fail and run again.
 * Source: contract §3.1 rule 5.
 */
export async function openReferenceBook(tx: Tx, wanted: readonly string[]): Promise<ReferenceBook> {
  const rows = wanted.length === 0 ? [] : await tx.query<HolderRow>(READ_HOLDERS, [wanted]);
  const loaded = new Map(rows.map((row) => [row.reference, row]));
  const holders = new Map<string, ReferenceHolder>(loaded);

  return {
    holder: (reference) => holders.get(reference),
    note: (before, after) => {
      if (before !== undefined) holders.delete(before.reference);
      if (after.state === 'pending') holders.set(after.reference, after);
    },
    save: (tx, saved) => {
      const freed = new Map<string, Held>();
      const taken: Order[] = [];
      const moved: Order[] = [];
      for (const { before, after } of saved) {
        const keeps = before?.reference === after.reference && after.state === 'pending';
        if (before !== undefined && !keeps) freed.set(before.reference, before);
        if (keeps && !isSameInstant(before.expiresAt, after.expiresAt)) moved.push(after);
        if (keeps || after.state !== 'pending') continue;
        taken.push(after);
        // Its time ran out, or it gives the reference up in this very batch: either way its row goes.
        const former = loaded.get(after.reference);
        if (former !== undefined) freed.set(after.reference, former);
      }
      const holdings = [...freed.values()];
      if (holdings.length > 0) tx.send(FREE, keyColumns(holdings));
      if (taken.length > 0) tx.send(TAKE, [...keyColumns(taken), taken.map((order) => order.expiresAt)]);
      if (moved.length > 0) tx.send(MOVE, [...keyColumns(moved), moved.map((order) => order.expiresAt)]);
    },
  };
}

/** True when the book gives the reference to somebody else's open order. */
export const isHeld = (book: ReferenceBook, reference: string, key: OrderKey, now: Temporal.Instant): boolean =>
  isTaken(book.holder(reference), key, now);

const keyColumns = (held: readonly Held[]): string[][] => [
  held.map(({ reference }) => reference),
  held.map(({ merchantId }) => merchantId),
  held.map(({ orderId }) => orderId),
];

const isSameInstant = (one: Temporal.Instant | null, other: Temporal.Instant | null): boolean =>
  one === other || (one !== null && other !== null && one.equals(other));
