import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { ManagementOperation } from '../manage/index.ts';
import { holdOperations } from './holds/holds.manage.ts';
import { releaseDueHolds } from './holds/release-holds.job.ts';
import { settlementOperations, type SettlementDeps } from './settlements.manage.ts';

export { settlementChecks } from './verify-settlements.ts';

/** The room's operations of the management API. */
export const settlementManagement: readonly ManagementOperation<SettlementDeps>[] = [...settlementOperations, ...holdOperations];

/** Opens the room in one cell: what it does by itself. */
export const openSettlements = (room: { readonly db: Db; readonly clock: Clock }): { readonly jobs: readonly Job[] } => ({
  jobs: [releaseDueHolds(room)],
});
