import type { Db } from '../../kit/db.ts';
import { namedStatement } from '../../kit/lists/named-parameters.ts';
import { beginsLonger, beginsWith, isEmpty, MOST_SEARCHED, searchOf, type Hit, type SearchedField } from '../../kit/lists/searches.ts';
import { forScopes, merchantsIn, type Scope } from '../../kit/lists/walks.ts';
import { SELECT_ORDER } from '../order-rows.ts';
import type { Order } from '../order.ts';
import { bareDocument, foldedEmail, ORDER_FITS, ORDER_PARAMETERS, orderValues, type OrderFilter } from './order-filter.ts';

const OF_MERCHANT = 'o.merchant_id = k.merchant_id';
const BY_CREATION = 'o.created_at desc, o.service_order_id desc';
const DOCUMENT = bareDocument('o.user_document');
const EMAIL = foldedEmail('o.email');

/** An index has references from their end on: people know the last digits of one. */
const FROM_END = 'reverse(o.reference)';

const FIELDS = {
  orderId: {
    from: 'orders as o',
    is: `${OF_MERCHANT} and o.order_id = $searchedId`,
    begins: `${OF_MERCHANT} and ${beginsWith('o.order_id', '$searchedId')}`,
    newest: 'o.order_id',
    text: 'o.order_id',
  },
  reference: {
    from: 'orders as o',
    is: `${OF_MERCHANT} and o.reference = $searchedReference`,
    begins: `${OF_MERCHANT} and ${beginsWith('o.reference', '$searchedReference')}`,
    newest: 'o.service_order_id desc',
    text: 'o.reference',
  },
  serviceOrderId: {
    from: 'orders as o',
    is: `${OF_MERCHANT} and o.service_order_id = $searchedNumber`,
    newest: 'o.service_order_id',
    text: 'o.service_order_id',
  },
  transaction: {
    from: 'order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id',
    is: 't.merchant_id = k.merchant_id and t.transaction_id = $searchedTransaction',
    begins: `t.merchant_id = k.merchant_id and ${beginsWith('t.transaction_id', '$searchedTransaction')}`,
    newest: 't.transaction_id',
    text: 't.transaction_id',
  },
  email: {
    from: 'orders as o',
    is: `${OF_MERCHANT} and ${EMAIL} = ${foldedEmail('$searchedEmail')}`,
    begins: `${OF_MERCHANT} and ${beginsWith(EMAIL, foldedEmail('$searchedEmail'))}`,
    newest: BY_CREATION,
    text: EMAIL,
  },
  document: {
    from: 'orders as o',
    is: `${OF_MERCHANT} and o.user_document is not null and ${DOCUMENT} = $searchedDocument`,
    begins: `${OF_MERCHANT} and o.user_document is not null and ${beginsWith(DOCUMENT, '$searchedDocument')}`,
    newest: BY_CREATION,
    text: DOCUMENT,
  },
  referenceEnd: {
    from: 'orders as o',
    begins: `${OF_MERCHANT} and ${beginsLonger(FROM_END, 'reverse($searchedEnd)')}`,
    newest: 'o.service_order_id desc',
    text: FROM_END,
  },
} as const satisfies Record<string, SearchedField>;

/** The text of a search, as each field has it. Undefined: it cannot be in that field. */
export type OrderTexts = {
  readonly id: string | undefined;
  readonly reference: string | undefined;
  /** The last digits of a reference. */
  readonly referenceEnd: string | undefined;
  readonly number: bigint | undefined;
  readonly transaction: string | undefined;
  readonly email: string | undefined;
  readonly document: string | undefined;
};
export type OrderHit = Hit<Order, keyof typeof FIELDS>;

const PARAMETERS = {
  ...ORDER_PARAMETERS,
  searchedId: 'text',
  searchedReference: 'text',
  searchedEnd: 'text',
  searchedNumber: 'bigint',
  searchedTransaction: 'text',
  searchedEmail: 'text',
  searchedDocument: 'text',
} as const;

const declare = (how: 'is' | 'begins', fits?: string) =>
  forScopes((isOfOne) => {
    const text = searchOf({ fields: FIELDS, merchants: merchantsIn('orders', isOfOne), fits, select: SELECT_ORDER }, how);
    const name = `orders.search_${fits === undefined ? '' : 'filtered_'}${how}_of_${isOfOne ? 'one' : 'all'}`;
    return namedStatement(name, PARAMETERS, text);
  });
const SEARCHES = { is: declare('is'), begins: declare('begins') };
const FILTERED = { is: declare('is', ORDER_FITS), begins: declare('begins', ORDER_FITS) };

/**
 * Finds orders by a text in any of their fields, which is it, or begins with it. A reference may end with it.
 * Shape: `rows` hits of each field at most. One order may be hit in several fields.
 */
export function searchOrders(
  db: Pick<Db, 'query'>,
  scope: Scope,
  how: 'is' | 'begins',
  texts: OrderTexts,
  { filter, rows, now }: { readonly filter: OrderFilter; readonly rows: number; readonly now: Temporal.Instant },
): Promise<OrderHit[]> {
  const searched = {
    searchedId: texts.id,
    searchedReference: texts.reference,
    searchedEnd: texts.referenceEnd,
    searchedNumber: texts.number,
    searchedTransaction: texts.transaction,
    searchedEmail: texts.email,
    searchedDocument: texts.document,
  };
  const searches = isEmpty(filter) ? SEARCHES : FILTERED;
  return searches[how](scope)<OrderHit>(db, { ...orderValues(scope, filter, now), ...searched, most: MOST_SEARCHED, rows });
}
