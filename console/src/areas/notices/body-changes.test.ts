import { expect, test } from 'vitest';
import { fieldChanges } from './body-changes.ts';

test('two bodies differ in the members that are new, gone or changed', () => {
  const from = '{"po_id":"A-1","status":"approved","amount":"1.0","payment":"demo"}';
  const to = '{"po_id":"A-1","status":"cancelled","amount":"1.0","changes":{"a":1}}';
  expect(fieldChanges(from, to)).toEqual([
    { field: 'status', name: 'status', from: 'approved', to: 'cancelled' },
    { field: 'changes', name: 'changes', to: '{"a":1}' },
    { field: 'payment', name: 'payment', from: 'demo' },
  ]);
});
