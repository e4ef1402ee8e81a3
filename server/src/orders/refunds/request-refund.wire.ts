import { hasLeadingZero, hasNoMoreDecimals } from '../../kit/money.ts';
import { text, textOrNumber } from '../../kit/fields.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { schemas } from '../../manage/index.ts';
import { REVERSAL_SECONDS } from '../../networks/index.ts';
import { KEY_REFUSALS, operation } from '../../requests/index.ts';
import { orderEnvelope } from '../answers.wire.ts';
import { amountField, checksumField, currencyField, merchantField, ORDER_ID, readAmount } from '../order-fields.wire.ts';
import { AMOUNT_INVALID, CURRENCY_INVALID, orderNotFound, PARAMETER_REFUSALS } from '../order-refusals.wire.ts';
import type { GivingBack } from '../payments/give-back-payment.ts';
import { REFUND_BEARERS, REFUNDERS, type Refund } from './refund-columns.ts';
import { MOST_REFUNDS } from './refund.ts';
import { refundAnswer, refundDataSchema, typeField } from './refund.wire.ts';

type Deps = Pick<GivingBack, 'requestRefund'>;

/** In front of the type, which has a dot, and behind it only forms that end where the next one begins: the text has one cut. */
const fields = {
  merchant: merchantField,
  type: typeField('refund.request'),
  order: textOrNumber({ ...ORDER_ID, description: 'The merchant’s id of the order. Part of the checksum.' }),
  refund: textOrNumber({
    ...ORDER_ID,
    description: 'The merchant’s id of the refund, one for each. Given again it is the same refund. Part of the checksum.',
    example: 'R-1001',
  }),
  refunded_by: text({
    required: true,
    max: 20,
    pattern: new RegExp(`^(?:${REFUNDERS.join('|')})$`),
    description:
      'Who is to hand the money to the payer: the `network` that took the payment, the `operator` of the service, the `merchant` itself, or ' +
      'a network at a counter, for a `cashout` that the merchant registers once it is approved. Part of the checksum.',
    example: 'operator',
    form: { es: REFUNDERS.join(', '), en: REFUNDERS.join(', '), pt: REFUNDERS.join(', ') },
  }),
  money: {
    ...currencyField,
    schema: { ...currencyField.schema, description: 'The currency of the payment, ISO 4217. Part of the checksum.' },
  },
  amount: {
    ...amountField,
    schema: {
      ...amountField.schema,
      description: 'How much, a plain decimal above zero with no more decimals than the currency has. Part of the checksum, as sent.',
    },
  },
  reason: text({
    required: true,
    max: 500,
    pattern: new RegExp(schemas.ONE_LINE, 'u'),
    description: 'Why, in one line. The order’s history has it; the payer does not see it.',
    example: 'The shoes came back',
    form: { es: 'un texto de una línea', en: 'a text of one line', pt: 'um texto de uma linha' },
  }),
  payment: textOrNumber({
    required: false,
    max: 9,
    pattern: /^(?:[1-9][0-9]*)?$/,
    digitsOnly: true,
    description: 'Of a recurrent order: which payment, counted from 1. The last one where absent.',
    example: 1,
    form: { es: 'el número de un pago', en: 'the number of a payment', pt: 'o número de um pagamento' },
  }),
  taken_from: text({
    required: false,
    max: 20,
    pattern: new RegExp(`^(?:${REFUND_BEARERS.join('|')})?$`),
    description: 'What bears the refund: what the merchant has `collected`, also where absent, or its `fund` for cashouts.',
    example: 'collected',
    form: { es: REFUND_BEARERS.join(', '), en: REFUND_BEARERS.join(', '), pt: REFUND_BEARERS.join(', ') },
  }),
  checksum: checksumField,
};

