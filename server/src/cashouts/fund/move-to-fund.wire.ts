import { Type } from 'typebox';
import { actOf, type OpenActing } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import { text, type PartialFieldValues } from '../../kit/fields.ts';
import { currencyExponent, formatAmount, hasLeadingZero, hasNoMoreDecimals, parseWireAmount } from '../../kit/money.ts';
import { refuse } from '../../kit/outcome.ts';
import { moveToFund } from '../../ledger/index.ts';
import { operation, type RefuseField } from '../../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from '../answers.wire.ts';
import { CONTENT_FIELDS, KEY_FIELDS } from '../cashout-fields.wire.ts';
import {
  CASHOUT_AMOUNT_INVALID,
  CHECKSUM_INVALID,
  CURRENCY_NOT_ALLOWED,
  MERCHANT_INVALID,
  PARAMETER_INVALID,
} from '../cashout-refusals.wire.ts';

type Deps = { readonly acting: OpenActing; readonly clock: Clock };

const fields = {
  merchant: KEY_FIELDS.merchant,
  amount: CONTENT_FIELDS.amount,
  currency: CONTENT_FIELDS.currency,
  reference: text({
    required: true,
    max: 40,
    // As with renewals of passwords: no text of another checksum has this there, so none of them moves money.
    pattern: /^fund\.[A-Za-z0-9_-]+$/,
    description: '`fund.` and an id of this move. The same again moves nothing.',
    example: 'fund.2026-11-21',
    form: {
      es: 'fund. y 1 a 35 letras, dígitos, _ o -',
      en: 'fund. and 1 to 35 letters, digits, _ or -',
      pt: 'fund. e 1 a 35 letras, dígitos, _ ou -',
    },
  }),
  checksum: KEY_FIELDS.checksum,
};

export const moveToFundOperation = operation({
  name: 'moveToFund',
  route: 'POST /cashout/v1/fund',
  tag: 'Cashouts',
  summary: 'Move what was collected to the fund',
  description:
    'Moves what orders have brought to the fund that new cashouts are registered with. The same reference again is success, and moves nothing.',
  section: '§4.3',
  example: 'move-to-fund/usual',
  envelope: cashoutEnvelope,
  from: 'body',
  fields,
  caller: 'merchant',
  effect: 'writes',
  // Cut in one way only: three letters, an amount, and what begins with `fund.`.
  proof: ['merchant', 'currency', 'amount', 'reference'],
  refusals: {
    merchant_invalid: MERCHANT_INVALID,
    parameter_invalid: PARAMETER_INVALID,
    amount_invalid: CASHOUT_AMOUNT_INVALID,
    checksum_invalid: CHECKSUM_INVALID,
    currency_not_allowed: CURRENCY_NOT_ALLOWED,
    move_differs: {
      code: '0042',
      text: {
        es: 'Ya se pasó al fondo otro monto u otra moneda con esta referencia',
        en: 'Another amount or currency was moved to the fund with this reference',
        pt: 'Outro valor ou moeda já foi passado para o fundo com esta referência',
      },
    },
    collected_too_small: {
      code: '0025',
      text: {
        es: 'Lo recaudado del comercio no alcanza',
        en: 'What the merchant has collected is not enough',
        pt: 'O valor arrecadado pelo estabelecimento não é suficiente',
      },
    },
    fund_too_large: {
      code: '0004',
      text: {
        es: 'El fondo quedaría más grande de lo que puede ser',
        en: 'The fund would be larger than a fund can be',
        pt: 'O fundo ficaria maior do que pode ser',
      },
    },
  },
  parse: readAmount,
  run: async ({ values: { merchant, amount, currency, reference }, parsed: amountMinor, caller, address, requestId }, deps: Deps) => {
    if (caller.strictAmounts && !hasNoMoreDecimals(amount, currency)) return refuse('amount_invalid');
    const origin = {
      actor: { kind: 'merchant', id: merchant, name: merchant },
      source: address,
      requestId,
      operation: 'moveToFund',
    } as const;
    const act = actOf(origin, {
      target: { kind: 'merchant', id: merchant, merchantId: merchant },
      given: { amount: { amount, currency }, reference },
    });
    return moveToFund({ db: deps.acting(act), clock: deps.clock }, { merchant: caller, currency, amountMinor, reference });
  },
  answer: ({ availableMinor, collectedMinor }, { values: { reference, currency }, parsed: amountMinor }) =>
    cashoutAnswer({
      reference,
      amount: formatAmount(amountMinor, currency),
      currency,
      balance: formatAmount(availableMinor, currency),
      collected: formatSigned(collectedMinor, currency),
    }),
  data: () =>
    Type.Object({
      reference: Type.String({ examples: ['fund.2026-11-21'] }),
      amount: Type.String({ examples: ['45000.0'] }),
      currency: Type.String({ examples: ['COP'] }),
      balance: Type.String({ description: 'What the fund of this currency holds afterwards.', examples: ['955000.0'] }),
      collected: Type.String({
        description: 'What is left of what was collected. Below zero the merchant owes it.',
        examples: ['12000.0'],
      }),
    }),
});

/** Of a request that is repeated, what is left may be below zero by now. */
const formatSigned = (minor: bigint, currency: string): string =>
  minor < 0n ? `-${formatAmount(-minor, currency)}` : formatAmount(minor, currency);

/** Judges the amount by its currency: contract §2.8. */
function readAmount(
  { amount, currency }: PartialFieldValues<typeof fields>,
  refuse: RefuseField<'parameter_invalid' | 'amount_invalid'>,
): bigint | undefined {
  if (currency !== undefined && currencyExponent(currency) === undefined) refuse('parameter_invalid', 'currency', 'unknown');
  const amountMinor = amount === undefined || currency === undefined ? undefined : parseWireAmount(amount, currency);
  if (amount !== undefined && (amountMinor === undefined || hasLeadingZero(amount))) refuse('amount_invalid', 'amount');
  return amountMinor;
}
