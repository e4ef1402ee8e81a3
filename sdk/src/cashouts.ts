import { hash, newId } from './crypto.ts';
import { compactDay, listedDay } from './days.ts';
import { whole } from './errors.ts';
import {
  cancelCashout,
  listCashouts,
  listMovements,
  moveToFund,
  queryCashout,
  readBalance,
  registerCashout,
  registerRefundCashout,
  renewOneTimePassword,
  type ListCashouts,
  type ListMovements,
  type MoveToFund,
  type ReadBalance,
  type RegisterCashout,
  type RegisterRefundCashout,
  type RenewOneTimePassword,
} from './generated/operations.ts';
import { amountText, currencyOf, type Amount, type Priced } from './money.ts';
import type { Answer, KeyedOptions, RequestOptions, Send } from './send.ts';
import { fieldsOf, placeOf, Walk, type Page } from './walk.ts';

type Item = ListCashouts['data'];
export type CashoutStatus = Item['status'];

/** A cashout as it is now. */
export type Cashout = Omit<Item, 'sms' | 'expire' | 'update'> & {
  /** Whether the one-time password went to the end user by SMS. */
  readonly sms: boolean;
  /** The last day on which it can be collected, YYYY-MM-DD. */
  readonly expire: string;
  /** The day of its last change, YYYY-MM-DD, in the merchant's zone. */
  readonly update: string;
};

/** The fields of a cashout, by their names in the reference. */
export type CashoutFields = Omit<RegisterCashout['fields'], 'amount' | 'currency' | 'transactionCost' | 'otpLength'> &
  Priced<'currency'> & {
    /** What the end user bears; zero where absent. */
    readonly transactionCost?: Amount | undefined;
    /** Digits of the one-time password, 4 to 12. */
    readonly otpLength?: number | undefined;
  };

/** The fields of a cashout for a refund, whose amount it has. */
export type RefundCashoutFields = Omit<RegisterRefundCashout['fields'], 'type' | 'otpLength'> & Pick<CashoutFields, 'otpLength'>;

/** A cashout that was registered. */
export type RegisteredCashout = Omit<RegisterCashout['data'], 'svCode'> & {
  /** The service's id of the cashout. */
  readonly id: string;
};

/** Names one cashout. */
export type CashoutKey = { readonly operation: string; readonly document: string };

/** Days of a list, both included; today where absent. */
export type Days = {
  /** YYYY-MM-DD. */
  readonly start?: string | undefined;
  /** YYYY-MM-DD. */
  readonly end?: string | undefined;
};

export type CashoutFilter = Days & {
  readonly status?: CashoutStatus | readonly CashoutStatus[] | undefined;
  /** Only cashouts of this end user. */
  readonly document?: string | undefined;
  /** Items of a page, 10 to 100; 100 where absent. */
  readonly limit?: number | undefined;
  /** Walks from the last page to the first one. */
  readonly oldestFirst?: boolean | undefined;
};

/** One row of a fund. A service in the family's dialect has its own words for `type`, and instants. */
export type Movement = Omit<ListMovements['data'], 'type'> & { readonly type: ListMovements['data']['type'] | (string & {}) };
/** The family's dialect sends a number. */
type SentMovement = Omit<Movement, 'amount'> & { readonly amount: string | number };
type ReadBalances = ReadBalance['data']['balances'];
/**
 * What the fund of one currency holds.
 * A service in the family's dialect says it of the merchant's first currency alone. It does not name it, nor what is reserved.
 */
export type Balance = Pick<ReadBalances[number], 'balance'> & { readonly [Name in 'currency' | 'reserved']: string | undefined };

const DEFAULT_LIMIT = 100;
const RENEWAL = 'otp.';
const RENEWAL_ID = 36;

