import { Type, type Static } from 'typebox';
import { actOf } from '../../kit/changes/act.ts';
import { latestFirst, byText } from '../../kit/lists/merges.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import {
  cutPage,
  historyActor,
  managementOperation,
  mergeFound,
  ROOM_PROBLEMS,
  schemas,
  type Actor,
  type ManagementOperation,
  type ManagementRequest,
} from '../../manage/index.ts';
import type { Db } from '../../kit/db.ts';
import {
  contentOf,
  mayRegister,
  newCashout,
  presentCashout,
  presentWithPassword,
  REGISTER_REFUSALS,
  withPassword,
} from '../../cashouts/index.ts';
import type { GivingBack } from '../payments/give-back-payment.ts';
import type { openGivingCashouts } from '../refunds/give-cashout.ts';
import { listRefunds, readRefund, type RefundPlace } from '../refunds/refund-rows.ts';
import { REFUND_STATES, type Refund } from '../refunds/refund-columns.ts';
import type { ChangeRefund, ChangeRefundRefusal, DecidedRefund } from '../refunds/refund.ts';
import { REVERSAL_SECONDS } from '../../networks/index.ts';
import { findOpen, type FindsMerchants } from './find-open.ts';
import { PAYMENT_NOT_FOUND, shownOrderId } from './order-forms.ts';
import { givenRefundId, paidBy, refundedBy, refundSchema, showRefund, shownRefundId, takenFrom } from './refund-forms.ts';

export type RefundManagementDeps = {
  readonly db: Db;
  readonly giveCashout: ReturnType<typeof openGivingCashouts>;
  readonly isSandbox: boolean;
} & FindsMerchants &
  Pick<GivingBack, 'requestRefund' | 'changeRefund'>;

const { merchantId, oneOf, reason, REASON_TAKES, readMoney, sentAmount, answerObject, showAmount } = schemas;
const tag = 'Refunds';
const path = Type.Object({ merchant: merchantId, refund: shownRefundId });
const UNKNOWN = ['{merchant} has no refund {refund}.', 1] as const;
const isRepeated = Type.Boolean({ description: 'It was so before: nothing was changed.' });
const shows = answerObject({ ...refundSchema.properties, isRepeated });

/** Whoever pays refunds decides about them: of the service's own side. */
const decides = ({ merchantId: boundTo, permissions }: Pick<Actor, 'merchantId' | 'permissions'>): boolean =>
  boundTo === undefined && permissions.has('payments:write');

const refundTarget = (merchant: string, refund: string) => ({ kind: 'refund', merchantId: merchant, id: refund });
const answer = ({ refund, event }: DecidedRefund) => ({ body: { ...showRefund(refund), isRepeated: event === undefined } });

