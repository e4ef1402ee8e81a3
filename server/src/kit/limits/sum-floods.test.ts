import { pino } from 'pino';
import { expect, test } from 'vitest';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { sumFloods } from './sum-floods.ts';

const WARN = 40;

test('a warning that comes again and again is written ten times, and then summed up', async () => {
  const lines: string[] = [];
  const log = pino({ hooks: { logMethod: sumFloods(WARN, 100) } }, { write: (line: string) => void lines.push(line) });
  for (let at = 0; at < 5_000; at++) log.warn({ requestId: String(at), error: new Error('the database is away') }, 'cannot serve now');
  log.warn({ merchantId: 'demo' }, 'cannot serve now');
  for (let at = 0; at < 100; at++) log.info({}, 'answered');
  expect(lines).toHaveLength(10 + 1 + 100);
  await eventually(SOON_MS, () => expect(lines).toHaveLength(10 + 1 + 100 + 1));
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ times: 5_000, msg: 'cannot serve now; 5000 times in the last minute' });
});
