import { dayOf } from '../kit/calendar.ts';
import { html, NO_HTML, type Html } from '../kit/html.ts';
import { localizedAmount, localizedDay, localizedInstant, localizedMoney, localizedTime } from '../kit/localized.ts';
import { oneLine } from '../kit/one-line.ts';
import type { Order, OrderState } from '../orders/index.ts';
import { lookOf, mark, type Look } from './look.ts';
import { inGroups, renderPaying } from './render-paying.ts';
import { renderReturn } from './render-return.ts';
import type { PageShell } from './page-shell.ts';
import type { PageState } from './page-state.ts';
import { amountInWords } from './visible-changes.ts';
import { viewOf, type OrderView } from './page-view.ts';
import { CHECKOUT_WORDS, type CheckoutWords } from './words.ts';

/** A page: its document, the etag that names its state, and its look, which its headers allow. */
export type RenderedPage = { readonly document: string; readonly etag: string; readonly look: Look };

/** Renders the page of an order. Pure. */
export function renderOrderPage(shell: PageShell, state: PageState): RenderedPage {
  const view = viewOf(state);
  const look = lookOf(view.merchantName, state.surroundings.brand.colour);
  return { document: shell.page(view.language, titleOf(view), bodyOf(view), look), etag: view.etag, look };
}

/** How often an open page polls. Often while the order can be paid, rarely while only its payment can be given back, else never. */
const INTERVALS_MS: Readonly<Record<OrderState, number>> = { pending: 1300, approved: 30_000, expired: 0, cancelled: 0, voided: 0 };

/** An amount with more characters does not fit one line of a phone in the large type. */
const LONG_AMOUNT = 13;

/** The page's title: the amount and the merchant. */
function titleOf({ order, state, merchantName, language, locale }: OrderView): string {
  const status = state === 'pending' ? '' : `${CHECKOUT_WORDS[language].state[state]} · `;
  return `${status}${amountInWords(order, CHECKOUT_WORDS[language], locale)} · ${merchantName}`;
}

/** Renders the body of an order's page. Source: contract §5. */
function bodyOf(view: OrderView): Html {
  const { order, state, language, seenVersion, etag } = view;
  const words = CHECKOUT_WORDS[language];
  const isOpen = state === 'pending';
  return html`<main
    data-version="${order.version}"
    data-seen="${seenVersion}"
    data-etag="${etag}"
    data-interval="${INTERVALS_MS[state]}"
    data-offline="${words.offline}"
  >
    ${renderBrand(view)}
    <div id="changes" role="status">${renderChanges(view, words)}</div>
    <div id="state" role="status">${renderState(view, words)}</div>
    <div id="order" class="${isOpen ? 'open' : state === 'approved' ? 'closed' : 'closed ended'}">
      ${renderSummary(view, words)} ${renderReturn(view, words)} ${isOpen ? renderPaying(view, words) : NO_HTML}
    </div>
    ${renderFooter(view, words)}
    <p id="connection" role="status"></p>
    <p id="said" class="spoken" role="status"></p>
  </main>`;
}

/** Whose page it is. */
function renderBrand({ merchantName, surroundings, pictures }: OrderView): Html {
  return html`<header>
    ${mark(merchantName, surroundings.brand.logo, { pictures })}
    <p>${merchantName}</p>
  </header>`;
}

/** States whose page is worth keeping on paper: what is needed to pay, and receipts. */
const PRINTED: ReadonlySet<OrderState> = new Set(['pending', 'approved', 'voided']);

function renderFooter({ state, seenVersion, token, surroundings }: OrderView, words: CheckoutWords): Html {
  const { website, contact } = surroundings.brand;
  return html`<footer>
    <div class="actions">
      ${website === null ? NO_HTML : html`<a class="button" href="${website}" rel="noopener">${words.back}</a>`}
      ${PRINTED.has(state) ? html`<button type="button" class="button scripted" data-print>${words.print}</button>` : NO_HTML}
    </div>
    ${contact === null ? NO_HTML : html`<p>${words.help} <a href="${contactLink(contact)}">${contact}</a></p>`}
    <p>
      <span class="scripted updates">${words.live}</span
      ><noscript><a href="?token=${token}&amp;seen=${seenVersion}">${words.refresh}</a></noscript>
    </p>
    ${surroundings.operatorName === null ? NO_HTML : html`<p>${words.operatedBy} ${oneLine(surroundings.operatorName)}</p>`}
  </footer>`;
}

const contactLink = (contact: string): string => (contact.includes('@') ? `mailto:${contact}` : `tel:${contact.replace(/[^+0-9]/g, '')}`);

