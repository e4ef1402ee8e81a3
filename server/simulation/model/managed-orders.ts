import { formatAllDecimals } from '../../src/kit/money.ts';
import {
  actorOf,
  inActs,
  inHistory,
  may,
  problemAnswer,
  readBy,
  stopOf,
  type Actors,
  type By,
  type Demand,
  type ModelActor,
} from './actors.ts';
import { doneAct, refusedAct } from './acts.ts';
import { instantText, merchantOf, type Answer, type Merchants, type Outcome, type Seen } from './model.ts';
import { promisedOf, voidLast } from './order-refunds.ts';
import { endsAt, nameOf, put, stateAt, type ModelOrder, type OfOrder, type OrderCell, type OrderCommand } from './order-state.ts';
import { cancel, create, update } from './order-terms.ts';

/** Commands that actors send too. */
export type ManagedOrderCommand = Extract<
  OrderCommand,
  { do: 'create order' | 'update order' | 'cancel order' | 'query order' | 'void order' }
> & { readonly by: By };

const OPERATIONS: Readonly<Record<ManagedOrderCommand['do'], { readonly operation: string; readonly permission: string }>> = {
  'create order': { operation: 'createOrder', permission: 'orders:write' },
  'update order': { operation: 'updateOrder', permission: 'orders:write' },
  'cancel order': { operation: 'cancelOrder', permission: 'orders:write' },
  'query order': { operation: 'readOrder', permission: 'orders:read' },
  'void order': { operation: 'voidOrder', permission: 'payments:write' },
};

export const VOID_REASON = 'Simulated';

/** Names and statuses of the refusals that the merchants' API answers with a code. */
const PROBLEMS: Readonly<Record<string, readonly [name: string, status: number]>> = {
  '0018': ['not_found', 404],
  '0020': ['recurrent_not_allowed', 422],
  '0026': ['currency_not_allowed', 422],
  '0032': ['expiration_out_of_range', 422],
  '0041': ['order_not_open', 409],
  '0042': ['order_exists', 409],
  '0043': ['reference_taken', 409],
  '0910': ['version_mismatch', 412],
  order_not_found: ['not_found', 404],
  payment_not_found: ['payment_not_found', 404],
  payment_given_back: ['payment_given_back', 409],
  void_differs: ['void_differs', 409],
  refund_open: ['refund_open', 409],
};

/** Why an actor is stopped before the order is looked at. */
export const stopOfOrder = (actors: Actors, { by, merchantId, do: what }: ManagedOrderCommand, now: number) =>
  stopOf(actorOf(actors, by), { permission: OPERATIONS[what].permission, merchantId } satisfies Demand, now);

/** Carries out a command that an actor may send. */
export function applyManaged(
  merchants: Merchants,
  actors: Actors,
  cell: OrderCell,
  command: ManagedOrderCommand,
  now: number,
  seen: Seen,
): Outcome<OrderCell> {
  const actor = actorOf(actors, command.by);
  const order = cell.orders[nameOf(command)];
  if (command.do === 'query order') return read(merchants, cell, command, actor, now, seen);
  const { operation } = OPERATIONS[command.do];
  const refuse = (name: string, status: number): Outcome<OrderCell> => refuseManaged(actors, cell, command, name, status);
  const { isFrozen, isDisabled } = merchantOf(merchants, command.merchantId);
  if (command.do !== 'void order' && (isFrozen || isDisabled)) return refuse('merchant_frozen', 409);
  if (order === undefined && command.do === 'update order') return refuse('not_found', 404);
  const { state, answer } = decide(merchants, cell, command, inHistory(actor), now, learnable(seen));
  const problem = PROBLEMS[String(answer['code'])];
  if (problem !== undefined) return refuse(...problem);
  const after = state.orders[nameOf(command)] as ModelOrder;
  const marked = after === order ? state : put(state, markedBy(after, command.by));
  const target = `order ${command.orderId}`;
  const reason = command.do === 'void order' ? VOID_REASON : undefined;
  const act = doneAct(
    inActs(actor),
    { operation, merchantId: command.merchantId, target, ...(reason === undefined ? {} : { reason }) },
    order === undefined ? {} : facts(order),
    facts(after),
  );
  const status = command.do === 'create order' ? '201' : '200';
  return { state: withAct(marked, command.by, act), answer: { code: '0000', status, ...shown(merchants, after, now) } };
}

/** Refuses a write of an actor, which is an act. */
export const refuseManaged = (
  actors: Actors,
  cell: OrderCell,
  { by, do: what, merchantId, orderId }: ManagedOrderCommand,
  name: string,
  status: number,
): Outcome<OrderCell> => ({
  state: withAct(
    cell,
    by,
    refusedAct(inActs(actorOf(actors, by)), { operation: OPERATIONS[what].operation, merchantId, target: `order ${orderId}` }, name),
  ),
  answer: problemAnswer({ name, status }),
});

function decide(
  merchants: Merchants,
  cell: OrderCell,
  command: Exclude<ManagedOrderCommand, { do: 'query order' }>,
  actor: string,
  now: number,
  seen: Seen,
): Outcome<OrderCell> {
  switch (command.do) {
    case 'create order':
      return create(merchants, cell, command, now, seen, actor);
    case 'update order':
      return update(merchants, cell, command, now, actor);
    case 'cancel order':
      return cancel(merchants, cell, command, now, actor);
    case 'void order':
      return voidLast(cell, command, now, actor);
  }
}

