import { expect, test } from 'vitest';
import { decideEndpoint, type AttemptResult } from './notice.ts';

const NOW = Temporal.Instant.from('2026-11-21T15:00:00Z');
const EARLIER = NOW.subtract({ hours: 1 });

const attempt = (result: AttemptResult) => ({
  noticeId: 7n,
  attempts: 1,
  giveUpAt: NOW.add({ hours: 24 }),
  result,
  problem: result === 'failed' ? 'HTTP 500' : null,
});
const paused = (pausedBy: 'operator' | 'service') => ({
  failingSince: EARLIER,
  failures: 5,
  lastFailedId: 6n,
  problem: 'HTTP 500',
  pausedAt: EARLIER,
  pausedBy,
  probeAt: pausedBy === 'service' ? EARLIER : null,
  probes: pausedBy === 'service' ? 1 : 0,
});

test('a success ends the pause of the service, and the count of failures', () => {
  expect(decideEndpoint(paused('service'), [attempt('taken')], NOW, 0)).toBeUndefined();
});

test('a success of an attempt in flight ends no pause of an operator, only the count of failures', () => {
  expect(decideEndpoint(paused('operator'), [attempt('taken')], NOW, 0)).toEqual({
    failingSince: null,
    failures: 0,
    lastFailedId: null,
    problem: null,
    pausedAt: EARLIER,
    pausedBy: 'operator',
    probeAt: null,
    probes: 0,
  });
});

test('a failure leaves a pause of an operator without a probe', () => {
  expect(decideEndpoint(paused('operator'), [attempt('failed')], NOW, 0)).toMatchObject({ pausedBy: 'operator', probeAt: null, probes: 0 });
});
