import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import { ClaimLost } from '../../kit/changes/retry.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { Order, OrderKey, ReferenceHolder } from '../order.ts';

/** `cell`: another cell has the reference. At home it has claimed it; in a cell it got it from there. `claim`: the number of that claim. */
export type HolderRow = ReferenceHolder & { readonly reference: string; readonly cell: number | null; readonly claim: bigint | null };
type Held = OrderKey & { readonly reference: string; readonly claim: bigint | null };

/** A row of open_references under these names is a HolderRow. */
export const SELECT_HOLDER = `reference, merchant_id as "merchantId", order_id as "orderId", expires_at as "expiresAt", ended as "isEnded", made as "isMade", cell, claim`;

const READ_HOLDERS = statement('orders.read_holders', `select ${SELECT_HOLDER} from open_references where reference = any($1::text[])`);

/** Deletes and inserts run sorted by reference, deletes first. Batches with the same references then wait in one order. */
const FREE = statement(
  'orders.free_references',
  `with freed as (
     select r.reference from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as k (reference, merchant_id, order_id, claim)
       join open_references r on r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id
        and r.claim is not distinct from k.claim
      order by r.reference for update of r)
   delete from open_references r using freed where r.reference = freed.reference`,
);
/** Sorted as well. The row stays: the reference rests. */
const END = statement(
  'orders.end_references',
  `with ending as (
     select r.reference, k.ended_at from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as k (reference, merchant_id, order_id, ended_at)
       join open_references r on r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id
      order by r.reference for update of r)
   update open_references r set expires_at = ending.ended_at, ended = true from ending where r.reference = ending.reference`,
);
/** A plain insert: who lost a race for a reference fails here, runs again, and then sees it taken. */
const TAKE = statement(
  'orders.take_references',
  `insert into open_references (reference, merchant_id, order_id, expires_at, made)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::boolean[]) as k (reference, merchant_id, order_id, expires_at, made)
    order by reference`,
);
const MOVE = statement(
  'orders.move_references',
  `update open_references r set expires_at = k.expires_at
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as k (reference, merchant_id, order_id, expires_at)
    where r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id`,
);

/** `isMade`: the service made the reference of an order that is new. */
type SavedOrder = { readonly before: Order | undefined; readonly after: Order; readonly isMade?: boolean };

/**
 * What a command knows of a reference that it wants, before its transaction (reference-claims.ts). A number: its cell has claimed the
 * reference under it. `here`: this database decides. `elsewhere`: another cell has it, and does not give it up.
 */
export type Claim = bigint | 'here' | 'elsewhere';

/** In a cell beside home: the reference is not claimed, so some other cell may have it. Seen as an open order of nobody. */
const UNCLAIMED: ReferenceHolder = { merchantId: '', orderId: '', expiresAt: null };

/**
 * Gives a decision back, unless it was refused for a reference that the command did not claim, or does not have any more. Then it is to claim it again.
 * Throws: ClaimLost in that case.
 */
export function mindClaim<Outcome>(outcome: Outcome, holder: ReferenceHolder | undefined, claim: Claim | undefined): Outcome {
  // A process that began alone has no claims: it refuses.
  const mayClaim = holder === UNCLAIMED && claim !== undefined && claim !== 'elsewhere';
  if (mayClaim && isRefusal(outcome) && outcome.refusal === 'reference_taken') throw new ClaimLost('the reference is not claimed any more');
  return outcome;
}

/** Who holds each reference of a batch: as loaded, and as the batch's own decisions change it. */
export type ReferenceBook = {
  /** The holder at this point of the batch. Undefined at home if the book loaded no references. In another cell UNCLAIMED, where a claim is missing. */
  holder(reference: string, claim?: Claim): ReferenceHolder | undefined;
  /** Notes what a decision did to one order, so that the next decision of the batch sees it. */
  note(before: Order | undefined, after: Order): void;
  /** Writes the difference between the orders before the batch and after it. */
  save(tx: Tx, saved: readonly SavedOrder[]): void;
};

/**
 * Reads who holds these references, the ones that the batch may want.
 * Effects: none is locked. A holder that vanishes meanwhile was still there when the decision was taken; one that appears makes
 * the insert, and so the whole transaction, fail and run again. `isBesideHome`: a reference that this database does not know must be claimed.
 * Source: contract §3.1 rule 5.
 */
export async function openReferenceBook(tx: Tx, wanted: readonly string[], isBesideHome = false): Promise<ReferenceBook> {
  const rows = wanted.length === 0 ? [] : await tx.query<HolderRow>(READ_HOLDERS, [wanted]);
  const loaded = new Map(rows.map((row) => [row.reference, row]));
  const holders = new Map<string, ReferenceHolder & Partial<HolderRow>>(loaded);

  return {
    holder: (reference, claim) => {
      const known = holders.get(reference);
      // At home another cell may have claimed it, perhaps for nothing: whoever looked before claims it again.
      if (known === undefined ? !isBesideHome : (known.cell ?? null) === null) return known;
      return typeof claim === 'bigint' && claim > (known?.claim ?? 0n) ? undefined : UNCLAIMED;
    },
    note: (before, after) => {
      // Where nobody wants a reference, nobody looks for its holder.
      if (wanted.length === 0) return;
      if (before !== undefined && !isKept(before, after)) {
        const { merchantId, orderId, reference } = before;
        const isMade = loaded.get(reference)?.isMade === true;
        holders.set(reference, { merchantId, orderId, expiresAt: after.updatedAt, isEnded: true, isMade });
      }
      if (after.state === 'pending') holders.set(after.reference, after);
    },
    save: (tx, saved) => {
      const freed: Held[] = [];
      const ended = new Map<string, SavedOrder & { readonly before: Order }>();
      const taken: Order[] = [];
      const made: boolean[] = [];
      const moved: Order[] = [];
      for (const { before, after, isMade = false } of saved) {
        if (before !== undefined && isKept(before, after)) {
          if (!isSameInstant(before.expiresAt, after.expiresAt)) moved.push(after);
          continue;
        }
        if (before?.state === 'pending') ended.set(before.reference, { before, after });
        if (after.state !== 'pending') continue;
        // Its order is over, or gives the reference up in this very batch: either way its row goes.
        const former = loaded.get(after.reference);
        if (former !== undefined) freed.push(former);
        taken.push(after);
        made.push(isMade || former?.isMade === true);
      }
      for (const { reference } of taken) ended.delete(reference);
      const ending = [...ended.values()];
      const givers = ending.map(({ before }) => before);
      if (freed.length > 0) tx.send(FREE, [...keyColumns(freed), freed.map(({ claim }) => claim)]);
      if (ending.length > 0) tx.send(END, [...keyColumns(givers), ending.map(({ after }) => after.updatedAt)]);
      if (taken.length > 0) tx.send(TAKE, [...keyColumns(taken), taken.map((order) => order.expiresAt), made]);
      if (moved.length > 0) tx.send(MOVE, [...keyColumns(moved), moved.map((order) => order.expiresAt)]);
    },
  };
}

/** True when an order stays open under its reference. */
const isKept = (before: Order, after: Order): boolean => before.reference === after.reference && after.state === 'pending';

const keyColumns = (held: readonly Omit<Held, 'claim'>[]): string[][] => columnsOf(held, 'reference', 'merchantId', 'orderId');

const isSameInstant = (one: Temporal.Instant | null, other: Temporal.Instant | null): boolean =>
  one === other || (one !== null && other !== null && one.equals(other));