export const requestRefundOperation = operation({
  name: 'requestRefund',
  route: 'POST /api/v3/refunds',
  tag: 'Orders',
  summary: 'Ask for a refund',
  description:
    'Promises a payment, or a part of it, to its payer. What the merchant has collected bears it from now on. It waits for the operator, ' +
    'who approves and pays it. The same request again is the same refund.',
  section: '§3.10',
  example: 'request-refund/in-part',
  envelope: orderEnvelope,
  from: 'body',
  fields,
  keepsAnswersAs: 'request-refund',
  caller: 'merchant',
  effect: 'writes',
  proof: ['order', 'type', 'refund', 'refunded_by', 'money', 'amount'],
  refusals: {
    content_invalid: PARAMETER_REFUSALS.content_invalid,
    merchant_invalid: PARAMETER_REFUSALS.merchant_invalid,
    amount_invalid: AMOUNT_INVALID,
    currency_invalid: CURRENCY_INVALID,
    checksum_invalid: PARAMETER_REFUSALS.checksum_invalid,
    ...KEY_REFUSALS,
    order_not_found: orderNotFound('0018'),
    payment_not_found: {
      code: '0041',
      text: {
        es: 'La orden no tiene ese pago: solo se devuelve lo que se pagó',
        en: 'The order has no such payment: only what was paid is given back',
        pt: 'O pedido não tem esse pagamento: só se devolve o que foi pago',
      },
    },
    refund_exists: {
      code: '0042',
      text: {
        es: 'refund ya fue usado por el comercio en otro reembolso',
        en: 'refund was used before by the merchant, for another refund',
        pt: 'refund já foi usado pelo estabelecimento em outro reembolso',
      },
    },
    nothing_to_refund: {
      code: '0906',
      text: {
        es: 'De ese pago no queda nada por devolver',
        en: 'Nothing is left of that payment to give back',
        pt: 'Desse pagamento não resta nada para devolver',
      },
      meaning: 'Its network has taken the payment back, or refunds have promised all of it.',
    },
    refund_too_early: {
      code: '0914',
      text: {
        es: 'La red todavía puede reversar ese pago: pida el reembolso en un minuto',
        en: 'The network can still take that payment back: ask for the refund in a minute',
        pt: 'A rede ainda pode estornar esse pagamento: peça o reembolso em um minuto',
      },
      meaning: `Its network can take the payment back for ${REVERSAL_SECONDS} seconds. Ask after that.`,
    },
    refund_currency_differs: {
      code: '0026',
      text: {
        es: 'money no es la moneda del pago',
        en: 'money is not the currency of the payment',
        pt: 'money não é a moeda do pagamento',
      },
    },
    refund_too_large: {
      code: '0915',
      text: {
        es: 'amount es más de lo que queda del pago',
        en: 'amount is more than is left of the payment',
        pt: 'amount é mais do que resta do pagamento',
      },
    },
    too_many_refunds: {
      code: '0020',
      text: {
        es: `Ese pago ya tiene ${MOST_REFUNDS} reembolsos, con los que terminaron`,
        en: `That payment has ${MOST_REFUNDS} refunds already, with those that ended`,
        pt: `Esse pagamento já tem ${MOST_REFUNDS} reembolsos, com os que terminaram`,
      },
    },
    collected_too_small: {
      code: '0916',
      text: {
        es: 'Lo recaudado del comercio no alcanza para el reembolso',
        en: 'What the merchant has collected is too little for the refund',
        pt: 'O valor arrecadado pelo estabelecimento não é suficiente para o reembolso',
      },
    },
    fund_too_small: {
      code: '0025',
      text: {
        es: 'El fondo del comercio no alcanza para el reembolso',
        en: 'The fund of the merchant is too small for the refund',
        pt: 'O fundo do estabelecimento não é suficiente para o reembolso',
      },
    },
  },
  parse: ({ amount, money }, refuse) => {
    if (amount !== undefined && hasLeadingZero(amount)) refuse('amount_invalid', 'amount');
    return { amountMinor: readAmount(amount, money, refuse) };
  },
  run: async ({ values, parsed: { amountMinor }, caller, requestId, once }, deps: Deps) => {
    const { merchant, order, refund, refunded_by: refundedBy, money, amount, reason, payment, taken_from: takenFrom } = values;
    if (caller.strictAmounts && !hasNoMoreDecimals(amount, money)) return refuse('amount_invalid', { field: 'amount', rule: 'shape' });
    const outcome = await deps.requestRefund({
      merchantId: merchant,
      orderId: order,
      paymentNumber: payment ? Number(payment) : null,
      refundId: refund,
      amountMinor,
      currency: money,
      refundedBy: refundedBy as Refund['refundedBy'],
      takenFrom: takenFrom ? (takenFrom as Refund['takenFrom']) : undefined,
      reason,
      isApproved: false,
      isReported: caller.reportsUpdates,
      once,
      requestId,
      actor: 'merchant',
    });
    return isRefusal(outcome) && outcome.refusal === 'order_not_found' ? refuse('order_not_found') : outcome;
  },
  answer: ({ refund }, { caller: { country } }) => refundAnswer(refund, country.timeZone),
  data: () => refundDataSchema,
});
