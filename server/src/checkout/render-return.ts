import { html, NO_HTML, type Html } from '../kit/html.ts';
import type { OrderView } from './page-view.ts';
import type { CheckoutWords } from './words.ts';

/** A page that is opened later is a receipt, which people read. It leads nobody away. */
const LATEST_SECONDS = 60;

/**
 * Renders the way back to the shop after a payment: a link to the merchant's own return URL. Right after the payment the script follows it,
 * at the end of a countdown. The address comes from the merchant's setting alone, never from a request.
 */
export function renderReturn({ state, order, payment, at, surroundings: { returnUrl } }: OrderView, words: CheckoutWords): Html {
  if (state !== 'approved' || returnUrl === null) return NO_HTML;
  const delayMs = order.redirectTimeoutMs;
  const isRecent =
    delayMs !== null &&
    payment !== undefined &&
    Temporal.Instant.compare(at, payment.paidAt.add({ seconds: LATEST_SECONDS, milliseconds: delayMs })) < 0;
  return html`<p class="return">
    <a class="button primary" id="return" href="${returnUrl}" rel="noopener">${words.back}</a>
    ${
      isRecent
        ? html`<span class="scripted" data-return="${delayMs}" data-says="${words.returning}"
            >${words.returning.replace('#', String(Math.ceil(delayMs / 1000)))}</span
          >`
        : NO_HTML
    }
  </p>`;
}
