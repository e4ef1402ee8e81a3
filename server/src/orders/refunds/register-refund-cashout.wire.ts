import { registrationForm, type CashoutShapes } from '../../cashouts/index.ts';
import type { Db } from '../../kit/db.ts';
import { refuse } from '../../kit/outcome.ts';
import type { Merchant } from '../../merchants/index.ts';
import { KEY_REFUSALS, operation, type ParseContext } from '../../requests/index.ts';
import type { openGivingCashouts } from './give-cashout.ts';
import { readRefund } from './refund-rows.ts';
import { refundInPath, typeField } from './refund.wire.ts';

type Deps = { readonly db: Db; readonly giveCashout: ReturnType<typeof openGivingCashouts>; readonly shapes: CashoutShapes };

const { envelope, merchant, fields, malformed, decided, judgeDocument, readHandover, answer, keptAnswer, data } = registrationForm;

/** The type stands between all others, and none of them has its dot with a letter behind it: the text has one cut. */
const PROOF = ['refund', 'type', 'operation', 'type', 'document'] as const;

export const registerRefundCashoutOperation = operation({
  name: 'registerRefundCashout',
  route: 'POST /cashout/v1/refund/:refund',
  tag: 'Cashouts',
  summary: 'Give a refund in cash',
  description:
    'Registers a cashout with which the payer collects an approved refund that was asked for with `refunded_by` `cashout`. Its amount is ' +
    'owed to the payer already; the fee of the cashout is taken from the fund.',
  section: '§3.10',
  envelope,
  path: { refund: refundInPath },
  from: 'body',
  fields: { merchant, type: typeField('refund.cashout'), ...fields },
  keepsAnswersAs: 'register-refund-cashout',
  caller: 'merchant',
  effect: 'writes',
  proof: PROOF,
  refusals: {
    ...malformed,
    key_in_flight: KEY_REFUSALS.key_in_flight,
    // The refund is read before the transaction that the key belongs to.
    refund_not_found: {
      code: '0014',
      text: { es: 'No hay un reembolso con ese id', en: 'There is no refund of that id', pt: 'Não há reembolso com esse id' },
    },
    key_reused: KEY_REFUSALS.key_reused,
    refund_ended: {
      code: '0021',
      text: {
        es: 'El reembolso ya terminó: se pagó, falló o se canceló',
        en: 'The refund has ended: it was paid, it failed, or it was cancelled',
        pt: 'O reembolso já terminou: foi pago, falhou ou foi cancelado',
      },
    },
    refund_not_approved: {
      code: '0917',
      text: {
        es: 'El operador todavía no ha aprobado el reembolso: intente de nuevo después',
        en: 'The operator has not approved the refund yet: try again later',
        pt: 'O operador ainda não aprovou o reembolso: tente de novo mais tarde',
      },
    },
    refund_has_cashout: {
      code: '0918',
      text: {
        es: 'El reembolso ya tiene un retiro: cancélelo primero, e intente de nuevo unos segundos después',
        en: 'The refund has a cashout already: cancel that first, and try again some seconds later',
        pt: 'O reembolso já tem um saque: cancele-o primeiro e tente de novo alguns segundos depois',
      },
    },
    refund_not_for_cashout: {
      code: '0021',
      text: {
        es: 'El reembolso no se pidió para cobrar con un retiro, y alguien lo puede estar pagando',
        en: 'The refund was not asked for to be collected with a cashout, and somebody may be paying it',
        pt: 'O reembolso não foi pedido para ser sacado, e alguém pode estar pagando',
      },
    },
    ...decided,
  },
  parse: async (sent, refuseField, context: ParseContext<Deps, Merchant>) => {
    const handover = readHandover(sent, refuseField, context.deps.shapes);
    await judgeDocument(sent, refuseField, context, PROOF);
    return handover;
  },
  run: async (
    { values: { refund: refundId, operation: operationId, document }, parsed: handover, caller, requestId, once },
    { db, giveCashout }: Deps,
  ) => {
    const refund = await readRefund(db, { merchantId: caller.merchantId, refundId });
    if (refund === undefined) return refuse('refund_not_found');
    const registering = { ...handover, document, operationId, transactionCostMinor: 0n, merchant: caller, requestId };
    return giveCashout({ refund, registering, actor: 'merchant', once });
  },
  answer: ({ registered }, _, { shapes }) => answer(registered, shapes),
  keptAnswer: ({ registered }, { shapes }) => keptAnswer(registered, shapes),
  data,
});
