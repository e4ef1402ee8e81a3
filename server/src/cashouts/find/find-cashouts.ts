import type { Db } from '../../kit/db.ts';
import { namedStatement } from '../../kit/lists/named-parameters.ts';
import { MOST_SUMMED, sumsOfWalks, summaryOf, type Summary, type SumRow } from '../../kit/lists/sums.ts';
import {
  alongPaths,
  merchantsIn,
  MOST_OF_EACH,
  MOST_WALKED,
  pageOf,
  pageOfWalks,
  statesOfEach,
  type Page,
  type Scope,
  type Walked,
} from '../../kit/lists/walks.ts';
import { CASHOUTS } from '../cashout-rows.ts';
import { CASHOUT_STATES, type Cashout, type CashoutState } from '../cashout.ts';
import {
  bareCellphone,
  CASHOUT_FITS,
  CASHOUT_PARAMETERS,
  cashoutValues,
  CASHOUT_STATE_NOW,
  type CashoutFilter,
  type CashoutPlace,
} from './cashout-filter.ts';

/** SQL: the columns of a cashout `o`, with its state now. */
const SELECT_NOW = CASHOUTS.selectList('o').replace('o.state', `${CASHOUT_STATE_NOW} as state`);

/** An update day is a day of the merchant's zone. It is within a day of the instant's day in UTC. */
const updateDay = (instant: string, days: string): string => `((${instant} at time zone 'UTC')::date ${days})`;
const AFTER_PLACE = `(o.updated_on, o.updated_at, o.cashout_id)
    < (coalesce($placeOn, 'infinity'), coalesce($placeAt, 'infinity'), coalesce($placeId, 9223372036854775807))
  and o.updated_on >= coalesce(${updateDay('$updatedFrom', '- 1')}, '-infinity')
  and o.updated_on <= coalesce(${updateDay('$updatedBefore', '+ 1')}, 'infinity')`;
const OF_MERCHANT = 'o.merchant_id = k.merchant_id';

/** What an index has together. A walk goes along it. The narrowest comes first. */
const PATHS = {
  operationId: `${OF_MERCHANT} and o.operation_id = $operationId`,
  transaction: `${OF_MERCHANT} and o.operation_id in (
    select t.operation_id from cashout_payments t where t.merchant_id = k.merchant_id and t.transaction_id = $transaction)`,
  document: `${OF_MERCHANT} and o.document = $document`,
  cellphone: `${OF_MERCHANT} and o.cellphone <> '' and ${bareCellphone('o.cellphone')} = ${bareCellphone('$cellphone')}`,
  states: `${OF_MERCHANT} and o.state = k.state`,
  all: OF_MERCHANT,
} as const;

function walksOf(path: keyof typeof PATHS, isOfOne: boolean) {
  const merchants = merchantsIn('cashouts', isOfOne);
  return {
    table: 'cashouts',
    keys: path === 'states' ? statesOfEach(merchants, '$storedStates') : merchants,
    where: `${PATHS[path]} and ${AFTER_PLACE}`,
    order: 'o.updated_on desc, o.updated_at desc, o.cashout_id desc',
    fits: CASHOUT_FITS,
  };
}

const statementFor = (does: 'find' | 'sum', textOf: (walks: ReturnType<typeof walksOf>) => string) =>
  alongPaths(PATHS, (path, isOfOne) =>
    namedStatement(`cashouts.${does}_${path}_of_${isOfOne ? 'one' : 'all'}`, CASHOUT_PARAMETERS, textOf(walksOf(path, isOfOne))),
  );
const pageFor = statementFor('find', (walks) => pageOfWalks({ ...walks, select: SELECT_NOW }));
const sumsFor = statementFor('sum', (walks) => sumsOfWalks({ ...walks, state: CASHOUT_STATE_NOW }));

/**
 * Finds one page of cashouts, the last changed first, as in the merchants' list.
 * Shape: `after` is the `next` of the page before. A page may be short, or empty, though more follows.
 * Effects: none. A cashout that does not change is on exactly one page, whatever else comes or changes meanwhile.
 */
export async function findCashouts(
  db: Pick<Db, 'query'>,
  scope: Scope,
  filter: CashoutFilter,
  { after, limit, now }: { readonly after?: CashoutPlace | undefined; readonly limit: number; readonly now: Temporal.Instant },
): Promise<Page<Cashout, CashoutPlace>> {
  const read = pageFor(scope, filter);
  const place = { placeOn: after?.updatedOn, placeAt: after?.updatedAt, placeId: after?.cashoutId };
  const most = scope === 'everybody' ? MOST_OF_EACH : MOST_WALKED;
  const rows = await read<Cashout & Walked>(db, { ...cashoutValues(scope, filter, now), ...place, most, rows: limit + 1 });
  return pageOf(rows, limit, ({ updatedOn, updatedAt, cashoutId }) => ({ updatedOn, updatedAt, cashoutId }));
}

/** Counts the cashouts of a filter and adds their amounts up, in all and by state. Effects: none; it reads MOST_SUMMED rows at most. */
export async function sumCashouts(
  db: Pick<Db, 'query'>,
  scope: Scope,
  { states, ...filter }: CashoutFilter,
  now: Temporal.Instant,
): Promise<Summary<CashoutState>> {
  const rows = await sumsFor(scope, filter)<SumRow<CashoutState>>(db, { ...cashoutValues(scope, filter, now), most: MOST_SUMMED });
  return summaryOf(rows, CASHOUT_STATES, states);
}
