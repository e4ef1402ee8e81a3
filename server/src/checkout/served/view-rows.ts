import { statement, type Db, type Tx } from '../../kit/db.ts';
import type { Language } from '../../kit/language.ts';
import type { OrderState } from '../../orders/index.ts';
import type { PageSurroundings } from '../page-state.ts';
import type { Device } from './device.ts';

/** Pages of an order that were served with the same bytes to one kind of device. */
export type PageView = {
  readonly merchantId: string;
  readonly orderId: string;
  /** Pages with one etag, and with equal surroundings, are equal. */
  readonly etag: string;
  readonly version: number;
  /** The page showed what had changed since then. */
  readonly seenVersion: number;
  readonly state: OrderState;
  readonly daysLeft: number;
  readonly language: Language;
  readonly device: Device;
  readonly surroundingsId: string;
  readonly firstAt: Temporal.Instant;
  readonly lastAt: Temporal.Instant;
  readonly loads: number;
};
export type ListedView = Omit<PageView, 'merchantId' | 'orderId' | 'etag' | 'surroundingsId' | 'loads'> & {
  readonly viewId: bigint;
  readonly loads: bigint;
};

const KEEP_SURROUNDINGS = statement(
  'checkout.keep_surroundings',
  `insert into page_surroundings (surroundings_id, shown)
   select * from unnest($1::text[], $2::jsonb[]) as k (surroundings_id, shown) order by surroundings_id
       on conflict (surroundings_id) do nothing`,
);
/** Sorted, as all servers do, so that none waits for another in a circle. */
const KEEP_VIEWS = statement(
  'checkout.keep_views',
  `insert into page_views as kept (merchant_id, order_id, etag, version, seen_version, state, days_left, language, device, surroundings_id, first_at, last_at, loads)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[], $7::int[], $8::text[], $9::text[], $10::text[],
                        $11::timestamptz[], $12::timestamptz[], $13::bigint[])
       as k (merchant_id, order_id, etag, version, seen_version, state, days_left, language, device, surroundings_id, first_at, last_at, loads)
    order by merchant_id, order_id, etag, seen_version, device, surroundings_id
       on conflict (merchant_id, order_id, etag, seen_version, device, surroundings_id)
       do update set first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at),
                     loads = kept.loads + excluded.loads`,
);
const LIST_VIEWS = statement(
  'checkout.list_views',
  `select view_id as "viewId", version, seen_version as "seenVersion", state, days_left as "daysLeft", language, device,
          first_at as "firstAt", last_at as "lastAt", loads
     from page_views where merchant_id = $1 and order_id = $2 and ($3::bigint is null or view_id < $3) order by view_id desc limit $4`,
);
const FIND_VIEW = statement(
  'checkout.find_view',
  `select v.version, v.seen_version as "seenVersion", v.first_at as at, s.shown as surroundings
     from page_views v join page_surroundings s using (surroundings_id)
    where v.merchant_id = $1 and v.order_id = $2 and v.view_id = $3`,
);
const FIND_FIRST = statement(
  'checkout.find_first_surroundings',
  `select s.shown as surroundings
     from page_views v join page_surroundings s using (surroundings_id)
    where v.merchant_id = $1 and v.order_id = $2 and v.version = $3
    order by v.first_at, v.view_id limit 1`,
);

/** Writes surroundings and views, those of a batch in two statements. */
export function keepViews(tx: Tx, surroundings: ReadonlyMap<string, string>, views: readonly PageView[]): void {
  const column = <T>(of: (view: PageView) => T): T[] => views.map(of);
  if (surroundings.size > 0) tx.send(KEEP_SURROUNDINGS, [[...surroundings.keys()], [...surroundings.values()]]);
  tx.send(KEEP_VIEWS, [
    column(({ merchantId }) => merchantId),
    column(({ orderId }) => orderId),
    column(({ etag }) => etag),
    column(({ version }) => version),
    column(({ seenVersion }) => seenVersion),
    column(({ state }) => state),
    column(({ daysLeft }) => daysLeft),
    column(({ language }) => language),
    column(({ device }) => device),
    column(({ surroundingsId }) => surroundingsId),
    column(({ firstAt }) => firstAt.toString()),
    column(({ lastAt }) => lastAt.toString()),
    column(({ loads }) => loads),
  ]);
}

type OfOrder = Pick<PageView, 'merchantId' | 'orderId'>;

/** Lists which pages of an order were served, the newest first. `after`: the last one of the page before. */
export function listServedPages(
  db: Pick<Db, 'query'>,
  { merchantId, orderId, after, limit }: OfOrder & { readonly after: string | undefined; readonly limit: number },
): Promise<readonly ListedView[]> {
  return db.query<ListedView>(LIST_VIEWS, [merchantId, orderId, after ?? null, limit]);
}

/** What a page that was served was made of, beside its order. */
export type ServedPage = Pick<PageView, 'version' | 'seenVersion'> & {
  readonly at: Temporal.Instant;
  readonly surroundings: Partial<PageSurroundings>;
};

/** Reads one page of an order that was served. Undefined: it is not in the order's log. */
export async function findView(db: Pick<Db, 'query'>, { merchantId, orderId }: OfOrder, viewId: number): Promise<ServedPage | undefined> {
  return (await db.query<ServedPage>(FIND_VIEW, [merchantId, orderId, viewId]))[0];
}

/** Reads what surrounded a version of an order when it was first served. Undefined: it is not in the log. */
export async function findFirstSurroundings(
  db: Pick<Db, 'query'>,
  { merchantId, orderId, version }: OfOrder & Pick<PageView, 'version'>,
): Promise<Partial<PageSurroundings> | undefined> {
  return (await db.query<Pick<ServedPage, 'surroundings'>>(FIND_FIRST, [merchantId, orderId, version]))[0]?.surroundings;
}
