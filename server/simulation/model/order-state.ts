import { formatAmount } from '../../src/kit/money.ts';
import type { By } from './actors.ts';
import { endOf, merchantOf, type Answer, type CellState, type Merchants, type ModelNotice } from './model.ts';

type PaymentState = 'paid' | 'reversed' | 'voided';
export const REFUNDERS = ['network', 'operator', 'merchant'] as const;
type Refunder = (typeof REFUNDERS)[number];
/** `cashout`: the payer collects it at a counter. */
type AnyRefunder = Refunder | 'cashout';
/** Which money of the merchant bears a refund. */
type Bearer = 'collected' | 'fund';
export type ModelPayment = {
  readonly number: number;
  readonly netname: string;
  readonly transaction: string;
  readonly poId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly fee: bigint;
  readonly tax: bigint;
  readonly state: PaymentState;
  readonly paidAt: number;
  readonly givenBackAt: number | null;
  /** In the order in which they last changed. */
  readonly refunds: readonly ModelRefund[];
};
export type RefundState = 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
export type ModelRefund = {
  readonly id: string;
  readonly amountMinor: bigint;
  /** What comes back of the payment's fee and tax. */
  readonly fee: bigint;
  readonly tax: bigint;
  readonly takenFrom: Bearer;
  readonly refundedBy: AnyRefunder;
  /** The cashout that its payer may be collecting, or has collected. */
  readonly operationId: string | null;
  readonly state: RefundState;
  readonly askedAt: number;
  /** When it was paid. */
  readonly paidAt?: number;
  /** When it failed or was cancelled. */
  readonly releasedAt?: number;
};

export type OrderState = 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
export type OrderTerms = {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly description: string;
  readonly method: string;
  readonly recurrent: boolean;
  /** The last day on which it can be paid, YYYY-MM-DD. */
  readonly expiresOn: string;
  /** Null: the service made one, and the answer with it was lost. */
  readonly reference: string | null;
};
/** A change as the history shows it (contract §7.2). `refund`: the one that changed; a void names none. */
type ModelEvent = {
  readonly operation: string;
  readonly actor: string;
  readonly at: number;
  readonly request?: string;
  readonly refund?: string;
};
export type ModelOrder = OrderTerms & {
  readonly merchantId: string;
  readonly orderId: string;
  /** Null: the answer with it was lost. */
  readonly serviceId: string | null;
  readonly state: OrderState;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Every change; the number of changes is the version. */
  readonly history: readonly ModelEvent[];
  /** What it was created with. */
  readonly first: Pick<OrderTerms, 'amountMinor' | 'currency'>;
  readonly payments: readonly ModelPayment[];
  /** When it gave up references: at its end, or for another one. */
  readonly gaveUp: Readonly<Record<string, number>>;
};

/** Orders that use the same references and transactions. */
export type OrderCell = CellState & { readonly orders: Readonly<Record<string, ModelOrder>> };

export type OfOrder = { readonly merchantId: string; readonly orderId: string };
/** Undefined: not given. */
type GivenTerms = { readonly amountMinor: bigint; readonly currency: string } & {
  readonly [Name in 'description' | 'method' | 'recurrent' | 'expiresOn' | 'reference']?: NonNullable<OrderTerms[Name]> | undefined;
};
export type OfTransaction = { readonly netname: string; readonly transaction: string; readonly serviceId: string };
/** Undefined: the merchant itself, a network, or the operator at the command line. */
type Sent = { readonly by?: By | undefined };
export type OrderCommand =
  | ({ readonly do: 'create order'; readonly key?: string | undefined } & OfOrder & GivenTerms & Sent)
  | ({ readonly do: 'update order'; readonly ifMatch?: number | undefined } & OfOrder & GivenTerms & Sent)
  | ({ readonly do: 'cancel order'; readonly ifMatch?: number | undefined } & OfOrder & Sent)
  | ({ readonly do: 'query order' } & OfOrder & Sent)
  | { readonly do: 'query order by reference'; readonly merchantId: string; readonly reference: string }
  | ({ readonly do: 'read order history' } & OfOrder)
  | { readonly do: 'look up order'; readonly netname: string; readonly reference: string }
  | ({ readonly do: 'pay order'; readonly amountMinor: bigint; readonly currency: string } & OfTransaction)
  | ({ readonly do: 'reverse order payment' } & OfTransaction)
  | ({
      readonly do: 'request refund';
      readonly refundId: string;
      readonly amountMinor: bigint;
      readonly currency: string;
      readonly refundedBy: AnyRefunder;
      readonly takenFrom: Bearer;
      readonly isApproved: boolean;
    } & OfOrder)
  | {
      readonly do: 'change refund';
      readonly merchantId: string;
      readonly refundId: string;
      readonly to: Exclude<RefundState, 'requested'>;
      /** Of one that is paid: another one than was meant. */
      readonly refundedBy?: Refunder | undefined;
    }
  | ({ readonly do: 'void order'; readonly isClaim: boolean; readonly refundedBy: Refunder } & OfOrder & Sent);

