import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import type { Job } from '../../kit/jobs.ts';
import { writeNotices } from '../../notices/index.ts';
import { insertEvents, ORDERS, SELECT_ORDER } from '../order-rows.ts';
import { decideExpireOrder, type Order } from '../order.ts';
import type { NoticeOfExpiry } from './notice-of-expiry.ts';

/**
 * Orders of one transaction. Without rests, one server took 8.5 s for 100,000 that fell due at once. Updates of other orders meanwhile
 * took 29 ms at the 99th percentile. Portions of 256 took 6.8 s, but updates 55 ms.
 */
const EXPIRE_AT_ONCE = 64;

/**
 * Those that another server expires, or that are being changed, are left to it, or to the next portion. The limit is a parameter.
 * Of a table that it has not counted yet, PostgreSQL expects fewer rows than any limit that it knows. Then it reads and sorts all that
 * are due for each portion: 100,000 took 65 s.
 */
const CLAIM = statement(
  'orders.claim_due',
  `select ${SELECT_ORDER} from orders o where o.state = 'pending' and o.expires_at <= $1 order by o.expires_at limit $2 for update skip locked`,
);

/**
 * Writes down that orders have expired. By the clock everybody sees it from the instant itself on.
 * Effects: one short transaction per portion; records order.expired, writes the notice `cancelled`. The reference rests already. Any number of servers
 * share the work.
 * Source: contract §3.5.
 */
export function expireOrders({ db, clock, noticeOf }: { readonly db: Db; readonly clock: Clock; readonly noticeOf: NoticeOfExpiry }): Job {
  return {
    name: 'orders.expire',
    patience: 'some',
    step: () =>
      db.transaction(async (tx) => {
        const now = clock.now();
        const due = await tx.query<Order>(CLAIM, [now, EXPIRE_AT_ONCE]);
        const expired = due.flatMap((before) => {
          const { order: after, event } = decideExpireOrder(before, { now });
          return event === undefined ? [] : [{ before, after, event }];
        });
        if (expired.length === 0) return false;
        ORDERS.save(tx, expired);
        insertEvents(
          tx,
          expired.map(({ event }) => event),
        );
        writeNotices(
          tx,
          expired.map(({ after }) => noticeOf(after)),
        );
        return due.length === EXPIRE_AT_ONCE;
      }),
  };
}
