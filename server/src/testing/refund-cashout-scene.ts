import { expect } from 'vitest';
import { changeLimits } from '../cashouts/limits/set-limits.ts';
import { openEngine } from '../kit/changes/engine.ts';
import { setFees } from '../ledger/fees.ts';
import { topUp } from '../ledger/index.ts';
import { setMerchant } from '../merchants/change-merchant.ts';
import { openGivingBack } from '../orders/payments/give-back-payment.ts';
import { cashoutCalls } from './cashout-calls.ts';
import { eventually, SOON_MS } from './deadlines.ts';
import { networkOrderCalls } from './network-calls.ts';
import { orderCalls } from './order-calls.ts';
import { postingDb } from './posting-db.ts';
import { keyInFlight, scene, sending, WRONG_CHECKSUM, type Provocation, type Scenes, type Staged } from './precedence.ts';
import { refundCalls, type RefundCalls } from './refund-calls.ts';
import type { TestCaudal, TestMerchant } from './test-caudal.ts';

const DOCUMENT = '1020304050';
const FEE_MINOR = 50_000n;

type Stage = Staged & { readonly merchant: TestMerchant; readonly refunds: RefundCalls; readonly order: string };

/** A cashout that is registered beside: not of a refund, with another document unless the fields say otherwise. */
const beside = async (service: TestCaudal, { merchant }: Stage, fields: object): Promise<void> => {
  const calls = cashoutCalls(service, merchant);
  expect(await calls.register(calls.registration({ amount: '1', document: '32', ...fields }))).toMatchObject({ code: '0000' });
};

const about = (make: (staged: Stage) => string | Promise<string>): Provocation<Stage> => ({
  touches: ['refund'],
  apply: async (staged) => void (staged.fields['refund'] = await make(staged)),
});
const before = (touches: string, make: (staged: Stage) => Promise<unknown>): Provocation<Stage> => ({
  touches: [touches],
  apply: async (staged) => void (await make(staged)),
});
const sendFirst = ({ refunds, order }: Stage, headers: Record<string, string>) =>
  refunds.cashout(`${order}-first`, { document: '31' }, headers);
const smsTo = (cellphone: string): Provocation<Staged> => ({
  touches: ['sms'],
  apply: ({ fields }) => void Object.assign(fields, { sms: true, cellphone }),
});
/** Opens the stages: of a merchant whose fund bears three fees, with limits, and with refunds in each state. */
function openStages(service: TestCaudal) {
  let count = 0;
  const { changeRefund } = openGivingBack({ db: service.db, engine: openEngine(service) });
  const become = (merchant: TestMerchant, refundId: string, to: 'approved' | 'paid') =>
    changeRefund({ merchantId: merchant.merchantId, refundId, requestId: null, actor: 'operator', to, refundedBy: 'operator' });

  const stage = async (): Promise<Stage> => {
    const merchant = await service.merchant({ fundMinor: 0n });
    const { merchantId, fixedHash } = merchant;
    const key = { merchantId, currency: 'COP' };
    await topUp({ db: postingDb(service.db, service.clock, merchantId), clock: service.clock }, { ...key, amountMinor: 3n * FEE_MINOR });
    await setFees(service, { ...key, kind: 'cashout', percentPpm: 0, fixedMinor: FEE_MINOR, taxPpm: 0 });
    await changeLimits(service, key, { leastMinor: null, mostMinor: 6_000_000n, perDocumentAndDay: 1 });
    const order = `G-${++count}`;
    const { data } = await orderCalls(service, merchant).create({ order });
    const network = await service.network();
    expect(await networkOrderCalls(service, network).pay(data['SVordenID'], `T-${order}`)).toMatchObject({ code: '0000' });
    service.clock.advance({ seconds: 51 });
    const refunds = refundCalls(service, merchant);
    for (const refund of [`R-${order}`, `${order}-first`, `${order}-requested`, `${order}-ended`])
      await refunds.request(order, { refund, amount: '10', refunded_by: 'cashout' });
    await refunds.request(order, { refund: `${order}-other`, amount: '10' });
    for (const refund of [`R-${order}`, `${order}-first`, `${order}-ended`, `${order}-other`]) await become(merchant, refund, 'approved');
    const fields = { merchant: merchantId, type: 'refund.cashout', refund: `R-${order}`, operation: `W-${order}`, document: DOCUMENT };
    return { fields, headers: {}, cleanUp: [], secret: fixedHash, merchant, refunds, order };
  };
  return { stage, become };
}

