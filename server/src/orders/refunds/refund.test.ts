import { expect, test } from 'vitest';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import * as fc from '../../testing/fast-check.ts';
import { decideCreate, type Order } from '../order.ts';
import { decidePayOrder, decideReversal, type Payment } from '../payments/payment.ts';
import { postingsOf } from '../payments/save-settled.ts';
import { costOf, decideChangeRefund, decideRequestRefund, decideVoid, MOST_REFUNDS, type DecidedRefund } from './refund.ts';
import { isOpenRefund, PAYERS_BACK, REFUND_BEARERS, REFUNDERS, type Refund } from './refund-columns.ts';

const NOW = Temporal.Instant.from('2026-11-21T15:00:00Z');
const by = { actor: 'operator', requestId: null, paymentNumber: null } as const;

/** An order that was just paid. */
function paidOrder(amountMinor: bigint, feeMinor: bigint, taxMinor: bigint): { readonly order: Order; readonly payment: Payment } {
  const created = decideCreate(
    {
      merchantId: 'shop',
      orderId: 'A-1',
      requestId: null,
      given: { email: 'ana@example.com', country: '343', currency: 'COP', amountMinor },
      rules: { timeZone: 'America/Bogota', countryCodes: ['343'], currencies: ['COP'], mayRecur: true },
    },
    { now: NOW, exists: false, serviceOrderId: 1n, spareReference: '900100200', restDays: 0, allowanceDays: 0 },
  );
  if (isRefusal(created)) throw new Error(created.refusal);
  const paid = decidePayOrder(
    created.order,
    undefined,
    { serviceOrderId: 1n, source: 'network:efectivo', transactionId: 'T-1', shown: { amountMinor, currency: 'COP' }, requestId: null },
    { now: NOW, feeMinor, taxMinor, merchant: { country: { region: 'CO' }, isFrozen: false, openAmounts: [] } as never },
  );
  if (isRefusal(paid)) throw new Error(paid.refusal);
  return paid;
}

type Step =
  | {
      readonly do: 'request';
      readonly part: number;
      readonly by: (typeof REFUNDERS)[number];
      readonly takenFrom: (typeof REFUND_BEARERS)[number];
      readonly isApproved: boolean;
    }
  | { readonly do: 'void'; readonly by: (typeof PAYERS_BACK)[number] }
  | { readonly do: 'approve' | 'pay' | 'fail' | 'cancel'; readonly which: number }
  | { readonly do: 'reverse' };

/** The merchant has collected enough. */
const coverOf = (): bigint => 10n ** 18n;

const which = fc.nat({ max: 5 });
const refunder = fc.constantFrom(...REFUNDERS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      part: fc.integer({ min: 1, max: 6 }),
      by: refunder,
      takenFrom: fc.constantFrom(...REFUND_BEARERS),
      isApproved: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'pay' as const, 'fail' as const, 'cancel' as const), which }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('void' as const), by: fc.constantFrom(...PAYERS_BACK) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reverse' as const }) },
);

const sum = (refunds: readonly Refund[], field: 'amountMinor' | 'feeMinor' | 'taxMinor'): bigint =>
  refunds.reduce((total, refund) => total + refund[field], 0n);

