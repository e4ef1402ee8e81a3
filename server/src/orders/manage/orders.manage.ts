import { versionsOf } from '../../kit/http/entity-tags.ts';
import { Type } from 'typebox';
import { actOf, type Acted } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { historyActor, managementOperation, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../../manage/index.ts';
import type { Dialect } from '../../requests/index.ts';
import type { CheckoutLink } from '../checkout-token.ts';
import type { CreateOrderOnce } from '../create-order.ts';
import { rulesOf } from '../merchant-rules.ts';
import type { CancelOrder, CancelOrderRefusal, DecidedOrder, Order, Refused, UpdateOrder, UpdateRefusal } from '../order.ts';
import { readWholeOrder } from '../operator/read-whole-order.ts';
import type { GivingBack } from '../payments/give-back-payment.ts';
import { findOpen } from './find-open.ts';
import { refundManagement, type RefundManagementDeps } from './refunds.manage.ts';
import {
  newOrder,
  orderPatch,
  orderSchema,
  PAYMENT_NOT_FOUND,
  shownOrderId,
  shownPaymentSchema,
  showOrder,
  showPayment,
  termsOf,
} from './order-forms.ts';
import { paidBy, refundSchema, showRefund } from './refund-forms.ts';
import { showWholeOrder, wholeOrder } from './whole-order.ts';

export type OrderManagementDeps = RefundManagementDeps & {
  readonly db: Db;
  readonly clock: Clock;
  /** The address of the checkout page, for people. */
  readonly checkoutLink: CheckoutLink;
  readonly createOrder: CreateOrderOnce;
  readonly updateOrder: (command: UpdateOrder & Acted) => Promise<DecidedOrder | Refused<UpdateRefusal>>;
  readonly cancelOrder: (command: CancelOrder & Acted) => Promise<DecidedOrder | Refused<CancelOrderRefusal>>;
  readonly expireOrder: (command: CancelOrder & Acted) => Promise<DecidedOrder | Refused<CancelOrderRefusal>>;
  readonly voidOrder: GivingBack['voidOrder'];
  readonly settings: { readonly dialect: Pick<Dialect, 'allowsEmptyEmails'> };
};

type Shown = Pick<OrderManagementDeps, 'clock' | 'checkoutLink'>;

const { merchantId, reason, REASON_TAKES } = schemas;
const path = Type.Object({ merchant: merchantId, order: shownOrderId });
const tag = 'Orders';

const NOT_OPEN = {
  status: 409,
  title: 'The order is not pending',
  meaning: 'Only a pending order changes. Its time may have run out.',
  words: {
    es: 'La orden ya no está abierta',
    en: 'The order is not open any more',
    pt: 'O pedido já não está aberto',
  },
  line: ['{order} of {merchant} is not pending.', 1],
} as const;
const UNKNOWN = ['{order} of {merchant} does not exist.', 1] as const;
const TERMS = {
  id_ambiguous: {
    status: 409,
    title: 'The id may clash with a payment',
    meaning: 'A recurrent order and the number of one of its payments make the same id.',
    words: {
      es: 'Ese número se confunde con el de un pago de una orden recurrente. Elija otro',
      en: 'This number could be that of a payment of a recurrent order. Choose another',
      pt: 'Esse número se confunde com o de um pagamento de um pedido recorrente. Escolha outro',
    },
  },
  currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed,
  recurrent_not_allowed: {
    status: 422,
    title: 'No recurrent orders',
    meaning: 'Recurrent orders are for merchants in Colombia.',
    words: {
      es: 'El comercio no tiene órdenes recurrentes: son para comercios de Colombia',
      en: 'The merchant has no recurrent orders: they are for merchants of Colombia',
      pt: 'O estabelecimento não tem pedidos recorrentes: são para estabelecimentos da Colômbia',
    },
  },
  expiration_out_of_range: {
    status: 422,
    title: 'Expiration out of range',
    meaning:
      'The last day is too far from today: it may be 31 days ahead in a new order and 30 in an update, more where the service is set up so. Or it is before the day on which the order was created.',
    words: {
      es: 'El último día está demasiado lejos de hoy, o es anterior a la creación de la orden',
      en: 'The last day is too far from today, or before the order was created',
      pt: 'O último dia está longe demais de hoje, ou é anterior à criação do pedido',
    },
  },
  reference_taken: {
    status: 409,
    title: 'The reference is taken',
    meaning: 'Another order has it, or had it until recently.',
    words: {
      es: 'La referencia ya está en uso, o lo estuvo hace poco',
      en: 'The reference is in use, or was not long ago',
      pt: 'A referência já está em uso, ou esteve há pouco',
    },
  },
} as const;

const orderTarget = (merchant: string, order: string) => ({ kind: 'order', merchantId: merchant, id: order });

/** The decision of the merchants' API asks for the country, which is the merchant's own here. */
type Decision<Name extends string> = Exclude<Name, 'country_not_allowed' | 'terms_repeated' | 'order_not_found' | 'checksum_invalid'>;
/** A refusal about an order that exists has its version. */
const forManagement = <Name extends string>(refused: Refused<Name>): Refused<Decision<Name> | 'not_found'> => {
  const { refusal, version } = refused;
  const isUnknown = refusal === 'order_not_found' || (refusal === 'order_not_open' && version === undefined);
  return (isUnknown ? refuse('not_found') : refused) as Refused<Decision<Name> | 'not_found'>;
};

const show = (order: Order, { clock, checkoutLink }: Shown): object => showOrder(order, clock.now(), checkoutLink(order));
const present = (order: Order, deps: Shown) => ({ etag: String(order.version), body: show(order, deps) });

export const readOrder = managementOperation({
  name: 'readOrder',
  route: 'GET /manage/v1/orders/{merchant}/{order}',
  tag,
  summary: 'Show an order with all that is stored of it',
  description:
    'The newest hundred versions, payments, refused payments, notices and messages, and the newest four hundred entries of the ledger. Of ' +
    'refused payments the open ones come first. `notices`, `messages` and `entries` are null without their own permissions: notices:read, ' +
    'messages:read, ledger:read.',
  permission: 'orders:read',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  shows: wholeOrder,
  run: async ({ path: { merchant, order } }, { db }: OrderManagementDeps) => {
    const whole = await readWholeOrder(db, { merchantId: merchant, orderId: order });
    return isRefusal(whole) ? refuse('not_found') : whole;
  },
  answer: (whole, { actor }, { clock, checkoutLink }) => ({
    etag: String(whole.order.version),
    body: showWholeOrder(whole, { now: clock.now(), checkoutUrl: checkoutLink(whole.order), reader: actor }),
  }),
});

export const createOrder = managementOperation({
  name: 'createOrder',
  route: 'POST /manage/v1/orders',
  tag,
  summary: 'Create an order',
  names: { es: 'Crear una orden', pt: 'Criar um pedido' },
  description: 'Without `reference` the service makes one. Without `expiresOn` it is 30 days from today.',
  permission: 'orders:write',
  scope: 'merchant',
  body: newOrder,
  keepsAnswersAs: 'manage-create-order',
  refusals: {
    merchant_frozen: ROOM_PROBLEMS.merchant_frozen,
    order_exists: {
      status: 409,
      title: 'The id was already used',
      meaning: 'A merchant never reuses the id of an order.',
      words: {
        es: 'Ya existe una orden con ese número',
        en: 'There is an order with this number already',
        pt: 'Já existe um pedido com esse número',
      },
    },
    ...TERMS,
  },
  shows: orderSchema,
  status: 201,
  run: async ({ body: { merchant: id, order, ...terms }, actor, origin, requestId, once }, deps: OrderManagementDeps) => {
    const merchant = await findOpen(deps, id);
    if (isRefusal(merchant)) return merchant;
    const given = termsOf(terms, merchant, deps.settings.dialect);
    if (isRefusal(given)) return given;
    const { currency, amountMinor } = given as { currency: string; amountMinor: bigint };
    const signed = { email: terms.email, country: merchant.country.codes[0], currency, amountMinor };
    const command = { merchantId: id, orderId: order, given: { ...given, ...signed }, rules: rulesOf(merchant), requestId };
    const act = actOf(origin, { target: orderTarget(id, order) });
    const outcome = await deps.createOrder({ ...command, merchant, actor: historyActor(actor), act, once });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ order }, _, deps) => present(order, deps),
});

