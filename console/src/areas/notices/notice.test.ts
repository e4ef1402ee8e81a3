import { expect, test } from 'vitest';
import { fieldChanges } from './body-changes.ts';
import { causeOf } from './cause.ts';

test.each([
  ['HTTP 503', 'receiver'],
  ['HTTP 301, redirects are not followed', 'redirect'],
  ['HTTP 401', 'denied'],
  ['HTTP 404', 'missing'],
  ['connection refused', 'down'],
  ['no answer in time', 'slow'],
  ['no connection in time', 'slow'],
  ['not sent in time: the endpoint was paused', 'paused'],
  ['the name does not resolve', 'name'],
  ['the address is not allowed', 'refused'],
  ['the merchant has no notice URL', 'unaddressed'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['the history lacks what changed', 'other'],
])('the problem “%s” is explained as %s', (problem, cause) => {
  expect(causeOf(problem)).toBe(cause);
});

test('two bodies differ in the members that are new, gone or changed', () => {
  const from = '{"po_id":"A-1","status":"approved","amount":"1.0","payment":"demo"}';
  const to = '{"po_id":"A-1","status":"cancelled","amount":"1.0","changes":{"a":1}}';
  expect(fieldChanges(from, to)).toEqual([
    { field: 'status', name: 'status', from: 'approved', to: 'cancelled' },
    { field: 'changes', name: 'changes', to: '{"a":1}' },
    { field: 'payment', name: 'payment', from: 'demo' },
  ]);
});
