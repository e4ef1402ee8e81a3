import type { CashoutCell } from './cashout-state.ts';
import type { OrderCell } from './order-state.ts';

/** What happened to an order or a cashout, as figures count it. */
type Counted = { readonly event: string; readonly currency: string; readonly amountMinor: bigint };

/** An order or a cashout, as lists, exports and searches show it. */
export type ModelRow = {
  readonly list: 'orders' | 'cashouts' | 'settlements';
  readonly merchantId: string;
  readonly id: string;
  readonly state: string;
  /** Of a settlement: how many entries it is made of. */
  readonly version: number;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly counted: readonly Counted[];
};

/** Everything was swept: what is stored is what holds. */
export const orderRows = ({ orders }: OrderCell): readonly ModelRow[] =>
  Object.values(orders).map(({ merchantId, orderId, state, currency, amountMinor, history, payments, first }) => ({
    list: 'orders',
    merchantId,
    id: orderId,
    state,
    version: history.length,
    currency,
    amountMinor,
    counted: [
      { event: 'order.created', ...first },
      ...payments.flatMap((payment) => {
        const { state: became, currency: paidIn, amountMinor: paidMinor } = payment;
        const events = became === 'paid' ? ['order.paid'] : ['order.paid', `order.${became}`];
        return events.map((event) => ({ event, currency: paidIn, amountMinor: paidMinor }));
      }),
      ...(state === 'cancelled' || state === 'expired' ? [{ event: `order.${state}`, currency, amountMinor }] : []),
    ],
  }));

export const cashoutRows = ({ cashouts }: CashoutCell): readonly ModelRow[] =>
  Object.values(cashouts).map(({ merchantId, operationId, state, currency, amountMinor, history }) => ({
    list: 'cashouts',
    merchantId,
    id: operationId,
    state,
    version: history.length,
    currency,
    amountMinor,
    counted: history.map(({ event }) => ({ event, currency, amountMinor })).filter(({ event }) => event !== 'cashout.password_renewed'),
  }));
