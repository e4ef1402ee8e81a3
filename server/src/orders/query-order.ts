import { statement, type Db } from '../kit/db.ts';
import { ORDER_COLUMNS } from './order-rows.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Order, OrderKey } from './order.ts';

const FIND = statement('orders.find', `select ${ORDER_COLUMNS} from orders o where o.merchant_id = $1 and o.order_id = $2`);
const FIND_BY_SERVICE_ID = statement('orders.find_by_service_id', `select ${ORDER_COLUMNS} from orders o where o.service_order_id = $1`);

/**
 * Reads one order as it is stored; stateAt tells its state.
 * Refuses: order_not_found.
 * Source: contract §3.3.
 */
export async function queryOrder(db: Db, { merchantId, orderId }: OrderKey): Promise<Order | Refusal<'order_not_found'>> {
  const [order] = await db.query<Order>(FIND, [merchantId, orderId]);
  return order ?? refuse('order_not_found', { field: 'order' });
}

/** Reads the order that a checkout token names, by our own id. Source: contract §5. */
export async function readOrderForCheckout(db: Db, serviceOrderId: bigint): Promise<Order | undefined> {
  const [order] = await db.query<Order>(FIND_BY_SERVICE_ID, [serviceOrderId]);
  return order;
}