const withAct = (cell: OrderCell, { request }: By, act: ReturnType<typeof doneAct>): OrderCell => ({
  ...cell,
  acts: { ...cell.acts, [request]: act },
});

/** The last change has the id of the request that made it. */
export const markedBy = (order: ModelOrder, { request }: By): ModelOrder => ({
  ...order,
  history: order.history.map((event, index) => (index === order.history.length - 1 ? { ...event, request } : event)),
});

/** What the service chose, by the names of the merchants' API. */
export const learnable = (seen: Seen): Seen =>
  seen?.['serviceOrderId'] === undefined
    ? undefined
    : { ...seen, SVordenID: seen['serviceOrderId'], Referencia: String(seen['reference']) };

/** What the act of a change shows before and after. The reference may not be known. */
const facts = ({ state, amountMinor, currency, method, recurrent, expiresOn, payments }: ModelOrder) => ({
  state,
  amount: `${formatAllDecimals(amountMinor, currency)} ${currency}`,
  method,
  recurrent: String(recurrent),
  expiresOn,
  payments: payments.length === 0 ? 'null' : String(payments.length),
});

/** Fields of orders that the model compares in acts. */
export const ORDER_FACTS = ['state', 'amount', 'method', 'recurrent', 'expiresOn', 'payments'];

const shown = (merchants: Merchants, order: ModelOrder, now: number): Answer => ({
  etag: `"${order.history.length}"`,
  merchant: order.merchantId,
  order: order.orderId,
  state: stateAt(merchants, order, now),
  version: String(order.history.length),
  'amount.amount': formatAllDecimals(order.amountMinor, order.currency),
  'amount.currency': order.currency,
  ...(order.serviceId === null ? {} : { serviceOrderId: order.serviceId }),
  ...(order.reference === null ? {} : { reference: order.reference }),
  recurrent: String(order.recurrent),
  expiresOn: order.expiresOn,
  expiresAt: order.recurrent ? 'null' : instantText(endsAt(merchants, order)),
  payments: String(order.payments.length),
  paymentsGivenBack: String(order.payments.filter(({ state }) => state !== 'paid').length),
  createdAt: instantText(order.createdAt),
  updatedAt: instantText(order.updatedAt),
});

const EVENTS: Readonly<Record<string, string>> = {
  CREADA: 'order.created',
  ACTUALIZADO: 'order.updated',
  DELETED: 'order.cancelled',
  VENCIDA: 'order.expired',
  PAGADA: 'order.paid',
  REVERSADA: 'order.reversed',
  ANULADA: 'order.voided',
  REEMBOLSO_SOLICITADO: 'order.refund_requested',
  REEMBOLSO_APROBADO: 'order.refund_approved',
  REEMBOLSO_PAGADO: 'order.refunded',
  REEMBOLSO_FALLIDO: 'order.refund_failed',
  REEMBOLSO_CANCELADO: 'order.refund_cancelled',
  REEMBOLSO_EN_RETIRO: 'order.refund_cashout_registered',
  REEMBOLSO_REABIERTO: 'order.refund_reopened',
};

/** No such member is seen. */
const ABSENT = undefined as never;

/** The whole order, with its history and payments. */
function read(merchants: Merchants, cell: OrderCell, command: OfOrder, actor: ModelActor, now: number, seen: Seen): Outcome<OrderCell> {
  const found = cell.orders[nameOf(command)];
  if (found === undefined) return { state: cell, answer: problemAnswer({ name: 'not_found', status: 404 }) };
  const isNews = found.serviceId === null || found.reference === null;
  const order = isNews
    ? {
        ...found,
        serviceId: found.serviceId ?? seen?.['serviceOrderId'] ?? null,
        reference: found.reference ?? seen?.['reference'] ?? null,
      }
    : found;
  const history = order.history.flatMap(({ operation, actor: who, at, request }, index) => [
    [`history.${index}.version`, String(index + 1)],
    [`history.${index}.event`, EVENTS[operation] ?? operation],
    [`history.${index}.actor`, readBy(actor, who)],
    [`history.${index}.at`, instantText(at)],
    ...(request === undefined ? [] : [[`history.${index}.requestId`, request]]),
  ]);
  const payments = order.payments.flatMap((payment, index) => [
    [`paymentList.${index}.transaction`, payment.transaction],
    [`paymentList.${index}.source`, `network:${payment.netname}`],
    [`paymentList.${index}.state`, payment.state],
    [`paymentList.${index}.amount.amount`, formatAllDecimals(payment.amountMinor, payment.currency)],
    [`paymentList.${index}.fee.amount`, formatAllDecimals(payment.fee, payment.currency)],
    [`paymentList.${index}.paidAt`, instantText(payment.paidAt)],
    [`paymentList.${index}.refunded.amount`, formatAllDecimals(promisedOf(payment), payment.currency)],
    [`paymentList.${index}.givenBackAt`, payment.givenBackAt === null ? 'null' : instantText(payment.givenBackAt)],
  ]);
  const hidden = [
    ['entries', 'ledger:read'],
    ['notices', 'notices:read'],
    ['messages', 'messages:read'],
  ].flatMap(([part = '', permission = '']) => (may(actor, permission) ? [] : [[part, 'null']]));
  const answer = {
    code: '0000',
    status: '200',
    ...shown(merchants, order, now),
    ...Object.fromEntries([...history, ...payments, ...hidden]),
    [`history.${order.history.length}.version`]: ABSENT,
    [`paymentList.${order.payments.length}.transaction`]: ABSENT,
  };
  return { state: isNews ? put(cell, order) : cell, answer };
}
