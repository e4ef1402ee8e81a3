import type { Db, Statement, Value } from '../kit/db.ts';
import { CASHOUT_STATES, type CashoutState, type ListedCashout } from './cashout.ts';
import { BACKWARD, FORWARD, NUMBERED, type FilterName } from './list-statements.ts';

/** The place of an operation in the list; an operation that does not change keeps it. */
export type ListKey = Pick<ListedCashout, 'updatedOn' | 'updatedAt' | 'cashoutId'>;

/** Which page: by its number, the last one whatever its number, or the one that lies right after or before a place of a walk. */
export type ListPosition =
  | { readonly at: 'page'; readonly page: number }
  | { readonly at: 'last' }
  | { readonly at: 'after' | 'before'; readonly key: ListKey; readonly page: number };

export type ListCashouts = {
  readonly merchantId: string;
  /** The first and the last update day, both included, in the merchant's zone. */
  readonly startOn: Temporal.PlainDate;
  readonly endOn: Temporal.PlainDate;
  /** In the order of CASHOUT_STATES, each once; all of them is no filter. */
  readonly states: readonly CashoutState[];
  readonly document: string | undefined;
  readonly limit: number;
  readonly position: ListPosition;
};

export type ListedPage = {
  /** Newest update first. */
  readonly items: readonly ListedCashout[];
  /** The number of this page: the request's own; in a walk counted from the page where it began. */
  readonly page: number;
  /** How many pages there are now. */
  readonly pages: number;
  /** True where an operation stands before this page, also where the page itself is empty. */
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

type PageRow = { readonly total: bigint; readonly isEntered: boolean } & (
  | ListedCashout
  | { readonly [Column in keyof ListedCashout]: null }
);

/**
 * Lists one page of a merchant's cashouts.
 * Shape: ListCashouts → ListedPage; days in the merchant's zone; newest update first, ties by our id, newest first.
 * Refuses: nothing; a page beyond the last is empty.
 * Effects: none. One statement, so that the page, its neighbours and the count are of one snapshot.
 * Walking by `after` from page 1 shows each operation that does not change exactly once, because its place does not change.
 * Source: contract §4.1, §4.2.
 */
export async function listCashouts(db: Pick<Db, 'query'>, list: ListCashouts): Promise<ListedPage> {
  const { position, limit } = list;
  if (position.at === 'page' && position.page > 1) {
    const offset = (position.page - 1) * limit;
    const { total, items } = await read(db, NUMBERED, list, [BigInt(offset)]);
    return { ...forwardPage(items, total, limit), page: position.page, hasPrevious: total > 0 };
  }
  if (position.at === 'page' || position.at === 'after') {
    const place = position.at === 'page' ? [list.endOn, 'infinity', 0n] : keyValues(position.key);
    const { total, items, isEntered } = await read(db, FORWARD, list, place);
    return { ...forwardPage(items, total, limit), page: position.page, hasPrevious: isEntered };
  }
  const place = position.at === 'last' ? [list.startOn, '-infinity', 0n] : keyValues(position.key);
  const { total, items, isEntered } = await read(db, BACKWARD, list, place);
  const pages = Math.ceil(total / limit);
  const size = position.at === 'last' ? total - (pages - 1) * limit : limit;
  return {
    items: items.slice(0, size).reverse(),
    page: position.at === 'last' ? Math.max(pages, 1) : position.page,
    pages,
    hasPrevious: items.length > size,
    hasNext: isEntered,
  };
}

/** One row more than a page was read: it tells whether something follows. */
function forwardPage(items: readonly ListedCashout[], total: number, limit: number): Pick<ListedPage, 'items' | 'pages' | 'hasNext'> {
  return { items: items.slice(0, limit), pages: Math.ceil(total / limit), hasNext: items.length > limit };
}

const keyValues = ({ updatedOn, updatedAt, cashoutId }: ListKey): readonly Value[] => [updatedOn, updatedAt, cashoutId];

async function read(
  db: Pick<Db, 'query'>,
  statements: Readonly<Record<FilterName, Statement>>,
  { merchantId, startOn, endOn, states, document, limit }: ListCashouts,
  position: readonly Value[],
): Promise<{ readonly total: number; readonly isEntered: boolean; readonly items: readonly ListedCashout[] }> {
  const isAll = states.length === CASHOUT_STATES.length;
  const name = document !== undefined ? 'document' : isAll ? 'all' : states.length === 1 ? 'state' : 'states';
  const filter = document !== undefined ? [states, document] : isAll ? [] : [states];
  const rows = await db.query<PageRow>(statements[name], [merchantId, startOn, endOn, limit + 1, ...position, ...filter]);
  // The count joins the page on the left: without operations one row comes, with nulls.
  const items = rows.filter((row): row is PageRow & ListedCashout => row.operationId !== null);
  return { total: Number(rows[0]!.total), isEntered: rows[0]!.isEntered, items };
}
