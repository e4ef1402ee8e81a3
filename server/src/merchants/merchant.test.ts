import { describe, expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import * as fc from '../testing/fast-check.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { decideRotation, validSecrets, type HeldGeneration } from './merchant.ts';

const at = Temporal.Instant.from('2026-11-21T15:00:00Z');
const newest = (generation: number): HeldGeneration => ({ generation, expiresAt: null });
const ending = (generation: number, seconds: number): HeldGeneration => ({ generation, expiresAt: at.add({ seconds }) });

describe('a rotation of the fixed hash', () => {
  test.each([
    ['gives the earlier one the days', [newest(1)], 3, { generation: 2, earlierEndAt: at.add({ hours: 72 }) }],
    ['ends the earlier one at once with 0 days', [newest(1)], 0, { generation: 2, earlierEndAt: at }],
    ['does not mind one that has ended', [newest(2), ending(1, 0)], 7, { generation: 3, earlierEndAt: at.add({ hours: 168 }) }],
    ['is refused while two are valid', [newest(2), ending(1, 1)], 7, { refusal: 'rotation_under_way' }],
    ['is refused while two are valid, even for one day', [newest(2), ending(1, 1)], 1, { refusal: 'rotation_under_way' }],
    ['ends both with 0 days while two are valid', [newest(2), ending(1, 1)], 0, { generation: 3, earlierEndAt: at }],
    ['names the days before the rotation under way', [newest(2), ending(1, 1)], 8, { refusal: 'days_out_of_range' }],
    ['takes no negative days', [newest(1)], -1, { refusal: 'days_out_of_range' }],
    ['takes no half days', [newest(1)], 0.5, { refusal: 'days_out_of_range' }],
  ])('%s', (_name, held, days, expected) => {
    expect(decideRotation(held, at, days)).toEqual(expected);
  });

  test('never leaves more than two valid, none longer than seven days beside the newest, whatever the history', () => {
    const step = fc.record({ days: fc.integer({ min: -1, max: 9 }), thenHours: fc.integer({ min: 0, max: 300 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let now = at;
        let held: readonly HeldGeneration[] = [newest(1)];
        for (const { days, thenHours } of steps) {
          const decision = decideRotation(held, now, days);
          if (!isRefusal(decision)) {
            const end = decision.earlierEndAt;
            const cut = (expiresAt: Temporal.Instant | null): Temporal.Instant =>
              expiresAt !== null && Temporal.Instant.compare(expiresAt, end) < 0 ? expiresAt : end;
            held = [newest(decision.generation), ...held.map((one) => ({ ...one, expiresAt: cut(one.expiresAt) }))];
          }
          const valid = held.filter(({ expiresAt }) => expiresAt === null || Temporal.Instant.compare(now, expiresAt) < 0);
          expect(valid.length).toBeLessThanOrEqual(2);
          for (const { expiresAt } of valid) {
            if (expiresAt !== null) expect(expiresAt.since(now).total('hours')).toBeLessThanOrEqual(24 * MAX_ROTATION_DAYS);
          }
          now = now.add({ hours: thenHours });
        }
      }),
    );
  });
});

test('a fixed hash is valid up to its end and not at it', () => {
  const end = at.add({ hours: 1 });
  const hashes = [
    { secret: 'new', expiresAt: null },
    { secret: 'old', expiresAt: end },
  ];
  expect(validSecrets(hashes, end.subtract({ nanoseconds: 1 }))).toEqual(['new', 'old']);
  expect(validSecrets(hashes, end)).toEqual(['new']);
});
