import { hasLeadingZero } from '../../kit/money.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { cellOfNumber } from '../../kit/per-cell.ts';
import { operation } from '../../requests/index.ts';
import { okAnswer, orderEnvelope, type AnswerSettings } from '../answers.wire.ts';
import { amountField, checksumField, currencyField, readAmount } from '../order-fields.wire.ts';
import { AMOUNT_INVALID, CURRENCY_INVALID } from '../order-refusals.wire.ts';
import {
  languageField,
  netnameField,
  NETWORK_CHECKSUM_INVALID,
  NETWORK_CONTENT_INVALID,
  NETWORK_INVALID,
  ORDER_NOT_SERVED,
  PAYMENT_GIVEN_BACK,
  paymentSchema,
  renderPayment,
  serviceIdField,
  transactionField,
} from './network-fields.wire.ts';
import type { PayOrder, PayOrderRefusal, Settled, RefusedWithOrder } from './payment.ts';

type Deps = {
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly settings: AnswerSettings;
  readonly payOrder: (command: PayOrder) => Promise<Settled | RefusedWithOrder<PayOrderRefusal>>;
};

export const payOrderOperation = operation({
  name: 'payOrder',
  route: 'POST /api/v3/payments/:netname',
  tag: 'Networks',
  summary: 'Pay an order',
  description:
    'Pays a pending order with exactly the amount that the payer saw, or chose where the look-up showed limits. Where the merchant has changed it since, nothing is paid (0905): look the reference up again. The same transaction with the same values has the same answer.',
  section: '§3.8',
  example: 'pay-order/pending',
  envelope: orderEnvelope,
  path: { netname: netnameField },
  from: 'body',
  fields: {
    transaction: transactionField,
    amount: amountField,
    money: currencyField,
    idorder: serviceIdField,
    checksum: checksumField,
    language: languageField,
  },
  caller: 'network',
  proof: ['netname', 'transaction', 'amount', 'money', 'idorder'],
  refusals: {
    content_invalid: NETWORK_CONTENT_INVALID,
    network_invalid: NETWORK_INVALID,
    amount_invalid: AMOUNT_INVALID,
    currency_invalid: CURRENCY_INVALID,
    checksum_invalid: NETWORK_CHECKSUM_INVALID,
    order_not_found: {
      code: '0001',
      text: { es: 'No hay una orden con ese idorder', en: 'There is no order of that idorder', pt: 'Não há ordem com esse idorder' },
    },
    transaction_repeated: {
      code: '0016',
      text: {
        es: 'transaction ya fue usada con otros valores',
        en: 'transaction was used before with other values',
        pt: 'transaction já foi usada com outros valores',
      },
    },
    payment_given_back: PAYMENT_GIVEN_BACK,
    order_not_served: ORDER_NOT_SERVED,
    order_not_open: {
      code: '0041',
      text: {
        es: 'La orden ya no está pendiente: no se puede pagar',
        en: 'The order is not pending any more: it cannot be paid',
        pt: 'A ordem não está mais pendente: não pode ser paga',
      },
    },
    amount_changed: {
      code: '0905',
      meaning: '`amount` and `money` are not those of the order, or not between its limits. Look the reference up again.',
      text: {
        es: 'amount y money no son los de la orden: consulte la referencia otra vez y muéstrelos al pagador antes de cobrar',
        en: 'amount and money are not those of the order: look the reference up again, and show them to the payer before taking money',
        pt: 'amount e money não são os do pedido: consulte a referência outra vez e mostre-os ao pagador antes de cobrar',
      },
    },
  },
  parse: ({ amount, money }, refuse) => {
    // A zero in front could be the last digit of another transaction.
    if (amount !== undefined && hasLeadingZero(amount)) return refuse('amount_invalid', 'amount');
    return readAmount(amount, money, refuse);
  },
  cellOf: ({ values: { idorder } }) => cellOfNumber(idorder),
  run: async ({ values: { netname, transaction, money, idorder }, parsed, requestId, caller }, { payOrder, merchants }: Deps) => {
    const paid = await payOrder({
      serviceOrderId: BigInt(idorder),
      source: `network:${netname}`,
      transactionId: transaction,
      shown: { amountMinor: parsed, currency: money },
      requestId,
      served: caller,
    });
    const merchant = paid.order && ((await merchants.find(paid.order.merchantId)) as Merchant);
    return { ...paid, merchant };
  },
  answer: ({ payment, order, merchant }, _, { settings }) =>
    okAnswer(renderPayment(payment, order, merchant as Merchant, settings.dialect)),
  data: (dialect) => paymentSchema(dialect, 'PAGADA'),
});
