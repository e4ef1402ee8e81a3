import type { CollectedEntry } from './collected.ts';
import { merchantOf, type Merchants, type Outcome } from './model.ts';
import {
  changed,
  nameOf,
  orderNotice,
  put,
  refused,
  REVERSAL_MS,
  type ModelOrder,
  type ModelPayment,
  type ModelRefund,
  type OrderCell,
  type OrderCommand,
  type RefundState,
} from './order-state.ts';

const isPromised = ({ state }: ModelRefund): boolean => state !== 'failed' && state !== 'cancelled';
export const isOpen = ({ state }: ModelRefund): boolean => state === 'requested' || state === 'approved';
const total = (refunds: readonly ModelRefund[], of: 'amountMinor' | 'fee' | 'tax'): bigint =>
  refunds.reduce((sum, one) => sum + one[of], 0n);

/** What refunds have promised of a payment. */
export const promisedOf = ({ refunds }: ModelPayment): bigint => total(refunds.filter(isPromised), 'amountMinor');

const OPERATIONS: Readonly<Record<RefundState, string>> = {
  requested: 'REEMBOLSO_SOLICITADO',
  approved: 'REEMBOLSO_APROBADO',
  paid: 'REEMBOLSO_PAGADO',
  failed: 'REEMBOLSO_FALLIDO',
  cancelled: 'REEMBOLSO_CANCELADO',
};

/** Puts a refund into its payment. A payment that is given back whole is voided, with the order that it had approved. */
export function withRefund(
  { order, payment }: Omit<FoundRefund, 'refund'>,
  refund: ModelRefund,
  actor: string,
  now: number,
  operation = OPERATIONS[refund.state],
): ModelOrder {
  const stamped = refund.state === 'paid' ? { ...refund, paidAt: now } : isPromised(refund) ? refund : { ...refund, releasedAt: now };
  const refunds = [...payment.refunds.filter(({ id }) => id !== refund.id), stamped];
  const paid = refunds.filter(({ state }) => state === 'paid');
  const isWhole = total(paid, 'amountMinor') === payment.amountMinor;
  const next: ModelPayment = { ...payment, refunds, ...(isWhole && { state: 'voided' as const, givenBackAt: now }) };
  const endsIt = isWhole && order.state === 'approved' && payment.number === order.payments.length;
  const fields = { state: endsIt ? 'voided' : order.state, payments: order.payments.map((one) => (one === payment ? next : one)) } as const;
  const isVoid = refund.state === 'paid' && !payment.refunds.some(({ id }) => id === refund.id);
  return changed(order, fields, isWhole ? 'ANULADA' : operation, actor, now, isVoid ? {} : { refund: refund.id });
}

/** Fee and tax of the payment come back in proportion to all that was promised so far, rounded up. */
function newRefund(payment: ModelPayment, given: Omit<ModelRefund, 'fee' | 'tax'>): ModelRefund {
  const before = payment.refunds.filter(isPromised);
  const share = (of: 'fee' | 'tax'): bigint => {
    const part = payment[of] * (total(before, 'amountMinor') + given.amountMinor);
    return part / payment.amountMinor + (part % payment.amountMinor === 0n ? 0n : 1n) - total(before, of);
  };
  // What may be withdrawn brings its own amount at most; what is recorded as paid brings all.
  const back = (of: 'fee' | 'tax', leftMinor: bigint): bigint => {
    const minor = share(of) > 0n ? share(of) : 0n;
    return given.state === 'paid' || minor < leftMinor ? minor : leftMinor;
  };
  const fee = back('fee', given.amountMinor);
  return { ...given, fee, tax: back('tax', given.amountMinor - fee) };
}

const answerOf = ({ number }: ModelPayment) => ({ code: '0000', payment: String(number) });