/** Makes the order after a change. */
export const changed = (
  order: ModelOrder,
  fields: Partial<ModelOrder>,
  operation: string,
  actor: string,
  now: number,
  told: Pick<ModelEvent, 'refund'> = {},
): ModelOrder => {
  const next = { ...order, ...fields, updatedAt: now, history: [...order.history, { operation, actor, at: now, ...told }] };
  const keeps = next.reference === order.reference && (next.state === 'pending' || next.state === 'expired');
  if (order.state !== 'pending' || order.reference === null || keeps) return next;
  return { ...next, gaveUp: { ...order.gaveUp, [order.reference]: now } };
};

/** A network may take a payment back within this time. */
export const REVERSAL_MS = 50_000;
export const STATES: Readonly<Record<OrderState, string>> = {
  pending: 'PENDIENTE',
  approved: 'APROBADA',
  expired: 'VENCIDA',
  cancelled: 'CANCELADA',
  voided: 'ANULADA',
};

export const nameOf = ({ merchantId, orderId }: OfOrder): string => `${merchantId}/${orderId}`;
export const refused = (code: string): Answer => ({ code });

export const zoneOf = (merchants: Merchants, order: OfOrder): string => merchantOf(merchants, order.merchantId).timeZone;
export const endsAt = (merchants: Merchants, order: ModelOrder): number =>
  order.recurrent ? Infinity : endOf(order.expiresOn, zoneOf(merchants, order));
export const stateAt = (merchants: Merchants, order: ModelOrder, now: number): OrderState =>
  order.state === 'pending' && now >= endsAt(merchants, order) ? 'expired' : order.state;
/** How long a reference rests after its order. */
export const REST_DAYS = 90;

/** True when another open order has the reference, or when it rests after an order of another merchant. */
export const isTaken = (merchants: Merchants, cell: OrderCell, reference: string, by: OfOrder, now: number): boolean =>
  Object.values(cell.orders).some((one) => {
    const state = one.reference === reference ? stateAt(merchants, one, now) : undefined;
    if (state === 'pending' && nameOf(one) !== nameOf(by)) return true;
    const leftAt = Math.max(one.gaveUp[reference] ?? -Infinity, state === 'expired' ? endsAt(merchants, one) : -Infinity);
    return one.merchantId !== by.merchantId && now < leftAt + REST_DAYS * 86_400_000;
  });

export function put(cell: OrderCell, order: ModelOrder, notice?: ModelNotice): OrderCell {
  return {
    ...cell,
    orders: { ...cell.orders, [nameOf(order)]: order },
    notices: notice === undefined ? cell.notices : [...cell.notices, notice],
  };
}

export function orderNotice(
  order: ModelOrder,
  poId: string,
  status: 'approved' | 'cancelled',
  amountMinor: bigint,
  currency: string,
  payment: string,
): ModelNotice {
  return {
    merchantId: order.merchantId,
    subject: `order ${order.orderId}`,
    body: {
      sv_po_id: String(order.serviceId),
      po_id: poId,
      status,
      amount: formatAmount(amountMinor, currency),
      iso_currency: currency,
      sv_payment: payment,
    },
  };
}
