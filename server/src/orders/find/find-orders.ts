import type { Db } from '../../kit/db.ts';
import { namedStatement } from '../../kit/lists/named-parameters.ts';
import { MOST_SUMMED, sumsOfWalks, summaryOf, type Summary, type SumRow } from '../../kit/lists/sums.ts';
import {
  alongPaths,
  merchantsIn,
  MOST_OF_EACH,
  MOST_WALKED,
  pageOf,
  pageOfWalks,
  statesOfEach,
  type Page,
  type Scope,
  type Walked,
} from '../../kit/lists/walks.ts';
import { SELECT_ORDER } from '../order-rows.ts';
import { ORDER_STATES, type Order, type OrderState } from '../order.ts';
import {
  bareDocument,
  foldedEmail,
  ORDER_FITS,
  ORDER_PARAMETERS,
  orderValues,
  ORDER_STATE_NOW,
  type OrderFilter,
  type OrderPlace,
} from './order-filter.ts';

const AFTER_PLACE = `(o.created_at, o.service_order_id) < (coalesce($placeAt, 'infinity'), coalesce($placeId, 9223372036854775807))
  and o.created_at >= coalesce($createdFrom, '-infinity') and o.created_at < coalesce($createdBefore, 'infinity')`;
const OF_MERCHANT = 'o.merchant_id = k.merchant_id';

/**
 * What an index has together. A walk goes along it. The narrowest comes first.
 * Every order passes the condition on our id. By it the planner takes the index that has it too.
 * In a database where nearly all orders are of one merchant it would take the wrong one.
 */
const PATHS = {
  serviceOrderId: 'o.service_order_id = $serviceOrderId',
  orderId: `${OF_MERCHANT} and o.order_id = $orderId`,
  transaction: `${OF_MERCHANT} and o.order_id in (
    select t.order_id from order_transactions t where t.merchant_id = k.merchant_id and t.transaction_id = $transaction)`,
  reference: `${OF_MERCHANT} and o.reference = $reference`,
  document: `${OF_MERCHANT} and o.user_document is not null and ${bareDocument('o.user_document')} = ${bareDocument('$document')}`,
  email: `${OF_MERCHANT} and ${foldedEmail('o.email')} = ${foldedEmail('$email')}`,
  states: `${OF_MERCHANT} and o.state = k.state`,
  all: `${OF_MERCHANT} and o.service_order_id <> 0`,
} as const;

/** The walks of a path: one for each merchant, and for each state where the path has them. */
function keysOf(path: keyof typeof PATHS, isOfOne: boolean): string {
  const merchants = merchantsIn('orders', isOfOne);
  if (path === 'serviceOrderId') return 'select';
  return path === 'states' ? statesOfEach(merchants, '$storedStates') : merchants;
}

/** The orders of everybody are one walk along an index of their own. */
const isOneWalk = (path: keyof typeof PATHS, isOfOne: boolean): boolean => path === 'all' && !isOfOne;

const walksOf = (path: keyof typeof PATHS, isOfOne: boolean) => {
  const isWhole = isOneWalk(path, isOfOne);
  return {
    table: 'orders',
    keys: isWhole ? 'select' : keysOf(path, isOfOne),
    where: `${isWhole ? 'o.service_order_id > 0' : PATHS[path]} and ${AFTER_PLACE}`,
    order: 'o.created_at desc, o.service_order_id desc',
    fits: ORDER_FITS,
  };
};

const pageFor = alongPaths(PATHS, (path, isOfOne) => {
  const text = pageOfWalks({ ...walksOf(path, isOfOne), select: SELECT_ORDER });
  const read = namedStatement(`orders.find_${path}_of_${isOfOne ? 'one' : 'all'}`, ORDER_PARAMETERS, text);
  return { read, most: isOfOne || isOneWalk(path, isOfOne) ? MOST_WALKED : MOST_OF_EACH };
});

const sumsFor = alongPaths(PATHS, (path, isOfOne) =>
  namedStatement(
    `orders.sum_${path}_of_${isOfOne ? 'one' : 'all'}`,
    ORDER_PARAMETERS,
    sumsOfWalks({ ...walksOf(path, isOfOne), state: ORDER_STATE_NOW }),
  ),
);

/**
 * Finds one page of orders, the newest first.
 * Shape: `after` is the `next` of the page before. A page may be short, or empty, though more follows.
 * Effects: none. An order that does not change is on exactly one page, whatever else comes or changes meanwhile.
 * Its place never changes, so each page costs the same at any depth.
 */
export async function findOrders(
  db: Pick<Db, 'query'>,
  scope: Scope,
  filter: OrderFilter,
  page: { readonly after?: OrderPlace | undefined; readonly limit: number; readonly now: Temporal.Instant },
): Promise<Page<Order, OrderPlace>> {
  const { after, limit, now } = page;
  const { read, most } = pageFor(scope, filter);
  const values = { ...orderValues(scope, filter, now), placeAt: after?.createdAt, placeId: after?.serviceOrderId };
  const rows = await read<Order & Walked>(db, { ...values, most, rows: limit + 1 });
  return pageOf(rows, limit, ({ createdAt, serviceOrderId }) => ({ createdAt, serviceOrderId }));
}

/** Counts the orders of a filter and adds their amounts up, in all and by state. Effects: none; it reads `most` rows at most. */
export async function sumOrders(
  db: Pick<Db, 'query'>,
  scope: Scope,
  { states, ...filter }: OrderFilter,
  now: Temporal.Instant,
  most = MOST_SUMMED,
): Promise<Summary<OrderState>> {
  const rows = await sumsFor(scope, filter)<SumRow<OrderState>>(db, { ...orderValues(scope, filter, now), most });
  return summaryOf(rows, ORDER_STATES, states, most);
}
