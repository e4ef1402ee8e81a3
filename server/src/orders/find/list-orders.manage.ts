import { Type, type Static } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import {
  amountsBetween,
  CREATED_PARAMETERS,
  daysBetween,
  MONEY_PARAMETERS,
  PAYMENT_PARAMETERS,
  refusingParameters,
  sought,
  UPDATED_PARAMETERS,
} from '../../kit/lists/list-parameters.ts';
import { managementOperation, mergeFoundPages, schemas, showSummary, summaryShown, type ManagementOperation } from '../../manage/index.ts';
import { latestFirst } from '../../kit/lists/merges.ts';
import { mergeSummaries } from '../../kit/lists/sums.ts';
import { scopeOf } from '../../kit/lists/walks.ts';
import { zoneOfDays, type TimeZoneOf } from '../../merchants/index.ts';
import { ORDER_STATES, stateAt, type Order } from '../order.ts';
import { findOrders, sumOrders } from './find-orders.ts';
import { type OrderFilter, type OrderPlace } from './order-filter.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly timeZoneOf: TimeZoneOf };

const { amount, instant, merchantId, oneOf, answerObject, showAmount } = schemas;

const QUERY = Type.Object({
  merchant: Type.Optional(merchantId),
  state: Type.Optional(Type.Array(oneOf(ORDER_STATES, 'As of now.'), { description: 'Some states, with commas between them.' })),
  order: sought(200, 'The merchant’s id of it.', 'A-1001'),
  serviceOrderId: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$', description: 'The service’s own id of it.', examples: ['4711'] })),
  reference: sought(50, 'The digits that the payer shows.', '900100200'),
  email: sought(254, 'Of the payer; capital letters are as small ones.', 'ana@example.com'),
  document: sought(50, 'Of the payer, with or without points and hyphens.', '52998877'),
  ...MONEY_PARAMETERS,
  ...CREATED_PARAMETERS,
  ...UPDATED_PARAMETERS,
  ...PAYMENT_PARAMETERS,
});

/** The order of the list. */
const newestFirst = (one: OrderPlace, other: OrderPlace): number =>
  latestFirst(one.createdAt, other.createdAt) || Number(other.serviceOrderId - one.serviceOrderId);

/** Reads the filter of a query. Its days are of the merchant's time zone. Throws: WrongParameter. */
async function filterOf(query: Static<typeof QUERY>, only: string | undefined, deps: Deps): Promise<OrderFilter> {
  const zoneOf = zoneOfDays(deps, only);
  const { email, document, reference, currency, network, transaction, order: orderId, serviceOrderId, state: states } = query;
  return {
    email,
    document,
    reference,
    currency,
    network,
    transaction,
    orderId,
    states,
    serviceOrderId: serviceOrderId === undefined ? undefined : BigInt(serviceOrderId),
    amountMinor: amountsBetween(query),
    created: await daysBetween(zoneOf, 'created', query.createdFrom, query.createdTo),
    updated: await daysBetween(zoneOf, 'updated', query.updatedFrom, query.updatedTo),
    paid: await daysBetween(zoneOf, 'paid', query.paidFrom, query.paidTo),
  };
}

export const listOrders = managementOperation({
  name: 'listOrders',
  route: 'GET /manage/v1/orders',
  tag: 'Orders',
  summary: 'List orders by a filter',
  names: { es: 'Ver la lista de órdenes', pt: 'Ver a lista de pedidos' },
  description: 'The newest first. A page may be short, or empty, though more follows: go on until `next` is null.',
  permission: 'orders:read',
  scope: 'merchant',
  query: QUERY,
  shows: answerObject({
    merchant: merchantId,
    order: Type.String({ examples: ['A-1001'] }),
    serviceOrderId: Type.String({ examples: ['4711'] }),
    reference: Type.String({ examples: ['900100200'] }),
    state: oneOf(ORDER_STATES, 'As of now.'),
    version: Type.Integer(),
    email: Type.String(),
    amount,
    createdAt: instant,
    updatedAt: instant,
  }),
  run: ({ merchantId: only, query, page: { after, limit } }, deps: Deps) =>
    refusingParameters(async () => {
      const filter = await filterOf(query, only, deps);
      const now = deps.clock.now();
      return { now, found: await findOrders(deps.db, scopeOf(only), filter, { after: after && placeOf(after), limit, now }) };
    }),
  cells: { merge: mergeFoundPages(newestFirst) },
  page: ({ now, found: { items, next } }) => ({
    items: items.map((order) => show(order, now)),
    next: next && [next.createdAt.toString(), next.serviceOrderId.toString()],
  }),
});

