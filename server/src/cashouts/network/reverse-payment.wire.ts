import { isRefusal } from '../../kit/outcome.ts';
import { cellOfNumber } from '../../kit/per-cell.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { operation } from '../../requests/index.ts';
import { cashoutEnvelope } from '../answers.wire.ts';
import { REVERSAL_SECONDS } from '../../networks/index.ts';
import { isMarkedOff, NETWORK_FIELDS, NETWORK_REFUSALS, paymentAnswer, collectionSchema } from './network-fields.wire.ts';
import type { createReverse } from './reverse-payment.ts';

type Deps = { readonly merchants: Pick<MerchantDirectory, 'find'>; readonly reverseCashoutPayment: ReturnType<typeof createReverse> };

export const reverseCashoutPaymentOperation = operation({
  name: 'reverseCashoutPayment',
  route: 'PATCH /cashout/v1/transaction/:netname/:transaction',
  tag: 'Networks',
  summary: 'Reverse the payment of a cashout',
  description:
    `Takes a payment back within ${REVERSAL_SECONDS} seconds: the cashout is nullified and its money goes back to the merchant. ` +
    'Reversing it again is success.',
  section: '§4.3',
  example: 'reverse-cashout/paid',
  envelope: cashoutEnvelope,
  path: { netname: NETWORK_FIELDS.netname, transaction: NETWORK_FIELDS.transaction },
  from: 'body',
  fields: { idoperation: NETWORK_FIELDS.idoperation, checksum: NETWORK_FIELDS.checksum },
  caller: 'network',
  proof: ['netname', 'transaction', 'idoperation'],
  checksumSuffices: isMarkedOff,
  refusals: {
    ...NETWORK_REFUSALS,
    transaction_unknown: {
      code: '0001',
      text: {
        es: 'La red no tiene una transacción con este identificador',
        en: 'The network has no transaction with this id',
        pt: 'A rede não tem uma transação com este identificador',
      },
    },
    not_reversible: {
      code: '0018',
      text: {
        es: 'El pago ya no se puede reversar: pasaron más de 50 segundos',
        en: 'The payment cannot be reversed any more: more than 50 seconds have passed',
        pt: 'O pagamento não pode mais ser estornado: passaram mais de 50 segundos',
      },
    },
  },
  cellOf: ({ values: { idoperation } }) => cellOfNumber(idoperation),
  run: async ({ values: { netname, transaction, idoperation }, requestId }, deps: Deps) => {
    const decided = await deps.reverseCashoutPayment({ netname, transactionId: transaction, cashoutId: BigInt(idoperation), requestId });
    if (isRefusal(decided)) return decided;
    return { ...decided, merchant: (await deps.merchants.find(decided.payment.merchantId)) as Merchant };
  },
  answer: paymentAnswer,
  data: () => collectionSchema,
});