/** What the refund is. */
const statesOf = (become: ReturnType<typeof openStages>['become']) => ({
  refund_not_found: about(() => 'of-nobody'),
  refund_ended: about(async ({ merchant, order }) => {
    await become(merchant, `${order}-ended`, 'paid');
    return `${order}-ended`;
  }),
  refund_not_approved: about(({ order }) => `${order}-requested`),
  refund_has_cashout: about(async ({ refunds, order }) => {
    await refunds.cashout(`R-${order}`, { operation: `${order}-has`, document: '33' });
    return `R-${order}`;
  }),
  refund_not_for_cashout: about(({ order }) => `${order}-other`),
});

/** What any registration is refused for. */
const registrationsOf = (service: TestCaudal) => ({
  currency_not_allowed: {
    touches: ['currencies'],
    phase: 3,
    apply: async ({ merchant }: Stage) => {
      await setMerchant(service, merchant.merchantId, { currencies: ['USD'] });
      await eventually(SOON_MS, async () => expect((await merchant.read()).currencies).toEqual(['USD']));
    },
  },
  cellphone_impossible: smsTo('12'),
  sms_unavailable: smsTo('3001234567'),
  expire_out_of_range: sending('expire', '2030-01-01'),
  cashout_exists: before('operation', (staged) => beside(service, staged, { operation: staged.fields['operation'] })),
  amount_out_of_limits: {
    touches: ['limits'],
    phase: 3,
    apply: ({ merchant: { merchantId } }: Stage) =>
      changeLimits(service, { merchantId, currency: 'COP' }, { leastMinor: null, mostMinor: 1n, perDocumentAndDay: 1 }).then(
        () => undefined,
      ),
  },
  document_limit_reached: before('document', (staged) =>
    beside(service, staged, { operation: `${staged.order}-d`, document: staged.fields['document'] }),
  ),
  fund_too_small: {
    touches: ['fees'],
    phase: 3,
    apply: async ({ merchant: { merchantId } }: Stage) =>
      void (await setFees(service, {
        merchantId,
        kind: 'cashout',
        currency: 'COP',
        percentPpm: 0,
        fixedMinor: 10n * FEE_MINOR,
        taxPpm: 0,
      })),
  },
});

/** How the refusals of a refund's cashout are earned. */
export function refundCashoutScene(service: TestCaudal): Scenes {
  const { stage, become } = openStages(service);
  return {
    registerRefundCashout: scene(stage, {
      merchant_invalid: sending('merchant', 'not valid'),
      parameter_invalid: [sending('description', 'd'.repeat(51)), sending('type', 'refund.cancel')],
      operation_invalid: sending('operation', 'not valid'),
      expire_malformed: sending('expire', '2026-02-31'),
      checksum_invalid: WRONG_CHECKSUM,
      // Last: a request that waits for its key holds the order and the fund.
      key_in_flight: {
        touches: ['key'],
        phase: 4,
        apply: (staged: Stage) =>
          keyInFlight<Stage>(service, staged.merchant.merchantId, 'register-refund-cashout', sendFirst).apply(staged),
      },
      key_reused: before('key', async (staged) => {
        staged.headers['idempotency-key'] = `k-${staged.order}`;
        expect(await sendFirst(staged, { 'idempotency-key': `k-${staged.order}` })).toMatchObject({ code: '0000' });
      }),
      ...statesOf(become),
      ...registrationsOf(service),
    }),
  };
}
