import { expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import * as fc from '../testing/fast-check.ts';
import { decideStep, netOf, NEW_SETTLEMENT, postingOf, type SettlementStep } from './settlement.ts';
import { SETTLEMENT_STATES, type Settlement } from './settlement-columns.ts';
import { LINE_BASES, LINE_KINDS } from './terms/choices.ts';
import type { SettlementLine } from './terms/deductions.ts';

const NOW = Temporal.Instant.from('2026-11-21T15:00:00Z');

const draftOf = (grossMinor: bigint, lines: readonly SettlementLine[] = []): Settlement => ({
  merchantId: 'shop',
  settlementId: 12n,
  currency: 'COP',
  cutoffAt: NOW,
  settledOn: Temporal.PlainDate.from('2026-11-21'),
  dueOn: null,
  entries: 1,
  grossMinor,
  netMinor: netOf(grossMinor, lines),
  madeAt: NOW,
  ...NEW_SETTLEMENT,
});

const STEPS = {
  approved: { to: 'approved' },
  sent: { to: 'sent', fileId: 'F-1' },
  paid: { to: 'paid', bankReference: 'B-1' },
  returned: { to: 'returned', problem: 'closed' },
  cancelled: { to: 'cancelled' },
} as const satisfies Record<string, SettlementStep>;
type To = keyof typeof STEPS;

/** A settlement that has gone through some states. */
function gone(...path: readonly To[]): Settlement {
  return path.reduce((settlement, to) => {
    const next = decideStep(settlement, STEPS[to], NOW);
    if (isRefusal(next)) throw new Error(next.refusal);
    return next;
  }, draftOf(100n));
}

const PATHS: readonly (readonly To[])[] = [
  [],
  ['approved'],
  ['approved', 'sent'],
  ['approved', 'returned'],
  ['approved', 'sent', 'paid'],
  ['approved', 'sent', 'returned'],
  ['approved', 'sent', 'paid', 'returned'],
  ['cancelled'],
];
/** `same`: it was so before. */
const OUTCOMES: Readonly<Record<string, Readonly<Record<To, string>>>> = {
  '': {
    approved: 'approved',
    sent: 'settlement_not_approved',
    paid: 'settlement_not_sent',
    returned: 'settlement_not_approved',
    cancelled: 'cancelled',
  },
  approved: {
    approved: 'same',
    sent: 'sent',
    paid: 'settlement_not_sent',
    returned: 'returned',
    cancelled: 'settlement_approved',
  },
  'approved returned': {
    approved: 'same',
    sent: 'settlement_ended',
    paid: 'settlement_ended',
    returned: 'same',
    cancelled: 'settlement_ended',
  },
  'approved sent': { approved: 'same', sent: 'same', paid: 'paid', returned: 'returned', cancelled: 'settlement_approved' },
  'approved sent paid': { approved: 'same', sent: 'same', paid: 'same', returned: 'returned', cancelled: 'settlement_approved' },
  'approved sent returned': { approved: 'same', sent: 'same', paid: 'settlement_ended', returned: 'same', cancelled: 'settlement_ended' },
  'approved sent paid returned': { approved: 'same', sent: 'same', paid: 'same', returned: 'same', cancelled: 'settlement_ended' },
  cancelled: {
    approved: 'settlement_ended',
    sent: 'settlement_ended',
    paid: 'settlement_ended',
    returned: 'settlement_ended',
    cancelled: 'same',
  },
};

test.each(PATHS.map((path) => ({ path, name: path.join(' ') || 'made' })))('what may follow where it was $name', ({ path }) => {
  const settlement = gone(...path);
  const outcomes = Object.entries(STEPS).map(([to, step]) => {
    const next = decideStep(settlement, step, NOW.add({ hours: 1 }));
    return [to, next === settlement ? 'same' : isRefusal(next) ? next.refusal : next.state];
  });
  expect(Object.fromEntries(outcomes)).toEqual(OUTCOMES[path.join(' ')]);
});

test('one that was sent is in no other file', () => {
  const sent = gone('approved', 'sent');
  expect(decideStep(sent, STEPS.sent, NOW)).toBe(sent);
  expect(decideStep(sent, { to: 'sent', fileId: null }, NOW)).toBe(sent);
  for (const one of [sent, { ...sent, fileId: null }])
    expect(decideStep(one, { to: 'sent', fileId: 'F-2' }, NOW)).toEqual({ refusal: 'settlement_not_approved' });
});

test('one that was paid under a reference was not paid under another one', () => {
  expect(decideStep(gone('approved', 'sent', 'paid'), { to: 'paid', bankReference: 'B-2' }, NOW)).toEqual({
    refusal: 'settlement_paid_otherwise',
  });
});

const line: fc.Arbitrary<SettlementLine> = fc.record({
  kind: fc.constantFrom(...LINE_KINDS),
  name: fc.constant('rule'),
  base: fc.constantFrom(...LINE_BASES),
  source: fc.constant(null),
  baseMinor: fc.constant(0n),
  ratePpm: fc.constant(0),
  fixedMinor: fc.constant(0n),
  taxPpm: fc.constant(0),
  amountMinor: fc.bigInt({ min: 1n, max: 1_000n }),
  taxMinor: fc.bigInt({ min: 0n, max: 200n }),
  releaseOn: fc.constant(null),
});

test('whatever is taken off, no peso is lost on any way: what came back is all but what was due for payments and what is held', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom(...PATHS), (drawn, path) => {
      const lines = drawn.map((one) => (one.kind === 'fee' ? one : { ...one, taxMinor: 0n }));
      const grossMinor = 100_000n;
      const settlement = { ...gone(...path), grossMinor, netMinor: netOf(grossMinor, lines) };
      const accounts = new Map<string, bigint>();
      for (const state of SETTLEMENT_STATES) {
        const posting = postingOf(settlement, lines, state);
        const sum = posting?.lines.reduce((total, { amountMinor }) => total + amountMinor, 0n) ?? 0n;
        expect(sum).toBe(0n);
        for (const { account, amountMinor } of posting?.lines ?? []) accounts.set(account, (accounts.get(account) ?? 0n) + amountMinor);
      }
      const of = (account: string): bigint => accounts.get(account) ?? 0n;
      const taken = (isTaken: (one: SettlementLine) => boolean): bigint =>
        lines.filter(isTaken).reduce((total, { amountMinor, taxMinor }) => total + amountMinor + taxMinor, 0n);
      const isApproved = settlement.approvedAt !== null;
      const isReturned = settlement.state === 'returned';
      const kept = taken(({ kind, base }) => kind === 'reserve' || !isReturned || base !== 'payout');
      expect(of('collected')).toBe(!isApproved ? 0n : isReturned ? -kept : -grossMinor);
      expect(of('held')).toBe(isApproved ? taken(({ kind }) => kind === 'reserve') : 0n);
      expect(of('settlements')).toBe(isApproved && settlement.paidAt === null && !isReturned ? settlement.netMinor : 0n);
      expect(of('service:bank')).toBe(settlement.state === 'paid' ? settlement.netMinor : 0n);
      expect(of('service:fees') + of('service:tax') + of('service:withheld')).toBe(
        isApproved ? taken(({ kind, base }) => kind !== 'reserve' && (!isReturned || base !== 'payout')) : 0n,
      );
    }),
  );
});
