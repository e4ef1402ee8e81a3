import { expect, test } from 'vitest';
import { TooManyRequests, type HttpReply } from '../../kit/http.ts';
import { openCallerLimits } from './caller-limits.ts';

/** One of 5,000 processes may leave 4,000 writes and 1,000 answers in a day. */
const PROCESSES = 5_000;
const reply = { headers: () => reply, request: { ip: '' } } as unknown as HttpReply;

/** How often a work may be done before it is refused, and by which limit. */
function countUntilRefused(work: () => void): { readonly times: number; readonly policy: string | undefined } {
  for (let times = 0; ; times++) {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      expect(Number(error.headers['retry-after'])).toBeGreaterThan(10);
      return { times, policy: error.headers['ratelimit-policy'] };
    }
  }
}

test('what a merchant leaves in the database in a day has a bound; another merchant has its own', () => {
  const refused: unknown[] = [];
  const limits = openCallerLimits(PROCESSES, (reason, claimed) => void refused.push([reason, claimed]));
  const most = { perSecond: 1e9, burst: 1e9, concurrent: 1e9 };
  const ask = (id: string, leaves: Parameters<typeof limits.admit>[4]) => () =>
    limits.leave(limits.admit('merchant', id, most, reply, leaves));
  const writes = { times: 3_000, policy: '"writes";q=4000;w=86400' };
  expect(countUntilRefused(ask('one', ['keys', 'writes']))).toEqual({ times: 1_000, policy: '"keys";q=1000;w=86400' });
  expect(countUntilRefused(ask('one', ['writes']))).toEqual(writes);
  ask('one', [])();
  expect(countUntilRefused(ask('other', ['writes']))).toEqual({ ...writes, times: 4_000 });
  expect(refused[0]).toEqual(['limit', { kind: 'merchant', id: 'one' }]);
});
