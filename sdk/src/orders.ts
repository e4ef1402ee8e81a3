import { dayFirst } from './days.ts';
import { whole } from './errors.ts';
import {
  cancelOrder,
  createOrder,
  queryOrder,
  queryOrderByReference,
  readOrderHistory,
  updateOrder,
  type CancelOrder,
  type CreateOrder,
  type QueryOrder,
  type ReadOrderHistory,
  type UpdateOrder,
} from './generated/operations.ts';
import { amountText, currencyOf, type Priced } from './money.ts';
import type { KeyedOptions, RequestOptions, Send, VersionedOptions } from './send.ts';
import { fieldsOf, Walk } from './walk.ts';

/** The fields of an order, by their names in the reference. */
export type OrderFields = Omit<CreateOrder['fields'] & UpdateOrder['fields'], 'amount' | 'money' | 'expiration' | 'redirect_timeout'> &
  Priced<'money'> & {
    /** The last day on which the order can be paid, YYYY-MM-DD. Empty leaves it; in a creation it is 30 days from today. */
    readonly expiration?: string | undefined;
    /** Milliseconds until the checkout leads back to the shop. */
    readonly redirect_timeout?: number | string | undefined;
  };

/** An order that was created or updated. */
export type SavedOrder = {
  /** The merchant's id of the order. */
  readonly order: string;
  /** The service's id of the order. */
  readonly id: string;
  readonly amount: string;
  readonly money: string;
  /** The digits that the customer pays with. */
  readonly reference: string;
  /** The address at which the customer pays. */
  readonly checkout: string;
  /** For the `version` of an update or a cancellation. */
  readonly version: number;
};

/** The last payment of an order. */
export type Payment = {
  /** The id that the source gave the payment. */
  readonly id: string;
  /** The network or the method of the checkout that took the money, or `operator`. */
  readonly source: string;
  /** The payments of the order are counted from 1. */
  readonly number: number;
  readonly amount: string;
  readonly money: string;
  /** In the merchant's time zone. */
  readonly date: string;
  /** `ANULADA`: the money was given back. */
  readonly state: Paid['STATE'];
  readonly givenBack: string | undefined;
};

/** An order as it is now. */
export type Order = SavedOrder & {
  readonly state: QueryOrder['data']['STATE'];
  readonly description: string;
  readonly email: string;
  /** Empty: the customer chooses at the checkout. */
  readonly method: string;
  /** In the merchant's time zone, as the other times. */
  readonly created: string;
  readonly updated: string;
  /** Whole hours left to pay; undefined for a recurrent order, which has no end. */
  readonly hoursLeft: number | undefined;
  /** What the merchant's server answered to the notice. */
  readonly noticeAnswer: string;
  readonly payment: Payment | undefined;
};

/** One change of an order. */
export type OrderChange = {
  /** The version that the change made. */
  readonly version: number;
  readonly operation: string;
  readonly actor: string;
  /** In the merchant's time zone. */
  readonly date: string;
  /** In UTC. */
  readonly instant: string;
  /** Each field that changed, by its name in the reference. */
  readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>;
};

/** The orders of a merchant. */
export class Orders {
  readonly #send: Send;
  readonly #protocol: string;

  constructor(send: Send, protocol: string) {
    this.#send = send;
    this.#protocol = protocol;
  }

