import { expect, test } from 'vitest';
import { Unavailable } from '../kit/db.ts';
import { requireNodes } from './number-cell.ts';

test('a node of a cluster that is away keeps a cell on another one from use only before it was told what it needs', () => {
  const [done, away, refused] = [
    { success: true, result: '1' },
    { success: false, result: 'failed to connect to worker-2:5432' },
    { success: false, result: 'ERROR: permission denied for schema north' },
  ];
  requireNodes([done, away]);
  expect(() => requireNodes([done, away], false)).toThrow(new Unavailable(`a node of the cluster: ${away.result}`));
  expect(() => requireNodes([done, refused])).toThrow(new Unavailable(`a node of the cluster: ${refused.result}`));
});
