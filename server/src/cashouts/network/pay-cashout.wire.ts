import { isRefusal } from '../../kit/outcome.ts';
import { cellOfNumber } from '../../kit/per-cell.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { operation } from '../../requests/index.ts';
import { cashoutEnvelope } from '../answers.wire.ts';
import { CASHOUT_NOT_SERVED, LOCKED, NOT_PENDING, NOT_REGISTERED } from '../cashout-refusals.wire.ts';
import { isMarkedOff, networkCode, NETWORK_FIELDS, NETWORK_REFUSALS, paymentAnswer, collectionSchema } from './network-fields.wire.ts';
import type { createPay } from './pay-cashout.ts';

type Deps = { readonly merchants: Pick<MerchantDirectory, 'find'>; readonly payCashout: ReturnType<typeof createPay> };

export const payCashoutOperation = operation({
  name: 'payCashout',
  route: 'POST /cashout/v1/transaction/:netname',
  tag: 'Networks',
  summary: 'Pay a cashout out',
  description:
    'Records that the network hands out the money of a cashout that it has looked up. The same transaction with the same values has ' +
    'the same answer.',
  section: '§4.3',
  example: 'pay-cashout/held',
  envelope: cashoutEnvelope,
  path: { netname: NETWORK_FIELDS.netname },
  from: 'body',
  fields: {
    idoperation: NETWORK_FIELDS.idoperation,
    transaction: NETWORK_FIELDS.transaction,
    teller: networkCode('Who hands out the money.', 'C-3'),
    danecode: networkCode('Where: the DANE code of the municipality.', '11001'),
    checksum: NETWORK_FIELDS.checksum,
  },
  caller: 'network',
  proof: ['netname', 'idoperation', 'transaction'],
  checksumSuffices: isMarkedOff,
  refusals: {
    ...NETWORK_REFUSALS,
    transaction_repeated: {
      code: '0016',
      text: {
        es: 'La transacción ya existe con otros valores',
        en: 'The transaction exists with other values',
        pt: 'A transação já existe com outros valores',
      },
    },
    cashout_not_registered: NOT_REGISTERED,
    cashout_locked: LOCKED,
    cashout_not_pending: NOT_PENDING,
    lock_over: {
      code: '0013',
      text: {
        es: 'La reserva de la operación terminó; consúltela de nuevo con la clave',
        en: 'The operation is not held any more: look it up again with the password',
        pt: 'A reserva da operação terminou; consulte-a de novo com a senha',
      },
    },
    cashout_not_served: CASHOUT_NOT_SERVED,
  },
  cellOf: ({ values: { idoperation } }) => cellOfNumber(idoperation),
  run: async ({ values: { netname, idoperation, transaction, teller = '', danecode = '' }, requestId, caller }, deps: Deps) => {
    const decided = await deps.payCashout({
      netname,
      transactionId: transaction,
      cashoutId: BigInt(idoperation),
      teller,
      daneCode: danecode,
      requestId,
      served: caller,
    });
    if (isRefusal(decided)) return decided;
    return { ...decided, merchant: (await deps.merchants.find(decided.payment.merchantId)) as Merchant };
  },
  answer: paymentAnswer,
  data: () => collectionSchema,
});