export const requestRefund = managementOperation({
  name: 'requestRefund',
  route: 'POST /manage/v1/orders/{merchant}/{order}/refunds',
  tag,
  summary: 'Promise money of a payment back to its payer',
  names: { es: 'Pedir un reembolso', pt: 'Pedir um reembolso' },
  description:
    'Without `amount` it is all that is left of the payment, without `payment` the last one. What the merchant has collected bears it from now ' +
    'on, or its fund: `takenFrom`. A request of the merchant waits for the operator’s approval; one of whoever pays refunds is approved. With a `refund` of ' +
    'your own the same request again is the same refund.',
  permission: 'refunds:write',
  scope: 'merchant',
  missing: ['{order} of {merchant} does not exist.', 1],
  path: Type.Object({ merchant: merchantId, order: shownOrderId }),
  keepsAnswersAs: 'manage-request-refund',
  status: 201,
  body: Type.Object({
    refund: Type.Optional(givenRefundId),
    payment: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Of a recurrent order: which payment.' })),
    amount: Type.Optional(sentAmount),
    refundedBy,
    takenFrom: Type.Optional({ ...takenFrom, description: 'Which of the merchant’s money bears it; what it has collected where absent.' }),
    reason,
  }),
  takes: { reason: REASON_TAKES },
  refusals: {
    merchant_frozen: ROOM_PROBLEMS.merchant_frozen,
    payment_not_found: PAYMENT_NOT_FOUND,
    nothing_to_refund: {
      status: 409,
      title: 'Nothing is left of the payment',
      meaning: 'Its network has reversed it, or refunds have promised all of it.',
      words: {
        es: 'De ese pago no queda nada por devolver',
        en: 'Nothing is left of this payment to give back',
        pt: 'Desse pagamento não resta nada para devolver',
      },
      line: ['Nothing is left of this payment of {order} of {merchant} to give back.', 1],
    },
    refund_too_early: {
      status: 409,
      title: 'The network can still take the payment back',
      meaning: `A merchant asks ${REVERSAL_SECONDS} seconds after the payment at the earliest.`,
      words: {
        es: 'La red todavía puede reversar ese pago. Pida el reembolso en un minuto',
        en: 'The network can still take this payment back. Ask for the refund in a minute',
        pt: 'A rede ainda pode estornar esse pagamento. Peça o reembolso em um minuto',
      },
      line: ['The network can still take this payment of {order} of {merchant} back: ask in a minute.', 1],
    },
    refund_exists: {
      status: 409,
      title: 'The id was already used',
      meaning: 'Another refund of the merchant has it.',
      words: {
        es: 'Ya existe otro reembolso con ese identificador',
        en: 'Another refund already has this id',
        pt: 'Já existe outro reembolso com esse identificador',
      },
      line: ['{merchant} has another refund with this id.', 1],
    },
    refund_currency_differs: {
      status: 422,
      title: 'The payment is in another currency',
      meaning: 'A refund is in the currency of its payment.',
      words: {
        es: 'El pago se hizo en otra moneda',
        en: 'The payment is in another currency',
        pt: 'O pagamento foi em outra moeda',
      },
      line: ['The payment of {order} of {merchant} is in another currency.', 1],
    },
    refund_too_large: {
      status: 409,
      title: 'More than is left of the payment',
      meaning: 'All refunds of a payment together are at most the payment.',
      words: {
        es: 'Es más de lo que queda del pago',
        en: 'This is more than is left of the payment',
        pt: 'É mais do que resta do pagamento',
      },
      line: ['That is more than is left of the payment of {order} of {merchant}.', 1],
    },
    too_many_refunds: {
      status: 409,
      title: 'The payment has fifty refunds',
      meaning: 'A payment has at most fifty, cancelled and failed ones too.',
      words: {
        es: 'Ese pago ya tiene cincuenta reembolsos',
        en: 'This payment has fifty refunds already',
        pt: 'Esse pagamento já tem cinquenta reembolsos',
      },
      line: ['The payment of {order} of {merchant} has fifty refunds already.', 1],
    },
    collected_too_small: ROOM_PROBLEMS.collected_too_small,
    fund_too_small: ROOM_PROBLEMS.fund_too_small,
  },
  shows,
  run: async ({ path: { merchant, order }, body, actor, origin, requestId, once }, deps: RefundManagementDeps) => {
    const amountMinor = body.amount && readMoney('/amount', body.amount);
    if (isRefusal(amountMinor)) return amountMinor;
    const open = await findOpen(deps, merchant);
    if (isRefusal(open)) return open;
    const outcome = await deps.requestRefund({
      merchantId: merchant,
      orderId: order,
      paymentNumber: body.payment ?? null,
      refundId: body.refund,
      amountMinor,
      currency: body.amount?.currency,
      refundedBy: body.refundedBy,
      takenFrom: body.takenFrom,
      reason: body.reason,
      isApproved: decides(actor),
      isReported: open.reportsUpdates,
      once,
      requestId,
      actor: historyActor(actor),
      act: actOf(origin, { target: { kind: 'order', merchantId: merchant, id: order }, reason: body.reason }),
    });
    if (!isRefusal(outcome)) return outcome;
    const { refusal } = outcome;
    return refusal === 'order_not_found' ? refuse('not_found') : refuse(refusal);
  },
  answer,
});

const ENDED = {
  refund_ended: {
    status: 409,
    title: 'The refund has ended',
    meaning: 'It was paid, it failed, or it was cancelled.',
    words: { es: 'Ese reembolso ya terminó', en: 'This refund has ended already', pt: 'Esse reembolso já terminou' },
    line: ['The refund {refund} of {merchant} has ended already.', 1],
  },
} as const;
const NOT_APPROVED = {
  refund_not_approved: {
    status: 409,
    title: 'The refund is not approved',
    meaning: 'Approve it before it is paid.',
    words: {
      es: 'Falta aprobar ese reembolso',
      en: 'This refund has to be approved first',
      pt: 'Falta aprovar esse reembolso',
    },
    line: ['The refund {refund} of {merchant} has to be approved first.', 1],
  },
} as const;