const summarizeOrders = managementOperation({
  name: 'summarizeOrders',
  route: 'GET /manage/v1/orders/summary',
  tag: 'Orders',
  summary: 'Count and add up the orders of a filter',
  description:
    'By the filter of `listOrders`: how many orders there are and what they are worth, in all and by state. Up to 20,000 are counted, the ' +
    'newest first.',
  permission: 'orders:read',
  scope: 'merchant',
  query: QUERY,
  shows: summaryShown(ORDER_STATES),
  run: ({ merchantId: only, query }, deps: Deps) =>
    refusingParameters(async () => sumOrders(deps.db, scopeOf(only), await filterOf(query, only, deps), deps.clock.now())),
  cells: { merge: mergeSummaries },
  answer: (summary) => ({ body: showSummary(summary) }),
});

/** Of the newest orders that are paid, so many are read, and so many of these are shown. */
const PAID_READ = 50;
const PAID_SHOWN = 8;

const readLastPaid = managementOperation({
  name: 'readLastPaid',
  route: 'GET /manage/v1/orders/last-paid',
  tag: 'Orders',
  summary: 'Show the orders that were paid last',
  description: `Of the ${PAID_READ} newest orders that are paid, those ${PAID_SHOWN} that were paid last. Nothing of a person is shown.`,
  permission: 'orders:read',
  scope: 'merchant',
  query: Type.Object({ merchant: Type.Optional(merchantId) }),
  shows: answerObject({
    orders: Type.Array(answerObject({ merchant: merchantId, order: Type.String({ examples: ['A-1001'] }), amount, paidAt: instant })),
  }),
  run: async ({ merchantId: only }, { db, clock }: Deps) => ({
    found: await findOrders(db, scopeOf(only), { states: ['approved'] }, { limit: PAID_READ, now: clock.now() }),
  }),
  cells: { merge: mergeFoundPages(newestFirst, PAID_READ) },
  answer: ({ found: { items } }) => ({
    body: {
      orders: items
        .toSorted((one, other) => latestFirst(one.updatedAt, other.updatedAt))
        .slice(0, PAID_SHOWN)
        .map(({ merchantId: merchant, orderId: order, amountMinor, currency, updatedAt }) => ({
          merchant,
          order,
          amount: showAmount(amountMinor, currency),
          paidAt: updatedAt.toString(),
        })),
    },
  }),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([createdAt, serviceOrderId]: readonly (string | null)[]): OrderPlace => ({
  createdAt: Temporal.Instant.from(createdAt ?? ''),
  serviceOrderId: BigInt(serviceOrderId ?? '0'),
});

const show = (order: Order, now: Temporal.Instant): object => ({
  merchant: order.merchantId,
  order: order.orderId,
  serviceOrderId: order.serviceOrderId.toString(),
  reference: order.reference,
  state: stateAt(order, now),
  version: order.version,
  email: order.email,
  amount: showAmount(order.amountMinor, order.currency),
  createdAt: order.createdAt.toString(),
  updatedAt: order.updatedAt.toString(),
});

/** The list of orders of the management API, and its summary. */
export const orderLists: readonly ManagementOperation<Deps>[] = [listOrders, summarizeOrders, readLastPaid];
