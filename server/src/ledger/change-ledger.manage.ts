import { Type } from 'typebox';
import { actOf, type ActOrigin, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { parseAmount, parseCost } from '../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { managementOperation, NO_MERCHANT, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../manage/index.ts';
import { adjust } from './adjust.ts';
import { parsePercent } from '../kit/written/percent.ts';
import { setFees } from './fees.ts';
import { SUBJECT_KINDS } from './postings.ts';
import { topUp } from './top-up.ts';

type Acting = { readonly db: Db; readonly clock: Clock };
export type ChangeDeps = Acting & { readonly acting: OpenActing };

const { amount, currency, merchantId, oneOf, readMoney, reason, REASON_TAKES, sentAmount, answerObject, showAmount, wrong } = schemas;

const ofLedger = {
  tag: 'Ledger',
  permission: 'ledger:write',
  scope: 'service',
  stepUp: true,
  path: Type.Object({ merchant: merchantId }),
  missing: NO_MERCHANT,
} as const;

const { currency_not_allowed, fund_too_small } = ROOM_PROBLEMS;
export const FUND_TOO_LARGE = {
  fund_too_large: {
    status: 409,
    title: 'The fund would be too large',
    meaning: 'The fund would exceed the largest possible balance.',
    words: {
      es: 'El fondo quedaría más grande de lo que puede ser',
      en: 'The fund would be larger than a fund can be',
      pt: 'O fundo ficaria maior do que pode ser',
    },
    line: ['The available fund of {merchant} would be larger than a fund can be.', 1],
  },
} as const;
const LARGE = {
  ...FUND_TOO_LARGE,
  account_too_large: {
    status: 409,
    title: 'The balance would be too large',
    meaning: 'The account, or the service’s counterpart, would exceed the largest possible balance.',
    words: {
      es: 'Una cuenta quedaría más grande de lo que puede ser',
      en: 'An account would be larger than an account can be',
      pt: 'Uma conta ficaria maior do que pode ser',
    },
    line: ["An account of {merchant}, or the service's own beside it, would hold more than an account can.", 1],
  },
} as const;

/** What a change depends on: its transaction is an act that says what was asked for. */
export const actingFor = ({ acting, clock }: ChangeDeps, origin: ActOrigin, merchant: string, given: object, why?: string): Acting => ({
  db: acting(actOf(origin, { target: { kind: 'merchant', id: merchant, merchantId: merchant }, given: { ...given }, reason: why })),
  clock,
});

type Found<Outcome> = Outcome extends Refusal<infer Name> ? Refusal<Exclude<Name, 'merchant_unknown'> | 'not_found'> : Outcome;

const orNotFound = <Outcome>(outcome: Outcome): Found<Outcome> =>
  (isRefusal(outcome) && outcome.refusal === 'merchant_unknown' ? refuse('not_found') : outcome) as Found<Outcome>;

export const transaction = Type.String({ description: 'As the entries name it.', examples: ['top-up/bank-2026-11-21-7'] });

/** Without a reference a second transfer looks like the same request sent twice. Within this time it counts as that. */
const REPEATED_HOURS = 1;

export const addFunds = managementOperation({
  ...ofLedger,
  name: 'topUp',
  route: 'POST /manage/v1/ledger/{merchant}/top-ups',
  summary: 'Add money that a merchant has sent to its available fund',
  names: { es: 'Abonar al fondo de un comercio', pt: 'Creditar o fundo de um estabelecimento' },
  description:
    'The reference names the transfer: the same request again posts nothing. Without one, an equal top-up within an hour is refused.',
  body: Type.Object({
    amount: sentAmount,
    reference: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z0-9_.:-]{1,100}$',
        description: 'Of the transfer, unique for the merchant.',
        examples: ['bank-2026-11-21-7'],
      }),
    ),
    again: Type.Optional(Type.Boolean({ description: 'Without a reference: post the same amount a second time within an hour.' })),
  }),
  takes: { reference: '1 to 100 letters, digits, _, ., : or -' },
  refusals: {
    currency_not_allowed,
    ...LARGE,
    top_up_differs: {
      status: 409,
      title: 'The reference names another top-up',
      meaning: 'The merchant has a top-up with this reference, but of another amount or currency.',
      words: {
        es: 'Ya hay un abono con esa referencia, de otro monto o moneda',
        en: 'There is a top-up with this reference already, of another amount or currency',
        pt: 'Já há um crédito com essa referência, de outro valor ou moeda',
      },
      line: ['{merchant} has a top-up with this reference, but of another amount or currency.', 1],
    },
    equal_top_up: {
      status: 409,
      title: 'It looks like the same top-up',
      meaning:
        'The merchant got a top-up of this amount within the last hour. `again` posts another one; a `reference` makes repeating safe.',
      words: {
        es: 'Hace menos de una hora hubo un abono igual. Póngale una referencia',
        en: 'There was an equal top-up less than an hour ago. Give it a reference',
        pt: 'Houve um crédito igual há menos de uma hora. Dê uma referência',
      },
      line: [
        '{merchant} got a top-up of this amount within the last hour: --again posts another one, and --reference makes repeating safe.',
        1,
      ],
    },
  },
  shows: answerObject({
    transaction,
    isRepeated: Type.Boolean({ description: 'It was posted before: nothing is posted now.' }),
    available: amount,
  }),
  run: async ({ path: { merchant }, body, origin }, deps: ChangeDeps) => {
    const { reference, again = false, amount: sent } = body;
    const amountMinor = readMoney('/amount', sent);
    if (isRefusal(amountMinor)) return amountMinor;
    const noEqualSince = reference !== undefined || again ? undefined : deps.clock.now().subtract({ hours: REPEATED_HOURS });
    const command = { merchantId: merchant, currency: sent.currency, amountMinor, reference, noEqualSince };
    const done = orNotFound(await topUp(actingFor(deps, origin, merchant, body), command));
    return isRefusal(done) ? done : { ...done, currency: command.currency };
  },
  answer: ({ transactionId, isRepeated, availableMinor, currency: code }) => ({
    body: { transaction: transactionId, isRepeated, available: showAmount(availableMinor, code) },
  }),
});

