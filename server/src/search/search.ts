import {
  CASHOUT_FIELDS_SEARCHED,
  CASHOUT_STATES,
  searchCashouts,
  type CashoutHit,
  type CashoutTexts,
  type FoundCashout,
} from '../cashouts/index.ts';
import type { Db } from '../kit/db.ts';
import { latestFirst, byText, mergeSorted } from '../kit/lists/merges.ts';
import type { Between, From, Scope, Walked } from '../kit/lists/walks.ts';
import { ORDER_FIELDS_SEARCHED, ORDER_STATES, searchOrders, type FoundOrder, type OrderHit, type OrderTexts } from '../orders/index.ts';
import { LEAST_ENDING, LEAST_PREFIX, MOST_HITS, type FoundState } from './search-terms.ts';

/** What a hit must have besides. */
export type SearchFilter = {
  readonly states?: readonly FoundState[] | undefined;
  readonly currency?: string | undefined;
  readonly amountMinor?: Between<bigint> | undefined;
  readonly created?: From<Temporal.Instant> | undefined;
  readonly network?: string | undefined;
};

/** `ofCashouts`: whether cashouts are searched too. */
type Asked = {
  readonly scope: Scope;
  readonly text: string;
  readonly filter: SearchFilter;
  readonly now: Temporal.Instant;
  readonly ofCashouts: boolean;
};

/** `fields`: where the text is. `isWhole`: one of them is the text itself, and not a part of it. */
type Found<Item, Field> = { readonly item: Item; readonly fields: readonly Field[]; readonly isWhole: boolean };

/** Those whose field is the text come before those whose field begins or ends with it. `isMore`: there are others, or may be. */
export type SearchResult = {
  readonly orders: readonly Found<FoundOrder, OrderHit['field']>[];
  readonly cashouts: readonly Found<FoundCashout, CashoutHit['field']>[];
  readonly isMore: boolean;
  /** Which spelling of the text was found: as it is, in capital or in small letters. */
  readonly spelling: number;
};

/** The text as each field has it: people write numbers with marks between the digits. */
function textsOf(text: string): OrderTexts & CashoutTexts {
  const trimmed = text.trim();
  const bare = (marks: RegExp): string | undefined => trimmed.replaceAll(marks, '') || undefined;
  const reference = bare(/[\s.-]/g);
  return {
    orderId: trimmed,
    operationId: trimmed,
    transaction: trimmed,
    email: trimmed,
    reference,
    referenceEnd: reference !== undefined && reference.length >= LEAST_ENDING && /^[0-9]+$/.test(reference) ? reference : undefined,
    serviceOrderId: reference !== undefined && /^[1-9][0-9]{0,17}$/.test(reference) ? BigInt(reference) : undefined,
    document: bare(/[\s.,/_-]/g),
    cellphone: bare(/[+() .-]/g),
  };
}

/**
 * Searches orders and cashouts by one text: in ids, references, transactions, e-mail addresses, documents and cellphones.
 * Who hears an id does not hear its capital letters: where nothing has the text, it is looked for in capital and in small letters.
 * Shape: what is outside of the scope does not exist. At most MOST_HITS, of each of both kinds by their share.
 * Effects: none. Each field reads a bounded number of rows along its index.
 */
export async function search(db: Pick<Db, 'query'>, asked: Asked): Promise<SearchResult> {
  const { text } = asked;
  const spellings = [text, text.toUpperCase(), text.toLowerCase()];
  let found = NOTHING;
  for (const [spelling, one] of spellings.entries()) {
    if (spellings.indexOf(one) < spelling) continue;
    found = { ...(await searchText(db, { ...asked, text: one })), spelling };
    if (!isNothing(found)) break;
  }
  return found;
}

const NOTHING: SearchResult = { orders: [], cashouts: [], isMore: false, spelling: 0 };
const isNothing = ({ orders, cashouts }: SearchResult): boolean => orders.length + cashouts.length === 0;

/**
 * Merges what several cells have found, in the order in which one database lists it.
 * A spelling that one of them has found in capital or in small letters counts only where none has the text as it is.
 */
