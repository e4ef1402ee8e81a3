import { operation } from '../requests/index.ts';
import { orderEnvelope } from './answers.wire.ts';
import { referenceInQuery } from './order-fields.wire.ts';
import { PARAMETER_REFUSALS } from './order-refusals.wire.ts';
import { queryOrderByReference } from './query-order.ts';
import { QUERY_FIELDS, queriedAnswer, queriedSchema, withNoticeResponse, type QueryDeps } from './query-order.wire.ts';

export const queryOrderByReferenceOperation = operation({
  name: 'queryOrderByReference',
  route: 'GET /api/v3/porders',
  tag: 'Orders',
  summary: 'Query an order by its reference',
  description:
    'The merchant’s open order that has the reference. Without one, the newest of its orders that ended with the reference: the one with the highest `CODE`. The answer is that of the query by the order’s id.',
  section: '§3.3',
  example: 'query-order-by-reference/pending',
  envelope: orderEnvelope,
  from: 'query',
  fields: { reference: referenceInQuery, ...QUERY_FIELDS },
  caller: 'merchant',
  effect: 'reads',
  proof: ['reference', 'merchant'],
  refusals: {
    ...PARAMETER_REFUSALS,
    order_not_found: {
      code: '0001',
      text: {
        es: 'Ninguna orden del comercio tiene esa reference',
        en: 'No order of the merchant has that reference',
        pt: 'Nenhuma ordem do estabelecimento tem essa reference',
      },
    },
  },
  run: async ({ values: { merchant, reference } }, { db, clock }: QueryDeps) =>
    withNoticeResponse(db, await queryOrderByReference(db, { merchantId: merchant, reference }, clock.now())),
  answer: queriedAnswer,
  data: () => queriedSchema,
});
