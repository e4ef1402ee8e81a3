import { isOutOfReach, TooManyRequests, type HttpReply, type HttpRequest, type HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import { cellOfId, mapCells, type PerCell } from '../kit/per-cell.ts';
import { readLink, type CheckedLink, type FindOrderDeps } from './find-order.ts';
import { pageShell } from './page-shell.ts';
import { answerPay, type PaymentPages, type SimulatePayment } from './pay-order.page.ts';
import { pageLimit } from './page-limit.ts';
import { forgetViews } from './served/forget-views.job.ts';
import { openPageLog } from './served/page-log.ts';
import type { PagesDeps } from './served/pages.manage.ts';
import { answerShow, sendFault, type CheckoutPages } from './show-order.page.ts';

export { pagesManagement } from './served/pages.manage.ts';

type CheckoutRoom = FindOrderDeps & {
  readonly networks: CheckoutPages['networks'];
  readonly log: Log;
  /** Days until the log of pages forgets one. */
  readonly keptViewsDays: number;
  readonly operatorName: CheckoutPages['operatorName'];
  /** Given in sandbox mode only. In production the page has no form, and its route does not exist. */
  readonly simulatePayment: SimulatePayment | undefined;
};

const PATH = '/checkout';

/** Leads links to the root of this server to the page. Some clients send payers to a fixed host alone: docs/dialect.md. */
export const rootToCheckout = (url: string): string => (/^\/\?(?:.*&)?token=/.test(url) ? PATH + url.slice(1) : url);

/** What other rooms and main do with pages. */
export type Checkout = {
  readonly jobs: readonly Job[];
  /** What the operations of the management API depend on. */
  readonly deps: PagesDeps;
  /** Writes the pages that were served and are not written yet. */
  close(): Promise<void>;
};

/** Adds the checkout page, and in the sandbox its form. Source: contract §5. */
export function registerCheckout(app: HttpServer, rooms: PerCell<CheckoutRoom>): PerCell<Checkout> {
  const mayLoad = pageLimit();
  const opened = mapCells(rooms, ({ simulatePayment, log, keptViewsDays, ...room }) => {
    const maySimulate = simulatePayment !== undefined;
    const served = openPageLog({ db: room.db, log });
    const sources = { ...room, maySimulate, shell: pageShell({ maySendForms: maySimulate }) };
    const pages: CheckoutPages & PaymentPages = { ...sources, mayLoad, note: served.note, simulatePayment };
    return { pages, checkout: { jobs: [served.job, forgetViews(room, keptViewsDays)], deps: sources, close: served.close } };
  });
  const { pages } = opened.home;
  /** Answers a link by the pages of the cell whose order it names. */
  const byLink =
    (answer: (pages: CheckoutPages & PaymentPages, link: CheckedLink, request: HttpRequest, reply: HttpReply) => Promise<HttpReply>) =>
    async (request: HttpRequest, reply: HttpReply): Promise<HttpReply> => {
      const link = readLink(pages, request);
      if (link === undefined) return sendFault(pages, request, reply, 'link_invalid');
      return answer(opened.isAlone ? pages : opened.of(cellOfId(link.serviceOrderId)).pages, link, request, reply);
    };
  const options = { schema: { hide: true }, errorHandler: faultPages(pages) };
  app.get(PATH, options, byLink(answerShow));
  if (pages.simulatePayment !== undefined) app.post(PATH, options, byLink(answerPay));
  return mapCells(opened, ({ checkout }) => checkout);
}

/** Answers faults with a page, because a payer cannot read an envelope. The kit answers what is not a request of a payer. */
function faultPages(pages: CheckoutPages): (error: Error & { statusCode?: number }, request: HttpRequest, reply: HttpReply) => void {
  return (error, request, reply) => {
    if (error instanceof TooManyRequests) void sendFault(pages, request, reply.headers(error.headers), 'too_many_requests');
    else if (isOutOfReach(error)) {
      request.log.warn({ requestId: request.id, error }, 'cannot serve now');
      void sendFault(pages, request, reply, 'unavailable');
    } else if (error.statusCode === undefined) {
      request.log.error({ requestId: request.id, error }, 'request failed');
      void sendFault(pages, request, reply, 'internal');
    } else throw error;
  };
}
