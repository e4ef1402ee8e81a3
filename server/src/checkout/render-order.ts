import { html, NO_HTML, type Html } from '../kit/html.ts';
import { formatAmount } from '../kit/money.ts';
import { localizedAmount, localizedChoice, localizedDay, localizedInstant, localizedMoney } from '../kit/localized.ts';
import { oneLine } from '../kit/one-line.ts';
import { localeOf, type Country } from '../merchants/index.ts';
import type { Order, OrderState } from '../orders/index.ts';
import { qrCode } from '../kit/qr-code.ts';
import type { PageShell } from './page-shell.ts';
import { countryOf, momentOf, type Moment, type PageState } from './page-state.ts';
import { receiptOf, type Receipt } from './receipt.ts';
import { visibleChanges, type VisibleChange } from './visible-changes.ts';
import { WORDS, type Words } from './words.ts';

/** A state of a page, with all that follows from it and more than one part shows. Nothing about the payer is shown (contract §5). */
type OrderView = PageState &
  Moment & {
    readonly country: Country;
    readonly locale: string;
    readonly merchantName: string;
    readonly networks: readonly string[];
    readonly changes: readonly VisibleChange[];
    /** Payments of a recurrent order since the version seen: it stays open, so its state does not show them. */
    readonly payments: number;
    readonly receipt: Receipt | undefined;
  };

/** Renders the page of an order: the document, and the etag that names its state. Pure. */
export function renderPage(shell: PageShell, state: PageState): { readonly document: string; readonly etag: string } {
  const view = viewOf(state);
  return { document: shell.page(view.language, titleOf(view), bodyOf(view)), etag: view.etag };
}

function viewOf(state: PageState): OrderView {
  const { order, events, surroundings, at } = state;
  const country = countryOf(surroundings);
  const moment = momentOf(order, { country, language: surroundings.language }, at);
  const words = WORDS[moment.language];
  const locale = localeOf(moment.language, country);
  return {
    ...state,
    ...moment,
    country,
    locale,
    merchantName: oneLine(surroundings.merchantName),
    networks: surroundings.networks.map(oneLine),
    changes: visibleChanges(order, events, words, locale),
    payments: order.recurrent ? events.filter(({ event }) => event === 'order.paid').length : 0,
    receipt: receiptOf(state, words.receipt),
  };
}

/** How often an open page polls. Often while the order can be paid, rarely while only its payment can be given back, else never. */
const INTERVALS_MS: Readonly<Record<OrderState, number>> = { pending: 1300, approved: 30_000, expired: 0, cancelled: 0, voided: 0 };

/** An amount with more characters does not fit one line of a phone in the large type. */
const LONG_AMOUNT = 13;
/** Sizes of the groups in which a reference is shown: the first that divides its length, else the first. */
const GROUP_SIZES = [4, 3, 5];

/** The page's title: the amount and the merchant. */
function titleOf({ order, state, merchantName, language, locale }: OrderView): string {
  const status = state === 'pending' ? '' : `${WORDS[language].state[state]} · `;
  return `${status}${localizedMoney(order, locale)} · ${merchantName}`;
}

/** Renders the body of an order's page. Source: contract §5. */
function bodyOf(view: OrderView): Html {
  const { order, state, language, seenVersion, etag, token } = view;
  const words = WORDS[language];
  const isOpen = state === 'pending';
  return html`<main
    data-version="${order.version}"
    data-seen="${seenVersion}"
    data-etag="${etag}"
    data-interval="${INTERVALS_MS[state]}"
    data-offline="${words.offline}"
  >
    <div id="changes" role="status">${renderChanges(view, words)}</div>
    <div id="state" role="status">${renderState(view, words)}</div>
    <div id="order" class="${isOpen ? 'open' : state === 'approved' ? 'closed' : 'closed ended'}">
      ${renderSummary(view, words)}
      ${isOpen ? [renderReference(order, words), renderSteps(view, words), renderSimulation(view, words)] : NO_HTML}
    </div>
    <footer>
      <p>
        <span class="scripted updates">${words.live}</span
        ><noscript><a href="?token=${token}&amp;seen=${seenVersion}">${words.refresh}</a></noscript>
      </p>
      <button type="button" class="button scripted" data-print>${words.print}</button>
    </footer>
    <p id="connection" role="status"></p>
    <p id="said" class="spoken" role="status"></p>
  </main>`;
}

