import type { Db } from '../../kit/db.ts';
import { namedStatement } from '../../kit/lists/named-parameters.ts';
import { mostOf, pageOf, pageOfWalks, type Page, type Scope, type Walked } from '../../kit/lists/walks.ts';
import { CASHOUTS } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';
import { bareCellphone, CASHOUT_FITS, CASHOUT_PARAMETERS, cashoutValues, type CashoutFilter, type CashoutPlace } from './cashout-filter.ts';

/** Merchants with cashouts, found one after the other in the primary key. The list of all merchants is of another room. */
export const MERCHANTS_WITH_CASHOUTS = `with recursive found as (
    (select merchant_id from cashouts order by merchant_id limit 1)
    union all
    select (select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1)
      from found where found.merchant_id is not null)
  select merchant_id from found where merchant_id is not null`;

/** An update day is a day of the merchant's zone. It is within a day of the instant's day in UTC. */
const updateDay = (instant: string, days: string): string => `((${instant} at time zone 'UTC')::date ${days})`;
const AFTER_PLACE = `(o.updated_on, o.updated_at, o.cashout_id)
    < (coalesce($placeOn, 'infinity'), coalesce($placeAt, 'infinity'), coalesce($placeId, 9223372036854775807))
  and o.updated_on >= coalesce(${updateDay('$updatedFrom', '- 1')}, '-infinity')
  and o.updated_on <= coalesce(${updateDay('$updatedBefore', '+ 1')}, 'infinity')`;
const OF_MERCHANT = 'o.merchant_id = k.merchant_id';

/** What an index has together. A walk goes along it. */
const PATHS = {
  operationId: `${OF_MERCHANT} and o.operation_id = $operationId`,
  transaction: `${OF_MERCHANT} and o.operation_id in (
    select t.operation_id from cashout_payments t where t.merchant_id = k.merchant_id and t.transaction_id = $transaction)`,
  document: `${OF_MERCHANT} and o.document = $document`,
  cellphone: `${OF_MERCHANT} and o.cellphone <> '' and ${bareCellphone('o.cellphone')} = ${bareCellphone('$cellphone')}`,
  states: `${OF_MERCHANT} and o.state = k.state`,
  all: OF_MERCHANT,
} as const;
type Path = keyof typeof PATHS;

/** The narrowest first. */
const NARROW = Object.keys(PATHS).filter((path) => path !== 'all') as Exclude<Path, 'all'>[];

/** The walks of a path: one for each merchant, and for each state where the path has them. */
function keysOf(path: Path, isOfOne: boolean): string {
  const merchants = isOfOne ? 'select $merchant as merchant_id' : MERCHANTS_WITH_CASHOUTS;
  return path === 'states' ? `select m.merchant_id, s.state from (${merchants}) as m, unnest($states) as s (state)` : merchants;
}

const declare = (path: Path, isOfOne: boolean) =>
  namedStatement(
    `cashouts.find_${path}_of_${isOfOne ? 'one' : 'all'}`,
    CASHOUT_PARAMETERS,
    pageOfWalks({
      table: 'cashouts',
      keys: keysOf(path, isOfOne),
      where: `${PATHS[path]} and ${AFTER_PLACE}`,
      order: 'o.updated_on desc, o.updated_at desc, o.cashout_id desc',
      fits: CASHOUT_FITS,
      select: CASHOUTS.selectList('o'),
    }),
  );

const PAGES = Object.fromEntries(
  (Object.keys(PATHS) as Path[]).map((path) => [path, { one: declare(path, true), all: declare(path, false) }]),
) as Record<Path, Record<'one' | 'all', ReturnType<typeof declare>>>;

/**
 * Finds one page of cashouts, the last changed first, as in the merchants' list.
 * Shape: `after` is the `next` of the page before. A page may be short, or empty, though more follows.
 * Effects: none. A cashout that does not change is on exactly one page, whatever else comes or changes meanwhile.
 */
export async function findCashouts(
  db: Pick<Db, 'query'>,
  scope: Scope,
  filter: CashoutFilter,
  { after, limit }: { readonly after?: CashoutPlace | undefined; readonly limit: number },
): Promise<Page<Cashout, CashoutPlace>> {
  const path = NARROW.find((name) => filter[name] !== undefined) ?? 'all';
  const read = PAGES[path][scope === 'everybody' ? 'all' : 'one'];
  const place = { placeOn: after?.updatedOn ?? null, placeAt: after?.updatedAt ?? null, placeId: after?.cashoutId ?? null };
  const rows = await read<Cashout & Walked>(db, { ...cashoutValues(scope, filter), ...place, most: mostOf(scope), rows: limit + 1 });
  return pageOf(rows, limit, ({ updatedOn, updatedAt, cashoutId }) => ({ updatedOn, updatedAt, cashoutId }));
}
