import { expect } from 'vitest';
import { openEngine } from '../kit/changes/engine.ts';
import { setOnOff } from '../merchants/change-merchant.ts';
import { openGivingBack } from '../orders/payments/give-back-payment.ts';
import { eventually, SOON_MS } from './deadlines.ts';
import { orderCalls, type OrderCalls } from './order-calls.ts';
import { networkOrderCalls } from './network-calls.ts';
import { manageCalls } from './manage-calls.ts';
import { refundCalls, type RefundCalls } from './refund-calls.ts';
import { refundCashoutScene } from './refund-cashout-scene.ts';
import { MOST_REFUNDS } from '../orders/refunds/refund.ts';
import {
  keyInFlight,
  scene,
  sending,
  servedElsewhere,
  WITHOUT_CHECKSUM,
  WRONG_CHECKSUM,
  type Provocation,
  type Scenes,
  type Staged,
} from './precedence.ts';
import type { TestCaudal, TestMerchant } from './test-caudal.ts';

/** Peru: not the country of recurrent orders. */
const COUNTRY = '604';
const CURRENCY = 'PEN';

type OrderStage = Staged & { readonly calls: OrderCalls; readonly order: string; readonly merchant: TestMerchant };
type PaymentStage = Staged & { readonly calls: OrderCalls; readonly order: string; readonly pay: () => Promise<void> };

const LATER_THAN_ALLOWED = '01/01/2030';
const orderIs = (apply: (staged: OrderStage) => void | Promise<unknown>): Provocation<OrderStage> => ({
  touches: ['order'],
  apply: async (staged) => void (await apply(staged)),
});

/** What the body of an update and of a creation may earn before the checksum is compared, and the checksum. */
const BODY = {
  content_invalid: sending('iva', 'x'),
  merchant_invalid: sending('merchant', 'not valid'),
  amount_invalid: sending('amount', '0'),
  country_invalid: sending('country', '999'),
  currency_invalid: sending('money', 'ZZZ'),
  method_invalid: sending('method', 'm'.repeat(26)),
  expiration_malformed: sending('expiration', '31/02/2027'),
  checksum_invalid: WRONG_CHECKSUM,
};

const TERMS = {
  currency_not_allowed: sending('money', 'BRL'),
  recurrent_not_allowed: sending('recurrent', true),
  expiration_out_of_range: sending('expiration', LATER_THAN_ALLOWED),
  reference_taken: {
    touches: ['reference'],
    apply: async ({ calls, fields, order }: OrderStage) => {
      const reference = String(100_000 + Number(/[0-9]+$/.exec(order)?.[0]));
      await calls.create({ order: `${order}-holder`, reference, country: COUNTRY, money: CURRENCY });
      fields['reference'] = reference;
    },
  },
};

/** A payment of the order would be called as another order is. */
const ID_AMBIGUOUS: Provocation<OrderStage> = {
  touches: ['recurrent'],
  apply: async ({ calls, fields, order }) => {
    await calls.create({ order: `${order}_1`, country: COUNTRY, money: CURRENCY });
    fields['recurrent'] = true;
  },
};

/** The order has had the amount that the update sends. */
const TERMS_REPEATED: Provocation<OrderStage> = {
  touches: ['former amount'],
  apply: async ({ calls, fields, order }) => {
    const country = { country: COUNTRY, money: CURRENCY };
    await calls.update({ order, ...country, amount: fields['amount'] });
    await calls.update({ order, ...country, amount: '47000' });
  },
};

const VERSION_MISMATCH: Provocation<Staged> = {
  touches: ['if-match'],
  apply: ({ headers }) => void (headers['if-match'] = '"99"'),
};

