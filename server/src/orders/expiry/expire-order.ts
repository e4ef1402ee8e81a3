import type { Acted } from '../../kit/changes/act.ts';
import { writeNotices } from '../../notices/index.ts';
import { changeOfOrders, type Orders } from '../change-orders.ts';
import { decideExpireNow, type CancelOrder, type CancelOrderRefusal, type DecidedOrder, type Refused } from '../order.ts';
import type { NoticeOfExpiry } from './notice-of-expiry.ts';

/**
 * Expires a pending order before its time, for a test in a sandbox. Expiring an expired one is success again.
 * Refuses: order_not_found, order_not_open, version_mismatch — the first that applies.
 * Effects: as the sweep. It locks the order until commit, records order.expired with the actor, writes the notice `cancelled`; its reference rests.
 */
export function expireOrderNow({
  engine,
  noticeOf,
}: Orders & { readonly noticeOf: NoticeOfExpiry }): (command: CancelOrder & Acted) => Promise<DecidedOrder | Refused<CancelOrderRefusal>> {
  const change = changeOfOrders(decideExpireNow);
  return engine.alone({
    ...change,
    save: async (tx, world, changes, now) => {
      await change.save(tx, world, changes, now);
      writeNotices(
        tx,
        changes.map(({ outcome }) => noticeOf(outcome.order)),
      );
    },
  });
}
