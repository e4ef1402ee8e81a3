import { formatIsoDay } from '../../kit/calendar.ts';
import { textOrNumber } from '../../kit/fields.ts';
import { formatAmount } from '../../kit/money.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { HOME } from '../../kit/per-cell.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { operation } from '../../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from '../answers.wire.ts';
import { isAllDigits, TYPED_DOCUMENT } from '../end-users/documents.ts';
import { CASHOUT_NOT_SERVED, LOCKED } from '../cashout-refusals.wire.ts';
import { LOCK_MINUTES } from './collection.ts';
import type { createLookUp } from './look-up-cashout.ts';
import { networkCode, NETWORK_FIELDS, NETWORK_REFUSALS, CASHOUT_TEXTS, textsSchema } from './network-fields.wire.ts';

type Deps = { readonly merchants: Pick<MerchantDirectory, 'find'>; readonly lookUpCashout: ReturnType<typeof createLookUp> };

export const lookUpCashoutOperation = operation({
  name: 'lookUpCashout',
  route: 'POST /cashout/v1/order/:netname',
  tag: 'Networks',
  summary: 'Look up a cashout',
  description: `Finds the cashout that a person can collect, and holds it for the network for ${LOCK_MINUTES} minutes.`,
  section: '§4.3',
  example: 'look-up-cashout/pending',
  envelope: cashoutEnvelope,
  path: { netname: NETWORK_FIELDS.netname },
  from: 'body',
  fields: {
    otp: textOrNumber({
      required: true,
      max: 12,
      pattern: /^[0-9]{4,12}$/,
      description: 'The one-time password that the person brings.',
      example: '482913',
    }),
    document: textOrNumber({
      required: true,
      max: 20,
      pattern: TYPED_DOCUMENT,
      digitsOnly: true,
      description:
        'Identification number of the end user, as the person shows it: `1020304050`, `12.345.670-K`. One with letters needs a signed request.',
      example: '1020304050',
    }),
    netcode: networkCode("The network's code of the point of sale.", 'P-14'),
    checksum: NETWORK_FIELDS.checksum,
  },
  caller: 'network',
  proof: ['netname', 'otp', 'document'],
  // Then its text is all digits: no payment and no reversal of an unsigned request has such a text.
  checksumSuffices: ({ document }) => isAllDigits(String(document)),
  refusals: {
    ...NETWORK_REFUSALS,
    too_many_tries: {
      code: '0013',
      text: {
        es: 'Demasiados intentos con claves equivocadas',
        en: 'Too many tries with wrong passwords',
        pt: 'Tentativas demais com senhas erradas',
      },
    },
    password_wrong: {
      code: '0002',
      text: {
        es: 'La clave no abre ninguna operación de este documento; después de cinco equivocadas hace falta una nueva',
        en: 'The password opens no operation of this document; after five wrong ones a new one is needed',
        pt: 'A senha não abre nenhuma operação deste documento; depois de cinco erradas é preciso uma nova',
      },
    },
    cashout_locked: LOCKED,
    cashout_not_served: CASHOUT_NOT_SERVED,
  },
  // From there it asks all cells.
  cellOf: () => HOME,
  run: async ({ values: { netname, otp, document, netcode = '' }, caller }, { merchants, lookUpCashout: lookUp }: Deps) => {
    const cashout = await lookUp({ netname, otp, document, point: netcode, served: caller });
    return isRefusal(cashout) ? cashout : { cashout, merchant: (await merchants.find(cashout.merchantId)) as Merchant };
  },
  // What a teller needs to hand out the money, all texts.
  answer: ({ cashout, merchant }) =>
    cashoutAnswer({
      idoperation: cashout.cashoutId.toString(),
      operation: cashout.operationId,
      merchant: merchant.name,
      amount: formatAmount(cashout.amountMinor, cashout.currency),
      transactionCost: formatAmount(cashout.transactionCostMinor, cashout.currency),
      currency: cashout.currency,
      description: cashout.description,
      document: cashout.document,
      expire: formatIsoDay(cashout.expiresOn),
    }),
  data: () =>
    textsSchema({
      ...CASHOUT_TEXTS,
      merchant: ['The merchant’s name.', 'Demo shop'],
      transactionCost: ['What the end user bears.', '0.0'],
      description: ['Shown to the end user.', 'Prize'],
      expire: ['The last day on which it can be collected.', '2026-12-31'],
    }),
});