/** What the merchant has is of all its orders and cashouts, so nothing here knows whether it is enough: both are right. */
export function request(
  merchants: Merchants,
  cell: OrderCell,
  command: OrderCommand & { do: 'request refund' },
  now: number,
): readonly Outcome<OrderCell>[] {
  const { refundId: id, refundedBy, takenFrom, currency, isApproved } = command;
  const refuse = (name: string): readonly Outcome<OrderCell>[] => [{ state: cell, answer: refused(name) }];
  const order = cell.orders[nameOf(command)];
  const payment = order?.payments.at(-1);
  if (order === undefined) return refuse('order_not_found');
  if (payment === undefined) return refuse('payment_not_found');
  const known = refundOf(cell, command.merchantId, id);
  if (known !== undefined) {
    const isSame =
      known.order === order &&
      (known.refund.refundedBy === refundedBy || known.refund.state === 'paid') &&
      known.refund.takenFrom === takenFrom &&
      known.refund.amountMinor === command.amountMinor &&
      known.payment.currency === currency;
    return isSame ? [{ state: cell, answer: answerOf(payment) }] : refuse('refund_exists');
  }
  const leftMinor = payment.amountMinor - promisedOf(payment);
  if (payment.state !== 'paid' || leftMinor === 0n) return refuse('nothing_to_refund');
  if (!isApproved && now <= payment.paidAt + REVERSAL_MS) return refuse('refund_too_early');
  if (currency !== payment.currency) return refuse('refund_currency_differs');
  if (command.amountMinor > leftMinor) return refuse('refund_too_large');
  const state = isApproved ? 'approved' : 'requested';
  const given = { id, amountMinor: command.amountMinor, takenFrom, refundedBy, operationId: null, state, askedAt: now } as const;
  const next = put(cell, withRefund({ order, payment }, newRefund(payment, given), 'operator', now));
  const isAlwaysCovered = takenFrom === 'fund' && merchantOf(merchants, command.merchantId).isAmple;
  return [{ state: next, answer: answerOf(payment) }, ...(isAlwaysCovered ? [] : refuse(`${takenFrom}_too_small`))];
}

export function change(cell: OrderCell, command: OrderCommand & { do: 'change refund' }, now: number): Outcome<OrderCell> {
  const { merchantId, refundId, to } = command;
  const found = refundOf(cell, merchantId, refundId);
  if (found === undefined) return { state: cell, answer: refused('refund_not_found') };
  const { payment, refund } = found;
  const refuse = (name: string): Outcome<OrderCell> => ({ state: cell, answer: refused(name) });
  const refundedBy = to === 'paid' ? (command.refundedBy ?? refund.refundedBy) : refund.refundedBy;
  // What was paid at a counter nobody else has paid.
  const isPaidAnew = to === 'paid' && (refund.refundedBy === 'cashout' || refundedBy !== refund.refundedBy);
  if (refund.state === to && !isPaidAnew) return { state: cell, answer: answerOf(payment) };
  if (!isOpen(refund)) return refuse('refund_ended');
  if (refund.state === 'requested' && (to === 'paid' || to === 'failed')) return refuse('refund_not_approved');
  if (refund.operationId !== null) return refuse('refund_has_cashout');
  if (to === 'paid' && refundedBy === 'cashout') return refuse('refunder_missing');
  return { state: put(cell, withRefund(found, { ...refund, state: to, refundedBy }, 'operator', now)), answer: answerOf(payment) };
}

/** Voids the last payment of an order: all that is left of it was given back. */
export function voidLast(
  cell: OrderCell,
  { isClaim, refundedBy, ...command }: OrderCommand & { do: 'void order' },
  now: number,
  actor = 'operator',
): Outcome<OrderCell> {
  const order = cell.orders[nameOf(command)];
  const payment = order?.payments.at(-1);
  if (order === undefined) return { state: cell, answer: refused('order_not_found') };
  if (payment === undefined) return { state: cell, answer: refused('payment_not_found') };
  if (payment.state === 'reversed') return { state: cell, answer: refused('payment_given_back') };
  if (payment.state === 'voided') {
    // What made it whole. At one instant there may be two.
    const isSame = payment.refunds.some((one) => one.paidAt === payment.givenBackAt && one.refundedBy === refundedBy);
    return { state: cell, answer: isSame ? answerOf(payment) : refused('void_differs') };
  }
  if (payment.refunds.some(isOpen)) return { state: cell, answer: refused('refund_open') };
  const id = `${order.orderId}.${order.history.length + 1}`;
  const refund = newRefund(payment, {
    id,
    amountMinor: payment.amountMinor - promisedOf(payment),
    takenFrom: 'collected',
    refundedBy,
    operationId: null,
    state: 'paid',
    askedAt: now,
  });
  const { poId, amountMinor, currency, netname } = payment;
  const notices = isClaim ? [orderNotice(order, poId, 'cancelled', amountMinor, currency, netname)] : [];
  const next = put(cell, withRefund({ order, payment }, refund, actor, now));
  return { state: { ...next, notices: [...next.notices, ...notices] }, answer: answerOf(payment) };
}

