import type { Db, Value } from '../../kit/db.ts';
import { readListedPage, type ListedPage, type ListPosition, type ReadPage } from '../../kit/lists/numbered-pages.ts';
import { namedStatement } from '../../kit/lists/named-parameters.ts';
import type { Refund, RefundState } from './refund-columns.ts';
import { SELECT_REFUND } from './refund-rows.ts';

/** The place of a refund in a merchant's list. It never changes. */
export type RefundPlaceOfMerchant = Pick<Refund, 'requestedAt' | 'refundId'>;

export type ListRefunds = {
  readonly merchantId: string;
  /** Asked for at this instant or later. */
  readonly from: Temporal.Instant;
  /** Asked for before this instant. */
  readonly until: Temporal.Instant;
  /** Undefined: any. */
  readonly states: readonly RefundState[] | undefined;
  readonly orderId: string | undefined;
  readonly limit: number;
  readonly position: ListPosition<RefundPlaceOfMerchant>;
};

const TYPES = {
  merchant: 'text',
  order: 'text',
  from: 'timestamptz',
  until: 'timestamptz',
  states: 'text[]',
  placeAt: 'timestamptz',
  placeId: 'text',
  skipped: 'bigint',
  rows: 'bigint',
} as const;
type Parameters = { readonly [Name in keyof typeof TYPES]?: Value | undefined };
type Row = Refund & { readonly total: bigint; readonly entered: bigint };

const NEWEST_FIRST = 'r.requested_at desc, r.refund_id desc';
const OLDEST_FIRST = 'r.requested_at, r.refund_id';
const PLACE = '($placeAt, $placeId)';

/**
 * A page, and how many refunds the list has, in one statement and so of one snapshot. They are counted along the index of the page.
 * Few payments are refunded, so a merchant has few of them beside its orders: no counts are kept of them, as there are of cashouts.
 * `entered`: how many lie at the place of a walk, or behind it as the walk goes.
 */
function pagesOf(kind: string, ofOrder: string) {
  const listed = `r.merchant_id = $merchant ${ofOrder} and r.requested_at >= $from and r.requested_at < $until
      and ($states is null or r.state = any ($states))`;
  const declare = (name: string, where: string, entered: string, order: string) => {
    const read = namedStatement(
      `orders.refunds_${name}_${kind}`,
      TYPES,
      `with page as (select ${SELECT_REFUND} from order_refunds r where ${listed} and ${where} order by ${order} offset $skipped limit $rows)
       select page.*, counted.total, counted.entered
         from (select count(*) as total, count(*) filter (where ${entered}) as entered from order_refunds r where ${listed}) as counted
         left join page on true
        order by ${order.replaceAll('r.requested_at', 'page."requestedAt"').replaceAll('r.refund_id', 'page."refundId"')}`,
    );
    return async (db: Pick<Db, 'query'>, parameters: Parameters): Promise<ReadPage<Refund>> => {
      const rows = await read<Row>(db, { skipped: 0n, ...parameters });
      const { total = 0n, entered: passed = 0n } = rows[0] ?? {};
      // Where the page is empty one row has the counts alone.
      return { total: Number(total), isEntered: passed > 0n, rows: rows.filter(({ refundId }) => refundId !== null) };
    };
  };
  return {
    numbered: declare('numbered', 'true', 'false', NEWEST_FIRST),
    after: declare('after', `(r.requested_at, r.refund_id) < ${PLACE}`, `(r.requested_at, r.refund_id) >= ${PLACE}`, NEWEST_FIRST),
    before: declare(
      'before',
      `($placeAt is null or (r.requested_at, r.refund_id) > ${PLACE})`,
      `(r.requested_at, r.refund_id) <= ${PLACE}`,
      OLDEST_FIRST,
    ),
  };
}
const PAGES = { ofMerchant: pagesOf('of_merchant', ''), ofOrder: pagesOf('of_order', 'and r.order_id = $order') };

const placeParameters = (place: RefundPlaceOfMerchant | undefined): Parameters => ({
  placeAt: place?.requestedAt,
  placeId: place?.refundId,
});

/**
 * Lists one page of a merchant's refunds, the newest request first; of two at one instant, the higher id.
 * Refuses: nothing; a page beyond the last is empty.
 * Effects: none. Walking by `after` from page 1 shows each refund exactly once, because its place never changes.
 * Source: contract §3.10.
 */
export function listRefundsOfMerchant(
  db: Pick<Db, 'query'>,
  { merchantId, from, until, states, orderId, limit, position }: ListRefunds,
): Promise<ListedPage<Refund>> {
  const pages = orderId === undefined ? PAGES.ofMerchant : PAGES.ofOrder;
  const listed = { merchant: merchantId, order: orderId, from, until, states, rows: limit + 1 };
  return readListedPage(position, limit, {
    skipping: (skipped) => pages.numbered(db, { ...listed, skipped: BigInt(skipped) }),
    after: (place) => pages.after(db, { ...listed, ...placeParameters(place) }),
    before: (place) => pages.before(db, { ...listed, ...placeParameters(place) }),
  });
}
