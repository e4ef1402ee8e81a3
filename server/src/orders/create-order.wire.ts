import { hasLeadingZero } from '../kit/money.ts';
import type { Merchant } from '../merchants/index.ts';
import { KEY_REFUSALS, operation, type ParseContext } from '../requests/index.ts';
import { orderAnswer, orderEnvelope, renderSaved, savedSchema, type AnswerSettings } from './answers.wire.ts';
import type { CreateOrderOnce } from './create-order.ts';
import { judgeByMerchant } from './dialect/judge-by-merchant.wire.ts';
import { rulesOf } from './merchant-rules.ts';
import { orderFields, parseTerms } from './order-fields.wire.ts';
import { BODY_REFUSALS, COUNTRY_NOT_ALLOWED, idAmbiguous, TERM_REFUSALS } from './order-refusals.wire.ts';

type Deps = { readonly settings: AnswerSettings; readonly createOrder: CreateOrderOnce };

export const createOrderOperation = operation({
  name: 'createOrder',
  route: 'POST /api/v3/porders',
  tag: 'Orders',
  summary: 'Create an order',
  description: 'Order ids are the merchant’s for ever: one that was used is refused, whatever became of the order.',
  section: '§3.2',
  example: 'create-order/every-field',
  envelope: orderEnvelope,
  from: 'body',
  fields: orderFields,
  keepsAnswersAs: 'create-order',
  caller: 'merchant',
  effect: 'writes',
  proof: ['email', 'country', 'order', 'money', 'amount'],
  refusals: {
    ...BODY_REFUSALS,
    ...KEY_REFUSALS,
    country_not_allowed: COUNTRY_NOT_ALLOWED,
    order_exists: {
      code: '0042',
      text: {
        es: 'order ya fue usado por el comercio',
        en: 'order was used before by the merchant',
        pt: 'order já foi usado pelo estabelecimento',
      },
    },
    id_ambiguous: idAmbiguous('0042'),
    ...TERM_REFUSALS,
    expiration_out_of_range: {
      code: TERM_REFUSALS.expiration_out_of_range.code,
      text: {
        es: 'expiration está fuera de rango: antes de hoy, o demasiado lejos',
        en: 'expiration is out of range: before today, or too far from it',
        pt: 'expiration está fora do intervalo: antes de hoje, ou longe demais',
      },
      meaning: 'expiration is out of range: before today, or more than 31 days after it (as this service is set up, some days more).',
    },
  },
  parse: (sent, refuse, { deps: { settings }, prove }: ParseContext<Deps, Merchant>) => {
    if (sent.amount !== undefined && hasLeadingZero(sent.amount)) refuse('amount_invalid', 'amount');
    const terms = parseTerms(sent, refuse, settings.dialect);
    const judging = judgeByMerchant(sent, refuse, { prove }, settings.dialect);
    return judging === undefined ? terms : judging.then(() => terms);
  },
  run: ({ values: { merchant, order }, parsed: given, caller, requestId, once }, deps: Deps) =>
    deps.createOrder({ merchantId: merchant, orderId: order, given, merchant: caller, rules: rulesOf(caller), requestId, once }),
  answer: ({ order }, _, { settings }) => orderAnswer(order.version, renderSaved(order, 'CREADA', settings)),
  data: (dialect) => savedSchema(dialect, 'CREADA'),
});
