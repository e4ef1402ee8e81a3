import type { Db } from '../kit/db.ts';
import { readListedPage, type ListedPage, type ListPosition, type ReadPage } from '../kit/lists/numbered-pages.ts';
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
} from './list-statements.ts';

export type ListCashouts = {
  readonly merchantId: string;
  /** The first and the last update day, both included, in the merchant's zone. */
  readonly startOn: Temporal.PlainDate;
  readonly endOn: Temporal.PlainDate;
  /** In the order of CASHOUT_STATES, each once; all of them do not filter. */
  readonly states: readonly CashoutState[];
  readonly document: string | undefined;
  readonly limit: number;
  readonly position: ListPosition<ListKey>;
};

/**
 * Lists one page of a merchant's cashouts.
 * Shape: ListCashouts → a page; days in the merchant's zone; newest update first, ties by our id, newest first.
 * Refuses: nothing; a page beyond the last is empty.
 * Effects: none. One statement, so that the page, its neighbours and the count are of one snapshot.
 * Walking by `after` from page 1 shows each unchanged cashout exactly once, because its place does not change.
 * Source: contract §4.1, §4.2.
 */
export function listCashouts(db: Pick<Db, 'query'>, list: ListCashouts): Promise<ListedPage<CashoutRowAsTexts>> {
  const read = (statements: ListStatements, own: ListParameters): Promise<ReadPage<CashoutRowAsTexts>> =>
    statements[filterOf(list)](db, { ...parametersOf(list), ...own });
  return readListedPage(list.position, list.limit, {
    skipping: (skipped) => (skipped === 0 ? read(FIRST_PAGE, {}) : read(NUMBERED_PAGE, { skipped: BigInt(skipped) })),
    after: (key) => read(FORWARD_PAGE, placeOf(key)),
    before: (key) => read(BACKWARD_PAGE, key === undefined ? { placeOn: list.startOn, placeAt: '-infinity', placeId: 0n } : placeOf(key)),
  });
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
