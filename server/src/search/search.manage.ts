import { Type } from 'typebox';
import { CASHOUT_STATES } from '../cashouts/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import {
  amountsBetween,
  CREATED_PARAMETERS,
  daysBetween,
  MONEY_PARAMETERS,
  refusingParameters,
  sought,
} from '../kit/lists/list-parameters.ts';
import { managementOperation, schemas, type ManagementOperation } from '../manage/index.ts';
import { zoneOfDays, type TimeZoneOf } from '../merchants/index.ts';
import { ORDER_STATES } from '../orders/index.ts';
import { FOUND_STATES, LEAST_ENDING, LEAST_PREFIX, MOST_HITS } from './search-terms.ts';
import { mergeResults, search } from './search.ts';
import { showHits } from './show-hits.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly timeZoneOf: TimeZoneOf };

const { amount, instant, merchantId, oneOf, answerObject } = schemas;

const HIT = {
  amount,
  createdAt: instant,
  foundIn: Type.Array(Type.String({ examples: ['email'] }), { description: 'The fields that have the text.' }),
  isWhole: Type.Boolean({ description: 'A field is the text itself. False: it begins with it, or is a reference that ends with it.' }),
};

export const searchAll = managementOperation({
  name: 'search',
  route: 'GET /manage/v1/search',
  tag: 'Search',
  summary: 'Find orders and cashouts by one text',
  names: { es: 'Buscar órdenes y retiros', pt: 'Buscar pedidos e saques' },
  description:
    'The text is an id, a reference, a transaction, an e-mail address, a document or a cellphone, ' +
    `or from ${LEAST_PREFIX} characters on the beginning of one, or from ${LEAST_ENDING} digits on the end of a reference. ` +
    `Whole ones come first, ${MOST_HITS} in all at most.`,
  permission: 'orders:read',
  scope: 'merchant',
  query: Type.Object({
    text: Type.String({ minLength: 1, maxLength: 200, pattern: schemas.ONE_LINE, examples: ['813832289025'] }),
    merchant: Type.Optional(merchantId),
    state: Type.Optional(Type.Array(oneOf(FOUND_STATES, 'As of now.'), { description: 'Some states, with commas between them.' })),
    network: sought(30, 'Paid at this network.', 'efectivo'),
    ...MONEY_PARAMETERS,
    ...CREATED_PARAMETERS,
  }),
  shows: answerObject({
    orders: Type.Array(
      answerObject({
        merchant: merchantId,
        order: Type.String(),
        serviceOrderId: Type.String(),
        reference: Type.String(),
        email: Type.String(),
        state: oneOf(ORDER_STATES, 'As of now.'),
        ...HIT,
      }),
    ),
    cashouts: Type.Array(
      answerObject({
        merchant: merchantId,
        cashout: Type.String(),
        document: Type.String(),
        cellphone: Type.String(),
        state: oneOf(CASHOUT_STATES, 'A state.'),
        ...HIT,
      }),
    ),
    isMore: Type.Boolean({ description: 'There are others, or may be: give more of the text, or a filter.' }),
  }),
  run: ({ actor, merchantId: only, query }, { db, clock, timeZoneOf }: Deps) =>
    refusingParameters(async () => {
      const zoneOf = zoneOfDays({ timeZoneOf }, only);
      const { text, state: states, network, currency } = query;
      const created = await daysBetween(zoneOf, 'created', query.createdFrom, query.createdTo);
      const filter = { states, network, currency, created, amountMinor: amountsBetween(query) };
      const now = clock.now();
      const scope = only === undefined ? 'everybody' : { merchantId: only };
      return { now, result: await search(db, { scope, text, filter, now, ofCashouts: actor.permissions.has('cashouts:read') }) };
    }),
  cells: { merge: ([first, ...others]) => ({ ...first!, result: mergeResults([first!, ...others].map(({ result }) => result)) }) },
  answer: ({ now, result }) => ({ body: { ...showHits(result, now), isMore: result.isMore } }),
});

/** The search of the management API. */
export const searchManagement: readonly ManagementOperation<Deps>[] = [searchAll];
