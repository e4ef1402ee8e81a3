import { NO_NETWORK_BRAND, readMerchantBrand, readNetworkBrands, readPictures } from '../brands/index.ts';
import type { Db } from '../kit/db.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { Merchant } from '../merchants/index.ts';
import type { NetworkDirectory } from '../networks/index.ts';
import {
  checkoutToken,
  readHistory,
  readPaymentsByNumber,
  readRefundedAt,
  type Order,
  type OrderEvent,
  type ShownPayment,
} from '../orders/index.ts';
import type { OrderOfPage } from './find-order.ts';
import { isSettled, type PageState, type PageSurroundings } from './page-state.ts';
import { networkOf } from './receipt.ts';

export type StateSources = {
  readonly db: Db;
  readonly tokenKey: ServiceKey;
  readonly networks: Pick<NetworkDirectory, 'servingIn' | 'nameOf'>;
  /** Who runs this service, for payers. */
  readonly operatorName: string | undefined;
  /** True in the sandbox: the page can simulate a payment. */
  readonly maySimulate: boolean;
};

/** An order that is shown at an instant. */
type ShownOrder = Pick<OrderOfPage, 'order' | 'merchant' | 'at'>;

/**
 * Reads all that the page of an order is made of, for a payer who has seen a version. Its surroundings are those of now, except what is `kept`.
 * An earlier release kept less: what it did not show is that of now.
 */
export async function readPageState(
  sources: StateSources,
  { order, merchant, at }: ShownOrder,
  seenVersion: number,
  kept: Partial<PageSurroundings> = {},
): Promise<PageState> {
  const [events, payment] = await Promise.all([
    readEventsSince(sources.db, order, seenVersion),
    isSettled(order.state) ? readPayment(sources.db, order) : undefined,
  ]);
  const isPaid = payment !== undefined && order.state === 'approved';
  const [refunded, around] = await Promise.all([
    isPaid ? readRefundedAt(sources.db, { ...order, paymentNumber: order.payments }, order.version) : undefined,
    readSurroundings(sources, order, merchant, payment),
  ]);
  const surroundings = { ...around, ...kept };
  const pictures = await readPictures(sources, picturesOf(surroundings));
  return { order, at, seenVersion, events, payment, refunded, token: tokenOf(sources, order), surroundings, pictures };
}

const picturesOf = ({ brand, networks }: PageSurroundings): readonly string[] =>
  [brand.logo, ...networks.map(({ logo }) => logo)].filter((logo) => logo !== null);

/** The token in the links of a page: the order's own, whatever link the payer came by. So the page depends on the order alone. */
const tokenOf = ({ tokenKey }: Pick<StateSources, 'tokenKey'>, order: Order): string => checkoutToken(tokenKey, order, order.createdAt);

/** Reads what happened to an order after a version, until the one that is shown. */
async function readEventsSince(db: Db, order: Order, seenVersion: number): Promise<readonly OrderEvent[]> {
  if (seenVersion >= order.version) return [];
  const history = await readHistory(db, order, seenVersion);
  // An event of a moment ago may be newer than the order that was read.
  return isRefusal(history) ? [] : history.events.filter(({ version }) => version <= order.version);
}

/** Reads the payment that ended an order. An order that is closed is not paid again, so it is the last one of its version. */
async function readPayment(db: Db, order: Order): Promise<ShownPayment | undefined> {
  const [payment] = await readPaymentsByNumber(db, [{ ...order, paymentNumber: order.payments }]);
  return payment;
}

/** Reads what surrounds an order now: of its merchant, and of networks. */
async function readSurroundings(
  { db, networks, maySimulate, operatorName }: StateSources,
  order: Order,
  merchant: Merchant,
  payment: ShownPayment | undefined,
): Promise<PageSurroundings> {
  const netname = payment && networkOf(payment);
  const serving = await networks.servingIn(merchant.country, order.currency);
  const brands = await readNetworkBrands(
    { db },
    serving.map((network) => network.netname),
  );
  const limits = order.amountMinor === 0n ? merchant.openAmounts.find(({ currency }) => currency === order.currency) : undefined;
  return {
    merchantName: merchant.name,
    language: merchant.language,
    country: merchant.country.codes[0],
    brand: await readMerchantBrand({ db }, merchant.merchantId),
    returnUrl: merchant.returnUrl,
    openAmount: limits === undefined ? null : { least: limits.least, most: limits.most },
    operatorName: operatorName ?? null,
    networks: serving.map((network) => ({ name: network.name, ...(brands.get(network.netname) ?? NO_NETWORK_BRAND) })),
    receivedBy: (netname === undefined ? undefined : await networks.nameOf(netname)) ?? null,
    maySimulate,
  };
}
