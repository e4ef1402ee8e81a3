import type { MerchantBrand, NetworkBrand } from '../brands/index.ts';
import { dayOf } from '../kit/calendar.ts';
import type { Language } from '../kit/language.ts';
import { findCountry, type Country, type OpenAmount } from '../merchants/index.ts';
import { stateAt, type Order, type OrderEvent, type OrderState, type RefundedSums, type ShownPayment } from '../orders/index.ts';

/** A network as a page shows it. */
export type PayingPoint = NetworkBrand & { readonly name: string };

/** What an order's page shows that the order's history does not hold. Plain values: they are kept with each page that is served. */
export type PageSurroundings = {
  /** As its merchant has it; the page shows it on one line. So are all names of this type. */
  readonly merchantName: string;
  /** The language of an order that has none. */
  readonly language: Language;
  /** The first code of the merchant's country. */
  readonly country: string;
  /** What the merchant looks like. */
  readonly brand: MerchantBrand;
  /** Where the page leads back to after a payment. Null: nowhere. */
  readonly returnUrl: string | null;
  /** What the payer may choose, where the order leaves the amount to them. Null: its amount is given. */
  readonly openAmount: Pick<OpenAmount, 'least' | 'most'> | null;
  /** Who runs this service, for payers. Null: nobody is named. */
  readonly operatorName: string | null;
  /** The networks that take cash. */
  readonly networks: readonly PayingPoint[];
  /** The display name of the network that took the payment. Null: no network took it. */
  readonly receivedBy: string | null;
  /** Whether the page offers a simulated payment. */
  readonly maySimulate: boolean;
};

/**
 * All that an order's page is made of. The page is a pure function of it, so an equal state gives the same bytes.
 * Nothing of a request is in it but the version that the payer had seen.
 */
export type PageState = {
  readonly order: Order;
  /** When it is shown: the days left and the state follow from it. */
  readonly at: Temporal.Instant;
  /** The version that the payer knows. Changes since then are shown until they acknowledge them. */
  readonly seenVersion: number;
  /** What happened after that version, oldest first. */
  readonly events: readonly OrderEvent[];
  /** The payment that ended the order. */
  readonly payment: ShownPayment | undefined;
  /** What its refunds come to. Undefined: the order is not paid, or the payment is given back whole. */
  readonly refunded: RefundedSums | undefined;
  /** The token in the links of the page. */
  readonly token: string;
  readonly surroundings: PageSurroundings;
  /** The pictures that the surroundings name, by their ids. An id is the hash of a picture. */
  readonly pictures: ReadonlyMap<string, Buffer>;
};

/** What a page shows of an order at an instant, as far as it changes with time. */
export type Moment = {
  readonly state: OrderState;
  readonly language: Language;
  /** Whole days until the last day on which it can be paid; 0: today. */
  readonly daysLeft: number;
  /** Changes whenever the page changes, for the same surroundings and one version seen. */
  readonly etag: string;
};

/** Gives the moment of an order at an instant. An open page asks for this alone, every second. */
export function momentOf(order: Order, merchant: { readonly country: Country; readonly language: Language }, at: Temporal.Instant): Moment {
  const state = stateAt(order, at);
  const daysLeft = dayOf(at, merchant.country.timeZone).until(order.expiresOn, { largestUnit: 'days' }).days;
  const language = order.language ?? merchant.language;
  return { state, language, daysLeft, etag: `"${order.version}-${state}-${daysLeft}-${language}"` };
}

/** The country of surroundings. A release drops no country. */
export function countryOfPage({ country }: Pick<PageSurroundings, 'country'>): Country {
  const found = findCountry(country);
  if (found === undefined) throw new Error(`there is no country ${country}`);
  return found;
}

/** True where a payment ended the order, also once it was given back. A recurrent order stays open: several payers may share its link. */
export const isSettled = (state: OrderState): boolean => state === 'approved' || state === 'voided';
