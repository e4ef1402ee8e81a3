import { describe, expect, test } from 'vitest';
import * as fc from '../testing/fast-check.ts';
import { replay, type OrderEvent } from './order-history.ts';
import {
  decideCancelOrder,
  decideCreate,
  decideUpdate,
  stateAt,
  type CreateOrder,
  type DecidedOrder,
  type GivenTerms,
  type MerchantRules,
  type Order,
  type ReferenceHolder,
  type OrderState,
  type Refused,
  type UpdateOrder,
} from './order.ts';

const rules: MerchantRules = { timeZone: 'America/Bogota', countryCodes: ['343', '170'], currencies: ['COP', 'USD'], mayRecur: true };
const morning = Temporal.Instant.from('2026-11-21T15:00:00Z');
const day = (text: string) => Temporal.PlainDate.from(text);
const signed = { email: 'ana@example.com', country: '343', currency: 'COP', amountMinor: 4_500_000n };
const key = { merchantId: 'demo', orderId: 'A-1', requestId: 'r-1' };
const create = (given: GivenTerms = {}): CreateOrder => ({ ...key, rules, given: { ...signed, ...given } as CreateOrder['given'] });
const update = (given: GivenTerms = {}, more: Partial<UpdateOrder> = {}): UpdateOrder => ({
  ...create(given),
  replayGuard: 'off',
  isReported: false,
  ...more,
});

function made(given: GivenTerms = {}, now = morning): { order: Order; event: OrderEvent } {
  const decided = decideCreate(create(given), {
    now,
    restDays: 90,
    allowanceDays: 1,
    exists: false,
    serviceOrderId: 7n,
    spareReference: '100000000008',
  });
  if (!('order' in decided)) throw new Error(decided.refusal);
  return decided;
}
const outcome = (decided: DecidedOrder | Refused<string>): string =>
  'refusal' in decided ? decided.refusal : decided.event === undefined ? 'same' : 'changed';

describe('stateAt', () => {
  test('counts an open order as expired from the very instant at which its day ends', () => {
    const { order } = made({ expiresOn: day('2026-11-21') });
    const end = Temporal.Instant.from('2026-11-22T05:00:00Z');
    expect(order.expiresAt).toEqual(end);
    expect(stateAt(order, end.subtract({ milliseconds: 1 }))).toBe('pending');
    expect(stateAt(order, end)).toBe('expired');
  });

  test.each<OrderState>(['approved', 'expired', 'cancelled', 'voided'])('leaves %s as it is', (state) => {
    expect(stateAt({ ...made().order, state }, morning.add({ hours: 10_000 }))).toBe(state);
  });

  test('never ends a recurrent order', () => {
    expect(stateAt(made({ recurrent: true }).order, morning.add({ hours: 100_000 }))).toBe('pending');
  });
});

