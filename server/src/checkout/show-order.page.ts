import { preferredLanguage } from '../kit/language.ts';
import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { localeOf } from '../merchants/index.ts';
import type { NetworkDirectory } from '../networks/index.ts';
import { readHistory } from '../orders/index.ts';
import { oneLine } from '../kit/one-line.ts';
import { isRefusal } from '../kit/outcome.ts';
import { findOrder, readLink, seenVersion, type FindOrderDeps, type FoundOrder, type Link } from './find-order.ts';
import type { pageLimit } from './page-limit.ts';
import { faultTitle, renderFault } from './render-fault.ts';
import { readReceipt } from './receipt.ts';
import { orderTitle, renderOrder } from './render-order.ts';
import type { PageShell } from './page-shell.ts';
import { visibleChanges } from './visible-changes.ts';
import { WORDS, type PageFault } from './words.ts';

export type CheckoutPages = FindOrderDeps & {
  readonly shell: PageShell;
  readonly networks: Pick<NetworkDirectory, 'namesIn' | 'nameOf'>;
  readonly mayLoad: ReturnType<typeof pageLimit>;
  /** True in the sandbox: the page can simulate a payment. */
  readonly maySimulate: boolean;
};

const STATUSES: Readonly<Record<PageFault, number>> = { link_invalid: 404, too_many_requests: 429, unavailable: 503, internal: 500 };
const RETRY_AFTER_SECONDS = '2';

/**
 * GET /checkout?token=…: shows the page of the stored order; the token only names it.
 * With `seen=<version>` the page also shows what has changed since that version. An open page polls this way. The answer is 304 after one indexed read if nothing changed. Loads are limited for each order, and wrong links for each address.
 * Source: contract §5.
 */
export async function answerShow(pages: CheckoutPages, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const link = readLink(pages, request);
  if (link === undefined) return sendFault(pages, request, reply, 'link_invalid');
  // A monotonic clock: the limit protects this machine, whatever time the sandbox's clock shows.
  if (!pages.mayLoad(link, request.ip, performance.now())) return sendFault(pages, request, reply, 'too_many_requests');
  const found = await findOrder(pages, link);
  if (found === undefined) return sendFault(pages, request, reply, 'link_invalid');
  if (knows(request.headers['if-none-match'], found.etag))
    return reply.headers(pages.shell.headers).header('etag', found.etag).code(304).send();
  return sendOrder(pages, reply, link, found, seenVersion(found.order, link.seen));
}

/** Sends the page of an order, with what has changed since the version that the payer saw. */
export async function sendOrder(
  { db, shell, networks, maySimulate }: CheckoutPages,
  reply: HttpReply,
  { token }: Link,
  found: FoundOrder,
  seen: number,
  status = 200,
): Promise<HttpReply> {
  const { order, merchant, language, etag } = found;
  const locale = localeOf(language, merchant.country);
  const history = seen < order.version ? await readHistory(db, order, seen) : undefined;
  const events = history === undefined || isRefusal(history) ? [] : history.events;
  const view = {
    ...found,
    locale,
    merchantName: oneLine(merchant.name),
    country: merchant.country,
    token,
    seenVersion: seen,
    changes: visibleChanges(order, events, WORDS[language], locale),
    payments: order.recurrent ? events.filter(({ event }) => event === 'order.paid').length : 0,
    receipt: await readReceipt({ db, networks }, found, WORDS[language].receipt),
    networks: (await networks.namesIn(merchant.country, order.currency)).map(oneLine),
    maySimulate,
  };
  return reply
    .headers(shell.headers)
    .header('etag', etag)
    .code(status)
    .send(shell.page(language, orderTitle(view), renderOrder(view)));
}

/** Sends a fault page in the language that the browser prefers. It says what the payer can do, and nothing else. */
export function sendFault({ shell }: Pick<CheckoutPages, 'shell'>, request: HttpRequest, reply: HttpReply, fault: PageFault): HttpReply {
  const language = preferredLanguage(request.headers['accept-language']);
  const status = STATUSES[fault];
  if ((status === 429 || status === 503) && !reply.hasHeader('retry-after')) void reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply
    .headers(shell.headers)
    .code(status)
    .send(shell.page(language, faultTitle(language, fault), renderFault(language, fault)));
}

/** True when If-None-Match names the etag. A proxy may have made it a weak one. */
function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