const HAS_CASHOUT = {
  refund_has_cashout: {
    status: 409,
    title: 'The refund has a cashout',
    meaning: 'The payer may be collecting it. Cancel the cashout first; a moment later the refund is free again.',
    words: {
      es: 'El pagador puede estar cobrando ese reembolso con un retiro. Cancele primero el retiro',
      en: 'The payer may be collecting this refund with a cashout. Cancel the cashout first',
      pt: 'O pagador pode estar sacando esse reembolso. Cancele primeiro o saque',
    },
    line: ['The payer may be collecting the refund {refund} of {merchant}: cancel its cashout first.', 1],
  },
} as const;

const NOT_FOR_CASHOUT = {
  refund_not_for_cashout: {
    status: 409,
    title: 'The refund is paid in another way',
    meaning:
      'Its `refundedBy` is not `cashout`, so somebody may be paying it. Let the operator cancel it, and ask for one that is collected with a cashout.',
    words: {
      es: 'Ese reembolso no se pidió para cobrar con un retiro, y alguien lo puede estar pagando',
      en: 'This refund was not asked for to be collected with a cashout, and somebody may be paying it',
      pt: 'Esse reembolso não foi pedido para ser sacado, e alguém pode estar pagando',
    },
    line: ['The refund {refund} of {merchant} is not for a cashout, and somebody may be paying it.', 1],
  },
} as const;

type Asked = Pick<ManagementRequest<Static<typeof path>>, 'path' | 'actor' | 'origin' | 'requestId'>;

/** Changes a refund, as an act of who asks. */
async function change<Unused extends ChangeRefundRefusal = never>(
  { path: { merchant, refund }, actor, origin, requestId }: Asked,
  { changeRefund, merchants }: RefundManagementDeps,
  what: ChangeRefund extends infer One ? (One extends unknown ? Omit<One, 'actor' | 'requestId' | 'isReported'> : never) : never,
  why?: string,
): Promise<DecidedRefund | Refusal<Exclude<ChangeRefundRefusal, 'refund_not_found' | Unused> | 'not_found'>> {
  const act = actOf(origin, { target: refundTarget(merchant, refund), reason: why });
  const isReported = (await merchants.find(merchant))?.reportsUpdates === true;
  const by = { merchantId: merchant, refundId: refund, requestId, actor: historyActor(actor), isReported, act };
  const outcome = await changeRefund({ ...by, ...what });
  return isRefusal(outcome) && outcome.refusal === 'refund_not_found' ? refuse('not_found') : (outcome as DecidedRefund);
}

export const approveRefund = managementOperation({
  name: 'approveRefund',
  route: 'POST /manage/v1/refunds/{merchant}/{refund}/approve',
  tag,
  summary: 'Approve a refund that a merchant has asked for',
  names: { es: 'Aprobar un reembolso', pt: 'Aprovar um reembolso' },
  permission: 'payments:write',
  scope: 'service',
  missing: UNKNOWN,
  path,
  refusals: ENDED,
  shows,
  run: (asked, deps: RefundManagementDeps) =>
    change<'refund_not_approved' | 'refund_approved' | 'refund_has_cashout' | 'refunder_missing'>(asked, deps, { to: 'approved' }),
  answer,
});

