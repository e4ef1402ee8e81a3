import { isOutOfReach, type HttpReply, type HttpRequest, type HttpServer } from '../kit/http.ts';
import type { Finding } from './find-order.ts';
import { pageShell } from './page-shell.ts';
import { answerPay, type SimulatePayment } from './pay-order.page.ts';
import { pollLimit } from './poll-limit.ts';
import { answerShow, sendFault, type PageDoor } from './show-order.page.ts';

export type CheckoutRoom = Finding & {
  readonly networks: PageDoor['networks'];
  /** Given in sandbox mode; in production the page has no form, and the route does not exist. */
  readonly simulatePayment: SimulatePayment | undefined;
};

const PATH = '/checkout';

/** Opens the room: the page that a payer sees, and in the sandbox its form. Source: contract §5. */
export function registerCheckout(app: HttpServer, { simulatePayment, ...room }: CheckoutRoom): void {
  const maySimulate = simulatePayment !== undefined;
  const door: PageDoor = { ...room, shell: pageShell({ maySendForms: maySimulate }), mayPoll: pollLimit(), maySimulate };
  const options = { schema: { hide: true }, errorHandler: faultPages(door) };
  app.get(PATH, options, (request, reply) => answerShow(door, request, reply));
  if (simulatePayment !== undefined) app.post(PATH, options, (request, reply) => answerPay({ ...door, simulatePayment }, request, reply));
}

/** A payer reads no envelope: what goes wrong on the way to the page is a page too. What never was a request of a payer stays the kit's. */
function faultPages(door: PageDoor): (error: Error & { statusCode?: number }, request: HttpRequest, reply: HttpReply) => void {
  return (error, request, reply) => {
    if (isOutOfReach(error)) {
      request.log.warn({ requestId: request.id, error }, 'cannot serve now');
      void sendFault(door, request, reply, 'unavailable');
    } else if (error.statusCode === undefined) {
      request.log.error({ requestId: request.id, error }, 'request failed');
      void sendFault(door, request, reply, 'internal');
    } else throw error;
  };
}
