import { oneLine } from '../kit/one-line.ts';
import { localeOf, type Country } from '../merchants/index.ts';
import { countryOfPage, momentOf, type Moment, type PageState, type PayingPoint } from './page-state.ts';
import { receiptOf, type Receipt } from './receipt.ts';
import { visibleChanges, type VisibleChange } from './visible-changes.ts';
import { CHECKOUT_WORDS } from './words.ts';

/** A state of a page, with all that follows from it and more than one part shows. Nothing about the payer is shown (contract §5). */
export type OrderView = PageState &
  Moment & {
    readonly country: Country;
    readonly locale: string;
    readonly merchantName: string;
    readonly networks: readonly PayingPoint[];
    readonly changes: readonly VisibleChange[];
    /** Payments of a recurrent order since the version seen: it stays open, so its state does not show them. */
    readonly payments: number;
    readonly receipt: Receipt | undefined;
  };

/** Works out what the parts of a page show. Pure. */
export function viewOf(state: PageState): OrderView {
  const { order, events, surroundings, at } = state;
  const country = countryOfPage(surroundings);
  const moment = momentOf(order, { country, language: surroundings.language }, at);
  const words = CHECKOUT_WORDS[moment.language];
  const locale = localeOf(moment.language, country);
  return {
    ...state,
    ...moment,
    country,
    locale,
    merchantName: oneLine(surroundings.merchantName),
    networks: surroundings.networks.map((point) => ({ ...point, name: oneLine(point.name) })),
    changes: visibleChanges(order, events, words, locale),
    payments: order.recurrent ? events.filter(({ event }) => event === 'order.paid').length : 0,
    receipt: receiptOf(state, words.receipt),
  };
}
