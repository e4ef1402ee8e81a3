import { expect, test } from 'vitest';
import { instantAt } from './local-time.ts';

test.each([
  ['2026-11-21T10:00', 'America/Bogota', '2026-11-21T15:00:00Z'],
  ['2026-11-21T10:00', 'UTC', '2026-11-21T10:00:00Z'],
  // Santiago goes from -04:00 to -03:00 at midnight on 6 September 2026.
  ['2026-09-05T23:30', 'America/Santiago', '2026-09-06T03:30:00Z'],
  ['2026-09-06T01:30', 'America/Santiago', '2026-09-06T04:30:00Z'],
  ['2026-11-21', 'UTC', undefined],
  ['2026-13-41T10:00', 'UTC', undefined],
])('%s in %s is the instant %s', (local, zone, instant) => {
  expect(instantAt(local, zone)).toBe(instant);
});
