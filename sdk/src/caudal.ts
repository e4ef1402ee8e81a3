import {
  balanceOf,
  Cashouts,
  movementsOf,
  moveToFundOf,
  type Balance,
  type Days,
  type MovedToFund,
  type Movement,
  type ToFund,
} from './cashouts.ts';
import { Orders } from './orders.ts';
import { Refunds } from './refunds.ts';
import { openSend, type RequestOptions, type Send, type Settings } from './send.ts';
import type { Walk } from './walk.ts';

/** A merchant's client. It holds the merchant's secret: keep it on your server. */
export class Caudal {
  readonly orders: Orders;
  readonly refunds: Refunds;
  readonly cashouts: Cashouts;
  readonly #send: Send;

  constructor(settings: Settings) {
    this.#send = openSend(settings);
    this.orders = new Orders(this.#send, new URL(settings.url).protocol);
    this.refunds = new Refunds(this.#send);
    this.cashouts = new Cashouts(this.#send);
  }

  /** Reads what the funds hold, by currency. */
  balance(options?: RequestOptions): Promise<readonly Balance[]> {
    return balanceOf(this.#send, options);
  }

  /** Moves what orders have brought to the fund that cashouts are registered with. The same reference again moves nothing. */
  moveToFund(move: ToFund, options?: RequestOptions): Promise<MovedToFund> {
    return moveToFundOf(this.#send, move, options);
  }

  /** Walks through what came into the funds and what left them, the newest first. */
  movements(days: Days & { readonly limit?: number | undefined } = {}, options?: RequestOptions): Walk<Movement> {
    return movementsOf(this.#send, days, options);
  }
}
