import { compactDay } from './days.ts';
import { whole } from './errors.ts';
import {
  cancelRefund,
  listRefunds,
  queryRefund,
  requestRefund,
  type ListRefunds,
  type QueryRefund,
  type RequestRefund,
} from './generated/operations.ts';
import { amountText, currencyOf, type Priced } from './money.ts';
import type { KeyedOptions, RequestOptions, Send } from './send.ts';
import { fieldsOf, placeOf, Walk, type Page } from './walk.ts';

type Item = QueryRefund['data'];
export type RefundState = Item['STATE'];
/** Who hands the money to the payer. `cashout`: a network at a counter, for a one-time password. */
export type Refunder = Item['REFUNDED_BY'];

/** The fields of a request, by their names in the reference. */
export type RefundFields = Omit<RequestRefund['fields'], 'type' | 'amount' | 'money' | 'refunded_by' | 'taken_from' | 'payment'> &
  Priced<'money'> & {
    /** Who is to hand the money to the payer. */
    readonly refundedBy: Refunder;
    /** What bears it: what the merchant has collected, also where absent, or its fund. */
    readonly takenFrom?: Item['TAKEN_FROM'] | undefined;
    /** Of a recurrent order: which payment, counted from 1. The last one where absent. */
    readonly payment?: number | undefined;
  };

/** A refund as it is now. */
export type Refund = {
  readonly refund: string;
  readonly order: string;
  /** Which payment of the order, counted from 1. */
  readonly payment: number;
  readonly state: RefundState;
  readonly amount: string;
  readonly money: string;
  /** What comes back to the merchant of the fee of the payment, and of the tax on it. */
  readonly fee: string;
  readonly tax: string;
  readonly refundedBy: Refunder;
  /** The cashout with which the payer collects it, or has. */
  readonly cashout: string | undefined;
  /** What bears it: what the merchant has collected, or its fund. */
  readonly takenFrom: Item['TAKEN_FROM'];
  readonly reason: string;
  /** In the merchant’s time zone. */
  readonly requested: string;
  /** When it was paid, failed or was cancelled. */
  readonly ended: string | undefined;
  /** What shows that it was paid, such as the id of a transfer. */
  readonly proof: string | undefined;
  /** Why it failed. */
  readonly problem: string | undefined;
};

export type RefundFilter = {
  /** The first and the last day of the requests, both included, YYYY-MM-DD. */
  readonly start: string;
  readonly end: string;
  readonly state?: RefundState | readonly RefundState[] | undefined;
  readonly order?: string | undefined;
  /** Items of a page, 10 to 100; 100 where absent. */
  readonly limit?: number | undefined;
  /** Walks from the last page to the first one. */
  readonly oldestFirst?: boolean | undefined;
};

const DEFAULT_LIMIT = 100;

/** The refunds of a merchant. */
export class Refunds {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Asks for a refund, which waits for the operator. The same request again is the same refund. */
  async request({ amount, money, refundedBy, takenFrom, payment, ...rest }: RefundFields, options?: KeyedOptions): Promise<Refund> {
    const fields = {
      ...rest,
      type: 'refund.request',
      amount: amountText(amount),
      money: currencyOf(amount, money),
      refunded_by: refundedBy,
      taken_from: takenFrom,
      payment: payment === undefined ? undefined : String(payment),
    };
    return refundOf((await this.#send<Item>(requestRefund, fields, options)).data);
  }

  /** Reads one refund. */
  async query(refund: string, options?: RequestOptions): Promise<Refund> {
    return refundOf((await this.#send<Item>(queryRefund, { refund, type: 'refund.query' }, options)).data);
  }

  /** Withdraws a refund that is not approved yet. Withdrawing it again is success again. */
  async cancel(refund: string, options?: RequestOptions): Promise<Refund> {
    return refundOf((await this.#send<Item>(cancelRefund, { refund, type: 'refund.cancel' }, options)).data);
  }

  /** Walks through the refunds that were asked for on these days, the newest first. */
  list(
    { start, end, state, order, limit = DEFAULT_LIMIT, oldestFirst }: RefundFilter,
    options?: RequestOptions,
  ): Walk<Refund, string | number> {
    const names = [state ?? []].flat().join(',');
    const filter = {
      type: 'refund.list',
      start: compactDay(start),
      end: compactDay(end),
      state: names || undefined,
      order,
      limit: String(limit),
    };
    const read = async (place: string): Promise<Page<Refund>> => {
      const { data } = await this.#send<ListRefunds['data']>(listRefunds, { ...filter, ...fieldsOf(place) }, options);
      const { REFUNDS, FIRST, PREVIOUS, NEXT, END } = whole(data, 'REFUNDS');
      const [first, previous, next, last] = [FIRST, PREVIOUS, NEXT, END].map(placeOf);
      return { items: REFUNDS.map(refundOf), first, previous, next, end: last };
    };
    return new Walk(read, oldestFirst);
  }
}

function refundOf(item: Item): Refund {
  const { REFUND, ORDER, PAYMENT, STATE, AMOUNT, CURRENCY, FEE, TAX } = whole(item, 'REFUND', 'ORDER', 'STATE', 'AMOUNT');
  const { REFUNDED_BY, CASHOUT, TAKEN_FROM, REASON, REQUEST_DATE, END_DATE, PROOF, PROBLEM } = item;
  return {
    refund: REFUND,
    order: ORDER,
    payment: PAYMENT,
    state: STATE,
    amount: AMOUNT,
    money: CURRENCY,
    fee: FEE,
    tax: TAX,
    refundedBy: REFUNDED_BY,
    cashout: CASHOUT || undefined,
    takenFrom: TAKEN_FROM,
    reason: REASON,
    requested: REQUEST_DATE,
    ended: END_DATE || undefined,
    proof: PROOF || undefined,
    problem: PROBLEM || undefined,
  };
}