test('whatever is asked of the refunds of a payment, no peso is promised twice, and all accounts follow from what was paid', () => {
  // Of a small fee every unit is seen that is rounded.
  const money = fc.bigInt({ min: 1n, max: 10n ** 15n });
  fc.assert(
    fc.property(
      money,
      fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 12n })),
      fc.array(step, { maxLength: 25 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
      (amountMinor, feeMinor, steps, rules) => {
        let { order, payment } = paidOrder(amountMinor, feeMinor, feeMinor / 5n);
        const refunds = new Map<string, Refund>();
        const take = (decided: DecidedRefund | { readonly refusal: string } | object): void => {
          if ('refusal' in decided) return;
          const { order: nextOrder, payment: nextPayment, refund } = decided as DecidedRefund;
          [order, payment] = [nextOrder, nextPayment];
          if (refund !== undefined) refunds.set(refund.refundId, refund);
        };
        for (const [index, one] of steps.entries()) {
          const keepsFees = rules[index % rules.length] === true;
          const situation = { now: NOW, order, payment, refunds: [...refunds.values()], keepsFees };
          const chosen = 'which' in one ? [...refunds.values()][one.which] : undefined;
          if (one.do === 'request') {
            const asked = {
              ...by,
              amountMinor: (amountMinor * BigInt(one.part)) / 6n || 1n,
              currency: 'COP',
              refundedBy: one.by,
              takenFrom: one.takenFrom,
              reason: 'r',
            };
            const decided = decideRequestRefund({ ...asked, isApproved: one.isApproved }, { ...situation, sameId: undefined, coverOf });
            // It may be withdrawn: until then the merchant must not have more for it.
            if (!isRefusal(decided)) expect(costOf(decided.refund)).toBeGreaterThanOrEqual(0n);
            take(decided);
          } else if (one.do === 'void') take(decideVoid({ ...by, refundedBy: one.by, reason: 'r' }, situation));
          else if (one.do === 'reverse') take(decideReversal(order, payment, by, NOW));
          else if (one.do === 'approve') take(decideChangeRefund({ ...by, to: 'approved' }, chosen, situation));
          else if (one.do === 'pay') take(decideChangeRefund({ ...by, to: 'paid' }, chosen, situation));
          else if (one.do === 'fail') take(decideChangeRefund({ ...by, to: 'failed', problem: 'p' }, chosen, situation));
          else take(decideChangeRefund({ ...by, to: 'cancelled', isWithdrawn: false }, chosen, situation));

          const all = [...refunds.values()];
          const promised = all.filter(({ state }) => state !== 'failed' && state !== 'cancelled');
          const paid = all.filter(({ state }) => state === 'paid');
          expect(payment.refundedMinor).toBe(sum(promised, 'amountMinor'));
          expect(payment.refundedMinor).toBeLessThanOrEqual(amountMinor);
          expect(payment.state === 'voided').toBe(sum(paid, 'amountMinor') === amountMinor);
          expect(payment.state !== 'reversed' || promised.length === 0).toBe(true);
          expect(sum(promised, 'feeMinor')).toBeLessThanOrEqual(payment.feeMinor);
          expect(sum(promised, 'taxMinor')).toBeLessThanOrEqual(payment.taxMinor);
          expect(all.filter(({ feeMinor: fee, taxMinor: tax }) => fee < 0n || tax < 0n)).toEqual([]);
          expect(all.filter((refund) => refund.keepsFees && refund.feeMinor + refund.taxMinor !== 0n)).toEqual([]);
          // One that costs nothing may have brought less.
          if (payment.state === 'voided' && paid.every((refund) => !refund.keepsFees) && all.every((refund) => costOf(refund) !== 0n))
            expect([sum(paid, 'feeMinor'), sum(paid, 'taxMinor')]).toEqual([payment.feeMinor, payment.taxMinor]);
          expect(order.state === 'voided').toBe(payment.state !== 'paid');

          const accounts = new Map<string, bigint>();
          for (const { lines } of postingsOf(payment, all))
            for (const line of lines) accounts.set(line.account, (accounts.get(line.account) ?? 0n) + line.amountMinor);
          const of = (account: string): bigint => accounts.get(account) ?? 0n;
          const paidBy = (who: string): bigint =>
            sum(
              paid.filter(({ refundedBy }) => refundedBy === who),
              'amountMinor',
            );
          const ofFund = promised.filter(({ takenFrom }) => takenFrom === 'fund');
          const returned = ofFund.filter(({ state, refundedBy }) => state === 'paid' && refundedBy === 'merchant');
          const backToFund = sum(ofFund, 'feeMinor') + sum(ofFund, 'taxMinor') + sum(returned, 'amountMinor');
          expect(of('available')).toBe(backToFund - sum(ofFund, 'amountMinor'));
          expect(of('refunds')).toBe(sum(all.filter(isOpenRefund), 'amountMinor'));
          if (payment.state === 'reversed') expect([...accounts.values()].every((balance) => balance === 0n)).toBe(true);
          else {
            expect(of('network:efectivo')).toBe(paidBy('network') - amountMinor);
            expect(of('service:bank')).toBe(paidBy('operator'));
            expect(of('service:fees')).toBe(payment.feeMinor - sum(promised, 'feeMinor'));
            expect(of('service:tax')).toBe(payment.taxMinor - sum(promised, 'taxMinor'));
          }
          expect([...accounts.values()].reduce((total, balance) => total + balance, 0n)).toBe(0n);
        }
      },
    ),
  );
});

test('a request brings its own amount of fee and tax at most, and a void the rest', () => {
  const { order, payment } = paidOrder(100n, 500n, 95n);
  const situation = { now: NOW, order, payment, refunds: [], keepsFees: false };
  const asked = {
    ...by,
    amountMinor: 40n,
    currency: 'COP',
    refundedBy: 'operator',
    takenFrom: 'fund',
    reason: 'r',
    isApproved: true,
  } as const;
  const part = decideRequestRefund(asked, { ...situation, sameId: undefined, coverOf: () => 0n });
  if (isRefusal(part)) throw new Error(part.refusal);
  expect(part.refund).toMatchObject({ feeMinor: 40n, taxMinor: 0n });
  const paid = decideChangeRefund({ ...by, to: 'paid' }, part.refund, { ...situation, ...part, refunds: [part.refund] });
  if (isRefusal(paid)) throw new Error(paid.refusal);
  const voided = decideVoid({ ...by, refundedBy: 'network', reason: 'r' }, { ...situation, ...paid, refunds: [paid.refund] });
  expect(voided).toMatchObject({ refund: { amountMinor: 60n, feeMinor: 460n, taxMinor: 95n } });
});

