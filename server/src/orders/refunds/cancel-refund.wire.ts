import type { Refusal } from '../../kit/outcome.ts';
import { operation } from '../../requests/index.ts';
import { orderEnvelope } from '../answers.wire.ts';
import { checksumField, merchantField } from '../order-fields.wire.ts';
import { PARAMETER_REFUSALS } from '../order-refusals.wire.ts';
import type { GivingBack } from '../payments/give-back-payment.ts';
import type { DecidedRefund } from './refund.ts';
import { refundAnswer, refundInPath, refundNotFound, refundDataSchema, typeField } from './refund.wire.ts';

export const cancelRefundOperation = operation({
  name: 'cancelRefund',
  route: 'DELETE /api/v3/refunds/:refund',
  tag: 'Orders',
  summary: 'Withdraw a refund',
  description:
    'Cancels a refund that is not approved yet: its money is the merchant’s again. Cancelling a cancelled one is success again. ' +
    'The parameters may be in a JSON body instead; the query wins.',
  section: '§3.10',
  example: 'cancel-refund/requested',
  envelope: orderEnvelope,
  path: { refund: refundInPath },
  from: 'query, body',
  fields: { merchant: merchantField, type: typeField('refund.cancel'), checksum: checksumField },
  caller: 'merchant',
  effect: 'writes',
  proof: ['type', 'refund', 'merchant'],
  refusals: {
    ...PARAMETER_REFUSALS,
    refund_not_found: refundNotFound('0018'),
    refund_ended: {
      code: '0041',
      text: {
        es: 'El reembolso ya terminó: se pagó o falló',
        en: 'The refund has ended: it was paid, or it failed',
        pt: 'O reembolso já terminou: foi pago ou falhou',
      },
    },
    refund_approved: {
      code: '0041',
      text: {
        es: 'El reembolso ya está aprobado y alguien lo puede estar pagando: pídalo al operador',
        en: 'The refund is approved, and somebody may be paying it: ask the operator',
        pt: 'O reembolso já está aprovado e alguém pode estar pagando: peça ao operador',
      },
    },
  },
  run: async ({ values: { merchant, refund }, caller, requestId }, deps: Pick<GivingBack, 'changeRefund'>) => {
    const by = { actor: 'merchant', requestId, isReported: caller.reportsUpdates } as const;
    const outcome = await deps.changeRefund({ merchantId: merchant, refundId: refund, to: 'cancelled', isWithdrawn: true, ...by });
    // Of others than those that are requested it is not decided, and these have no cashout.
    return outcome as DecidedRefund | Refusal<'refund_not_found' | 'refund_ended' | 'refund_approved'>;
  },
  answer: ({ refund }, { caller: { country } }) => refundAnswer(refund, country.timeZone),
  data: () => refundDataSchema,
});
