import type { Db } from '../../kit/db.ts';
import { namedStatement } from '../../kit/lists/named-parameters.ts';
import { MOST_WALKED, mostOf, pageOf, pageOfWalks, type Page, type Scope, type Walked } from '../../kit/lists/walks.ts';
import { SELECT_ORDER } from '../order-rows.ts';
import type { Order } from '../order.ts';
import { bareDocument, foldedEmail, ORDER_FITS, ORDER_PARAMETERS, orderValues, type OrderFilter, type OrderPlace } from './order-filter.ts';

/** Merchants with orders, found one after the other in the primary key. The list of all merchants is of another room. */
export const MERCHANTS_WITH_ORDERS = `with recursive found as (
    (select merchant_id from orders order by merchant_id limit 1)
    union all
    select (select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1)
      from found where found.merchant_id is not null)
  select merchant_id from found where merchant_id is not null`;

const AFTER_PLACE = `(o.created_at, o.service_order_id) < (coalesce($placeAt, 'infinity'), coalesce($placeId, 9223372036854775807))
  and o.created_at >= coalesce($createdFrom, '-infinity') and o.created_at < coalesce($createdBefore, 'infinity')`;
const OF_MERCHANT = 'o.merchant_id = k.merchant_id';

/**
 * What an index has together. A walk goes along it.
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
type Path = keyof typeof PATHS;

/** The narrowest first. */
const NARROW = Object.keys(PATHS).filter((path) => path !== 'all') as Exclude<Path, 'all'>[];

/** The walks of a path: one for each merchant, and for each state where the path has them. */
function keysOf(path: Path, isOfOne: boolean): string {
  const merchants = isOfOne ? 'select $merchant as merchant_id' : MERCHANTS_WITH_ORDERS;
  if (path === 'serviceOrderId') return 'select';
  return path === 'states' ? `select m.merchant_id, s.state from (${merchants}) as m, unnest($storedStates) as s (state)` : merchants;
}

function declare(path: Path, isOfOne: boolean) {
  // The orders of everybody are one walk along an index of their own.
  const isWhole = path === 'all' && !isOfOne;
  const text = pageOfWalks({
    table: 'orders',
    keys: isWhole ? 'select' : keysOf(path, isOfOne),
    where: `${isWhole ? 'o.service_order_id > 0' : PATHS[path]} and ${AFTER_PLACE}`,
    order: 'o.created_at desc, o.service_order_id desc',
    fits: ORDER_FITS,
    select: SELECT_ORDER,
  });
  return namedStatement(`orders.find_${path}_of_${isOfOne ? 'one' : 'all'}`, ORDER_PARAMETERS, text);
}

const PAGES = Object.fromEntries(
  (Object.keys(PATHS) as Path[]).map((path) => [path, { one: declare(path, true), all: declare(path, false) }]),
) as Record<Path, Record<'one' | 'all', ReturnType<typeof declare>>>;

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
  const path = NARROW.find((name) => filter[name] !== undefined) ?? 'all';
  const read = PAGES[path][scope === 'everybody' ? 'all' : 'one'];
  const values = { ...orderValues(scope, filter, now), placeAt: after?.createdAt ?? null, placeId: after?.serviceOrderId ?? null };
  const rows = await read<Order & Walked>(db, { ...values, most: path === 'all' ? MOST_WALKED : mostOf(scope), rows: limit + 1 });
  return pageOf(rows, limit, ({ createdAt, serviceOrderId }) => ({ createdAt, serviceOrderId }));
}