/** Reads a decimal above or below zero. */
function parseSigned(text: string, code: string): bigint | undefined {
  if (!text.startsWith('-')) return parseAmount(text, code);
  const sizeMinor = parseAmount(text.slice(1), code);
  return sizeMinor === undefined ? undefined : -sizeMinor;
}

export const correct = managementOperation({
  ...ofLedger,
  name: 'adjustAccount',
  route: 'POST /manage/v1/ledger/{merchant}/adjustments',
  summary: 'Correct an account by hand',
  names: { es: 'Ajustar una cuenta', pt: 'Ajustar uma conta' },
  description: 'Against `service:adjustments`. The reason is kept. Send an `Idempotency-Key`: the same request again posts a second one.',
  keepsAnswersAs: 'manage-adjust-account',
  status: 201,
  body: Type.Object({
    account: Type.String({ maxLength: 60, description: 'available, collected, or network:NAME.', examples: ['available'] }),
    amount: Type.Object(amount.properties, { description: 'Above zero its owner is owed more, below zero less.' }),
    reason,
  }),
  takes: { reason: REASON_TAKES },
  refusals: {
    currency_not_allowed,
    ...LARGE,
    fund_too_small,
    account_not_adjustable: {
      status: 422,
      title: 'The account cannot be adjusted',
      meaning: 'It is available, collected, or network:NAME of a network that the merchant has a balance with.',
      words: {
        es: 'Esa cuenta no se ajusta. Se ajustan el fondo, lo cobrado y las redes con saldo',
        en: 'This account is not adjusted. Available, collected and networks with a balance are',
        pt: 'Essa conta não se ajusta. Ajustam-se o fundo, o arrecadado e as redes com saldo',
      },
      line: ['--account takes available, collected, or network:NAME of a network that the merchant has a balance with.', 1],
    },
  },
  shows: answerObject({ transaction }),
  run: async ({ path: { merchant }, body: { reason: why, ...given }, origin, once }, deps: ChangeDeps) => {
    const amountMinor = readMoney('/amount', given.amount, parseSigned, 'other than zero');
    if (isRefusal(amountMinor)) return amountMinor;
    const command = { merchantId: merchant, account: given.account, currency: given.amount.currency, amountMinor, reason: why, once };
    return orNotFound(await adjust(actingFor(deps, origin, merchant, given, why), command));
  },
  answer: ({ transactionId }) => ({ body: { transaction: transactionId } }),
});

const percent = Type.String({
  maxLength: 8,
  pattern: '^[0-9]{1,3}([.][0-9]{1,4})?$',
  description: '0 to 100, with four decimals at most.',
  examples: ['2.5'],
});
const fixed = Type.Object({ amount: sentAmount.properties.amount, currency }, { description: 'For each operation. It may be zero.' });

export const price = managementOperation({
  ...ofLedger,
  name: 'setFees',
  route: 'PUT /manage/v1/ledger/{merchant}/fees',
  summary: 'Set what the service takes from a merchant from now on',
  names: { es: 'Cambiar las comisiones de un comercio', pt: 'Mudar as tarifas de um estabelecimento' },
  description: 'In one currency, that of `fixed`. Earlier terms stay on record.',
  body: Type.Object({ operation: oneOf(SUBJECT_KINDS, 'Of what.'), percent, fixed, taxPercent: percent }),
  refusals: { currency_not_allowed },
  run: async ({ path: { merchant }, body, origin }, deps: ChangeDeps) => {
    const [percentPpm, taxPpm] = [parsePercent(body.percent), parsePercent(body.taxPercent)];
    if (percentPpm === undefined) return wrong('/percent', 'must be 0 to 100');
    if (taxPpm === undefined) return wrong('/taxPercent', 'must be 0 to 100');
    const fixedMinor = readMoney('/fixed', body.fixed, parseCost, 'zero or more');
    if (isRefusal(fixedMinor)) return fixedMinor;
    const terms = { merchantId: merchant, kind: body.operation, currency: body.fixed.currency, percentPpm, fixedMinor, taxPpm };
    return orNotFound((await setFees(actingFor(deps, origin, merchant, body), terms)) ?? {});
  },
  answer: () => ({}),
});

/** What changes the ledger by hand. */
export const ledgerChanges: readonly ManagementOperation<ChangeDeps>[] = [addFunds, correct, price];
