import type { Merchant } from '../merchants/index.ts';
import { operation, type ParseContext } from '../requests/index.ts';
import { orderAnswer, orderEnvelope, renderSaved, savedSchema, type AnswerSettings } from './answers.wire.ts';
import { judgeByMerchant } from './dialect/judge-by-merchant.wire.ts';
import { rulesOf } from './merchant-rules.ts';
import { orderFields, parseTerms } from './order-fields.wire.ts';
import {
  BODY_REFUSALS,
  COUNTRY_NOT_ALLOWED,
  idAmbiguous,
  ORDER_NOT_OPEN,
  TERM_REFUSALS,
  TERMS_REPEATED,
  VERSION_MISMATCH,
} from './order-refusals.wire.ts';
import type { DecidedOrder, Refused, ReplayGuard, UpdateOrder, UpdateRefusal } from './order.ts';

type Deps = {
  readonly settings: AnswerSettings;
  readonly updateOrder: (command: UpdateOrder) => Promise<DecidedOrder | Refused<UpdateRefusal>>;
};

export const updateOrderOperation = operation({
  name: 'updateOrder',
  route: 'PATCH /api/v3/porders',
  tag: 'Orders',
  summary: 'Update a pending order',
  description: 'A field that is given is compared by value and written only if it differs. Where nothing differs, nothing is written.',
  section: '§3.1',
  example: 'update-order/amount-changes',
  envelope: orderEnvelope,
  from: 'body',
  fields: orderFields,
  takesIfMatch: true,
  caller: 'merchant',
  effect: 'writes',
  proof: ['email', 'country', 'order', 'money', 'amount'],
  refusals: {
    ...BODY_REFUSALS,
    country_not_allowed: COUNTRY_NOT_ALLOWED,
    order_not_open: ORDER_NOT_OPEN,
    version_mismatch: VERSION_MISMATCH,
    id_ambiguous: idAmbiguous('0020'),
    ...TERM_REFUSALS,
    terms_repeated: TERMS_REPEATED,
  },
  parse: (sent, refuse, { deps: { settings }, prove }: ParseContext<Deps, Merchant>) => {
    const terms = parseTerms(sent, refuse, settings.dialect);
    const judging = judgeByMerchant(sent, refuse, { prove }, settings.dialect);
    return judging === undefined ? terms : judging.then(() => terms);
  },
  run: ({ values: { merchant, order }, parsed: given, caller, ifMatch, isSigned, requestId }, deps: Deps) => {
    // A version or a signature proves that the request is fresh. `*` and a list, which may be guesses, prove nothing.
    const isFresh = isSigned || (Array.isArray(ifMatch) && ifMatch.length === 1);
    const replayGuard: ReplayGuard = !caller.guardsReplays ? 'off' : isFresh ? 'keep' : 'refuse';
    const isReported = caller.reportsUpdates;
    return deps.updateOrder({
      merchantId: merchant,
      orderId: order,
      given,
      rules: rulesOf(caller),
      ifMatch,
      requestId,
      replayGuard,
      isReported,
    });
  },
  answer: ({ order }, _, { settings }) => orderAnswer(order.version, renderSaved(order, 'ACTUALIZADO', settings)),
  data: (dialect) => savedSchema(dialect, 'ACTUALIZADO'),
});