  /** Creates an order. With one Idempotency-Key it is created once, however often the request is sent. */
  async create(fields: OrderFields, options?: KeyedOptions): Promise<SavedOrder> {
    const sent = wireFields(fields);
    const { data, version } = await this.#send<CreateOrder['data']>(createOrder, sent, options);
    return saved(data, sent.money, version, this.#protocol);
  }

  /** Updates a pending order. Fields that are not given stay. With `version` only where nobody has changed it since. */
  async update(fields: OrderFields, options?: VersionedOptions): Promise<SavedOrder> {
    const sent = wireFields(fields);
    const { data, version } = await this.#send<UpdateOrder['data']>(updateOrder, sent, options);
    return saved(data, sent.money, version, this.#protocol);
  }

  /** Reads an order by its id, or by the reference that the customer pays with. */
  async query(key: string | { readonly reference: string }, options?: RequestOptions): Promise<Order> {
    const [operation, fields] = typeof key === 'string' ? [queryOrder, { order: key }] : [queryOrderByReference, key];
    const { data, version } = await this.#send<QueryOrder['data']>(operation, fields, options);
    return queried(data, version, this.#protocol);
  }

  /** Cancels a pending order. Cancelling a cancelled one is success again. */
  async cancel(order: string, options?: VersionedOptions): Promise<Pick<SavedOrder, 'order' | 'id' | 'amount' | 'reference' | 'version'>> {
    const { data, version } = await this.#send<CancelOrder['data']>(cancelOrder, { order }, options);
    whole(data, 'OrderID', 'Amount', 'Reference');
    return { order: data.OrderID, id: prefixed(data, 'OrderID'), amount: data.Amount, reference: data.Reference, version };
  }

  /** Walks through the changes of an order, oldest first; with `after` those that came after that version. */
  history(order: string, { after, ...options }: RequestOptions & { readonly after?: number | undefined } = {}): Walk<OrderChange> {
    return new Walk(async (place) => {
      const from = after === undefined ? {} : { after: String(after) };
      const { data } = await this.#send<ReadOrderHistory['data']>(readOrderHistory, { order, ...from, ...fieldsOf(place) }, options);
      const next = data.NEXT === '' ? undefined : `after=${data.NEXT}`;
      return { items: whole(data, 'HISTORY', 'NEXT').HISTORY.map(changed), first: undefined, previous: undefined, next, end: undefined };
    });
  }
}

function wireFields({ amount, money, expiration, redirect_timeout: timeout, ...rest }: OrderFields) {
  return {
    ...rest,
    money: currencyOf(amount, money),
    amount: amountText(amount),
    expiration: dayFirst(expiration),
    redirect_timeout: timeout === undefined ? undefined : String(timeout),
  };
}

/** The value under a name that begins with the prefix of the service: two letters in front of `ending`. */
function prefixed(data: object, ending: string): string {
  const [, value] = Object.entries(data).find(([name]) => name.length === ending.length + 2 && name.endsWith(ending)) ?? [];
  return String(value);
}

/** A service in the family's dialect leaves the scheme away. */
const addressOf = (checkout: string, protocol: string): string => (/^https?:/.test(checkout) ? checkout : `${protocol}//${checkout}`);

function saved(data: CreateOrder['data'] | UpdateOrder['data'], money: string, version: number, protocol: string): SavedOrder {
  const { OrdenID: order, Monto: amount, Referencia: reference } = whole(data, 'OrdenID', 'Monto', 'Referencia', 'checkout');
  const checkout = addressOf(data.checkout, protocol);
  return { order, id: prefixed(data, 'ordenID'), amount, money, reference, checkout, version };
}

function queried(data: QueryOrder['data'], version: number, protocol: string): Order {
  const { TRANSACTION: payment } = whole(data, 'ORDER', 'STATE', 'AMOUNT', 'REFERENCE', 'LIFE_TIME', 'TRANSACTION', 'checkout');
  return {
    order: data.ORDER,
    id: String(data.CODE),
    state: data.STATE,
    amount: data.AMOUNT,
    money: data.CURRENCY,
    reference: data.REFERENCE,
    description: data.DESCRIPTION,
    email: data.EMAIL,
    method: data.PAYMNENT_METHOD,
    created: data.CREATION_DATE,
    updated: data.UDPATE_DATE,
    hoursLeft: data.LIFE_TIME === '' ? undefined : parseInt(data.LIFE_TIME, 10),
    noticeAnswer: data.NOTIFICATION_RESPONSE,
    checkout: addressOf(data.checkout, protocol),
    payment: 'ID' in payment ? paid(payment as Paid) : undefined,
    version,
  };
}

type Paid = Extract<QueryOrder['data']['TRANSACTION'], { readonly NUMBER: number }>;

const paid = ({ ID, SOURCE, NUMBER, AMOUNT, CURRENCY, DATE, STATE, GIVEN_BACK }: Paid): Payment => ({
  id: ID,
  source: SOURCE,
  number: NUMBER,
  amount: AMOUNT,
  money: CURRENCY,
  date: DATE,
  state: STATE,
  givenBack: GIVEN_BACK || undefined,
});

const changed = ({ VERSION, OPERATION, ACTOR, DATE, INSTANT, CHANGES }: ReadOrderHistory['data']['HISTORY'][number]): OrderChange => ({
  version: VERSION,
  operation: OPERATION,
  actor: ACTOR,
  date: DATE,
  instant: INSTANT,
  changes: CHANGES,
});
