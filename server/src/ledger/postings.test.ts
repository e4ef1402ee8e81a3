import { describe, expect, test } from 'vitest';
import { assert, bigInt, constant, integer, oneof, property, record } from '../testing/fast-check.ts';
import {
  adjusted,
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  feeOf,
  NO_FEE,
  orderPaid,
  orderPaymentReversed,
  reservedFor,
  toppedUp,
  type LedgerTransaction,
} from './postings.ts';

const at = Temporal.Instant.from('2026-11-21T15:00:00Z');
const NETWORK = 'efecty';

const amountMinor = bigInt({ min: 1n, max: 10n ** 15n });
const costMinor = bigInt({ min: 0n, max: 10n ** 15n });
const operation = { merchantId: constant('shop'), currency: constant('COP'), amountMinor, feeMinor: costMinor, taxMinor: costMinor };
const cashout = record({ ...operation, operationId: constant('W-1'), refundId: constant(null) });
const ofRefund = record({ ...operation, operationId: constant('W-1'), refundId: constant('R-1') });
const anyCashout = oneof(cashout, ofRefund);
const payment = record({
  ...operation,
  orderId: constant('A-1'),
  paymentNumber: integer({ min: 1, max: 1000 }),
  netname: constant(NETWORK),
});
const terms = record({
  percentPpm: integer({ min: 0, max: 1_000_000 }),
  fixedMinor: costMinor,
  taxPpm: integer({ min: 0, max: 1_000_000 }),
});

/** What transactions leave on each account, those that end at zero left out. */
function sums(...transactions: readonly LedgerTransaction[]): Record<string, bigint> {
  const totals: Record<string, bigint> = {};
  for (const { account, amountMinor } of transactions.flatMap(({ lines }) => lines))
    totals[account] = (totals[account] ?? 0n) + amountMinor;
  return Object.fromEntries(Object.entries(totals).filter(([, total]) => total !== 0n));
}

describe('every transaction', () => {
  test('sums to zero, names an account once, and has no empty line', () => {
    assert(
      property(anyCashout, payment, (cashout, payment) => {
        const { merchantId, currency, amountMinor } = cashout;
        const all = [
          cashoutRegistered(cashout, at),
          cashoutReleased(cashout, at),
          cashoutPaid(cashout, NETWORK, at),
          cashoutPaymentReversed(cashout, NETWORK, at),
          orderPaid(payment, at),
          orderPaymentReversed(payment, at),
          toppedUp({ merchantId, currency, amountMinor, reference: 'R' }, at),
          adjusted({ merchantId, currency, account: 'collected', amountMinor: -amountMinor, reason: 'R', adjustmentId: '1' }, at),
        ];
        expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(all.length);
        for (const { lines } of all) {
          expect(lines.reduce((sum, line) => sum + line.amountMinor, 0n)).toBe(0n);
          expect(lines.every((line) => line.amountMinor !== 0n)).toBe(true);
          expect(new Set(lines.map(({ account }) => account)).size).toBe(lines.length);
        }
      }),
    );
  });
});

describe('a cashout', () => {
  test('is taken from the fund with fee and tax when it is registered, and is the network’s and the service’s when it is paid', () => {
    assert(
      property(cashout, (cashout) => {
        const total = reservedFor(cashout);
        expect(total).toBe(cashout.amountMinor + cashout.feeMinor + cashout.taxMinor);
        expect(sums(cashoutRegistered(cashout, at))).toEqual({ available: -total, reserved: total });
        const paid = sums(cashoutRegistered(cashout, at), cashoutPaid(cashout, NETWORK, at));
        expect(paid).toMatchObject({ available: -total, [`network:${NETWORK}`]: cashout.amountMinor });
        expect(paid).not.toHaveProperty('reserved');
        expect(paid['service:fees'] ?? 0n).toBe(cashout.feeMinor);
        expect(paid['service:tax'] ?? 0n).toBe(cashout.taxMinor);
      }),
    );
  });

  test('leaves nothing anywhere when it is released, or paid and reversed', () => {
    assert(
      property(cashout, (cashout) => {
        const registered = cashoutRegistered(cashout, at);
        expect(sums(registered, cashoutReleased(cashout, at))).toEqual({});
        expect(sums(registered, cashoutPaid(cashout, NETWORK, at), cashoutPaymentReversed(cashout, NETWORK, at))).toEqual({});
      }),
    );
  });
});