/** A change is shown while the order can be paid. After that the page shows what came of it. */
function renderChanges({ changes, payments, state, token }: OrderView, words: CheckoutWords): Html {
  if (state !== 'pending' || (changes.length === 0 && payments === 0)) return NO_HTML;
  const { title, before, now, paid, ask, acknowledge } = words.changed;
  const items = changes.map(
    (change) =>
      html`<li>
        <b>${words.fields[change.field]}</b> <span class="spoken">: ${before} </span><del>${change.before}</del>
        <span class="spoken">, ${now} </span><span aria-hidden="true">→</span> <ins>${change.now}</ins>
      </li>`,
  );
  return html`<div class="notice">
    <div>
      ${payments === 0 ? NO_HTML : html`<h2>${paid(payments)}</h2>`}
      ${
        items.length === 0
          ? NO_HTML
          : html`<h2>${title}</h2>
              <ul>
                ${items}
              </ul>
              <p>${ask}</p>`
      }
    </div>
    <a class="button primary" id="acknowledge" href="?token=${token}" data-acknowledge>${acknowledge}</a>
  </div>`;
}

function renderState(view: OrderView, words: CheckoutWords): Html {
  const { order, state, daysLeft, country, locale } = view;
  // The tick and the heading of a paid order say it to those who see them.
  const pill = html`<p class="pill ${state}${state === 'approved' ? ' spoken' : ''}">${words.state[state]}</p>`;
  if (state !== 'pending' || order.expiresAt === null) return pill;
  if (daysLeft > 0)
    return html`${pill}
      <p class="left">${words.daysLeft(daysLeft)}</p>`;
  return html`${pill}
    <p class="left urgent">${words.expiresToday(localizedTime(lastMoment(order.expiresAt), country.timeZone, locale))}</p>`;
}

/** The last second before an end: it is still of that day. */
const lastMoment = (end: Temporal.Instant): Temporal.Instant => end.subtract({ seconds: 1 });

/** The moment that a payer waits for. The heading says it in words. */
const SUCCESS = html`<svg class="success" viewBox="0 0 64 64" aria-hidden="true">
  <circle cx="32" cy="32" r="30" />
  <path d="M19 33l9 9 18-19" />
</svg>`;

function renderSummary(view: OrderView, words: CheckoutWords): Html {
  const { order, state, merchantName, locale } = view;
  const amount = order.amountMinor === 0n ? words.open.amount : localizedAmount(order.amountMinor, order.currency, locale);
  const meaning = meaningOf(view, words);
  return html`<section class="summary">
    ${state === 'approved' ? SUCCESS : NO_HTML}
    <h1 tabindex="-1">${words.heading[state](merchantName)}</h1>
    <p class="amount${amount.length > LONG_AMOUNT ? ' long' : ''}"><span>${amount}</span> <small>${order.currency}</small></p>
    ${meaning === undefined ? NO_HTML : html`<p class="meaning">${meaning}</p>`}
    <dl class="facts">
      ${facts(view, words).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function meaningOf({ order, state, country, locale }: OrderView, words: CheckoutWords): string | undefined {
  if (state === 'pending') return undefined;
  if (state !== 'expired') return words.meaning[state];
  return words.meaning.expired(localizedDay(dayOf(endOf(order), country.timeZone), locale));
}

/** When an expired order ended: with its last day, or before that, by hand. */
const endOf = ({ state, expiresAt, updatedAt }: Order): Temporal.Instant =>
  expiresAt === null || (state === 'expired' && Temporal.Instant.compare(updatedAt, expiresAt) < 0) ? updatedAt : lastMoment(expiresAt);

/** What a payer sees of refunds: how much, and how far it is. Why, and what failed, is between the merchant and its operator. */
const REFUNDED = ['requested', 'approved', 'paid'] as const;

function facts(view: OrderView, words: CheckoutWords): readonly (readonly [name: string, value: string | Html])[] {
  const { order, state, country, locale, receipt, refunded } = view;
  const { fields, since } = words;
  const terms: [string, string][] = [];
  for (const field of ['description', 'method'] as const) {
    const value = oneLine(order[field] ?? '');
    if (value !== '') terms.push([fields[field], value]);
  }
  terms.push([words.orderNumber, oneLine(order.orderId)]);
  if (state === 'pending')
    return [
      ...terms,
      order.expiresAt === null ? [words.validity, words.recurrent] : [fields.expiresOn, localizedDay(order.expiresOn, locale)],
    ];
  const moment = (at: Temporal.Instant): string => localizedInstant(at, country.timeZone, locale);
  if (receipt !== undefined) {
    const { paymentId, receivedBy } = words.receipt;
    terms.push([since.approved, moment(receipt.paidAt)], [receivedBy, receipt.receivedBy], [paymentId, receipt.paymentId]);
  }
  for (const of of REFUNDED) {
    const amountMinor = refunded?.[of] ?? 0n;
    if (amountMinor > 0n) terms.push([words.refunded[of], localizedMoney({ amountMinor, currency: order.currency }, locale)]);
  }
  if (state === 'expired') terms.push([since.expired, moment(endOf(order))]);
  if (state === 'cancelled' || state === 'voided') terms.push([since[state], moment(order.updatedAt)]);
  return [...terms, [fields.reference, html`<span class="groups">${inGroups(order.reference)}</span>`]];
}