export const payRefund = managementOperation({
  name: 'payRefund',
  route: 'POST /manage/v1/refunds/{merchant}/{refund}/pay',
  tag,
  summary: 'Record that a payer has the money of a refund',
  names: { es: 'Registrar el pago de un reembolso', pt: 'Registrar o pagamento de um reembolso' },
  description: 'The ledger owes it to whoever has paid: `refundedBy`, where it was another one than was meant.',
  permission: 'payments:write',
  scope: 'service',
  missing: UNKNOWN,
  path,
  body: Type.Object({
    refundedBy: Type.Optional(paidBy),
    proof: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: schemas.ONE_LINE,
        description: 'What shows it, such as the id of a transfer.',
        examples: ['TRX-90311'],
      }),
    ),
  }),
  refusals: {
    ...ENDED,
    ...NOT_APPROVED,
    ...HAS_CASHOUT,
    refunder_missing: {
      status: 422,
      title: 'Who has paid is missing',
      meaning: 'The refund was meant for a cashout. Say in `refundedBy` who has paid it.',
      words: {
        es: 'Ese reembolso era para cobrar con un retiro. Diga quién lo pagó',
        en: 'This refund was to be collected with a cashout. Say who has paid it',
        pt: 'Esse reembolso era para ser sacado. Diga quem o pagou',
      },
      line: ['The refund {refund} of {merchant} was meant for a cashout: say with --refunded-by who has paid it.', 1],
    },
  },
  shows,
  run: (asked, deps: RefundManagementDeps) => change<'refund_approved'>(asked, deps, { to: 'paid', ...asked.body }),
  answer,
});

export const failRefund = managementOperation({
  name: 'failRefund',
  route: 'POST /manage/v1/refunds/{merchant}/{refund}/fail',
  tag,
  summary: 'Record that a refund could not be paid',
  names: { es: 'Registrar que un reembolso no se pudo pagar', pt: 'Registrar que um reembolso não pôde ser pago' },
  description: 'The merchant has its money again, and the payment can be refunded again.',
  permission: 'payments:write',
  scope: 'service',
  missing: UNKNOWN,
  path,
  body: Type.Object({ reason }),
  takes: { reason: REASON_TAKES },
  refusals: { ...ENDED, ...NOT_APPROVED, ...HAS_CASHOUT },
  shows,
  run: (asked, deps: RefundManagementDeps) =>
    change<'refund_approved' | 'refunder_missing'>(asked, deps, { to: 'failed', problem: asked.body.reason }, asked.body.reason),
  answer,
});

export const cancelRefund = managementOperation({
  name: 'cancelRefund',
  route: 'POST /manage/v1/refunds/{merchant}/{refund}/cancel',
  tag,
  summary: 'Cancel a refund that nobody has paid',
  names: { es: 'Cancelar un reembolso', pt: 'Cancelar um reembolso' },
  description: 'The merchant has its money again. Once it is approved somebody may be paying it: then only the operator cancels it.',
  permission: 'refunds:write',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  refusals: {
    merchant_frozen: ROOM_PROBLEMS.merchant_frozen,
    ...ENDED,
    ...HAS_CASHOUT,
    refund_approved: {
      status: 409,
      title: 'The refund is approved',
      meaning: 'Somebody may be paying it. Ask the operator.',
      words: {
        es: 'Ese reembolso ya está aprobado y alguien lo puede estar pagando. Pídalo al operador',
        en: 'This refund is approved, and somebody may be paying it. Ask the operator',
        pt: 'Esse reembolso já está aprovado e alguém pode estar pagando. Peça ao operador',
      },
      line: ['The refund {refund} of {merchant} is approved: ask the operator.', 1],
    },
  },
  shows,
  run: async (asked, deps: RefundManagementDeps) => {
    // The operator settles what a frozen merchant has begun.
    const open = asked.actor.merchantId !== undefined && (await findOpen(deps, asked.path.merchant));
    if (isRefusal(open)) return open;
    return change<'refund_not_approved' | 'refunder_missing'>(asked, deps, { to: 'cancelled', isWithdrawn: !decides(asked.actor) });
  },
  answer,
});

const { merchant: _merchant, amount: _amount, ...ofCashout } = newCashout.properties;