export function mergeResults(results: readonly SearchResult[]): SearchResult {
  const found = results.filter((result) => !isNothing(result));
  const spelling = Math.min(...found.map((result) => result.spelling));
  const same = found.filter((result) => result.spelling === spelling);
  const orders = mergeSorted(
    same.map((result) => result.orders),
    inOrderOf(ORDER_FIELDS_SEARCHED),
  );
  const cashouts = mergeSorted(
    same.map((result) => result.cashouts),
    inOrderOf(CASHOUT_FIELDS_SEARCHED),
  );
  const isMore = (found.length === 0 ? results : same).some((result) => result.isMore);
  return { ...cut(orders, cashouts, isMore), spelling: found.length === 0 ? 0 : spelling };
}

type AnyFound = Found<{ readonly createdAt: Temporal.Instant; readonly merchantId: string }, string>;

const inOrderOf =
  (fields: readonly string[]) =>
  (one: AnyFound, other: AnyFound): number =>
    Number(other.isWhole) - Number(one.isWhole) ||
    (one.isWhole
      ? latestFirst(one.item.createdAt, other.item.createdAt)
      : fields.indexOf(one.fields[0] as string) - fields.indexOf(other.fields[0] as string) ||
        byText(one.item.merchantId, other.item.merchantId));

async function searchText(db: Pick<Db, 'query'>, { scope, text, filter, now, ofCashouts }: Asked): Promise<Omit<SearchResult, 'spelling'>> {
  const texts = textsOf(text);
  const rows = MOST_HITS + 1;
  const { states, ...rest } = filter;
  const orderStates = states && ORDER_STATES.filter((state) => (states as readonly string[]).includes(state));
  const cashoutStates = states && CASHOUT_STATES.filter((state) => (states as readonly string[]).includes(state));
  const asked = { texts, isBeginning: text.trim().length >= LEAST_PREFIX, rows, now };
  const [orders, cashouts] = await Promise.all([
    searchOrders(db, scope, { ...asked, filter: { ...rest, states: orderStates } }),
    ofCashouts ? searchCashouts(db, scope, { ...asked, filter: { ...rest, states: cashoutStates } }) : [],
  ]);
  const foundOrders = gather(orders, ({ merchantId, orderId }) => `${merchantId} ${orderId}`);
  const foundCashouts = gather(cashouts, ({ merchantId, operationId }) => `${merchantId} ${operationId}`);
  const isCut = [...orders, ...cashouts].some(({ stops }) => stops);
  return cut(foundOrders, foundCashouts, isCut);
}

/** Both kinds by their share. `isCut`: there may be others already. */
function cut(orders: SearchResult['orders'], cashouts: SearchResult['cashouts'], isCut: boolean): Omit<SearchResult, 'spelling'> {
  const [orderRoom, cashoutRoom] = share(orders, cashouts);
  return {
    orders: orders.slice(0, orderRoom),
    cashouts: cashouts.slice(0, cashoutRoom),
    isMore: isCut || orderRoom < orders.length || cashoutRoom < cashouts.length,
  };
}

/** One entry for each item, with all fields in which it was hit. Hits of whole texts come first, the newest before others. */
function gather<Item extends Walked & { readonly field: string; readonly whole: boolean; readonly createdAt: Temporal.Instant }>(
  hits: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Found<Item, Item['field']>[] {
  const found = new Map<string, { item: Item; fields: Item['field'][]; isWhole: boolean }>();
  const whole = hits.filter((hit) => hit.whole).toSorted((one, other) => latestFirst(one.createdAt, other.createdAt));
  for (const item of [...whole, ...hits.filter((hit) => !hit.whole)]) {
    if (!item.fits) continue;
    const one = found.get(nameOf(item));
    if (one === undefined) found.set(nameOf(item), { item, fields: [item.field], isWhole: item.whole });
    else if (!one.fields.includes(item.field)) one.fields.push(item.field);
  }
  return [...found.values()];
}

/** How many of both are shown. Whole ones come first. Each gets half of the room, or all that the other leaves. */
function share(...both: readonly [readonly { readonly isWhole: boolean }[], readonly { readonly isWhole: boolean }[]]): [number, number] {
  const [one, other] = both.map((found) => found.filter(({ isWhole }) => isWhole).length) as [number, number];
  const whole = split(MOST_HITS, one, other);
  const rest = split(MOST_HITS - whole[0] - whole[1], both[0].length - one, both[1].length - other);
  return [whole[0] + rest[0], whole[1] + rest[1]];
}

function split(most: number, first: number, second: number): [number, number] {
  const ofFirst = Math.min(first, Math.max(Math.ceil(most / 2), most - second));
  return [ofFirst, Math.min(second, most - ofFirst)];
}
