import { BinariesUnavailable } from '@caudal/embedded-postgres';
import { expect, test } from 'vitest';
import { explainFault } from './explain-fault.ts';

test('a machine on which the embedded PostgreSQL does not run is sent to DATABASE_URL', () => {
  expect(explainFault(new BinariesUnavailable('There is no embedded PostgreSQL for linux-riscv64 here.'))).toBe(
    'There is no embedded PostgreSQL for linux-riscv64 here. Set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
});
