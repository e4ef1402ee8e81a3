import { preferredLanguage } from '../kit/language.ts';
import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { findOrder, seenVersion, type CheckedLink, type FindOrderDeps, type OrderOfPage } from './find-order.ts';
import type { pageLimit } from './page-limit.ts';
import { faultTitle, renderFaultPage } from './render-fault.ts';
import { renderOrderPage } from './render-order.ts';
import type { PageShell } from './page-shell.ts';
import { readPageState, type StateSources } from './read-state.ts';
import type { NotePage } from './served/page-log.ts';
import type { CheckoutFault } from './words.ts';

export type CheckoutPages = FindOrderDeps &
  StateSources & {
    readonly shell: PageShell;
    readonly mayLoad: ReturnType<typeof pageLimit>;
    readonly note: NotePage;
  };

const STATUSES: Readonly<Record<CheckoutFault, number>> = {
  link_invalid: 404,
  amount_unclear: 422,
  too_many_requests: 429,
  unavailable: 503,
  internal: 500,
};
const RETRY_AFTER_SECONDS = '2';

/**
 * GET /checkout?token=…: shows the page of the stored order; the token only names it.
 * With `seen=<version>` the page also shows what has changed since that version. An open page polls this way. The answer is 304 after one indexed read if nothing changed. Loads are limited for each order, and wrong links for each address.
 * Source: contract §5.
 */
export async function answerShow(pages: CheckoutPages, link: CheckedLink, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  // A monotonic clock: the limit protects this machine, whatever time the sandbox's clock shows.
  if (!pages.mayLoad(link, request.ip, performance.now())) return sendFault(pages, request, reply, 'too_many_requests');
  const found = await findOrder(pages, link);
  if (found === undefined) return sendFault(pages, request, reply, 'link_invalid');
  if (knows(request.headers['if-none-match'], found.etag))
    return reply.headers(pages.shell.headers()).header('etag', found.etag).code(304).send();
  return sendOrder(pages, reply, found, seenVersion(found.order, link.seen));
}

/** Sends the page of an order, with what has changed since the version that the payer saw. */
export async function sendOrder(
  pages: CheckoutPages,
  reply: HttpReply,
  found: OrderOfPage,
  seen: number,
  status = 200,
): Promise<HttpReply> {
  const state = await readPageState(pages, found, seen);
  const { document, etag, look } = renderOrderPage(pages.shell, state);
  // Its headers alone show nobody the page.
  if (reply.request.method !== 'HEAD') pages.note({ ...found, ...state }, reply.request.headers['user-agent']);
  return reply.headers(pages.shell.headers(look)).header('etag', etag).code(status).send(document);
}

/** Sends a fault page, in the language that the browser prefers unless another is known. It says what the payer can do, and nothing else. */
export function sendFault(
  { shell }: Pick<CheckoutPages, 'shell'>,
  request: HttpRequest,
  reply: HttpReply,
  fault: CheckoutFault,
  language = preferredLanguage(request.headers['accept-language']),
): HttpReply {
  const status = STATUSES[fault];
  if ((status === 429 || status === 503) && !reply.hasHeader('retry-after')) void reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply
    .headers(shell.headers())
    .code(status)
    .send(shell.page(language, faultTitle(language, fault), renderFaultPage(language, fault)));
}

/** True when If-None-Match names the etag. A proxy may have made it a weak one. */
function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
