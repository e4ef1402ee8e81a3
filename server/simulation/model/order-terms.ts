import { formatAmount, formatAmountTwoDecimals } from '../../src/kit/money.ts';
import { day, daysBetween, localTime, merchantOf, today, type Answer, type Merchants, type Outcome, type Seen } from './model.ts';
import {
  changed,
  endsAt,
  isTaken,
  nameOf,
  put,
  refused,
  stateAt,
  STATES,
  zoneOf,
  type ModelOrder,
  type OfOrder,
  type OrderCell,
  type OrderCommand,
  type OrderTerms,
} from './order-state.ts';

export function create(
  merchants: Merchants,
  cell: OrderCell,
  command: OrderCommand & { do: 'create order' },
  now: number,
  seen: Seen,
  actor = 'merchant',
): Outcome<OrderCell> {
  const refuse = (code: string): Outcome<OrderCell> => ({ state: cell, answer: refused(code) });
  const merchant = merchantOf(merchants, command.merchantId);
  if (cell.orders[nameOf(command)] !== undefined) return refuse('0042');
  if (!merchant.currencies.includes(command.currency)) return refuse('0026');
  if (command.recurrent === true && !merchant.mayRecur) return refuse('0020');
  const first = today(now, merchant.timeZone);
  const expiresOn = command.expiresOn ?? first.add({ days: 30 }).toString();
  const ahead = daysBetween(first, day(expiresOn));
  if (ahead < 0 || ahead > 31) return refuse('0032');
  if (command.reference !== undefined && isTaken(merchants, cell, command.reference, command, now)) return refuse('0043');
  const { merchantId, orderId, amountMinor, currency, description = '', method = '', recurrent = false } = command;
  const order: ModelOrder = {
    merchantId,
    orderId,
    amountMinor,
    currency,
    description,
    method,
    recurrent,
    expiresOn,
    state: 'pending',
    createdAt: now,
    updatedAt: now,
    history: [{ operation: 'CREADA', actor, at: now }],
    first: { amountMinor, currency },
    payments: [],
    gaveUp: {},
    serviceId: seen?.['SVordenID'] ?? null,
    reference: command.reference ?? seen?.['Referencia'] ?? null,
  };
  return { state: put(cell, order), answer: saved(order, 'CREADA') };
}

export function update(
  merchants: Merchants,
  cell: OrderCell,
  command: OrderCommand & { do: 'update order' },
  now: number,
  actor = 'merchant',
): Outcome<OrderCell> {
  const refuse = (code: string, more: Answer = {}): Outcome<OrderCell> => ({ state: cell, answer: { code, ...more } });
  const merchant = merchantOf(merchants, command.merchantId);
  const order = cell.orders[nameOf(command)];
  if (order === undefined || stateAt(merchants, order, now) !== 'pending') return refuse('0041');
  if (command.ifMatch !== undefined && command.ifMatch !== order.history.length) return refuse('0910', { status: '412' });
  if (!merchant.currencies.includes(command.currency)) return refuse('0026');
  if (command.recurrent === true && !merchant.mayRecur) return refuse('0020');
  if (command.expiresOn !== undefined && command.expiresOn !== order.expiresOn) {
    const wanted = day(command.expiresOn);
    const isTooLate = daysBetween(today(now, merchant.timeZone), wanted) > 30;
    if (isTooLate || daysBetween(today(order.createdAt, merchant.timeZone), wanted) < 0) return refuse('0032');
  }
  const { reference } = command;
  if (reference !== undefined && reference !== order.reference && isTaken(merchants, cell, reference, command, now)) return refuse('0043');
  const terms: OrderTerms = {
    amountMinor: command.amountMinor,
    currency: command.currency,
    description: command.description ?? order.description,
    method: command.method ?? order.method,
    recurrent: command.recurrent ?? order.recurrent,
    expiresOn: command.expiresOn ?? order.expiresOn,
    reference: reference ?? order.reference,
  };
  const isChanged = (Object.keys(terms) as (keyof OrderTerms)[]).some((name) => terms[name] !== order[name]);
  const next = isChanged ? changed(order, terms, 'ACTUALIZADO', actor, now) : order;
  return { state: isChanged ? put(cell, next) : cell, answer: saved(next, 'ACTUALIZADO') };
}

export function cancel(
  merchants: Merchants,
  cell: OrderCell,
  command: OrderCommand & { do: 'cancel order' },
  now: number,
  actor = 'merchant',
): Outcome<OrderCell> {
  const order = cell.orders[nameOf(command)];
  if (order === undefined) return { state: cell, answer: refused('0018') };
  if (order.state === 'cancelled') return { state: cell, answer: deleted(order) };
  if (stateAt(merchants, order, now) !== 'pending') return { state: cell, answer: refused('0041') };
  if (command.ifMatch !== undefined && command.ifMatch !== order.history.length) {
    return { state: cell, answer: { code: '0910', status: '412' } };
  }
  const next = changed(order, { state: 'cancelled' }, 'DELETED', actor, now);
  return { state: put(cell, next), answer: deleted(next) };
}

