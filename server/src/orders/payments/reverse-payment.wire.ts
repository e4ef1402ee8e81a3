import { isRefusal, refuse } from '../../kit/outcome.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { cellOfNumber } from '../../kit/per-cell.ts';
import { operation } from '../../requests/index.ts';
import { okAnswer, orderEnvelope, type AnswerSettings } from '../answers.wire.ts';
import { checksumField } from '../order-fields.wire.ts';
import type { GivingBack } from './give-back-payment.ts';
import {
  languageField,
  netnameField,
  NETWORK_CHECKSUM_INVALID,
  NETWORK_CONTENT_INVALID,
  NETWORK_INVALID,
  PAYMENT_GIVEN_BACK,
  paymentSchema,
  renderPayment,
  serviceIdField,
  transactionField,
} from './network-fields.wire.ts';
import { REVERSAL_SECONDS } from '../../networks/index.ts';

type Deps = {
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly settings: AnswerSettings;
  readonly reversePayment: GivingBack['reversePayment'];
};

export const reversePaymentOperation = operation({
  name: 'reversePayment',
  route: 'PATCH /api/v3/payments/:netname/:transaction',
  tag: 'Networks',
  summary: 'Reverse a payment',
  description: `Takes a payment back within ${REVERSAL_SECONDS} seconds. Reversing it again has the same answer.`,
  section: '§3.9',
  example: 'reverse-payment/paid',
  envelope: orderEnvelope,
  path: { netname: netnameField, transaction: transactionField },
  from: 'body',
  fields: { idorder: serviceIdField, checksum: checksumField, language: languageField },
  caller: 'network',
  proof: ['netname', 'transaction', 'idorder'],
  refusals: {
    content_invalid: NETWORK_CONTENT_INVALID,
    network_invalid: NETWORK_INVALID,
    checksum_invalid: NETWORK_CHECKSUM_INVALID,
    payment_not_found: {
      code: '0001',
      text: {
        es: 'La red no hizo un pago de esa orden con esa transaction',
        en: 'The network made no payment of that order with that transaction',
        pt: 'A rede não fez um pagamento dessa ordem com essa transaction',
      },
    },
    payment_given_back: { ...PAYMENT_GIVEN_BACK, meaning: 'Refunds have promised some of the payment, or all of it.' },
    payment_not_reversible: {
      code: '0907',
      meaning: `More than ${REVERSAL_SECONDS} seconds have passed since the payment. An operator can void it.`,
      text: {
        es: `Un pago se reversa en los ${REVERSAL_SECONDS} segundos siguientes`,
        en: `A payment is reversed within the ${REVERSAL_SECONDS} seconds after it`,
        pt: `Um pagamento é estornado nos ${REVERSAL_SECONDS} segundos seguintes`,
      },
    },
  },
  cellOf: ({ values: { idorder } }) => cellOfNumber(idorder),
  run: async ({ values: { netname, transaction, idorder }, requestId }, deps: Deps) => {
    const reversed = await deps.reversePayment({
      serviceOrderId: BigInt(idorder),
      source: `network:${netname}`,
      transactionId: transaction,
      requestId,
    });
    // A payment that was found has its order.
    if (isRefusal(reversed)) return refuse(reversed.refusal === 'order_not_found' ? 'payment_not_found' : reversed.refusal);
    return { ...reversed, merchant: (await deps.merchants.find(reversed.order.merchantId)) as Merchant };
  },
  answer: ({ payment, order, merchant }, _, { settings }) => okAnswer(renderPayment(payment, order, merchant, settings.dialect)),
  data: (dialect) => paymentSchema(dialect, 'REVERSADA'),
});