export const updateOrder = managementOperation({
  name: 'updateOrder',
  route: 'PATCH /manage/v1/orders/{merchant}/{order}',
  tag,
  summary: 'Update a pending order',
  names: { es: 'Cambiar una orden pendiente', pt: 'Alterar um pedido pendente' },
  description: 'A merge patch: an absent member stays as it is, null empties it. Where nothing differs, nothing is written.',
  permission: 'orders:write',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  body: orderPatch,
  takesIfMatch: 'required',
  refusals: { merchant_frozen: ROOM_PROBLEMS.merchant_frozen, order_not_open: NOT_OPEN, ...TERMS },
  shows: orderSchema,
  run: async ({ path: { merchant: id, order }, body, actor, origin, ifMatch, requestId }, deps: OrderManagementDeps) => {
    const merchant = await findOpen(deps, id);
    if (isRefusal(merchant)) return merchant;
    const given = termsOf(body, merchant, deps.settings.dialect);
    if (isRefusal(given)) return given;
    const outcome = await deps.updateOrder({
      merchantId: id,
      orderId: order,
      given,
      rules: rulesOf(merchant),
      ifMatch: versionsOf(ifMatch),
      requestId,
      actor: historyActor(actor),
      act: actOf(origin, { target: orderTarget(id, order) }),
      replayGuard: merchant.guardsReplays ? 'keep' : 'off',
      isReported: merchant.reportsUpdates,
    });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ order }, _, deps) => present(order, deps),
});