/** A refund with its payment and order. */
export type FoundRefund = { readonly order: ModelOrder; readonly payment: ModelPayment; readonly refund: ModelRefund };

export function refundOf(cell: OrderCell, merchantId: string, id: string): FoundRefund | undefined {
  for (const order of Object.values(cell.orders))
    for (const payment of order.merchantId === merchantId ? order.payments : []) {
      const refund = payment.refunds.find((one) => one.id === id);
      if (refund !== undefined) return { order, payment, refund };
    }
  return undefined;
}

/** The balances of a payment and its refunds. Positive: owed to the owner. Source: server/src/ledger/README.md. */
export function moneyOfPayment({ netname, amountMinor, fee, tax, state, refunds }: ModelPayment): (readonly [account: string, bigint])[] {
  if (state === 'reversed') return [];
  const holder = `network:${netname}`;
  const bearers = { collected: 'collected', fund: 'available' } as const;
  // What is collected at a counter goes from `refunds` with its cashout.
  const whoPaid = { network: holder, operator: 'service:bank', cashout: 'refunds' } as const;
  return [
    [holder, -amountMinor],
    ['collected', amountMinor - fee - tax],
    ['service:fees', fee],
    ['service:tax', tax],
    ...refunds.filter(isPromised).flatMap((one): (readonly [string, bigint])[] => {
      const bearer = bearers[one.takenFrom];
      const payer = one.refundedBy === 'merchant' ? bearer : whoPaid[one.refundedBy];
      return [
        [bearer, one.fee + one.tax - one.amountMinor],
        ['service:fees', -one.fee],
        ['service:tax', -one.tax],
        [one.state === 'paid' ? payer : 'refunds', one.amountMinor],
      ];
    }),
  ];
}

/** What a payment and its refunds have posted on `collected`; those that the fund bears, nothing. A void is covered by nothing: it takes what is not there. */
export function collectedOfPayment({ merchantId, orderId }: ModelOrder, payment: ModelPayment): readonly CollectedEntry[] {
  const { number, netname, currency, paidAt, givenBackAt, state } = payment;
  const entry = (
    key: string,
    kind: string,
    at: number | null | undefined,
    { amountMinor, fee, tax }: Pick<ModelRefund, 'amountMinor' | 'fee' | 'tax'>,
    sign: 1n | -1n,
  ): readonly CollectedEntry[] =>
    typeof at !== 'number'
      ? []
      : [
          {
            key: `order/${orderId}/${key}`,
            merchantId,
            currency,
            kind,
            amountMinor: sign * (amountMinor - fee - tax),
            at,
            source: netname,
            paymentsMinor: sign * amountMinor,
            feesMinor: sign * fee,
            isCovered: kind === 'order_refund_owed' && !key.includes('.'),
          },
        ];
  return [
    ...entry(`paid/${number}`, 'order_paid', paidAt, payment, 1n),
    ...(state === 'reversed' ? entry(`reversed/${number}`, 'order_payment_reversed', givenBackAt, payment, -1n) : []),
    ...payment.refunds
      .filter(({ takenFrom }) => takenFrom === 'collected')
      .flatMap((refund) => [
        ...entry(`refund/${refund.id}/owed`, 'order_refund_owed', refund.askedAt, refund, -1n),
        ...entry(`refund/${refund.id}/released`, 'order_refund_released', refund.releasedAt, refund, 1n),
        ...(refund.refundedBy === 'merchant'
          ? entry(`refund/${refund.id}/paid`, 'order_refund_paid', refund.paidAt, { ...refund, fee: 0n, tax: 0n }, 1n).map((one) => ({
              ...one,
              source: null,
              paymentsMinor: 0n,
            }))
          : []),
      ]),
  ].filter(({ amountMinor }) => amountMinor !== 0n);
}
