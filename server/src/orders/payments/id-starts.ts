import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import type { Order, OrderKey } from '../order.ts';

/** The start of an order's id, which recurrent and other orders cannot share. */
type Start = { readonly merchantId: string; readonly start: string };
type StartRow = Start & { readonly isRecurrent: boolean };
/** A creation, or an update that may make its order recurrent. */
type Wanted = OrderKey & { readonly isNew: boolean; readonly isRecurrent: boolean };

const FIND = statement(
  'orders.find_id_starts',
  `select s.merchant_id as "merchantId", s.start, s.recurrent as "isRecurrent"
     from unnest($1::text[], $2::text[]) as k (merchant_id, start)
     join order_id_starts s on s.merchant_id = k.merchant_id and s.start = k.start`,
);
/** A plain insert, sorted: who lost a race for a start fails here, runs again, and then sees whose it is. */
const TAKE = statement(
  'orders.take_id_starts',
  `insert into order_id_starts (merchant_id, start, recurrent)
   select merchant_id, start, recurrent from unnest($1::text[], $2::text[], $3::boolean[]) as k (merchant_id, start, recurrent)
    order by merchant_id collate "C", start collate "C"`,
);

/** The ids of a recurrent order's payments: its own, `_` and a number (contract §3.5). */
const PAYMENT_ID = /^(.+)_[1-9][0-9]*$/;

/** Which starts of ids are taken: as loaded, and as the batch's own decisions take them. */
export type IdStarts = {
  /** True when one id could be that of a payment and that of an order. */
  isAmbiguous(wanted: Wanted): boolean;
  /** Notes that a decision made an order, or made it recurrent. */
  note(before: Order | undefined, after: Order): void;
  /** Writes what was taken. */
  save(tx: Tx): void;
};

/**
 * Reads who has taken the starts of these ids. A start belongs to one recurrent order or to other orders whose ids end in a number.
 * Effects: one statement; none where no id ends in a number and no order is to be recurrent.
 * Source: contract §3.5.
 */
export async function openIdStarts(tx: Tx, wanted: readonly Wanted[]): Promise<IdStarts> {
  const starts = wanted.flatMap(startsOf);
  const rows = starts.length === 0 ? [] : await tx.query<StartRow>(FIND, columnsOf(starts, 'merchantId', 'start'));
  const owners = new Map(rows.map((row) => [nameOf(row), row.isRecurrent]));
  const taken: StartRow[] = [];
  return {
    isAmbiguous: (one) =>
      startsOf(one).some((row) => {
        const isRecurrent = owners.get(nameOf(row));
        return isRecurrent !== undefined && isRecurrent !== row.isRecurrent;
      }),
    note: (before, { merchantId, orderId, recurrent }) => {
      for (const row of startsOf({
        merchantId,
        orderId,
        isNew: before === undefined,
        isRecurrent: recurrent && before?.recurrent !== true,
      })) {
        if (owners.has(nameOf(row))) continue;
        owners.set(nameOf(row), row.isRecurrent);
        taken.push(row);
      }
    },
    save: (tx) => {
      if (taken.length > 0) tx.send(TAKE, columnsOf(taken, 'merchantId', 'start', 'isRecurrent'));
    },
  };
}

/** The starts that an order takes: that of its payments where it is recurrent, and that of its own id. */
function startsOf({ merchantId, orderId, isNew, isRecurrent }: Wanted): readonly StartRow[] {
  const start = isNew ? PAYMENT_ID.exec(orderId)?.[1] : undefined;
  return [
    ...(isRecurrent ? [{ merchantId, start: orderId, isRecurrent: true }] : []),
    ...(start === undefined ? [] : [{ merchantId, start, isRecurrent: false }]),
  ];
}

const nameOf = ({ merchantId, start }: Start): string => `${merchantId}/${start}`;
