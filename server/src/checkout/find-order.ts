import { dayOf } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { parseQuery } from '../kit/query-string.ts';
import type { Language } from '../kit/language.ts';
import type { Merchant, MerchantDirectory } from '../merchants/index.ts';
import { readOrderForCheckout, stateAt, verifyCheckoutToken, type Order, type OrderState } from '../orders/index.ts';

export type Finding = { readonly db: Db; readonly clock: Clock; readonly merchants: MerchantDirectory; readonly tokenKey: Buffer };

/** What a link names, proved by its signature: nothing has been read for it yet. */
export type Link = { readonly token: string; readonly serviceOrderId: bigint; readonly seen: string | undefined };

/** An order as a page shows it at one moment. */
export type FoundOrder = {
  readonly order: Order;
  readonly merchant: Merchant;
  readonly state: OrderState;
  readonly language: Language;
  /** Whole days until the last one on which it can be paid; 0: today. */
  readonly daysLeft: number;
  /** Differs whenever the page does, for the same language of the page and the same version seen. */
  readonly etag: string;
};

/** Reads the link of a request's URL; undefined: it is not one of ours. Source: contract §5. */
export function readLink(tokenKey: Buffer, url: string): Link | undefined {
  const query = parseQuery(url);
  const token = query instanceof Map ? query.get('token') : undefined;
  const serviceOrderId = token === undefined ? undefined : verifyCheckoutToken(tokenKey, token);
  if (!(query instanceof Map) || token === undefined || serviceOrderId === undefined) return undefined;
  return { token, serviceOrderId, seen: query.get('seen') };
}

/** Reads the order of a link as it is now: one statement, found by an index. Undefined: it is gone. Source: contract §5. */
export async function findOrder({ db, clock, merchants }: Finding, { serviceOrderId }: Link): Promise<FoundOrder | undefined> {
  const order = await readOrderForCheckout(db, serviceOrderId);
  const merchant = order === undefined ? undefined : await merchants.find(order.merchantId);
  if (order === undefined || merchant === undefined) return undefined;
  const now = clock.now();
  const state = stateAt(order, now);
  const daysLeft = dayOf(now, merchant.country.timeZone).until(order.expiresOn, { largestUnit: 'days' }).days;
  const language = order.language ?? merchant.language;
  return { order, merchant, state, language, daysLeft, etag: `"${order.version}-${state}-${daysLeft}-${language}"` };
}

const VERSION = /^[1-9][0-9]{0,8}$/;

/** The version that a payer says to have seen; the order's own where they say none, or one that never was. */
export function seenVersion({ version }: Order, sent: string | undefined): number {
  const seen = VERSION.test(sent ?? '') ? Number(sent) : version;
  return Math.min(seen, version);
}