/** The cashouts of a merchant. */
export class Cashouts {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Registers a cashout. With one Idempotency-Key it is registered once; an answer that is given again has no `otp`. */
  async register(
    { amount, currency, transactionCost, otpLength, ...rest }: CashoutFields,
    options?: KeyedOptions,
  ): Promise<RegisteredCashout> {
    const fields = {
      ...rest,
      amount: amountText(amount),
      currency: currencyOf(amount, currency),
      transactionCost: transactionCost === undefined ? undefined : amountText(transactionCost),
      otpLength: digitsOf(otpLength),
    };
    return registeredOf((await this.#send<RegisterCashout['data']>(registerCashout, fields, options)).data);
  }

  /** Registers a cashout with which the payer collects an approved refund, as `register` does. */
  async registerForRefund({ otpLength, ...rest }: RefundCashoutFields, options?: KeyedOptions): Promise<RegisteredCashout> {
    const fields = { ...rest, type: 'refund.cashout', otpLength: digitsOf(otpLength) };
    return registeredOf((await this.#send<RegisterCashout['data']>(registerRefundCashout, fields, options)).data);
  }

  /** Reads one cashout. */
  async query(key: CashoutKey, options?: RequestOptions): Promise<Cashout> {
    return cashoutOf((await this.#send<Item>(queryCashout, key, options)).data);
  }

  /** Cancels a pending cashout: its money goes back to the fund. Cancelling a cancelled one is success again. */
  async cancel(key: CashoutKey, options?: RequestOptions): Promise<Cashout> {
    return cashoutOf((await this.#send<Item>(cancelCashout, key, options)).data);
  }

  /** Gives a pending cashout a new one-time password, which is sent, or is in the answer. The old one ends. */
  async resend(
    { operation, document, otpLength }: CashoutKey & { readonly otpLength?: number | undefined },
    options?: KeyedOptions,
  ): Promise<RenewOneTimePassword['data']> {
    // Each renewal needs a checksum of its own, and one key always the same body.
    const idempotencyKey = options?.idempotencyKey ?? (await newId());
    const renewal = RENEWAL + (await hash('SHA-256', idempotencyKey)).slice(0, RENEWAL_ID);
    const fields = { operation, document, renewal, otpLength: digitsOf(otpLength) };
    const { data } = await this.#send<RenewOneTimePassword['data']>(renewOneTimePassword, fields, { ...options, idempotencyKey });
    return whole(data, 'operation');
  }

  /** Walks through the cashouts whose last change lies on these days, the newest first. Without days: those of today alone. */
  list(
    { start, end, status, document, limit = DEFAULT_LIMIT, oldestFirst }: CashoutFilter = {},
    options?: RequestOptions,
  ): Walk<Cashout, string | number> {
    const names = [status ?? []].flat().join(',');
    const filter = { start: compactDay(start), end: compactDay(end), status: names || undefined, document, limit: String(limit) };
    const read = async (place: string): Promise<Page<Cashout>> =>
      pageOf(await this.#send<readonly Item[]>(listCashouts, { ...filter, ...fieldsOf(place) }, options), cashoutOf);
    return new Walk(read, oldestFirst);
  }
}

/** What the funds of the merchant hold, by currency. */
export async function balanceOf(send: Send, options?: RequestOptions): Promise<readonly Balance[]> {
  const { data } = await send<{ readonly balances?: ReadBalances; readonly available?: number }>(readBalance, {}, options);
  return data.balances ?? [{ currency: undefined, balance: String(whole(data, 'available').available), reserved: undefined }];
}

/** What moves, and its name: `fund.` and an id that is new for each move. */
export type ToFund = Pick<MoveToFund['fields'], 'reference'> & Priced<'currency'>;
/** What was moved, what the fund holds then, and what is left of what was collected. */
export type MovedToFund = MoveToFund['data'];

/** Moves what orders have brought to the fund of its currency. */
export async function moveToFundOf(send: Send, { amount, currency, reference }: ToFund, options?: RequestOptions): Promise<MovedToFund> {
  const fields = { reference, amount: amountText(amount), currency: currencyOf(amount, currency) };
  return whole((await send<MoveToFund['data']>(moveToFund, fields, options)).data, 'reference', 'balance');
}

/** Walks through what came into the funds and what left them, the newest first. */
export function movementsOf(
  send: Send,
  { start, end, limit = DEFAULT_LIMIT }: Days & { readonly limit?: number | undefined },
  options?: RequestOptions,
): Walk<Movement> {
  const filter = { start: compactDay(start), end: compactDay(end), limit: String(limit) };
  return new Walk(async (place) =>
    pageOf(await send<readonly SentMovement[]>(listMovements, { ...filter, ...fieldsOf(place) }, options), (movement) => ({
      ...whole(movement, 'date', 'amount'),
      amount: String(movement.amount),
    })),
  );
}

const digitsOf = (otpLength: number | undefined): string | undefined => (otpLength === undefined ? undefined : String(otpLength));

function registeredOf(data: RegisterCashout['data']): RegisteredCashout {
  const { amount, transactionCost, currency, description, document, operation, expire, balance, otp } = whole(data, 'amount', 'operation');
  const id = Object.entries(data).find(([name]) => name.endsWith('Code'))?.[1];
  return { amount, transactionCost, currency, description, document, operation, expire, id: String(id), balance, otp };
}

function cashoutOf(item: Item): Cashout {
  const { sms, expire, update, ...rest } = whole(item, 'operation', 'status', 'amount', 'expire', 'update');
  return { ...rest, sms: sms === 'true', expire: listedDay(expire), update: listedDay(update) };
}

const pageOf = <Sent, Shown>({ data, body }: Answer<readonly Sent[]>, show: (item: Sent) => Shown): Page<Shown> => ({
  items: [data].flat().map(show),
  first: placeOf(body['first']),
  previous: placeOf(body['previous']),
  next: placeOf(body['next']),
  end: placeOf(body['end']),
});
