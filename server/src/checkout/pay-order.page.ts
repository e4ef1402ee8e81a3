import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { findLanguage } from '../kit/language.ts';
import { separatorsOf, signsOf } from '../kit/localized.ts';
import { currencyExponent, parseAmount, parseWireAmount } from '../kit/money.ts';
import { isRefusal } from '../kit/outcome.ts';
import { parseQuery } from '../kit/query-string.ts';
import { readText, withoutSign } from '../kit/written/written-number.ts';
import { localeOf } from '../merchants/index.ts';
import { readHistory, type payByMethod, type PayOrder } from '../orders/index.ts';
import { findOrder, parseVersion, seenVersion, type OrderOfPage, type CheckedLink } from './find-order.ts';
import { sendFault, sendOrder, type CheckoutPages } from './show-order.page.ts';
import { visibleChanges } from './visible-changes.ts';
import { CHECKOUT_WORDS } from './words.ts';

/** Pays exactly what was shown, or refuses. Repeating a transaction makes no second payment. */
export type SimulatePayment = (payment: Omit<PayOrder, 'source'>) => ReturnType<typeof payByMethod>;

/** Undefined: nothing is simulated here, and the form does not exist. */
export type PaymentPages = CheckoutPages & { readonly simulatePayment: SimulatePayment | undefined };

/** What the form carries: the terms that its payer saw. */
type Shown = { readonly version: number; readonly amountMinor: bigint; readonly currency: string };

/**
 * POST /checkout?token=…, in the sandbox only: simulates a payment of exactly what the payer saw, and redirects to the page.
 * Shape: a form with the version, amount and currency that were shown. Sent twice it makes one payment.
 * Refuses with 409 and the changed page: an incomplete form, an order that looks different now or is not open. With 422 an amount that
 * the payer did not write as the page writes amounts.
 * The amount is compared again under the order's lock.
 * Source: contract §5.
 */
export async function answerPay(pages: PaymentPages, link: CheckedLink, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const found = await findOrder(pages, link);
  if (found === undefined || pages.simulatePayment === undefined) return sendFault(pages, request, reply, 'link_invalid');
  const shown = readForm(request.body, found);
  if (shown === 'amount_unclear') return sendFault(pages, request, reply, shown, found.language);
  if (shown === undefined) return sendOrder(pages, reply, found, found.order.version, 409);
  if (!(await readsTheSame(pages, found, shown.version))) return askAgain(pages, reply, link, shown);
  const { version, ...money } = shown;
  const paid = await pages.simulatePayment({
    serviceOrderId: link.serviceOrderId,
    transactionId: `${link.serviceOrderId}-${version}`,
    shown: money,
    requestId: request.id,
  });
  if (isRefusal(paid)) return askAgain(pages, reply, link, shown);
  // Relative, because a proxy may serve the page at another path. `seen` makes the page of a recurrent order show the payment.
  return reply.headers(pages.shell.headers()).redirect(`?token=${link.token}&seen=${version}`, 303);
}

/** Shows the order as it is now, with what has changed since the form was shown. */
async function askAgain(pages: PaymentPages, reply: HttpReply, link: CheckedLink, { version }: Shown): Promise<HttpReply> {
  const found = (await findOrder(pages, link)) as OrderOfPage;
  return sendOrder(pages, reply, found, seenVersion(found.order, String(version)), 409);
}

/** True when the page looks as it did at that version: nothing that a payer sees has changed since. */
async function readsTheSame({ db }: PaymentPages, { order, merchant, language }: OrderOfPage, version: number): Promise<boolean> {
  if (version >= order.version) return version === order.version;
  const history = await readHistory(db, order, version);
  if (isRefusal(history) || history.next !== undefined) return false;
  return visibleChanges(order, history.events, CHECKOUT_WORDS[language], localeOf(language, merchant.country)).length === 0;
}

function readForm(body: unknown, { merchant }: Pick<OrderOfPage, 'merchant'>): Shown | 'amount_unclear' | undefined {
  const form = Buffer.isBuffer(body) ? parseQuery(`?${body.toString('latin1')}`) : undefined;
  if (!(form instanceof Map)) return undefined;
  const version = parseVersion(form.get('version'));
  const currency = form.get('money') ?? '';
  const language = findLanguage(form.get('language'));
  const text = form.get('amount') ?? '';
  const isTyped = language !== undefined && text !== '' && currencyExponent(currency) !== undefined;
  const amountMinor = isTyped ? readTyped(text, currency, localeOf(language, merchant.country)) : parseWireAmount(text, currency);
  if (isTyped && amountMinor === undefined) return 'amount_unclear';
  return version === undefined || amountMinor === undefined ? undefined : { version, amountMinor, currency };
}

/** Reads what a payer typed, as people of the page's locale write amounts. Undefined: they do not write it so. */
function readTyped(text: string, currency: string, locale: string): bigint | undefined {
  const read = readText(withoutSign(text, signsOf(currency, locale)), currencyExponent(currency) ?? 0, separatorsOf(locale));
  return 'plain' in read ? parseAmount(read.plain, currency) : undefined;
}
