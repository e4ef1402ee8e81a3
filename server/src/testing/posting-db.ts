import { openActing } from '../audit/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';

/** What posts money by hand in a test: a database whose transactions are acts of somebody at the command line. */
export function postingDb(db: Db, clock: Clock, merchantId: string): Db {
  const actor = { kind: 'command', id: 'ana', name: 'ana' } as const;
  const target = `merchant ${merchantId}`;
  return openActing(db, clock)({ actor, source: 'localhost', requestId: null, operation: 'ledger top-up', merchantId, target });
}
