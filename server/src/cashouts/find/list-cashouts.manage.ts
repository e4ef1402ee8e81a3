import { Type, type Static } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import {
  amountsBetween,
  CREATED_PARAMETERS,
  daysBetween,
  MONEY_PARAMETERS,
  PAYMENT_PARAMETERS,
  refusingParameters,
  sought,
  UPDATED_PARAMETERS,
} from '../../kit/lists/list-parameters.ts';
import { latestFirst } from '../../kit/lists/merges.ts';
import { mergeSummaries } from '../../kit/lists/sums.ts';
import { scopeOf } from '../../kit/lists/walks.ts';
import { storedDay } from '../../kit/db.ts';
import { managementOperation, mergeFoundPages, schemas, showSummary, summaryShown, type ManagementOperation } from '../../manage/index.ts';
import { zoneOfDays, type TimeZoneOf } from '../../merchants/index.ts';
import { CASHOUT_STATES, type Cashout } from '../cashout.ts';
import type { CashoutFilter, CashoutPlace } from './cashout-filter.ts';
import { findCashouts, sumCashouts } from './find-cashouts.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly timeZoneOf: TimeZoneOf };

const { amount, day, instant, merchantId, oneOf, answerObject, showAmount } = schemas;

const QUERY = Type.Object({
  merchant: Type.Optional(merchantId),
  state: Type.Optional(Type.Array(oneOf(CASHOUT_STATES, 'A state.'), { description: 'Some states, with commas between them.' })),
  cashout: sought(100, 'The merchant’s id of it.', 'W-1300'),
  document: sought(50, 'Of the end user.', '10200300'),
  cellphone: sought(30, 'Of the end user, with or without marks between the digits.', '3005550000'),
  ...MONEY_PARAMETERS,
  ...CREATED_PARAMETERS,
  ...UPDATED_PARAMETERS,
  ...PAYMENT_PARAMETERS,
});

/** The order of the list. */
const lastChangedFirst = (one: CashoutPlace, other: CashoutPlace): number =>
  Temporal.PlainDate.compare(other.updatedOn, one.updatedOn) ||
  latestFirst(one.updatedAt, other.updatedAt) ||
  Number(other.cashoutId - one.cashoutId);

/** Reads the filter of a query. Its days are of the merchant's time zone. Throws: WrongParameter. */
async function filterOf(query: Static<typeof QUERY>, only: string | undefined, deps: Deps): Promise<CashoutFilter> {
  const zoneOf = zoneOfDays(deps, only);
  const { document, cellphone, currency, network, transaction, cashout: operationId, state: states } = query;
  return {
    document,
    cellphone,
    currency,
    network,
    transaction,
    operationId,
    states,
    amountMinor: amountsBetween(query),
    created: await daysBetween(zoneOf, 'created', query.createdFrom, query.createdTo),
    updated: await daysBetween(zoneOf, 'updated', query.updatedFrom, query.updatedTo),
    paid: await daysBetween(zoneOf, 'paid', query.paidFrom, query.paidTo),
  };
}

export const listCashoutsByFilter = managementOperation({
  name: 'listCashoutsByFilter',
  route: 'GET /manage/v1/cashouts',
  tag: 'Cashouts',
  summary: 'List cashouts by a filter',
  names: { es: 'Ver la lista de retiros', pt: 'Ver a lista de saques' },
  description: 'The last changed first. A page may be short, or empty, though more follows: go on until `next` is null.',
  permission: 'cashouts:read',
  scope: 'merchant',
  query: QUERY,
  shows: answerObject({
    merchant: merchantId,
    cashout: Type.String({ examples: ['W-1300'] }),
    state: oneOf(CASHOUT_STATES, 'A state.'),
    version: Type.Integer(),
    amount,
    document: Type.String(),
    cellphone: Type.String(),
    expiresOn: day,
    createdAt: instant,
    updatedAt: instant,
  }),
  run: ({ merchantId: only, query, page: { after, limit } }, deps: Deps) =>
    refusingParameters(async () => {
      const filter = await filterOf(query, only, deps);
      return {
        found: await findCashouts(deps.db, scopeOf(only), filter, { after: after && placeOf(after), limit, now: deps.clock.now() }),
      };
    }),
  cells: { merge: mergeFoundPages(lastChangedFirst) },
  page: ({ found: { items, next } }) => ({
    items: items.map(show),
    next: next && [next.updatedOn.toString(), next.updatedAt.toString(), next.cashoutId.toString()],
  }),
});

const summarizeCashouts = managementOperation({
  name: 'summarizeCashouts',
  route: 'GET /manage/v1/cashouts/summary',
  tag: 'Cashouts',
  summary: 'Count and add up the cashouts of a filter',
  description:
    'By the filter of `listCashoutsByFilter`: how many cashouts there are and what they are worth, in all and by state. Up to 20,000 are ' +
    'counted, the last changed first.',
  permission: 'cashouts:read',
  scope: 'merchant',
  query: QUERY,
  shows: summaryShown(CASHOUT_STATES),
  run: ({ merchantId: only, query }, deps: Deps) =>
    refusingParameters(async () => sumCashouts(deps.db, scopeOf(only), await filterOf(query, only, deps), deps.clock.now())),
  cells: { merge: mergeSummaries },
  answer: (summary) => ({ body: showSummary(summary) }),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([updatedOn, updatedAt, cashoutId]: readonly (string | null)[]): CashoutPlace => ({
  updatedOn: storedDay(updatedOn ?? ''),
  updatedAt: Temporal.Instant.from(updatedAt ?? ''),
  cashoutId: BigInt(cashoutId ?? '0'),
});

const show = (cashout: Cashout): object => ({
  merchant: cashout.merchantId,
  cashout: cashout.operationId,
  state: cashout.state,
  version: cashout.version,
  amount: showAmount(cashout.amountMinor, cashout.currency),
  document: cashout.document,
  cellphone: cashout.cellphone,
  expiresOn: cashout.expiresOn.toString(),
  createdAt: cashout.createdAt.toString(),
  updatedAt: cashout.updatedAt.toString(),
});

/** The list of cashouts of the management API, and its summary. */
export const cashoutLists: readonly ManagementOperation<Deps>[] = [listCashoutsByFilter, summarizeCashouts];