export const registerRefundCashout = managementOperation({
  name: 'registerRefundCashout',
  route: 'POST /manage/v1/refunds/{merchant}/{refund}/cashout',
  tag,
  summary: 'Register a cashout with which the payer collects a refund',
  names: { es: 'Registrar un retiro para un reembolso', pt: 'Registrar um saque para um reembolso' },
  description:
    'For a refund that was asked for with `refundedBy` `cashout`, in its amount, which is owed to the payer already; the fee of the cashout is ' +
    'of the merchant’s fund. Two minutes after it was collected the refund is paid. Where it ends unpaid, the refund may have another one, or be paid in another way.',
  permission: 'cashouts:write',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  body: Type.Object(ofCashout),
  keepsAnswersAs: 'manage-register-refund-cashout',
  status: 201,
  refusals: {
    merchant_frozen: ROOM_PROBLEMS.merchant_frozen,
    ...ENDED,
    ...NOT_APPROVED,
    ...HAS_CASHOUT,
    ...NOT_FOR_CASHOUT,
    ...REGISTER_REFUSALS,
  },
  shows: withPassword,
  run: async ({ path: { merchant: merchantId, refund: refundId }, body, actor, origin, requestId, once }, deps: RefundManagementDeps) => {
    const merchant = await findOpen(deps, merchantId);
    if (isRefusal(merchant)) return merchant;
    // Amount and currency of a refund never change.
    const refund = await readRefund(deps.db, { merchantId, refundId });
    if (refund === undefined) return refuse('not_found');
    const content = contentOf({ ...body, merchant: merchantId, amount: showAmount(refund.amountMinor, refund.currency) }, merchant);
    if (isRefusal(content)) return content;
    if (!mayRegister(actor, content.sms, deps.isSandbox)) return refuse('password_for_merchant');
    const outcome = await deps.giveCashout({
      refund,
      registering: { ...content, operationId: body.operation, merchant, requestId },
      actor: historyActor(actor),
      act: actOf(origin, { target: refundTarget(merchantId, refundId) }),
      once,
    });
    if (!isRefusal(outcome)) return outcome;
    const { refusal } = outcome;
    return refusal === 'refund_not_found'
      ? refuse('not_found')
      : (outcome as Refusal<Exclude<typeof refusal, 'refund_not_found' | 'checksum_invalid'>>);
  },
  answer: ({ registered }) => presentWithPassword(registered),
  keptAnswer: ({ registered }) => presentCashout(registered.cashout),
});

export const readRefundOperation = managementOperation({
  name: 'readRefund',
  route: 'GET /manage/v1/refunds/{merchant}/{refund}',
  tag,
  summary: 'Show a refund',
  permission: 'orders:read',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  shows: refundSchema,
  run: async ({ path: { merchant, refund } }, { db }: RefundManagementDeps) =>
    (await readRefund(db, { merchantId: merchant, refundId: refund })) ?? refuse('not_found'),
  answer: (refund) => ({ body: showRefund(refund) }),
});

/** The order of refunds of two cells. A merchant is in one of them, so no more of the list's order is needed. */
const newestFirst = (one: Refund, other: Refund): number =>
  latestFirst(one.requestedAt, other.requestedAt) || byText(other.merchantId, one.merchantId);

export const listRefundsOperation = managementOperation({
  name: 'listRefunds',
  route: 'GET /manage/v1/refunds',
  tag,
  summary: 'List refunds',
  names: { es: 'Ver la lista de reembolsos', pt: 'Ver a lista de reembolsos' },
  description: 'The newest first.',
  permission: 'orders:read',
  scope: 'merchant',
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    state: Type.Optional(Type.Array(oneOf(REFUND_STATES, 'As of now.'), { description: 'Some states, with commas between them.' })),
  }),
  shows: refundSchema,
  run: async ({ query: { state }, merchantId: only, page: { after, limit } }, { db }: RefundManagementDeps) => ({
    found: await listRefunds(db, { merchantId: only, states: state, after: after && placeOf(after), limit: limit + 1 }),
  }),
  cells: { merge: mergeFound(newestFirst) },
  page: ({ found }, { page: { limit } }) =>
    cutPage(found, limit, showRefund, (last) => [last.requestedAt.toString(), last.merchantId, last.refundId]),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([requestedAt, merchant, refund]: readonly (string | null)[]): RefundPlace => ({
  requestedAt: Temporal.Instant.from(requestedAt ?? ''),
  merchantId: merchant ?? '',
  refundId: refund ?? '',
});

/** The operations of the management API on refunds. */
export const refundManagement: readonly ManagementOperation<RefundManagementDeps>[] = [
  listRefundsOperation,
  readRefundOperation,
  requestRefund,
  approveRefund,
  payRefund,
  failRefund,
  cancelRefund,
  registerRefundCashout,
];
