import { declareSearch, type Hit, type SearchedField, type SearchedTexts } from '../../kit/lists/searches.ts';
import { ORDERS } from '../order-rows.ts';
import type { Order } from '../order.ts';
import { bareDocument, foldedEmail, ORDER_FITS, ORDER_PARAMETERS, orderValues, type OrderFilter } from './order-filter.ts';

const OF_MERCHANT = 'o.merchant_id = k.merchant_id';
const BY_CREATION = 'o.created_at desc, o.service_order_id desc';

const FIELDS = {
  orderId: { from: 'orders as o', of: OF_MERCHANT, text: 'o.order_id', finds: 'beginning' },
  reference: { from: 'orders as o', of: OF_MERCHANT, text: 'o.reference', newest: 'o.service_order_id desc', finds: 'beginning' },
  serviceOrderId: { from: 'orders as o', of: OF_MERCHANT, text: 'o.service_order_id', type: 'bigint', finds: 'whole' },
  transaction: {
    from: 'order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id',
    of: 't.merchant_id = k.merchant_id',
    text: 't.transaction_id',
    finds: 'beginning',
  },
  email: {
    from: 'orders as o',
    of: OF_MERCHANT,
    text: foldedEmail('o.email'),
    fold: foldedEmail,
    newest: BY_CREATION,
    finds: 'beginning',
  },
  document: {
    from: 'orders as o',
    of: `${OF_MERCHANT} and o.user_document is not null`,
    text: bareDocument('o.user_document'),
    newest: BY_CREATION,
    finds: 'beginning',
  },
  /** An index has references from their end on: people know the last digits of one. */
  referenceEnd: {
    from: 'orders as o',
    of: OF_MERCHANT,
    text: 'reverse(o.reference)',
    fold: (end) => `reverse(${end})`,
    newest: 'o.service_order_id desc',
    finds: 'part',
  },
} as const satisfies Record<string, SearchedField>;

/** In the order in which hits are listed. */
export const ORDER_FIELDS_SEARCHED: readonly string[] = Object.keys(FIELDS);

/** What is shown of an order that was found. */
const SHOWN = [
  'merchantId',
  'orderId',
  'serviceOrderId',
  'reference',
  'email',
  'state',
  'expiresAt',
  'amountMinor',
  'currency',
  'createdAt',
] as const satisfies readonly (keyof Order)[];

export type OrderTexts = SearchedTexts<typeof FIELDS>;
export type FoundOrder = Pick<Order, (typeof SHOWN)[number]>;
export type OrderHit = Hit<FoundOrder, keyof typeof FIELDS>;

/**
 * Finds orders by a text in any of their fields. Shape: `rows` hits of each field at most. One order may be hit in several fields.
 * `isBeginning`: fields that begin with the text are found too, and references that end with it.
 */
export const searchOrders = declareSearch<FoundOrder, typeof FIELDS, typeof ORDER_PARAMETERS, OrderFilter>({
  table: 'orders',
  fields: FIELDS,
  select: ORDERS.selectList('o', SHOWN),
  fits: ORDER_FITS,
  parameters: ORDER_PARAMETERS,
  valuesOf: orderValues,
});