describe('decideUpdate', () => {
  const { order } = made({ expiresOn: day('2026-12-01') });
  const inTenDays = morning.add({ hours: 240 });

  test.each<[string, Order | undefined, UpdateOrder, Temporal.Instant]>([
    ['changed', order, update({ description: 'x' }), morning],
    ['same', order, update(), morning],
    ['same', order, update({ expiresOn: day('2026-12-01'), reference: order.reference, amountMinor: 4_500_000n }), morning],
    ['order_not_open', undefined, update(), morning],
    ...(['approved', 'expired', 'cancelled', 'voided'] as const).map((state): [string, Order, UpdateOrder, Temporal.Instant] => [
      'order_not_open',
      { ...order, state },
      update(),
      morning,
    ]),
    ['order_not_open', order, update({ recurrent: true }), Temporal.Instant.from('2026-12-02T05:00:00Z')],
    ['country_not_allowed', undefined, update({ country: '345' }), morning],
    ['changed', order, update({ country: '170' }), morning],
    ['version_mismatch', order, update({ currency: 'EUR' }, { ifMatch: [2, 3] }), morning],
    ['version_mismatch', order, update({}, { ifMatch: [] }), morning],
    ['same', order, update({}, { ifMatch: [9, 1] }), morning],
    ['same', order, update({}, { ifMatch: 'any' }), morning],
    ['order_not_open', undefined, update({}, { ifMatch: 'any' }), morning],
    ['currency_not_allowed', order, update({ currency: 'EUR', recurrent: true }), morning],
    [
      'recurrent_not_allowed',
      order,
      update({ recurrent: true, expiresOn: day('2030-01-01') }, { rules: { ...rules, mayRecur: false } }),
      morning,
    ],
    ['same', order, update({ recurrent: false }, { rules: { ...rules, mayRecur: false } }), morning],
    ['changed', order, update({ expiresOn: day('2026-12-21') }), morning],
    ['expiration_out_of_range', order, update({ expiresOn: day('2026-12-22') }), morning],
    ['expiration_out_of_range', order, update({ expiresOn: day('2026-11-20') }), morning],
    ['changed', order, update({ expiresOn: day('2026-11-21') }), inTenDays],
    ['expiration_out_of_range', order, update({ expiresOn: day('2026-11-20') }), inTenDays],
    // 23:59 in Bogota is the next day in London: today is the merchant's.
    ['expiration_out_of_range', order, update({ expiresOn: day('2026-12-22') }), Temporal.Instant.from('2026-11-22T04:59:59Z')],
    ['changed', order, update({ expiresOn: day('2026-12-22') }), Temporal.Instant.from('2026-11-22T05:00:00Z')],
  ])('is %s', (expected, stored, command, now) => {
    expect(outcome(decideUpdate(stored, command, { now, restDays: 90, allowanceDays: 0 }))).toBe(expected);
  });

  test('gives the version of an order that it refuses to change', () => {
    expect(
      decideUpdate({ ...order, version: 4 }, update({ currency: 'EUR' }), { now: morning, restDays: 90, allowanceDays: 0 }),
    ).toMatchObject({
      version: 4,
    });
  });
});

describe('a reference', () => {
  const open = { merchantId: 'demo', orderId: 'B-1', expiresAt: morning.add({ hours: 1 }) };
  const ended = { ...open, merchantId: 'other', expiresAt: morning.subtract({ hours: 24 * 89 }), isEnded: true };
  test.each<[boolean, ReferenceHolder | undefined]>([
    [false, undefined],
    [true, open],
    [true, { ...open, expiresAt: null }],
    [true, { ...open, merchantId: 'other', orderId: 'A-1' }],
    [false, { ...open, orderId: 'A-1' }],
    [false, { ...open, expiresAt: morning }],
    [false, { ...open, isEnded: true }],
    [true, { ...open, merchantId: 'other', expiresAt: morning }],
    [true, ended],
    [true, { ...ended, isEnded: false }],
    [false, { ...ended, merchantId: 'demo', isMade: true }],
    [false, { ...ended, expiresAt: morning.subtract({ hours: 24 * 90 }) }],
    [true, { ...ended, expiresAt: morning.subtract({ hours: 24 * 90 }), isMade: true }],
  ])('is taken: %s', (taken, holder) => {
    const decided = decideUpdate(made().order, update({ reference: '42' }), { now: morning, holder, restDays: 90, allowanceDays: 0 });
    expect(outcome(decided)).toBe(taken ? 'reference_taken' : 'changed');
  });
});

describe('decideCreate', () => {
  const at = { now: morning, restDays: 90, allowanceDays: 1, exists: false, serviceOrderId: 7n, spareReference: '100000000008' };
  const holder = { merchantId: 'demo', orderId: 'B-1', expiresAt: null };

  test('fills in what was not given: thirty days, a reference of ours, no terms', () => {
    expect(made().order).toMatchObject({
      state: 'pending',
      version: 1,
      expiresOn: day('2026-12-21'),
      reference: '100000000008',
      method: '',
      description: null,
      recurrent: false,
    });
  });

  test.each<[string, CreateOrder, Partial<typeof at & { holder: typeof holder }>]>([
    ['changed', create({ expiresOn: day('2026-11-21') }), {}],
    ['changed', create({ expiresOn: day('2026-12-22') }), {}],
    ['expiration_out_of_range', create({ expiresOn: day('2026-12-23') }), {}],
    ['expiration_out_of_range', create({ expiresOn: day('2026-11-20'), reference: '5' }), { holder }],
    ['order_exists', create({ currency: 'EUR' }), { exists: true }],
    ['country_not_allowed', create({ country: '604' }), { exists: true }],
    ['currency_not_allowed', create({ currency: 'EUR', expiresOn: day('2030-01-01') }), {}],
    ['reference_taken', create({ reference: '5' }), { holder }],
  ])('is %s', (expected, command, situation) => {
    expect(outcome(decideCreate(command, { ...at, ...situation }))).toBe(expected);
  });
});