/** Also takes over what the service chose, if no answer has shown it before. */
export function query(merchants: Merchants, cell: OrderCell, command: OfOrder, now: number, seen: Seen): Outcome<OrderCell> {
  const found = cell.orders[nameOf(command)];
  if (found === undefined) return { state: cell, answer: refused('0001') };
  const isNews = found.serviceId === null || found.reference === null;
  const serviceId = found.serviceId ?? seen?.['CODE'] ?? null;
  const order = isNews ? { ...found, serviceId, reference: found.reference ?? seen?.['REFERENCE'] ?? null } : found;
  const zone = zoneOf(merchants, order);
  const payment = order.payments.at(-1);
  const hoursLeft = (): string => (order.recurrent ? '' : `${Math.floor((endsAt(merchants, order) - now) / 3_600_000)}h`);
  const answer = {
    code: '0000',
    etag: `"${order.history.length}"`,
    ORDER: order.orderId,
    STATE: STATES[stateAt(merchants, order, now)],
    AMOUNT: formatAmountTwoDecimals(order.amountMinor, order.currency),
    CURRENCY: order.currency,
    ...(order.serviceId === null ? {} : { CODE: order.serviceId }),
    ...(order.reference === null ? {} : { REFERENCE: order.reference }),
    DESCRIPTION: order.description,
    PAYMNENT_METHOD: order.method,
    CREATION_DATE: localTime(order.createdAt, zone),
    UDPATE_DATE: localTime(order.updatedAt, zone),
    LIFE_TIME: stateAt(merchants, order, now) === 'pending' ? hoursLeft() : '0h',
    'TRANSACTION.ID': payment?.transaction ?? '',
    'TRANSACTION.SOURCE': payment?.netname ?? '',
    'TRANSACTION.NUMBER': payment === undefined ? '' : String(payment.number),
    'TRANSACTION.STATE': payment === undefined ? '' : payment.state === 'paid' ? STATES.approved : STATES.voided,
  };
  return { state: isNews ? put(cell, order) : cell, answer };
}

/** Finds the merchant's open order that has the reference, else the newest. The ids of all orders are known: they were read before. */
export function queryByReference(
  merchants: Merchants,
  cell: OrderCell,
  { merchantId, reference }: OrderCommand & { do: 'query order by reference' },
  now: number,
  seen: Seen,
): Outcome<OrderCell> {
  const having = Object.values(cell.orders).filter((order) => order.merchantId === merchantId && order.reference === reference);
  const newestFirst = having.toSorted((one, other) => Number(other.serviceId) - Number(one.serviceId));
  const found = newestFirst.find((order) => stateAt(merchants, order, now) === 'pending') ?? newestFirst[0];
  return found === undefined ? { state: cell, answer: refused('0001') } : query(merchants, cell, found, now, seen);
}

/** Shows every change, its actor and its time. Source: contract §7.2. */
export function readHistory(merchants: Merchants, cell: OrderCell, command: OfOrder): Outcome<OrderCell> {
  const order = cell.orders[nameOf(command)];
  if (order === undefined) return { state: cell, answer: refused('0001') };
  const shown = order.history.flatMap(({ operation, actor, at, refund }, index) => [
    [`HISTORY.${index}.VERSION`, String(index + 1)],
    [`HISTORY.${index}.OPERATION`, operation],
    [`HISTORY.${index}.ACTOR`, actorWord(actor)],
    [`HISTORY.${index}.DATE`, localTime(at, zoneOf(merchants, order))],
    ...(refund === undefined ? [] : [[`HISTORY.${index}.CHANGES.REFUND.to`, refund]]),
  ]);
  return { state: cell, answer: { code: '0000', etag: `"${order.history.length}"`, NEXT: '', ...Object.fromEntries(shown) } };
}

/** Merchants read no names of people. */
const actorWord = (actor: string): string => {
  const [kind = ''] = actor.split(':');
  return kind === 'merchant' ? kind : ['user', 'token'].includes(kind) ? 'operator' : actor;
};

const saved = (order: ModelOrder, operation: string): Answer => ({
  code: '0000',
  etag: `"${order.history.length}"`,
  OrdenID: order.orderId,
  Monto: formatAmount(order.amountMinor, order.currency),
  ...(order.serviceId === null ? {} : { SVordenID: order.serviceId }),
  ...(order.reference === null ? {} : { Referencia: order.reference }),
  Operacion: operation,
});

const deleted = (order: ModelOrder): Answer => ({
  code: '0000',
  etag: `"${order.history.length}"`,
  OrderID: order.orderId,
  ...(order.serviceId === null ? {} : { SVOrderID: order.serviceId }),
  ...(order.reference === null ? {} : { Reference: order.reference }),
  Amount: formatAmount(order.amountMinor, order.currency),
  Operation: 'DELETED',
});