export const cancelOrder = managementOperation({
  name: 'cancelOrder',
  route: 'POST /manage/v1/orders/{merchant}/{order}/cancel',
  tag,
  summary: 'Cancel a pending order',
  names: { es: 'Anular una orden pendiente', pt: 'Cancelar um pedido pendente' },
  description: 'Cancelling a cancelled one is success again. No notice is sent.',
  permission: 'orders:write',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  takesIfMatch: 'optional',
  refusals: { merchant_frozen: ROOM_PROBLEMS.merchant_frozen, order_not_open: NOT_OPEN },
  shows: orderSchema,
  run: async ({ path: { merchant: id, order }, actor, origin, ifMatch, requestId }, deps: OrderManagementDeps) => {
    const merchant = await findOpen(deps, id);
    if (isRefusal(merchant)) return merchant;
    const by = {
      ifMatch: versionsOf(ifMatch),
      requestId,
      actor: historyActor(actor),
      act: actOf(origin, { target: orderTarget(id, order) }),
    };
    const outcome = await deps.cancelOrder({ merchantId: id, orderId: order, ...by });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ order }, _, deps) => present(order, deps),
});

export const voidOrder = managementOperation({
  name: 'voidOrder',
  route: 'POST /manage/v1/orders/{merchant}/{order}/void',
  tag,
  summary: 'Record a refund: the money of a payment was given back',
  names: { es: 'Registrar un reembolso ya hecho', pt: 'Registrar um reembolso já feito' },
  description:
    'Without `payment` it is the last one. The ledger owes the money to whoever handed it back. Voiding it again is success again. The ' +
    'merchant reads the reason.',
  permission: 'payments:write',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  body: Type.Object({
    reason,
    refundedBy: paidBy,
    payment: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Of a recurrent order: which payment.' })),
    isClaim: Type.Optional(Type.Boolean({ description: 'At the claim of the payer: the merchant then gets a notice.' })),
  }),
  takes: { reason: REASON_TAKES },
  refusals: {
    payment_not_found: PAYMENT_NOT_FOUND,
    payment_given_back: {
      status: 409,
      title: 'The payment was already returned',
      meaning: 'Its network has reversed it.',
      words: {
        es: 'La red ya devolvió ese pago',
        en: 'The network gave this payment back already',
        pt: 'A rede já devolveu esse pagamento',
      },
      line: ['The network that took this payment of {order} of {merchant} has given the money back already.', 1],
    },
    refund_open: {
      status: 409,
      title: 'A refund of the payment is open',
      meaning: 'Some of it is promised and not paid. Pay that refund, or cancel it.',
      words: {
        es: 'Ese pago tiene un reembolso pendiente. Páguelo o cancélelo',
        en: 'This payment has an open refund. Pay it or cancel it',
        pt: 'Esse pagamento tem um reembolso pendente. Pague-o ou cancele-o',
      },
      line: ['That payment of {order} of {merchant} has an open refund: pay it or cancel it.', 1],
    },
    void_differs: {
      status: 409,
      title: 'The void was recorded differently',
      meaning: 'The payment was voided before, and somebody else handed the money back.',
      words: {
        es: 'Ese pago ya se anuló, y quedó registrado que otro devolvió el dinero',
        en: 'This payment was voided already, and it was recorded that somebody else gave the money back',
        pt: 'Esse pagamento já foi anulado, e ficou registrado que outro devolveu o dinheiro',
      },
      line: ['That payment of {order} of {merchant} was voided already, and somebody else gave the money back.', 1],
    },
  },
  shows: schemas.answerObject({
    ...orderSchema.properties,
    payment: shownPaymentSchema,
    refund: refundSchema,
    isRepeated: Type.Boolean({ description: 'It was given back before.' }),
  }),
  run: async ({ path: { merchant, order }, body, actor, origin, requestId }, deps: OrderManagementDeps) => {
    const key = { merchantId: merchant, orderId: order, paymentNumber: body.payment ?? null };
    const outcome = await deps.voidOrder({
      ...key,
      refundedBy: body.refundedBy,
      isClaim: body.isClaim === true,
      isReported: (await deps.merchants.find(merchant))?.reportsUpdates === true,
      reason: body.reason,
      requestId,
      actor: historyActor(actor),
      act: actOf(origin, { target: orderTarget(merchant, order), reason: body.reason }),
    });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ order, payment, refund, event }, _, deps) => ({
    etag: String(order.version),
    body: { ...show(order, deps), payment: showPayment(payment), refund: showRefund(refund), isRepeated: event === undefined },
  }),
});

