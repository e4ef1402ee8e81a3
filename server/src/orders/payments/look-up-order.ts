import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { stateAt, type Order } from '../order.ts';
import { SELECT_ORDER } from '../order-rows.ts';

const FIND = statement(
  'orders.find_by_reference',
  `select ${SELECT_ORDER}
     from open_references r join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
    where r.reference = $1 and not r.ended`,
);

/** Reads the open order that has a reference; undefined: none has it, or its time has run out. Source: contract §3.7. */
export async function lookUpOrder(db: Pick<Db, 'query'>, clock: Clock, reference: string): Promise<Order | undefined> {
  const [order] = await db.query<Order>(FIND, [reference]);
  return order !== undefined && stateAt(order, clock.now()) === 'pending' ? order : undefined;
}