test('where refunds that brought no fee were cancelled, the next brings none, and never less', () => {
  let { order, payment } = paidOrder(20n, 10n, 0n);
  const refunds = new Map<string, Refund>();
  const take = (decided: DecidedRefund | Refusal): Refund => {
    if (isRefusal(decided)) throw new Error(decided.refusal);
    ({ order, payment } = decided);
    refunds.set(decided.refund.refundId, decided.refund);
    return decided.refund;
  };
  const situation = () => ({ now: NOW, order, payment, refunds: [...refunds.values()], keepsFees: false });
  const request = (): Refund => {
    const asked = { ...by, amountMinor: 1n, currency: 'COP', refundedBy: 'operator', reason: 'r', isApproved: true } as const;
    return take(decideRequestRefund(asked, { ...situation(), sameId: undefined, coverOf: () => 20n }));
  };
  const made = Array.from({ length: 6 }, request);
  expect(made.map(({ feeMinor }) => feeMinor)).toEqual([1n, 0n, 1n, 0n, 1n, 0n]);
  for (const refund of made.filter(({ feeMinor }) => feeMinor === 0n))
    take(decideChangeRefund({ ...by, to: 'cancelled', isWithdrawn: false }, refund, situation()));
  // Three of twenty have brought three of ten. Four are worth two.
  expect(request().feeMinor).toBe(0n);
});

test('a refund whose fee was kept brings none, and the next one under the other rule makes up for nothing', () => {
  const { order, payment } = paidOrder(100n, 10n, 2n);
  const asked = { ...by, amountMinor: 50n, currency: 'COP', refundedBy: 'operator', reason: 'r', isApproved: true } as const;
  const situation = { now: NOW, order, payment, refunds: [], sameId: undefined };
  const kept = { ...situation, keepsFees: true };
  expect(decideRequestRefund(asked, { ...kept, coverOf: () => 49n })).toEqual({ refusal: 'collected_too_small' });
  const first = decideRequestRefund(asked, { ...kept, coverOf: () => 50n });
  if (isRefusal(first)) throw new Error(first.refusal);
  expect(first.refund).toMatchObject({ feeMinor: 0n, taxMinor: 0n, keepsFees: true });
  const next = { ...situation, order: first.order, payment: first.payment, refunds: [first.refund], keepsFees: false };
  const second = decideRequestRefund({ ...asked, amountMinor: 10n }, { ...next, coverOf: () => 50n });
  expect(second).toMatchObject({ refund: { feeMinor: 1n, taxMinor: 1n, keepsFees: false } });
  const paid = decideChangeRefund({ ...by, to: 'paid' }, first.refund, next);
  if (isRefusal(paid)) throw new Error(paid.refusal);
  const voided = decideVoid({ ...by, refundedBy: 'network', reason: 'r' }, { ...next, ...paid, refunds: [paid.refund] });
  expect(voided).toMatchObject({ refund: { amountMinor: 50n, feeMinor: 5n, taxMinor: 1n } });
});

test('a payment has fifty refunds at most, and a void beyond them', () => {
  let { order, payment } = paidOrder(100n, 0n, 0n);
  const refunds: Refund[] = [];
  const request = () =>
    decideRequestRefund(
      { ...by, amountMinor: 1n, currency: 'COP', refundedBy: 'operator', reason: 'r', isApproved: true },
      { now: NOW, order, payment, refunds, keepsFees: false, sameId: undefined, coverOf: () => 100n },
    );
  for (let made = 0; made < MOST_REFUNDS; made++) {
    const decided = request();
    if (isRefusal(decided)) throw new Error(decided.refusal);
    const paid = decideChangeRefund({ ...by, to: 'paid' }, decided.refund, { now: NOW, ...decided, refunds });
    if (isRefusal(paid)) throw new Error(paid.refusal);
    ({ order, payment } = paid);
    refunds.push(paid.refund);
  }
  expect(request()).toEqual({ refusal: 'too_many_refunds' });
  const voided = decideVoid({ ...by, refundedBy: 'network', reason: 'r' }, { now: NOW, order, payment, refunds, keepsFees: false });
  expect(voided).toMatchObject({ order: { state: 'voided' }, payment: { state: 'voided' }, refund: { amountMinor: 50n } });
});
