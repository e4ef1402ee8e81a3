import { describe, expect, test } from 'vitest';
import type { Cashout } from '../cashout.ts';
import { findCountry, type Country } from '../../merchants/index.ts';
import { decideLookUp, LOCK_MINUTES, type Candidate } from './collection.ts';

const NOW = Temporal.Instant.from('2026-11-21T15:00:00Z');
const COLOMBIA = findCountry('343') as Country;
const NETWORK = { netname: 'efectivo', served: { countries: ['343'], currencies: ['COP'] } };
const LOCK_END = NOW.add({ minutes: LOCK_MINUTES });

const candidate = (cashoutId: bigint, fields: Partial<Cashout> = {}, rest: Partial<Candidate> = {}): Candidate => ({
  cashout: {
    merchantId: 'shop',
    operationId: `C-${cashoutId}`,
    cashoutId,
    state: 'pending',
    version: 1,
    amountMinor: 100n,
    transactionCostMinor: 0n,
    currency: 'COP',
    description: '',
    document: '77001',
    sms: false,
    cellphone: '',
    expiresOn: Temporal.PlainDate.from('2026-11-30'),
    createdAt: NOW,
    updatedAt: NOW,
    updatedOn: Temporal.PlainDate.from('2026-11-21'),
    feeMinor: 0n,
    taxMinor: 0n,
    reservedMinor: 100n,
    refundId: null,
    otpLength: 6,
    otpWrongTries: 0,
    otpResends: 0,
    lockedBy: null,
    lockedUntil: null,
    ...fields,
  },
  endsAt: NOW.add({ hours: 24 }),
  fits: true,
  merchant: { country: COLOMBIA, isFrozen: false },
  ...rest,
});
const lookUp = (...candidates: readonly Candidate[]) => decideLookUp(candidates, NETWORK, undefined, [], NOW);

describe('a look-up', () => {
  test('finds the oldest of several cashouts with one password', () => {
    expect(lookUp(candidate(3n), candidate(2n), candidate(10n))).toMatchObject({ found: { cashoutId: 2n } });
  });

  test('passes over one that another network holds, and finds again what its own network holds', () => {
    const held = { lockedBy: 'other', lockedUntil: LOCK_END };
    expect(lookUp(candidate(1n, held), candidate(2n))).toMatchObject({ found: { cashoutId: 2n } });
    expect(lookUp(candidate(1n, held))).toMatchObject({ refused: { refusal: 'cashout_locked' } });
    expect(lookUp(candidate(1n, { ...held, lockedBy: 'efectivo' }), candidate(2n))).toMatchObject({ found: { cashoutId: 1n } });
  });

  test('holds nothing that its network does not serve, and nothing of a frozen merchant', () => {
    expect(lookUp(candidate(1n, { currency: 'USD' }))).toEqual({ refused: { refusal: 'cashout_not_served' }, wrongFor: null });
    const peru = { country: findCountry('348') as Country, isFrozen: false };
    expect(lookUp(candidate(1n, {}, { merchant: peru }))).toEqual({ refused: { refusal: 'cashout_not_served' }, wrongFor: null });
    const frozen = { country: COLOMBIA, isFrozen: true };
    expect(lookUp(candidate(1n, {}, { merchant: frozen }))).toEqual({ refused: { refusal: 'cashout_locked' }, wrongFor: null });
  });

  test.each([
    ['for five minutes', NOW.add({ hours: 1 }), LOCK_END],
    ['until its last day ends, if that is earlier', NOW.add({ minutes: 2 }), NOW.add({ minutes: 2 })],
  ])('holds what it finds %s', (_, endsAt, lockedUntil) => {
    expect(lookUp(candidate(1n, {}, { endsAt }))).toEqual({
      found: { ...candidate(1n).cashout, lockedBy: 'efectivo', lockedUntil },
    });
  });
});

test.each([
  ['P-1', 19, '', false],
  ['P-1', 20, '', true],
  ['', 999, '', false],
  ['', 1_000, '', true],
  ['P-1', 20, 'over', false],
])('at the place "%s", %i wrong tries of a window%s end it: %s', (place, tries, over, ends) => {
  const since = NOW.subtract({ minutes: over === '' ? 14 : 15 });
  const outcome = decideLookUp([candidate(1n)], NETWORK, undefined, [{ place, tries, since }], NOW);
  expect('refused' in outcome).toBe(ends);
});
