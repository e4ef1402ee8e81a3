import { expect, test } from 'vitest';
import { captureLog } from '../../testing/captured.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { openTally } from './tally.ts';

test('many refused requests are one line for each reason and caller, without ids that were made up', async () => {
  const { log, lines } = captureLog();
  let counted = 0;
  const tally = openTally({ log, onRefused: () => void counted++, exists: async (_kind, id) => id === 'demo', sumMs: 50 });
  for (let at = 0; at < 312; at++) tally('wrong_checksum', { kind: 'merchant', id: 'demo' }, `192.0.2.${at % 3}`);
  for (let at = 0; at < 5_000; at++) tally('wrong_checksum', { kind: 'merchant', id: `made-up-${at}` }, '192.0.2.9');
  tally('wrong_checkout_token', undefined, '192.0.2.9');
  tally('wrong_password', { kind: 'network', id: 'demo' }, '192.0.2.9');
  await eventually(SOON_MS, () => expect(lines.length).toBeGreaterThan(0));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ reason: 'wrong_checksum', caller: 'merchant demo', times: 312, addresses: 3 }),
    expect.objectContaining({ reason: 'wrong_checksum', caller: 'not known', times: 5_000, addresses: 1 }),
    expect.objectContaining({ caller: 'not known', times: 1, msg: 'refused 1 requests in the last minute: wrong checkout token' }),
    expect.objectContaining({ reason: 'wrong_password', times: 1, addresses: 1 }),
  ]);
  expect(lines[0]).toContain('refused 312 requests in the last minute: wrong checksum');
  expect(lines.join('')).not.toContain('made-up');
  expect(counted).toBe(312 + 5_000 + 2);
});