/** Makes requests that would succeed, each about an order of its own. */
async function openStages(service: TestCaudal) {
  const merchant = await service.merchant({ country: COUNTRY });
  await setOnOff.guardsReplays(service, merchant.merchantId, true);
  await eventually(SOON_MS, async () => expect((await merchant.read()).guardsReplays).toBe(true));
  const calls = orderCalls(service, merchant);
  const network = await service.network();
  const networkCalls = networkOrderCalls(service, network);
  let count = 0;

  const stageNew = (): OrderStage => {
    const order = `P-${++count}`;
    const fields = { merchant: merchant.merchantId, email: 'ana@example.com', country: COUNTRY, order, money: CURRENCY, amount: '45000' };
    return { fields, headers: {}, cleanUp: [], secret: merchant.fixedHash, calls, order, merchant };
  };
  const stageStored = async (): Promise<OrderStage> => {
    const staged = stageNew();
    await calls.create({ order: staged.order, country: COUNTRY, money: CURRENCY });
    return { ...staged, fields: { ...staged.fields, amount: '46000' } };
  };
  const stageQuery = async (): Promise<OrderStage> => {
    const { order, ...staged } = await stageStored();
    return { ...staged, order, fields: { merchant: merchant.merchantId, order } };
  };
  const stageReference = async (): Promise<Staged> => {
    const { merchant, calls, order, ...staged } = await stageStored();
    const { Referencia: reference } = (await calls.update({ order, country: COUNTRY, money: CURRENCY })).data;
    return { ...staged, fields: { reference, merchant: merchant.merchantId } };
  };
  const stagePayment = async (): Promise<PaymentStage> => {
    const { order } = await stageStored();
    const { SVordenID: idorder, Referencia: reference } = (await calls.update({ order, country: COUNTRY, money: CURRENCY })).data;
    const fields = { netname: network.netname, reference, transaction: `T-${order}`, amount: '45000.0', money: CURRENCY, idorder };
    const pay = async (): Promise<void> => void (await networkCalls.pay(idorder, fields.transaction, '45000.0', { money: CURRENCY }));
    return { fields, headers: {}, cleanUp: [], secret: network.secret, calls, order, pay };
  };
  const elsewhere = servedElsewhere(service, network.netname, '343');
  return { merchant, calls, networkCalls, elsewhere, stageNew, stageStored, stageQuery, stageReference, stagePayment };
}

type Stages = Awaited<ReturnType<typeof openStages>>;

/** How the refusals of merchants' operations are earned. */
function merchantScenes(
  service: TestCaudal,
  { merchant, calls, networkCalls, stageNew, stageStored, stageQuery, stageReference }: Stages,
): Scenes {
  const query = {
    content_invalid: [sending('order', 'not valid'), WITHOUT_CHECKSUM],
    merchant_invalid: BODY.merchant_invalid,
    checksum_invalid: WRONG_CHECKSUM,
  };
  const notFound = orderIs(({ fields, order }) => void (fields['order'] = `${order}-of-nobody`));
  const notOpen = orderIs(({ order }) => calls.cancel(order));
  const approved = orderIs(async ({ order }) => {
    const { SVordenID: idorder } = (await calls.update({ order, country: COUNTRY, money: CURRENCY })).data;
    await networkCalls.pay(idorder, `T-${order}`, '45000.0', { money: CURRENCY });
  });
  return {
    updateOrder: scene(stageStored, {
      ...BODY,
      country_not_allowed: sending('country', '343'),
      order_not_open: notOpen,
      version_mismatch: VERSION_MISMATCH,
      id_ambiguous: ID_AMBIGUOUS,
      ...TERMS,
      terms_repeated: TERMS_REPEATED,
    }),
    createOrder: scene(async () => stageNew(), {
      ...BODY,
      key_in_flight: keyInFlight(service, merchant.merchantId, 'create-order', ({ order }: OrderStage, headers) =>
        calls.create({ order: `${order}-waiting`, country: COUNTRY, money: CURRENCY }, headers),
      ),
      key_reused: {
        touches: ['key'],
        apply: async ({ headers, order }: OrderStage) => {
          headers['idempotency-key'] = `k-${order}`;
          await calls.create({ order: `${order}-first`, country: COUNTRY, money: CURRENCY }, { 'idempotency-key': `k-${order}` });
        },
      },
      country_not_allowed: sending('country', '343'),
      order_exists: orderIs(({ order }) => calls.create({ order, country: COUNTRY, money: CURRENCY })),
      id_ambiguous: ID_AMBIGUOUS,
      ...TERMS,
    }),
    queryOrder: scene(stageQuery, { ...query, order_not_found: notFound }),
    queryOrderByReference: scene(stageReference, {
      ...query,
      content_invalid: [sending('reference', 'not valid'), WITHOUT_CHECKSUM],
      order_not_found: sending('reference', '1'),
    }),
    readOrderHistory: scene(stageQuery, { ...query, content_invalid: sending('after', 'x'), order_not_found: notFound }),
    cancelOrder: scene(stageQuery, {
      ...query,
      order_not_found: notFound,
      order_not_open: approved,
      version_mismatch: VERSION_MISMATCH,
    }),
  };
}

/** An order of 45,000 was paid a minute ago: the network can no longer take the payment back. */
type RefundStage = Staged & { readonly order: string; readonly refunds: RefundCalls };
const refundIs = (touches: readonly string[], apply: (staged: RefundStage) => Promise<unknown>): Provocation<RefundStage> => ({
  touches,
  apply: async (staged) => void (await apply(staged)),
});

type RefundRequests = { readonly refunds: RefundCalls; readonly freshlyPaid: () => Promise<string> };

