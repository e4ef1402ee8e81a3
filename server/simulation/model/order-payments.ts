import { formatDayFirst } from '../../src/kit/calendar.ts';
import { formatAmount } from '../../src/kit/money.ts';
import { day, feeFor, localTime, merchantOf, type Answer, type Merchants, type Outcome } from './model.ts';
import { promisedOf } from './order-refunds.ts';
import {
  changed,
  orderNotice,
  put,
  refused,
  REVERSAL_MS,
  stateAt,
  zoneOf,
  type ModelOrder,
  type ModelPayment,
  type OfTransaction,
  type OrderCell,
  type OrderCommand,
} from './order-state.ts';

const payable = (merchants: Merchants, order: ModelOrder): Answer => ({
  OrdenID: order.orderId,
  SVordenID: String(order.serviceId),
  ...(order.reference === null ? {} : { Referencia: order.reference }),
  Monto: formatAmount(order.amountMinor, order.currency),
  Moneda: order.currency,
  Comercio: merchantOf(merchants, order.merchantId).name,
  Descripcion: order.description,
  Vence: order.recurrent ? '' : formatDayFirst(day(order.expiresOn)),
});

export function lookUp(merchants: Merchants, cell: OrderCell, reference: string, now: number): Outcome<OrderCell> {
  const order = Object.values(cell.orders).find((one) => one.reference === reference && stateAt(merchants, one, now) === 'pending');
  const isServed = order !== undefined && !merchantOf(merchants, order.merchantId).isFrozen;
  return { state: cell, answer: isServed ? { code: '0000', ...payable(merchants, order) } : refused('0001') };
}

const paymentAnswer = (merchants: Merchants, order: ModelOrder, payment: ModelPayment): Answer => ({
  code: '0000',
  OrdenID: order.orderId,
  SVordenID: String(order.serviceId),
  Monto: formatAmount(payment.amountMinor, payment.currency),
  Moneda: payment.currency,
  Transaccion: payment.transaction,
  Pago: String(payment.number),
  Fecha: localTime(payment.givenBackAt ?? payment.paidAt, zoneOf(merchants, order)),
  Operacion: payment.givenBackAt === null ? 'PAGADA' : 'REVERSADA',
});

export function pay(merchants: Merchants, cell: OrderCell, command: OrderCommand & { do: 'pay order' }, now: number): Outcome<OrderCell> {
  const { netname, transaction, serviceId, amountMinor, currency } = command;
  const order = Object.values(cell.orders).find((one) => one.serviceId === serviceId);
  if (order === undefined) return { state: cell, answer: refused('0001') };
  const earlier = findPayment(cell, command);
  if (earlier !== undefined) {
    const isSame = earlier.order === order && earlier.payment.amountMinor === amountMinor && earlier.payment.currency === currency;
    if (!isSame) return { state: cell, answer: refused('0016') };
    return { state: cell, answer: earlier.payment.state === 'paid' ? paymentAnswer(merchants, order, earlier.payment) : refused('0906') };
  }
  const { isFrozen } = merchantOf(merchants, order.merchantId);
  if (isFrozen || stateAt(merchants, order, now) !== 'pending') return { state: cell, answer: refused('0041') };
  const isAsShown = order.amountMinor === amountMinor && order.currency === currency;
  if (!isAsShown) return { state: cell, answer: refused('0905') };
  const number = order.payments.length + 1;
  const poId = order.recurrent ? `${order.orderId}_${number}` : order.orderId;
  const payment: ModelPayment = {
    number,
    netname,
    transaction,
    poId,
    amountMinor,
    currency,
    state: 'paid',
    paidAt: now,
    givenBackAt: null,
    refunds: [],
    ...feeFor(merchantOf(merchants, order.merchantId).fees.order, amountMinor),
  };
  const state = order.recurrent ? 'pending' : 'approved';
  const next = changed(order, { state, payments: [...order.payments, payment] }, 'PAGADA', `network:${netname}`, now);
  return { state: put(cell, next, paymentNotice(next, payment, 'approved')), answer: paymentAnswer(merchants, next, payment) };
}

export function reverse(merchants: Merchants, cell: OrderCell, command: OfTransaction, now: number): Outcome<OrderCell> {
  const found = findPayment(cell, command);
  if (found === undefined || found.order.serviceId !== command.serviceId) return { state: cell, answer: refused('0001') };
  const { order, payment } = found;
  if (payment.state === 'reversed') return { state: cell, answer: paymentAnswer(merchants, order, payment) };
  if (payment.state === 'voided' || promisedOf(payment) > 0n) return { state: cell, answer: refused('0906') };
  if (now > payment.paidAt + REVERSAL_MS) return { state: cell, answer: refused('0907') };
  const endsIt = order.state === 'approved' && payment.number === order.payments.length;
  const reversed: ModelPayment = { ...payment, state: 'reversed', givenBackAt: now };
  const payments = order.payments.map((one) => (one === payment ? reversed : one));
  const back = changed(order, { state: endsIt ? 'voided' : order.state, payments }, 'REVERSADA', `network:${payment.netname}`, now);
  return { state: put(cell, back, paymentNotice(order, payment, 'cancelled')), answer: paymentAnswer(merchants, back, reversed) };
}

function findPayment(
  cell: OrderCell,
  { netname, transaction }: Pick<OfTransaction, 'netname' | 'transaction'>,
): { readonly order: ModelOrder; readonly payment: ModelPayment } | undefined {
  for (const order of Object.values(cell.orders)) {
    const payment = order.payments.find((one) => one.netname === netname && one.transaction === transaction);
    if (payment !== undefined) return { order, payment };
  }
  return undefined;
}

const paymentNotice = (order: ModelOrder, { poId, amountMinor, currency, netname }: ModelPayment, status: 'approved' | 'cancelled') =>
  orderNotice(order, poId, status, amountMinor, currency, netname);
