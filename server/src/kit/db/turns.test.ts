import { expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { openTurns } from './turns.ts';

const OWNERS = ['few', 'many', 'other'] as const;

test('nobody waits behind more of another than he has himself, and one’s own keep their order', () => {
  const joins = fc.array(fc.constantFrom(...OWNERS), { maxLength: 60 });
  fc.assert(
    fc.property(joins, fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 }), (owners, takes) => {
      const turns = openTurns<{ readonly owner: string; readonly number: number }>();
      for (const [number, owner] of owners.entries()) turns.join(owner, { owner, number });
      const taken = [...takes, owners.length].flatMap((most) => turns.take(most));
      expect(turns.count()).toBe(0);
      expect(taken.map(({ number }) => number).sort((a, b) => a - b)).toEqual([...owners.keys()]);
      for (const owner of OWNERS) {
        const own = taken.filter((item) => item.owner === owner);
        expect(own).toEqual(own.toSorted((a, b) => a.number - b.number));
        for (const [index, item] of own.entries())
          for (const other of OWNERS.filter((one) => one !== owner))
            expect(taken.slice(0, taken.indexOf(item)).filter((one) => one.owner === other).length).toBeLessThanOrEqual(index + 1);
      }
    }),
  );
});

test('who comes while another’s flood waits is next', () => {
  const turns = openTurns<string>();
  for (let number = 0; number < 200; number++) turns.join('many', `many ${number}`);
  turns.take(4);
  turns.join('few', 'few');
  expect(turns.take(4)).toContain('few');
});
