import type { Db } from '../kit/db.ts';
import { CASHOUT_STATES, type CashoutState } from './cashout.ts';
import {
  BACKWARD_PAGE,
  FIRST_PAGE,
  FORWARD_PAGE,
  NUMBERED_PAGE,
  type CashoutRowAsTexts,
  type ContractFilter,
  type ListKey,
  type ListParameters,
  type ListStatements,
  type ReadPage,
} from './list-statements.ts';

/** Which page: by its number, the last one, or the one right after or before a place of a walk. */
export type ListPosition =
  | { readonly at: 'page'; readonly page: number }
  | { readonly at: 'last' }
  | { readonly at: 'after' | 'before'; readonly key: ListKey; readonly page: number };

export type ListCashouts = {
  readonly merchantId: string;
  /** The first and the last update day, both included, in the merchant's zone. */
  readonly startOn: Temporal.PlainDate;
  readonly endOn: Temporal.PlainDate;
  /** In the order of CASHOUT_STATES, each once; all of them do not filter. */
  readonly states: readonly CashoutState[];
  readonly document: string | undefined;
  readonly limit: number;
  readonly position: ListPosition;
};

export type ListedPage = {
  /** Newest update first. */
  readonly rows: readonly CashoutRowAsTexts[];
  /** The number of this page: that of the request; in a walk counted from the page where the walk began. */
  readonly page: number;
  /** How many pages there are now. */
  readonly pages: number;
  /** True where a cashout lies before this page, also where the page itself is empty. */
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

/**
 * Lists one page of a merchant's cashouts.
 * Shape: ListCashouts → ListedPage; days in the merchant's zone; newest update first, ties by our id, newest first.
 * Refuses: nothing; a page beyond the last is empty.
 * Effects: none. One statement, so that the page, its neighbours and the count are of one snapshot.
 * Walking by `after` from page 1 shows each unchanged cashout exactly once, because its place does not change.
 * Source: contract §4.1, §4.2.
 */
export async function listCashouts(db: Pick<Db, 'query'>, list: ListCashouts): Promise<ListedPage> {
  const { position, limit } = list;
  const read = (statements: ListStatements, own: ListParameters): Promise<ReadPage> =>
    statements[filterOf(list)](db, { ...parametersOf(list), ...own });

  if (position.at === 'page') {
    const skipped = (position.page - 1) * limit;
    const { total, rows } = skipped === 0 ? await read(FIRST_PAGE, {}) : await read(NUMBERED_PAGE, { skipped: BigInt(skipped) });
    return { ...forwardPage(rows, total, limit), page: position.page, hasPrevious: skipped > 0 && total > 0 };
  }
  if (position.at === 'after') {
    const { total, rows, isEntered } = await read(FORWARD_PAGE, placeOf(position.key));
    return { ...forwardPage(rows, total, limit), page: position.page, hasPrevious: isEntered };
  }
  // The last page is read backwards, from before all rows.
  const place = position.at === 'last' ? { placeOn: list.startOn, placeAt: '-infinity', placeId: 0n } : placeOf(position.key);
  const { total, rows, isEntered } = await read(BACKWARD_PAGE, place);
  const pages = Math.ceil(total / limit);
  const size = position.at === 'last' ? total - (pages - 1) * limit : limit;
  return {
    rows: rows.slice(0, size).reverse(),
    page: position.at === 'last' ? Math.max(pages, 1) : position.page,
    pages,
    hasPrevious: rows.length > size,
    hasNext: isEntered,
  };
}

function filterOf({ states, document }: ListCashouts): ContractFilter {
  if (document !== undefined) return 'document';
  if (states.length === CASHOUT_STATES.length) return 'all';
  return states.length === 1 ? 'state' : 'states';
}

/** One row more than a page is wanted: it shows whether another page follows. */
const parametersOf = ({ merchantId, startOn, endOn, states, document, limit }: ListCashouts): ListParameters => ({
  merchant: merchantId,
  start: startOn,
  end: endOn,
  rows: limit + 1,
  states,
  document: document ?? null,
});

const placeOf = ({ updatedOn, updatedAt, cashoutId }: ListKey): ListParameters => ({
  placeOn: updatedOn,
  placeAt: updatedAt,
  placeId: cashoutId,
});

function forwardPage(rows: ReadPage['rows'], total: number, limit: number): Omit<ListedPage, 'page' | 'hasPrevious'> {
  return { rows: rows.slice(0, limit), pages: Math.ceil(total / limit), hasNext: rows.length > limit };
}