describe('a payment of an order', () => {
  test('is owed by the network in full, and to the merchant less fee and tax', () => {
    const paid = orderPaid(
      {
        merchantId: 'shop',
        orderId: 'A-1',
        paymentNumber: 2,
        currency: 'COP',
        amountMinor: 4_500_000n,
        feeMinor: 112_500n,
        taxMinor: 21_375n,
        netname: NETWORK,
      },
      at,
    );
    expect(paid).toMatchObject({ transactionId: 'order/A-1/paid/2', kind: 'order_paid' });
    expect(sums(paid)).toEqual({
      [`network:${NETWORK}`]: -4_500_000n,
      collected: 4_366_125n,
      'service:fees': 112_500n,
      'service:tax': 21_375n,
    });
  });

  test('leaves nothing anywhere once it is reversed', () => {
    assert(
      property(payment, (payment) => {
        expect(sums(orderPaid(payment, at), orderPaymentReversed(payment, at))).toEqual({});
      }),
    );
  });
});

describe('a fee', () => {
  test('is rounded half up, once for the percentage and once for the tax', () => {
    // 2.5 % of 0.20 is half a cent.
    expect(feeOf({ percentPpm: 25_000, fixedMinor: 0n, taxPpm: 0 }, 20n)).toEqual({ feeMinor: 1n, taxMinor: 0n });
    expect(feeOf({ percentPpm: 25_000, fixedMinor: 0n, taxPpm: 0 }, 19n)).toEqual({ feeMinor: 0n, taxMinor: 0n });
    // 19 % on the rounded 1,013, not on 1,012.5: 192.47.
    expect(feeOf({ percentPpm: 25_000, fixedMinor: 1_000n, taxPpm: 190_000 }, 500n)).toEqual({ feeMinor: 1_013n, taxMinor: 192n });
    expect(feeOf(NO_FEE, 4_500_000n)).toEqual({ feeMinor: 0n, taxMinor: 0n });
  });

  test('is within half a minor unit of the exact one, and never negative', () => {
    assert(
      property(terms, amountMinor, (terms, amountMinor) => {
        const { feeMinor, taxMinor } = feeOf(terms, amountMinor);
        const feeOff = 2n * ((feeMinor - terms.fixedMinor) * 1_000_000n - amountMinor * BigInt(terms.percentPpm));
        const taxOff = 2n * (taxMinor * 1_000_000n - feeMinor * BigInt(terms.taxPpm));
        for (const off of [feeOff, taxOff]) expect(off > -1_000_000n && off <= 1_000_000n).toBe(true);
        expect(feeMinor >= 0n && taxMinor >= 0n).toBe(true);
      }),
    );
  });
});

test('each posting is of its own kind, reversals too', () => {
  const money = { merchantId: 'shop', currency: 'COP', amountMinor: 100n, feeMinor: 3n, taxMinor: 1n };
  const cashedOut = { ...money, operationId: 'W-1', refundId: null };
  const paid = { ...money, orderId: 'A-1', paymentNumber: 1, netname: NETWORK };
  const kinds = [
    cashoutRegistered(cashedOut, at),
    cashoutReleased(cashedOut, at),
    cashoutPaid(cashedOut, NETWORK, at),
    cashoutPaymentReversed(cashedOut, NETWORK, at),
    orderPaid(paid, at),
    orderPaymentReversed(paid, at),
  ].map(({ kind, transactionId }) => [transactionId, kind]);
  expect(kinds).toEqual([
    ['cashout/W-1/registered', 'cashout_registered'],
    ['cashout/W-1/released', 'cashout_released'],
    ['cashout/W-1/paid', 'cashout_paid'],
    ['cashout/W-1/reversed', 'cashout_payment_reversed'],
    ['order/A-1/paid/1', 'order_paid'],
    ['order/A-1/reversed/1', 'order_payment_reversed'],
  ]);
});