/** How the refusals of a request are earned. */
function requestRefusals(service: TestCaudal, merchantId: string, { refunds, freshlyPaid }: RefundRequests) {
  const small = ({ order }: RefundStage, refund: string, amount = '1') => refunds.request(order, { refund, amount, money: CURRENCY });
  return {
    content_invalid: sending('type', 'refund.cancel'),
    merchant_invalid: BODY.merchant_invalid,
    amount_invalid: BODY.amount_invalid,
    currency_invalid: BODY.currency_invalid,
    checksum_invalid: WRONG_CHECKSUM,
    // It holds what the merchant has collected: other requests wait for it.
    key_in_flight: {
      ...keyInFlight(service, merchantId, 'request-refund', (staged: RefundStage, headers) =>
        refunds.request(staged.order, { refund: `${staged.order}-waiting`, amount: '1', money: CURRENCY }, headers),
      ),
      touches: ['key', 'refund', 'left', 'collected'],
    },
    key_reused: refundIs(['key'], async ({ headers, order }) => {
      headers['idempotency-key'] = `k-${order}`;
      await refunds.request(order, { refund: `${order}-first`, amount: '1', money: CURRENCY }, { 'idempotency-key': `k-${order}` });
    }),
    order_not_found: refundIs(['order'], async ({ fields }) => void (fields['order'] = 'of-nobody')),
    payment_not_found: sending('payment', 2),
    refund_exists: refundIs(['refund'], (staged) => small(staged, `R-${staged.order}`)),
    nothing_to_refund: refundIs(['left'], (staged) => small(staged, `${staged.order}-whole`, '45000')),
    refund_too_early: refundIs(['order', 'left', 'refund', 'payment'], async ({ fields }) => void (fields['order'] = await freshlyPaid())),
    refund_currency_differs: sending('money', 'USD'),
    refund_too_large: sending('amount', '45000.01'),
    too_many_refunds: refundIs(['left'], async (staged) => {
      for (let count = 0; count < MOST_REFUNDS; count++) await small(staged, `${staged.order}-${count}`);
    }),
    collected_too_small: { phase: 1, ...refundIs(['collected'], () => takeAll(service, merchantId, 'collected')) },
    fund_too_small: {
      phase: 1,
      ...refundIs(['collected'], async ({ fields }) => {
        fields['taken_from'] = 'fund';
        await takeAll(service, merchantId, 'available');
      }),
    },
  };
}

/** How the refusals of merchants' operations on refunds are earned. */
function refundScenes(service: TestCaudal, { merchant, calls, networkCalls, stageStored }: Stages): Scenes {
  const refunds = refundCalls(service, merchant);
  const pay = async (order: string): Promise<void> => {
    const { SVordenID: idorder } = (await calls.update({ order, country: COUNTRY, money: CURRENCY })).data;
    await networkCalls.pay(idorder, `T-${order}`, '45000.0', { money: CURRENCY });
  };
  const freshlyPaid = async (): Promise<string> => {
    const { order } = await stageStored();
    await pay(order);
    return order;
  };
  const stageRequest = async (): Promise<RefundStage> => {
    const { order, ...staged } = await stageStored();
    await pay(order);
    service.clock.advance({ seconds: 51 });
    const asked = { refund: `R-${order}`, refunded_by: 'operator', money: CURRENCY, amount: '15000', reason: 'returned' };
    return { ...staged, order, refunds, fields: { merchant: merchant.merchantId, type: 'refund.request', order, ...asked } };
  };
  const stageRefund = async (fields: Record<string, unknown>): Promise<RefundStage> => {
    const staged = await stageRequest();
    await refunds.request(staged.order, { amount: '1', money: CURRENCY });
    return { ...staged, fields: { merchant: merchant.merchantId, refund: `R-${staged.order}`, ...fields } };
  };
  const by = { requestId: null, actor: 'operator' } as const;
  const { changeRefund } = openGivingBack({ db: service.db, engine: openEngine(service) });
  const become = (to: 'approved' | 'paid') =>
    refundIs(['state'], async ({ order }) => changeRefund({ merchantId: merchant.merchantId, refundId: `R-${order}`, ...by, to }));
  const query = {
    content_invalid: [sending('refund', 'not valid'), WITHOUT_CHECKSUM],
    merchant_invalid: BODY.merchant_invalid,
    checksum_invalid: WRONG_CHECKSUM,
  };
  const notFound = refundIs(['refund'], async ({ fields }) => void (fields['refund'] = 'of-nobody'));
  return {
    requestRefund: scene(stageRequest, requestRefusals(service, merchant.merchantId, { refunds, freshlyPaid })),
    queryRefund: scene(() => stageRefund({ type: 'refund.query' }), { ...query, refund_not_found: notFound }),
    cancelRefund: scene(() => stageRefund({ type: 'refund.cancel' }), {
      ...query,
      refund_not_found: notFound,
      refund_ended: refundIs(['state'], async (staged) => {
        await become('approved').apply(staged);
        await become('paid').apply(staged);
      }),
      refund_approved: become('approved'),
    }),
    listRefunds: scene(
      async () => ({
        ...(await stageStored()),
        fields: { merchant: merchant.merchantId, type: 'refund.list', start: '20261101', end: '20261130' },
      }),
      {
        content_invalid: [sending('order', 'not valid'), sending('cursor', 'forged'), WITHOUT_CHECKSUM],
        merchant_invalid: BODY.merchant_invalid,
        range_invalid: sending('start', '20261201'),
        page_invalid: sending('page', '0'),
        limit_invalid: sending('limit', '9'),
        checksum_invalid: WRONG_CHECKSUM,
      },
    ),
  };
}

