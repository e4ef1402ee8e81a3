import { columnsOf, statement, type Db } from '../../kit/db.ts';
import type { ReadUpdates } from '../../notices/index.ts';
import type { OrderEvent } from '../order-history.ts';
import { renderChanges } from '../read-history.wire.ts';

type Row = { readonly place: bigint } & Pick<OrderEvent, 'requestId' | 'changes'>;

const READ = statement(
  'orders.read_updates',
  `select place, request_id as "requestId", changes
     from unnest($1::text[], $2::text[], $3::integer[]) with ordinality as k (merchant_id, order_id, version, place)
     join order_history h on h.merchant_id = k.merchant_id and h.order_id = k.order_id and h.version = k.version`,
);

/** Reads what updates changed, as the history has it at that moment (contract §3.6). So who was erased is in no later notice. */
export const openReadUpdates =
  (db: Pick<Db, 'query'>): ReadUpdates =>
  async (updates) => {
    const rows = await db.query<Row>(READ, columnsOf(updates, 'merchantId', 'orderId', 'version'));
    const byPlace = new Map(rows.map(({ place, requestId, changes }) => [Number(place), { requestId, changes: renderChanges(changes) }]));
    return updates.map((_, index) => byPlace.get(index + 1));
  };
