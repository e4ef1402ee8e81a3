import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { HttpRequest } from '../kit/http.ts';
import { parseQuery } from '../kit/query-string.ts';
import { openWith, type ServiceKey } from '../kit/keys/service-keys.ts';
import type { Merchant, MerchantDirectory } from '../merchants/index.ts';
import { readOrderForCheckout, verifyCheckoutToken, type Order } from '../orders/index.ts';
import type { Limits, Tally } from '../requests/index.ts';
import { momentOf, type Moment } from './page-state.ts';

export type FindOrderDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly merchants: MerchantDirectory;
  readonly tokenKey: ServiceKey;
  readonly limits: Pick<Limits, 'countUnproved'>;
  readonly tally: Tally;
};

/** What a link names. Its signature is checked; nothing has been read yet. */
export type CheckedLink = { readonly token: string; readonly serviceOrderId: bigint; readonly seen: string | undefined };

/** An order as a page shows it at one moment. */
export type OrderOfPage = Moment & { readonly order: Order; readonly merchant: Merchant; readonly at: Temporal.Instant };

/** Reads the link that a request opens. Undefined: we did not sign it, and the request is counted. Source: contract §5. */
export function readLink(
  { tokenKey, limits, tally }: Pick<FindOrderDeps, 'tokenKey' | 'limits' | 'tally'>,
  request: HttpRequest,
): CheckedLink | undefined {
  const query = parseQuery(request.raw.url ?? '');
  const token = query instanceof Map ? query.get('token') : undefined;
  const serviceOrderId = token === undefined ? undefined : openWith(tokenKey, (key) => verifyCheckoutToken(key, token));
  if (!(query instanceof Map) || token === undefined || serviceOrderId === undefined) {
    // Without a token it is not a guess.
    if (token) tally('wrong_checkout_token', undefined, request.ip);
    limits.countUnproved(request);
    return undefined;
  }
  return { token, serviceOrderId, seen: query.get('seen') };
}

/** Reads the order of a link as it is now, by one statement that uses an index. Undefined: it does not exist. Source: contract §5. */
export async function findOrder(
  { db, clock, merchants }: FindOrderDeps,
  { serviceOrderId }: CheckedLink,
): Promise<OrderOfPage | undefined> {
  const order = await readOrderForCheckout(db, serviceOrderId);
  const merchant = order === undefined ? undefined : await merchants.find(order.merchantId);
  if (order === undefined || merchant === undefined) return undefined;
  const at = clock.now();
  return { order, merchant, at, ...momentOf(order, merchant, at) };
}

/** The version that a payer has seen, as sent. The order's own if none was sent, or one that never existed. */
export function seenVersion({ version }: Order, sent: string | undefined): number {
  return Math.min(parseVersion(sent) ?? version, version);
}

const VERSION = /^[1-9][0-9]{0,8}$/;

/** Reads a version of an order as a page sends it. */
export const parseVersion = (text: string | undefined): number | undefined => (VERSION.test(text ?? '') ? Number(text) : undefined);
