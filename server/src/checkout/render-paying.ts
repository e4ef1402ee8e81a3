import { parseHours, type Opening } from '../brands/index.ts';
import { code128 } from './code-128.ts';
import { html, NO_HTML, type Html } from '../kit/html.ts';
import { localizedChoice, localizedMoney, separatorsOf } from '../kit/localized.ts';
import { formatAmount, parseWireAmount } from '../kit/money.ts';
import { qrCode } from '../kit/qr-code.ts';
import { writeNumber } from '../kit/written/written-number.ts';
import type { Order } from '../orders/index.ts';
import { mark } from './look.ts';
import type { PayingPoint } from './page-state.ts';
import type { OrderView } from './page-view.ts';
import type { CheckoutWords } from './words.ts';

/** Renders all that a payer needs to pay: the reference, where, and how. */
export function renderPaying(view: OrderView, words: CheckoutWords): Html {
  // The merchant takes open amounts no more: nobody can pay this order until it has one.
  if (view.order.amountMinor === 0n && view.surroundings.openAmount === null) return NO_HTML;
  return html`${renderReference(view.order, words)} ${renderPlaces(view, words)} ${renderSteps(view, words)}
  ${renderSimulation(view, words)}`;
}

/** Sizes of the groups in which a reference is shown: the first that divides its length, else the first. */
const GROUP_SIZES = [4, 3, 5];

/** A reference in groups, which help to read it aloud and to type it. They have no spaces, which a copy would include. */
export function inGroups(reference: string): Html {
  const size = GROUP_SIZES.find((one) => reference.length % one === 0) ?? GROUP_SIZES[0];
  const [first = NO_HTML, ...others] = (reference.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).map((group) => html`<span>${group}</span>`);
  return html`${first}${others.map((group) => html`<wbr />${group}`)}`;
}

function renderReference({ reference }: Order, words: CheckoutWords): Html {
  return html`<section class="reference">
    <div>
      <h2>${words.fields.reference}</h2>
      <p class="digits groups" id="reference">${inGroups(reference)}</p>
      <div class="actions">
        <button type="button" class="button scripted" id="copy" data-copy="${reference}" data-copied="${words.copied}">
          ${words.copy}
        </button>
        <button type="button" class="button scripted" id="share" data-share data-copied="${words.shared}">${words.share}</button>
      </div>
      <div class="codes">${qrCode(reference, words.qr)} ${code128(reference, words.bars)}</div>
      <p class="quiet">${words.referenceHint}</p>
    </div>
  </section>`;
}

/** What logos of networks may take of a page, together. Beyond, a network has its initial in place of its logo. */
const MOST_LOGO_BYTES = 9_216;

function renderPlaces(view: OrderView, words: CheckoutWords): Html {
  const { networks, pictures } = view;
  if (networks.length === 0) return NO_HTML;
  let bytes = 0;
  const points = networks.map((point) => {
    const size = (point.logo === null ? undefined : pictures.get(point.logo))?.length ?? 0;
    bytes += size;
    const details = [feeOf(point, view, words), ...hoursOf(point, view, words)].filter((text) => text !== '');
    return html`<li>
      ${mark(point.name, bytes > MOST_LOGO_BYTES ? null : point.logo, view)}
      <div>
        <b>${point.name}</b>
        ${details.map((text) => html`<small>${text}</small>`)}
      </div>
    </li>`;
  });
  return html`<section class="places">
    <h2>${words.where.title}</h2>
    <ul>
      ${points}
    </ul>
  </section>`;
}

function feeOf({ fees }: PayingPoint, { order: { currency }, locale }: OrderView, { where }: CheckoutWords): string {
  const minor = fees[currency];
  if (minor === undefined) return '';
  return BigInt(minor) === 0n ? where.free : where.fee(localizedMoney({ amountMinor: BigInt(minor), currency }, locale));
}

function hoursOf({ hours }: PayingPoint, { locale }: OrderView, { where }: CheckoutWords): readonly string[] {
  const openings = hours === null ? [] : (parseHours(hours) ?? []);
  return openings.map((opening) => `${daysOf(opening, locale, where)}, ${timesOf(opening, where)}`);
}

/** A Monday, to name the days of a week by. */
const MONDAY = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;

function daysOf({ firstDay, lastDay }: Opening, locale: string, { everyDay }: CheckoutWords['where']): string {
  if (firstDay === 1 && lastDay === 7) return everyDay;
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const name = (day: number): string => format.format(MONDAY + (day - 1) * DAY_MS).replace('.', '');
  return firstDay === lastDay ? name(firstDay) : `${name(firstDay)}–${name(lastDay)}`;
}

/** Hours of shops are written with two digits everywhere: 08:00–20:00. */
const timesOf = ({ opens, closes }: Opening, { allDay }: CheckoutWords['where']): string =>
  opens === '00:00' && closes === '24:00' ? allDay : `${opens}–${closes}`;

function renderSteps({ order, merchantName, locale, networks, surroundings }: OrderView, words: CheckoutWords): Html {
  const names = networks.map(({ name }) => name);
  const places = names.length === 0 ? words.anyPoint : words.pointOf(localizedChoice(names, locale));
  const { go, tell, pay, keep } = words.steps;
  const { openAmount } = surroundings;
  const inWords = (amount: string): string =>
    localizedMoney({ ...order, amountMinor: parseWireAmount(amount, order.currency) ?? 0n }, locale);
  const paid =
    openAmount === null ? pay(localizedMoney(order, locale)) : words.open.pay(inWords(openAmount.least), inWords(openAmount.most));
  const steps = [go(places), tell(merchantName), paid, keep];
  return html`<section class="steps">
    <h2>${words.payInCash}</h2>
    <ol>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
  </section>`;
}

/** Renders the form. It carries the amount and the version that the payer sees, so that nothing else is paid. */
function renderSimulation({ order, surroundings, locale, language }: OrderView, words: CheckoutWords): Html {
  if (!surroundings.maySimulate) return NO_HTML;
  const { title, note, button } = words.simulate;
  return html`<section class="simulate">
    <div>
      <h2>${title}</h2>
      <p class="quiet">${note}</p>
    </div>
    <form method="post">
      <input type="hidden" name="version" value="${order.version}" /><input type="hidden" name="money" value="${order.currency}" />
      ${
        surroundings.openAmount === null
          ? html`<input type="hidden" name="amount" value="${formatAmount(order.amountMinor, order.currency)}" />
              <button class="button primary" id="pay">${button(localizedMoney(order, locale))}</button>`
          : html`<input type="hidden" name="language" value="${language}" /><label
                >${words.open.label}
                <input
                  name="amount"
                  inputmode="decimal"
                  required
                  value="${writeNumber(surroundings.openAmount.least, separatorsOf(locale))}"
              /></label>
              <button class="button primary" id="pay">${words.open.button}</button>`
      }
    </form>
  </section>`;
}