/** The room's operations of the management API. */
export const orderManagement: readonly ManagementOperation<OrderManagementDeps>[] = [
  readOrder,
  createOrder,
  updateOrder,
  cancelOrder,
  voidOrder,
  ...refundManagement,
];

export const expireOrder = managementOperation({
  name: 'expireOrder',
  route: 'POST /manage/v1/orders/{merchant}/{order}/expire',
  tag,
  summary: 'Expire a pending order now',
  names: { es: 'Vencer ya una orden', pt: 'Vencer já um pedido' },
  description: 'As if its time had run out, with the notice that follows. In a sandbox alone. Expiring an expired one is success again.',
  permission: 'sandbox:use',
  scope: 'merchant',
  missing: UNKNOWN,
  path,
  takesIfMatch: 'optional',
  refusals: { order_not_open: NOT_OPEN },
  shows: orderSchema,
  run: async ({ path: { merchant, order }, actor, origin, ifMatch, requestId }, deps: OrderManagementDeps) => {
    const by = {
      ifMatch: versionsOf(ifMatch),
      requestId,
      actor: historyActor(actor),
      act: actOf(origin, { target: orderTarget(merchant, order) }),
    };
    const outcome = await deps.expireOrder({ merchantId: merchant, orderId: order, ...by });
    return isRefusal(outcome) ? forManagement(outcome) : outcome;
  },
  answer: ({ order }, _, deps) => present(order, deps),
});

/** Those that only a sandbox has. */
export const sandboxOrderManagement: readonly ManagementOperation<OrderManagementDeps>[] = [expireOrder];

/** What commands of other rooms do to orders. */
export const orderWrites = { createOrder, updateOrder, cancelOrder, expireOrder } as const;