/** Takes all that a merchant has collected, as a settlement does. */
async function takeAll(service: TestCaudal, merchantId: string, from: 'collected' | 'available'): Promise<void> {
  const staff = await manageCalls(service);
  const { balances } = (await staff.get(`/ledger/balances?merchant=${merchantId}`)).body as unknown as {
    balances: { account: string; balance: { amount: string; currency: string } }[];
  };
  for (const { account, balance } of balances)
    if (account === from && balance.currency === CURRENCY)
      await staff.send('POST', `/ledger/${merchantId}/adjustments`, {
        account,
        amount: { ...balance, amount: `-${balance.amount}` },
        reason: 'settled',
      });
}

const networkShape = {
  content_invalid: sending('language', 7),
  network_invalid: sending('netname', 'NOT VALID'),
  checksum_invalid: WRONG_CHECKSUM,
};
const paymentIs = (touches: readonly string[], apply: (staged: PaymentStage) => Promise<unknown>): Provocation<PaymentStage> => ({
  touches,
  apply: async (staged) => void (await apply(staged)),
});
const unknownOrder: Provocation<PaymentStage> = { touches: ['idorder'], apply: ({ fields }) => void (fields['idorder'] = '999999999') };

const paid = async (staged: PaymentStage): Promise<PaymentStage> => {
  await staged.pay();
  return staged;
};

const only = (names: readonly string[], staged: PaymentStage): PaymentStage => ({
  ...staged,
  fields: Object.fromEntries(names.map((name) => [name, staged.fields[name]])),
});

/** How the refusals of networks' operations are earned. */
function networkScenes(service: TestCaudal, { merchant, networkCalls, elsewhere, stagePayment }: Stages): Scenes {
  const givenBack = async ({ fields, pay }: PaymentStage): Promise<void> => {
    await pay();
    await networkCalls.reverse(fields['idorder'], String(fields['transaction']));
  };
  const { voidOrder } = openGivingBack({ db: service.db, engine: openEngine(service) });

  return {
    lookUpOrder: scene(async () => only(['netname', 'reference'], await stagePayment()), {
      ...networkShape,
      reference_unknown: { touches: ['reference'], apply: ({ fields }: Staged) => void (fields['reference'] = '1') },
      order_not_served: elsewhere,
    }),
    payOrder: scene(stagePayment, {
      ...networkShape,
      amount_invalid: sending('amount', '0'),
      currency_invalid: sending('money', 'ZZZ'),
      order_not_found: unknownOrder,
      transaction_repeated: [
        paymentIs(['amount'], async ({ fields, pay }) => {
          await pay();
          fields['amount'] = '1';
        }),
        paymentIs(['transaction'], async ({ fields }) => {
          const other = await stagePayment();
          await networkCalls.pay(other.fields['idorder'], fields['transaction'], '45000.0', { money: CURRENCY });
        }),
      ],
      payment_given_back: paymentIs(['payment'], givenBack),
      order_not_served: elsewhere,
      order_not_open: paymentIs(['order'], ({ calls, order }) => calls.cancel(order)),
      // Of a payment that was given back another amount is another payment.
      amount_changed: { touches: ['amount', 'payment'], apply: ({ fields }: Staged) => void (fields['amount'] = '1') },
    }),
    reversePayment: scene(async () => paid(only(['netname', 'transaction', 'idorder'], await stagePayment())), {
      ...networkShape,
      payment_not_found: unknownOrder,
      payment_given_back: paymentIs(['payment'], async ({ order }) =>
        voidOrder({
          merchantId: merchant.merchantId,
          orderId: order,
          paymentNumber: null,
          refundedBy: 'network',
          isClaim: false,
          reason: 'a test',
          requestId: null,
        }),
      ),
      payment_not_reversible: { touches: ['clock'], apply: () => service.clock.advance({ seconds: 51 }) },
    }),
  };
}

/** How the refusals of the operations on orders are earned, by the name of the operation. */
export async function orderScenes(service: TestCaudal): Promise<Scenes> {
  const stages = await openStages(service);
  return {
    ...merchantScenes(service, stages),
    ...refundScenes(service, stages),
    ...refundCashoutScene(service),
    ...networkScenes(service, stages),
  };
}
