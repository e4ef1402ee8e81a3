import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { parseAmount } from '../kit/money.ts';
import { isRefusal } from '../kit/outcome.ts';
import { parseQuery } from '../kit/query-string.ts';
import { localeOf } from '../merchants/index.ts';
import { readHistory, type payByMethod, type PayOrder } from '../orders/index.ts';
import { findOrder, readLink, seenVersion, type FoundOrder, type Link } from './find-order.ts';
import { sendFault, sendOrder, type PageDoor } from './show-order.page.ts';
import { visibleChanges } from './visible-changes.ts';
import { WORDS } from './words.ts';

/** Pays exactly what was shown, or refuses. The same transaction again is the same payment. */
export type SimulatePayment = (payment: Omit<PayOrder, 'source'>) => ReturnType<typeof payByMethod>;

export type PayDoor = PageDoor & { readonly simulatePayment: SimulatePayment };

/** What the form carries: what its payer had before their eyes. */
type Shown = { readonly version: number; readonly amountMinor: bigint; readonly currency: string };

/**
 * POST /checkout?token=…, in the sandbox only: simulates a payment of exactly what the payer saw, and leads back to the page.
 * Shape: a form with the version, amount and currency that were shown. Sent twice it is one payment.
 * Refuses, by showing the page again with what has changed (409): a form that lacks what was shown, an order that reads otherwise by now,
 * one that is not open. The amount is compared once more where the order is locked.
 * Source: contract §5.
 */
export async function answerPay(door: PayDoor, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const link = readLink(door.tokenKey, request.raw.url ?? '');
  const found = link === undefined ? undefined : await findOrder(door, link);
  if (link === undefined || found === undefined) return sendFault(door, request, reply, 'link_invalid');
  const shown = readForm(request.body);
  if (shown === undefined) return sendOrder(door, reply, link, found, found.order.version, 409);
  if (!(await readsTheSame(door, found, shown.version))) return askAgain(door, reply, link, shown);
  const { version, ...money } = shown;
  const paid = await door.simulatePayment({
    serviceOrderId: link.serviceOrderId,
    transactionId: `${link.serviceOrderId}-${version}`,
    shown: money,
    requestId: request.id,
  });
  if (isRefusal(paid)) return askAgain(door, reply, link, shown);
  // Relative, because a proxy may have put the page at another path; a recurrent order, which stays open, is told to be paid.
  return reply.headers(door.shell.headers).redirect(`?token=${link.token}&seen=${version}`, 303);
}

/** Shows the order as it is by now, with what has changed since the form was shown. */
async function askAgain(door: PayDoor, reply: HttpReply, link: Link, { version }: Shown): Promise<HttpReply> {
  const found = (await findOrder(door, link)) as FoundOrder;
  return sendOrder(door, reply, link, found, seenVersion(found.order, String(version)), 409);
}

/** True when the page would read as it did at that version: what changed since, if anything, is nothing that a payer sees. */
async function readsTheSame({ db }: PayDoor, { order, merchant, language }: FoundOrder, version: number): Promise<boolean> {
  if (version >= order.version) return version === order.version;
  const history = await readHistory(db, order, version);
  if (isRefusal(history) || history.next !== undefined) return false;
  return visibleChanges(order, history.events, WORDS[language], localeOf(language, merchant.country)).length === 0;
}

const VERSION = /^[1-9][0-9]{0,8}$/;

function readForm(body: unknown): Shown | undefined {
  const form = Buffer.isBuffer(body) ? parseQuery(`?${body.toString('latin1')}`) : undefined;
  if (!(form instanceof Map)) return undefined;
  const version = form.get('version') ?? '';
  const currency = form.get('money') ?? '';
  const amountMinor = parseAmount(form.get('amount') ?? '', currency);
  return VERSION.test(version) && amountMinor !== undefined ? { version: Number(version), amountMinor, currency } : undefined;
}
