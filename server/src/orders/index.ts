import { cashoutAliases, cashoutShapes } from '../cashouts/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Engine } from '../kit/changes/engine.ts';
import type { FaultEnvelope, HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import { mapCells, type PerCell } from '../kit/per-cell.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import type { Messages } from '../messages/index.ts';
import { serveOperations, type Dialect, type Gates } from '../requests/index.ts';
import { renderFault, serviceIdMembersOf } from './answers.wire.ts';
import { cancelOrders } from './cancel-order.ts';
import { cancelOrderOperation } from './cancel-order.wire.ts';
import { addressForPeople, answeredAddress, checkoutLinks } from './checkout-token.ts';
import { createOrders } from './create-order.ts';
import { createOrderOperation } from './create-order.wire.ts';
import { expireOrderNow } from './expiry/expire-order.ts';
import { createShopOrderOperation } from './dialect/create-shop-order.wire.ts';
import { shopPluginKeysOperation } from './dialect/shop-plugin-keys.wire.ts';
import { noticeOfExpiry } from './expiry/notice-of-expiry.ts';
import { expireOrders } from './expiry/expire-orders.job.ts';
import { forgetPayers } from './payers/forget-payers.job.ts';
import { openGivingBack, type GivingBack } from './payments/give-back-payment.ts';
import type { OrderManagementDeps } from './manage/orders.manage.ts';
import { lookUpOrderOperation } from './payments/look-up-order.wire.ts';
import { payOrders, payOrdersOnce } from './payments/pay-order.ts';
import { payOrderOperation } from './payments/pay-order.wire.ts';
import { reversePaymentOperation } from './payments/reverse-payment.wire.ts';
import { openGivingCashouts } from './refunds/give-cashout.ts';
import { settleCashouts } from './refunds/settle-cashouts.job.ts';
import { openPaymentClaims, type PaymentClaims } from './payments/transaction-claims.ts';
import { queryOrderByReferenceOperation } from './query-order-by-reference.wire.ts';
import { queryOrderOperation } from './query-order.wire.ts';
import { readOrderHistoryOperation } from './read-history.wire.ts';
import { openReferenceClaims, type ReferenceClaims } from './references/reference-claims.ts';
import { cancelRefundOperation } from './refunds/cancel-refund.wire.ts';
import { listRefundsOfMerchantOperation } from './refunds/list-refunds.wire.ts';
import { registerRefundCashoutOperation } from './refunds/register-refund-cashout.wire.ts';
import { queryRefundOperation } from './refunds/query-refund.wire.ts';
import { requestRefundOperation } from './refunds/request-refund.wire.ts';
import { forgetFormerTerms } from './replays/forget-former-terms.job.ts';
import { updateOrders } from './update-order.ts';
import { updateOrderOperation } from './update-order.wire.ts';

export { ORDER_CHECKS } from './expiry/doctor-checks.ts';
export { orderLists } from './find/list-orders.manage.ts';
export { ORDER_FIELDS_SEARCHED, searchOrders, type FoundOrder, type OrderHit, type OrderTexts } from './find/search-orders.ts';
export { cellOfReference } from './references/reference-claims.ts';
export { checkoutToken, verifyCheckoutToken } from './checkout-token.ts';
export { ORDER_STATES, stateAt, type Order, type OrderKey, type OrderState } from './order.ts';
export { orderFigures, PAY_STEPS } from './figures/order-figures.ts';
export { countRefusedByReason, refusedFigures } from './figures/refused-figures.ts';
export { recordedMoney, type OrderEvent, type RecordedValue } from './order-history.ts';
export { orderManagement, orderWrites, sandboxOrderManagement } from './manage/orders.manage.ts';
export { lookUpOrder } from './payments/look-up-order.ts';
export { refusedManagement } from './payments/refused.manage.ts';
export { orderCommands } from './payments/orders.cli.ts';
export type { PayOrder } from './payments/payment.ts';
export { payByMethod, sandboxMethod } from './payments/payment-method.ts';
export { PAYER_FIELDS, payerData } from './payers/payer-data.ts';
export { readOrderForCheckout, type ShownPayment } from './query-order.ts';
export { readRefundHolders } from './refunds/refund-holders.ts';
export { readPaymentsByNumber } from './payments/payment-rows.ts';
export { shownOrderId, refusedSchema } from './manage/order-forms.ts';
export { readHistory, readOrderAt } from './read-history.ts';
export { openReadUpdates } from './update-notices/read-updates.wire.ts';
export { orderClaimChecks } from './references/verify-claims.ts';
export { passGivenUpClaims } from './references/reference-claims.ts';
export { readRefundedAt, type RefundedSums } from './refunds/refunded-at.ts';
export { orderChecks } from './verify-orders.ts';

/** The operations of the room, in the order of the documents. */
export const orderOperations = [
  createOrderOperation,
  updateOrderOperation,
  queryOrderOperation,
  queryOrderByReferenceOperation,
  cancelOrderOperation,
  readOrderHistoryOperation,
  requestRefundOperation,
  queryRefundOperation,
  listRefundsOfMerchantOperation,
  cancelRefundOperation,
  lookUpOrderOperation,
  payOrderOperation,
  reversePaymentOperation,
  registerRefundCashoutOperation,
] as const;

/** What a shop plugin of the family calls. */
export const shopPluginOperations = [createShopOrderOperation, shopPluginKeysOperation] as const;

/** The envelope of orders. It also answers every unknown route without another envelope. */
export const orderFaults: FaultEnvelope = { prefix: '/api/v3/porders', renderFault };

export type OrderRoom = {
  readonly db: Db;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly merchants: MerchantDirectory;
  readonly messages: Pick<Messages, 'writes' | 'write'>;
  /** In front of `?token=`, as the setting has it; asked with each answer, because a free port is known late. */
  readonly checkoutUrl: () => string;
  /** Signs checkout links. */
  readonly tokenKey: ServiceKey;
  /** Signs the cursors of lists. */
  readonly cursorKey: ServiceKey;
  /** As of cashouts: refunds are collected with one-time passwords. */
  readonly otpKey: ServiceKey;
  readonly shortPasswordDays: number;
  readonly isSandbox: boolean;
  readonly dialect: Dialect;
  /** How long a reference rests after its order before another merchant may take it; 0: not at all. */
  readonly referenceRestDays: number;
  /** How long payers of ended orders are kept. Undefined: with no end. */
  readonly keptPayersDays: number | undefined;
};

/** What orders of one cell have to claim at home. Undefined: the service has one database. */
export type OrderClaims = { readonly references: ReferenceClaims; readonly transactions: PaymentClaims | undefined } | undefined;

/** Opens the claims of the orders of one cell. A service of one cell has none, and asks for nothing. */
export const openOrderClaims = (deps: Parameters<typeof openReferenceClaims>[0]): OrderClaims =>
  deps.dbs.isAlone ? undefined : { references: openReferenceClaims(deps), transactions: openPaymentClaims(deps) };

/** What other rooms and main do with orders. */
export type OpenOrders = GivingBack & {
  readonly payOrder: ReturnType<typeof payOrders>;
  readonly payOrderOnce: ReturnType<typeof payOrdersOnce>;
  readonly jobs: readonly Job[];
  /** What the operations of the management API depend on. */
  readonly deps: OrderManagementDeps;
};

/** Opens what the operations of the room depend on: also for a command that serves no request. */
export function openOrders({
  db,
  clock,
  engine,
  merchants,
  messages,
  checkoutUrl,
  tokenKey,
  cursorKey,
  otpKey,
  shortPasswordDays,
  isSandbox,
  dialect,
  referenceRestDays: restDays,
  claims,
}: Omit<OrderRoom, 'keptPayersDays'> & { readonly claims: OrderClaims }) {
  const checkoutLink = checkoutLinks(tokenKey, addressForPeople(checkoutUrl), clock);
  const settings = {
    dialect,
    serviceIdMembers: serviceIdMembersOf(dialect),
    checkoutLink: checkoutLinks(tokenKey, answeredAddress(dialect, checkoutUrl), clock),
    checkoutHost: () => new URL(addressForPeople(checkoutUrl)()).host,
  };
  const { expirationAllowanceDays } = dialect;
  const noticeOf = noticeOfExpiry(dialect);
  const payments = { engine, db, clock, merchants, messages, claims: claims?.transactions };
  return {
    db,
    clock,
    merchants,
    cursorKey,
    isSandbox,
    settings,
    updateOrder: updateOrders({ engine, restDays, claims: claims?.references, allowanceDays: expirationAllowanceDays.onUpdate }),
    createOrder: createOrders({
      engine,
      restDays,
      claims: claims?.references,
      allowanceDays: expirationAllowanceDays.onCreate,
      messages,
      checkoutLink,
    }),
    cancelOrder: cancelOrders({ engine }),
    expireOrder: expireOrderNow({ engine, noticeOf }),
    payOrder: payOrders(payments),
    payOrderOnce: payOrdersOnce(payments),
    ...openGivingBack({ engine, db }),
    giveCashout: openGivingCashouts({ engine, otpKey, messages, shortPasswordDays }),
    shapes: cashoutShapes(dialect),
    /** The address of the checkout page, for people. */
    checkoutLink,
    noticeOf,
  };
}

/** Opens the room in each cell, and adds its routes. */
export function registerOrders(app: HttpServer, gates: Gates, rooms: PerCell<OrderRoom>): PerCell<OpenOrders> {
  const { dialect, isSandbox } = rooms.home;
  const dbs = mapCells(rooms, ({ db }) => db);
  const deps = mapCells(rooms, (room, cell) => {
    const { clock, referenceRestDays: restDays } = room;
    return openOrders({ ...room, claims: openOrderClaims({ dbs, cell, clock, restDays }) });
  });
  serveOperations({ app, gates, deps, dialect, aliasesOf: cashoutAliases(isSandbox) }, [
    ...orderOperations,
    ...(dialect.servesShopPlugin ? shopPluginOperations : []),
  ]);
  return mapCells(rooms, ({ db, clock, keptPayersDays }, cell) => {
    const own = deps.of(cell);
    const { noticeOf, settleCashout } = own;
    return {
      ...own,
      deps: own,
      jobs: [
        expireOrders({ db, clock, noticeOf }),
        settleCashouts({ db, clock, merchants: own.merchants, settleCashout }),
        forgetFormerTerms({ db, clock }),
        ...forgetPayers({ db, clock }, keptPayersDays),
      ],
    };
  });
}
