import { Type } from 'typebox';
import { formatAmount } from '../kit/money.ts';
import { operation, underPrefixes } from '../requests/index.ts';
import {
  amountSchema,
  orderAnswer,
  orderEnvelope,
  orderIdSchema,
  referenceSchema,
  serviceOrderIdSchema,
  type AnswerSettings,
} from './answers.wire.ts';
import { checksumField, merchantField, orderInPath } from './order-fields.wire.ts';
import { PARAMETER_REFUSALS, ORDER_NOT_OPEN, orderNotFound, VERSION_MISMATCH } from './order-refusals.wire.ts';
import type { CancelOrder, CancelOrderRefusal, DecidedOrder, Refused } from './order.ts';

type Deps = {
  readonly settings: AnswerSettings;
  readonly cancelOrder: (command: CancelOrder) => Promise<DecidedOrder | Refused<CancelOrderRefusal>>;
};

export const cancelOrderOperation = operation({
  name: 'cancelOrder',
  route: 'DELETE /api/v3/porders/:order',
  tag: 'Orders',
  summary: 'Cancel a pending order',
  description: 'Cancelling a cancelled order is success again. The parameters may be in a JSON body instead; the query wins.',
  section: '§3.4',
  example: 'cancel-order/if-match-current',
  envelope: orderEnvelope,
  path: { order: orderInPath },
  from: 'query, body',
  fields: { merchant: merchantField, checksum: checksumField },
  takesIfMatch: true,
  caller: 'merchant',
  effect: 'writes',
  proof: ['order', 'merchant'],
  refusals: {
    ...PARAMETER_REFUSALS,
    order_not_found: orderNotFound('0018'),
    order_not_open: { ...ORDER_NOT_OPEN, meaning: 'The order was paid, has expired or was voided.' },
    version_mismatch: VERSION_MISMATCH,
  },
  run: ({ values: { merchant, order }, ifMatch, requestId }, deps: Deps) =>
    deps.cancelOrder({ merchantId: merchant, orderId: order, ifMatch, requestId }),
  answer: ({ order: { version, orderId, serviceOrderId, reference, amountMinor, currency } }, _, { settings }) =>
    orderAnswer(
      version,
      JSON.stringify({
        OrderID: orderId,
        ...underPrefixes(settings.dialect, 'OrderID', serviceOrderId.toString()),
        Reference: reference,
        Amount: formatAmount(amountMinor, currency),
        Operation: 'DELETED',
      }),
    ),
  data: (dialect) =>
    Type.Object({
      OrderID: orderIdSchema,
      ...underPrefixes(dialect, 'OrderID', serviceOrderIdSchema),
      Reference: referenceSchema,
      Amount: amountSchema,
      Operation: Type.Literal('DELETED'),
    }),
});
