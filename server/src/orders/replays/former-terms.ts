import { hash } from 'node:crypto';
import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import type { Order, OrderKey, SignedTerms } from '../order.ts';

/** What an update sends: the values that its checksum covers. */
type Sent = OrderKey & { readonly given: SignedTerms };
type FormerRow = OrderKey & { readonly terms: string };

/** Read under the locks of the orders. */
const FIND = statement(
  'orders.find_former_terms',
  `select f.merchant_id as "merchantId", f.order_id as "orderId", encode(f.terms, 'hex') as terms
     from unnest($1::text[], $2::text[], $3::bytea[]) as k (merchant_id, order_id, terms)
     join former_terms f on f.merchant_id = k.merchant_id and f.order_id = k.order_id and f.terms = k.terms`,
);
/** The locks of the orders keep two batches apart. An order may leave the same terms a second time. */
const KEEP = statement(
  'orders.keep_former_terms',
  `insert into former_terms (merchant_id, order_id, terms)
   select merchant_id, order_id, terms from unnest($1::text[], $2::text[], $3::bytea[]) as k (merchant_id, order_id, terms)
       on conflict do nothing`,
);

/** Which terms the orders of a batch had before: as loaded, and as the batch's own decisions change them. */
export type FormerTerms = {
  /** True when the order had these terms before. */
  has(sent: Sent): boolean;
  /** Notes that a decision replaced the terms of an order. */
  note(before: Order, after: Order): void;
  /** Writes what was noted. */
  save(tx: Tx): void;
};

/**
 * Reads which of these terms their orders had before.
 * The values are compared, and not the checksums. So an update that changes nothing, in other words, leaves nothing to remember.
 * Effects: one statement; none where nothing is sent.
 * Source: contract §7.1.
 */
export async function openFormerTerms(tx: Tx, sent: readonly Sent[]): Promise<FormerTerms> {
  const asked = sent.map(({ merchantId, orderId, given }) => ({ merchantId, orderId, terms: digestOf(given) }));
  const found = asked.length === 0 ? [] : await tx.query<FormerRow>(FIND, parametersOf(asked));
  const known = new Set(found.map(nameOf));
  const left: FormerRow[] = [];
  return {
    has: ({ merchantId, orderId, given }) => known.has(nameOf({ merchantId, orderId, terms: digestOf(given) })),
    note: (before, after) => {
      if (hasTerms(after, before)) return;
      const row = { merchantId: before.merchantId, orderId: before.orderId, terms: digestOf(before) };
      known.add(nameOf(row));
      left.push(row);
    },
    save: (tx) => {
      if (left.length > 0) tx.send(KEEP, parametersOf(left));
    },
  };
}

/** True when the order has these values by now. */
export const hasTerms = (order: Order, { email, country, currency, amountMinor }: SignedTerms): boolean =>
  order.email === email && order.country === country && order.currency === currency && order.amountMinor === amountMinor;

const digestOf = ({ email, country, currency, amountMinor }: SignedTerms): string =>
  hash('sha256', JSON.stringify([email, country, currency, String(amountMinor)]), 'hex');

const parametersOf = (rows: readonly FormerRow[]): string[][] => [
  ...columnsOf(rows, 'merchantId', 'orderId'),
  rows.map(({ terms }) => `\\x${terms}`),
];

const nameOf = ({ merchantId, orderId, terms }: FormerRow): string => `${merchantId}/${orderId}/${terms}`;
