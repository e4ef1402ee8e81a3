import { Type } from 'typebox';
import { formatAllDecimals, parseAmount } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { managementOperation, NO_MERCHANT, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../../manage/index.ts';
import { showMerchant, zoneOfMerchant, type ListedMerchant } from '../../merchants/index.ts';
import { actOf, type ActOrigin } from '../../kit/changes/act.ts';
import { actingFor, FUND_TOO_LARGE, transaction, type ChangeDeps } from '../change-ledger.manage.ts';
import { endFundRule, listFundRules, ruleFacts, setFundRule, type FundRule, type RuleKey } from './fund-rules.ts';
import { moveToFund } from './move-to-fund.ts';

const { amount, currency, instant, merchantId, orNull, readMoney, sentAmount, answerObject, showAmount, showInstant, wrong } = schemas;

const { currency_not_allowed, merchant_frozen } = ROOM_PROBLEMS;

/** The merchant's own people may: the money stays theirs. Clerks, who register cashouts, may not: docs/decisions/0079. */
const ofFunds = { tag: 'Ledger', permission: 'funds:write', scope: 'merchant', stepUp: true, missing: NO_MERCHANT } as const;

/** Finds a merchant whose money may move. */
async function findMoving({ db, clock }: ChangeDeps, id: string): Promise<ListedMerchant | Refusal<'not_found' | 'merchant_frozen'>> {
  const merchant = await showMerchant({ db }, id, clock.now());
  if (merchant === undefined) return refuse('not_found');
  return merchant.frozenAt !== null || merchant.disabledAt !== null ? refuse('merchant_frozen') : merchant;
}

export const moveToFundByHand = managementOperation({
  ...ofFunds,
  name: 'moveToFund',
  route: 'POST /manage/v1/ledger/{merchant}/moves-to-fund',
  summary: 'Move what a merchant has collected to its fund for cashouts',
  names: { es: 'Pasar lo recaudado al fondo', pt: 'Passar o arrecadado para o fundo' },
  description: 'The reference names the move: the same request again moves nothing.',
  path: Type.Object({ merchant: merchantId }),
  body: Type.Object({
    amount: sentAmount,
    reference: Type.String({
      maxLength: 100,
      pattern: '^[A-Za-z0-9_.:-]{1,100}$',
      description: 'Of this move, unique for the merchant.',
      examples: ['friday-1'],
    }),
  }),
  takes: { reference: '1 to 100 letters, digits, _, ., : or -' },
  refusals: {
    merchant_frozen,
    currency_not_allowed,
    move_differs: {
      status: 409,
      title: 'The reference names another move',
      meaning: 'The merchant has moved another amount, or another currency, to its fund with this reference.',
      words: {
        es: 'Ya se pasó al fondo otro monto u otra moneda con esa referencia',
        en: 'Another amount or currency was moved to the fund with this reference',
        pt: 'Outro valor ou moeda já foi passado para o fundo com essa referência',
      },
      line: ['{merchant} has moved another amount or currency to its fund with this reference.', 1],
    },
    collected_too_small: ROOM_PROBLEMS.collected_too_small,
    ...FUND_TOO_LARGE,
  },
  shows: answerObject({
    transaction,
    isRepeated: Type.Boolean({ description: 'It was moved before: nothing is moved now.' }),
    available: amount,
    collected: amount,
  }),
  run: async ({ path: { merchant }, body, origin }, deps: ChangeDeps) => {
    const amountMinor = readMoney('/amount', body.amount);
    if (isRefusal(amountMinor)) return amountMinor;
    const found = await findMoving(deps, merchant);
    if (isRefusal(found)) return found;
    const { currency: code } = body.amount;
    const of = { merchantId: merchant, currencies: found.currencies };
    const moved = await moveToFund(actingFor(deps, origin, merchant, body), {
      merchant: of,
      currency: code,
      amountMinor,
      reference: body.reference,
    });
    return isRefusal(moved) ? moved : { ...moved, currency: code };
  },
  answer: ({ transactionId, isRepeated, availableMinor, collectedMinor, currency: code }) => ({
    body: {
      transaction: transactionId,
      isRepeated,
      available: showAmount(availableMinor, code),
      collected: showAmount(collectedMinor, code),
    },
  }),
});

const bound = (description: string) =>
  orNull(Type.String({ maxLength: 20, pattern: '^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$', description, examples: ['500000.00'] }));
const low = bound('In the currency. It moves whenever the fund holds less. Null: once, as each day of the merchant begins.');
const target = bound('In the currency. Up to which the fund is filled. Null: all that is collected moves.');

const rulesSchema = answerObject({
  merchant: merchantId,
  rules: Type.Array(answerObject({ currency, low, target, nextAt: orNull(instant), setAt: instant })),
});

const showRule = ({ currency: code, lowMinor, targetMinor, dueAt, setAt }: FundRule) => {
  const text = (minor: bigint | null): string | null => (minor === null ? null : formatAllDecimals(minor, code));
  return { currency: code, low: text(lowMinor), target: text(targetMinor), nextAt: showInstant(dueAt), setAt: showInstant(setAt) };
};

type Shown = { readonly merchant: string; readonly rules: readonly FundRule[] };
const present = ({ merchant, rules }: Shown) => ({ body: { merchant, rules: rules.map(showRule) } });

export const readFundRules = managementOperation({
  name: 'readFundRules',
  route: 'GET /manage/v1/ledger/{merchant}/fund-rules',
  tag: 'Ledger',
  summary: 'Show when what a merchant collects moves to its fund by itself',
  description: 'By currency. A currency without a rule is left out. `nextAt` is when a rule that moves once a day does so next.',
  permission: 'ledger:read',
  scope: 'merchant',
  missing: NO_MERCHANT,
  path: Type.Object({ merchant: merchantId }),
  shows: rulesSchema,
  run: async ({ path: { merchant } }, { db, clock }: Pick<ChangeDeps, 'db' | 'clock'>) => {
    if ((await showMerchant({ db }, merchant, clock.now())) === undefined) return refuse('not_found');
    return { merchant, rules: await listFundRules({ db }, merchant) };
  },
  answer: present,
});

const ofRule = {
  ...ofFunds,
  path: Type.Object({ merchant: merchantId, currency }),
  actsOn: { kind: 'merchant', member: 'merchant' },
} as const;

/** A change of a rule is an act that says what it was before and after. */
const actingOn = ({ acting }: ChangeDeps, origin: ActOrigin, { merchantId, currency: code }: RuleKey, asked: object = {}) =>
  acting(
    actOf(origin, { target: { kind: 'merchant', id: merchantId, merchantId }, given: { currency: code, ...asked } }),
    ruleFacts({ merchantId, currency: code }),
  );

export const setRule = managementOperation({
  ...ofRule,
  name: 'setFundRule',
  route: 'PUT /manage/v1/ledger/{merchant}/fund-rules/{currency}',
  summary: 'Let what a merchant collects move to its fund by itself',
  names: { es: 'Programar el paso de lo recaudado al fondo', pt: 'Programar a passagem do arrecadado para o fundo' },
  description:
    'With `low` it moves within seconds after the fund fell below it, else once as each day of the merchant begins. With `target` the fund is ' +
    'filled up to it, as far as what was collected goes, else all moves. It takes the place of the rule that was there. Nothing moves while ' +
    'the merchant is frozen or disabled.',
  body: Type.Object({ low, target }),
  refusals: {
    merchant_frozen,
    currency_not_allowed,
    low_above_target: {
      status: 422,
      title: 'The least is above the target',
      meaning: 'A fund that is filled up to `target` would still be below `low`.',
      words: {
        es: 'El mínimo es mayor que el monto hasta el que se completa',
        en: 'The least is above the amount that the fund is filled up to',
        pt: 'O mínimo é maior que o valor até o qual o fundo é completado',
      },
      line: ['--low is above --target.', 2],
    },
  },
  shows: rulesSchema,
  run: async ({ path: { merchant, currency: code }, body, origin }, deps: ChangeDeps) => {
    const [lowMinor, targetMinor] = [readBound('/low', body.low, code), readBound('/target', body.target, code)];
    if (isRefusal(lowMinor)) return lowMinor;
    if (isRefusal(targetMinor)) return targetMinor;
    const found = await findMoving(deps, merchant);
    if (isRefusal(found)) return found;
    const of = { merchantId: merchant, currencies: found.currencies, timeZone: await zoneOfMerchant(deps, merchant) };
    const db = actingOn(deps, origin, { merchantId: merchant, currency: code }, body);
    const refused = await setFundRule({ db, clock: deps.clock }, { merchant: of, currency: code, lowMinor, targetMinor });
    return refused ?? { merchant, rules: await listFundRules(deps, merchant) };
  },
  answer: present,
});

const readBound = (pointer: string, text: string | null, code: string) =>
  text === null ? null : (parseAmount(text, code) ?? wrong(pointer, 'must be above zero, with no more decimals than the currency has'));

export const endRule = managementOperation({
  ...ofRule,
  name: 'endFundRule',
  route: 'DELETE /manage/v1/ledger/{merchant}/fund-rules/{currency}',
  summary: 'Let nothing move to the fund of a merchant by itself any more',
  names: { es: 'Quitar el paso programado al fondo', pt: 'Remover a passagem programada para o fundo' },
  description: 'Where there is no rule, nothing changes.',
  refusals: { merchant_frozen },
  shows: rulesSchema,
  run: async ({ path: { merchant, currency: code }, origin }, deps: ChangeDeps) => {
    const found = await findMoving(deps, merchant);
    if (isRefusal(found)) return found;
    const key = { merchantId: merchant, currency: code };
    await endFundRule({ db: actingOn(deps, origin, key) }, key);
    return { merchant, rules: await listFundRules(deps, merchant) };
  },
  answer: present,
});

/** What moves money to the fund of a merchant, by hand and by rule. */
export const fundManagement: readonly ManagementOperation<ChangeDeps>[] = [moveToFundByHand, readFundRules, setRule, endRule];