describe('decideCancel', () => {
  const { order } = made();
  test.each<[string, Order | undefined, readonly number[] | undefined]>([
    ['changed', order, undefined],
    ['changed', order, [1]],
    ['version_mismatch', order, [2]],
    ['order_not_found', undefined, [2]],
    ['same', { ...order, state: 'cancelled' }, [2]],
    ['order_not_open', { ...order, state: 'approved' }, [2]],
    ['order_not_open', { ...order, expiresAt: morning }, undefined],
  ])('is %s', (expected, stored, ifMatch) => {
    expect(outcome(decideCancelOrder(stored, { ...key, ifMatch }, { now: morning }))).toBe(expected);
  });
});

const term = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const present = (terms: GivenTerms): GivenTerms => Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));

describe('the history', () => {
  const textOrNull = fc.option(fc.string({ maxLength: 5 }), { nil: null });
  const given = fc.record({
    email: term(fc.constantFrom('ana@example.com', 'luz@example.com')),
    country: term(fc.constantFrom('343', '170')),
    currency: term(fc.constantFrom('COP', 'USD')),
    amountMinor: term(fc.bigInt({ min: 1n, max: 999_999_999_999_999n })),
    reference: term(fc.stringMatching(/^[0-9]{1,25}$/)),
    description: term(textOrNull),
    method: term(fc.constantFrom('', 'PSE')),
    language: term(fc.constantFrom('es', 'pt')),
    recurrent: term(fc.boolean()),
    expiresOn: term(fc.integer({ min: 0, max: 30 }).map((days) => day('2026-11-21').add({ days }))),
    vatRatePpm: term(fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: null })),
    userDocument: term(textOrNull),
    userDocumentType: term(textOrNull),
    userName: term(textOrNull),
    redirectTimeoutMs: term(fc.option(fc.nat(9_999_999), { nil: null })),
  });

  test('replays to the order, whatever happened, also after a journey through JSON', () => {
    fc.assert(
      fc.property(given, fc.array(given, { maxLength: 12 }), fc.boolean(), (first, later, cancels) => {
        let { order, event } = made(present(first));
        const events = [event];
        later.forEach((terms, minutes) => {
          const decided = decideUpdate(order, update(present(terms)), { now: morning.add({ minutes }), restDays: 90, allowanceDays: 0 });
          if (!('order' in decided)) throw new Error(decided.refusal);
          if (decided.event !== undefined) events.push(decided.event);
          order = decided.order;
          // The same once more changes nothing.
          expect(decideUpdate(order, update(present(terms)), { now: morning.add({ minutes }), restDays: 90, allowanceDays: 0 })).toEqual({
            order,
          });
        });
        const last = cancels ? decideCancelOrder(order, key, { now: morning.add({ hours: 1 }) }) : { order };
        if (!('order' in last)) throw new Error(last.refusal);
        if (last.event !== undefined) events.push(last.event);
        const stored = events.map((one) => ({ ...one, changes: JSON.parse(JSON.stringify(one.changes)) as OrderEvent['changes'] }));
        expect(replay(stored)).toEqual(last.order);
      }),
    );
  });

  test('that was tampered with does not replay', () => {
    const { order, event } = made();
    const second = decideUpdate(order, update({ description: 'x' }), { now: morning, restDays: 90, allowanceDays: 0 });
    if (!('event' in second)) throw new Error('not changed');
    const changed: OrderEvent = second.event;
    expect(() => replay([event, { ...changed, version: 3 }])).toThrow(/version 2 is missing/);
    expect(() => replay([event, { ...changed, changes: { description: ['y', 'x'] } }])).toThrow(/description was not y/);
    expect(() => replay([])).toThrow(/creation/);
  });
});
