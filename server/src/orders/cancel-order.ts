import type { Acted } from '../kit/changes/act.ts';
import { changeOfOrders, type Orders } from './change-orders.ts';
import { decideCancelOrder, type CancelOrder, type CancelOrderRefusal, type DecidedOrder, type Refused } from './order.ts';

/**
 * Cancels a pending order; cancelling a cancelled one is success again.
 * Refuses: order_not_found, order_not_open, version_mismatch — the first that applies.
 * Effects: locks the order until commit; records order.cancelled; its reference rests. No notice is sent.
 * Source: contract §3.4.
 */
export function cancelOrders({ engine }: Orders): (command: CancelOrder & Acted) => Promise<DecidedOrder | Refused<CancelOrderRefusal>> {
  return engine.batched(changeOfOrders(decideCancelOrder));
}