function renderChanges({ changes, payments, state, token }: OrderView, words: Words): Html {
  if (changes.length === 0 && payments === 0) return NO_HTML;
  const { title, before, now, paid, ask, acknowledge } = words.changed;
  const items = changes.map(
    (change) =>
      html`<li>
        <b>${words.fields[change.field]}</b> <span class="spoken">${before}: </span><del>${change.before}</del>
        <span aria-hidden="true">→</span> <span class="spoken">, ${now}: </span><ins>${change.now}</ins>
      </li>`,
  );
  return html`<div class="notice">
    ${payments === 0 ? NO_HTML : html`<h2>${paid(payments)}</h2>`}
    ${
      items.length === 0
        ? NO_HTML
        : html`<h2>${title}</h2>
            <ul>
              ${items}
            </ul>
            ${state === 'pending' ? html`<p>${ask}</p>` : NO_HTML}`
    } <a class="button" id="acknowledge" href="?token=${token}" data-acknowledge>${acknowledge}</a>
  </div>`;
}

function renderState({ order, state, daysLeft }: OrderView, words: Words): Html {
  const pill = html`<p class="pill ${state}">${words.state[state]}</p>`;
  return state !== 'pending' || order.expiresAt === null
    ? pill
    : html`${pill}
        <p class="left">${words.daysLeft(daysLeft)}</p>`;
}

function renderSummary(view: OrderView, words: Words): Html {
  const { order, state, merchantName, locale } = view;
  const amount = localizedAmount(order.amountMinor, order.currency, locale);
  const meaning = meaningOf(view, words);
  return html`<section class="summary">
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

function meaningOf({ order, state, locale }: OrderView, words: Words): string | undefined {
  if (state === 'pending') return undefined;
  return state === 'expired' ? words.meaning.expired(localizedDay(order.expiresOn, locale)) : words.meaning[state];
}

function facts(view: OrderView, words: Words): readonly (readonly [name: string, value: string])[] {
  const { order, state, country, locale, receipt } = view;
  const { fields, since } = words;
  const terms: [string, string][] = [];
  for (const field of ['description', 'method'] as const) {
    const value = oneLine(order[field] ?? '');
    if (value !== '') terms.push([fields[field], value]);
  }
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
  if (state === 'cancelled' || state === 'voided') terms.push([since[state], moment(order.updatedAt)]);
  return [...terms, [fields.reference, order.reference]];
}

function renderReference({ reference }: Order, words: Words): Html {
  // Groups help to read it aloud and to type it. They have no spaces, which a copy would include.
  const size = GROUP_SIZES.find((one) => reference.length % one === 0) ?? GROUP_SIZES[0];
  const groups = (reference.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).map((group) => html`<span>${group}</span>`);
  const [first = NO_HTML, ...others] = groups;
  return html`<section class="reference">
    <h2>${words.fields.reference}</h2>
    <p class="digits" id="reference">${first}${others.map((group) => html`<wbr />${group}`)}</p>
    <button type="button" class="button scripted" id="copy" data-copy="${reference}" data-copied="${words.copied}">${words.copy}</button>
    ${qrCode(reference, words.qr)}
    <p class="quiet">${words.referenceHint}</p>
  </section>`;
}

function renderSteps({ order, merchantName, locale, networks }: OrderView, words: Words): Html {
  const places = networks.length === 0 ? words.anyPoint : words.pointOf(localizedChoice(networks, locale));
  const { go, tell, pay, keep } = words.steps;
  const steps = [go(places), tell(merchantName), pay(localizedMoney(order, locale)), keep];
  return html`<section class="steps">
    <h2>${words.payInCash}</h2>
    <ol>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
  </section>`;
}

/** Renders the form. It carries the amount and the version that the payer sees, so that nothing else is paid. */
function renderSimulation({ order, surroundings, locale }: OrderView, words: Words): Html {
  if (!surroundings.maySimulate) return NO_HTML;
  const { title, note, button } = words.simulate;
  return html`<section class="simulate">
    <div>
      <h2>${title}</h2>
      <p class="quiet">${note}</p>
    </div>
    <form method="post">
      <input type="hidden" name="version" value="${order.version}" /><input type="hidden" name="money" value="${order.currency}" /><input
        type="hidden"
        name="amount"
        value="${formatAmount(order.amountMinor, order.currency)}"
      />
      <button class="button primary" id="pay">${button(localizedMoney(order, locale))}</button>
    </form>
  </section>`;
}
