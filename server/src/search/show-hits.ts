import type { ShownMoney } from '../kit/command-line.ts';
import { schemas } from '../manage/index.ts';
import { stateAt } from '../orders/index.ts';
import type { SearchResult } from './search.ts';

const { showAmount } = schemas;

type ShownHit = {
  readonly merchant: string;
  readonly state: string;
  readonly amount: ShownMoney;
  readonly createdAt: string;
  /** The fields that have the text. */
  readonly foundIn: readonly string[];
  readonly isWhole: boolean;
};
type ShownOrder = ShownHit & {
  readonly order: string;
  readonly serviceOrderId: string;
  readonly reference: string;
  readonly email: string;
};
type ShownCashout = ShownHit & { readonly cashout: string; readonly document: string; readonly cellphone: string };

/** What was found. Our id of an order is text: it may be larger than a JSON number. */
export function showHits(
  { orders, cashouts }: SearchResult,
  now: Temporal.Instant,
): { readonly orders: readonly ShownOrder[]; readonly cashouts: readonly ShownCashout[] } {
  return {
    orders: orders.map(({ item: order, fields, isWhole }) => ({
      merchant: order.merchantId,
      order: order.orderId,
      serviceOrderId: order.serviceOrderId.toString(),
      reference: order.reference,
      email: order.email,
      state: stateAt(order, now),
      amount: showAmount(order.amountMinor, order.currency),
      createdAt: order.createdAt.toString(),
      foundIn: fields.map((field) => (field === 'orderId' ? 'order' : field)),
      isWhole,
    })),
    cashouts: cashouts.map(({ item: cashout, fields, isWhole }) => ({
      merchant: cashout.merchantId,
      cashout: cashout.operationId,
      document: cashout.document,
      cellphone: cashout.cellphone,
      state: cashout.state,
      amount: showAmount(cashout.amountMinor, cashout.currency),
      createdAt: cashout.createdAt.toString(),
      foundIn: fields.map((field) => (field === 'operationId' ? 'cashout' : field)),
      isWhole,
    })),
  };
}
