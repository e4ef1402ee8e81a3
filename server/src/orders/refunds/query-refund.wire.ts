import type { Db } from '../../kit/db.ts';
import { refuse } from '../../kit/outcome.ts';
import { operation } from '../../requests/index.ts';
import { orderEnvelope } from '../answers.wire.ts';
import { checksumField, merchantField } from '../order-fields.wire.ts';
import { PARAMETER_REFUSALS } from '../order-refusals.wire.ts';
import { readRefund } from './refund-rows.ts';
import { refundAnswer, refundInPath, refundNotFound, refundDataSchema, typeField } from './refund.wire.ts';

export const queryRefundOperation = operation({
  name: 'queryRefund',
  route: 'GET /api/v3/refunds/:refund',
  tag: 'Orders',
  summary: 'Query a refund',
  description: 'The refund as it is now, whoever asked for it.',
  section: '§3.10',
  example: 'query-refund/requested',
  envelope: orderEnvelope,
  path: { refund: refundInPath },
  from: 'query',
  fields: { merchant: merchantField, type: typeField('refund.query'), checksum: checksumField },
  caller: 'merchant',
  effect: 'reads',
  proof: ['type', 'refund', 'merchant'],
  refusals: { ...PARAMETER_REFUSALS, refund_not_found: refundNotFound('0001') },
  run: async ({ values: { merchant, refund } }, { db }: { readonly db: Db }) =>
    (await readRefund(db, { merchantId: merchant, refundId: refund })) ?? refuse('refund_not_found', { field: 'refund' }),
  answer: (refund, { caller: { country } }) => refundAnswer(refund, country.timeZone),
  data: () => refundDataSchema,
});
