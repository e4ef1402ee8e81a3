import type { Managed } from './managed-operation.ts';
import { readMe, type OwnDeps } from './me.manage.ts';

export { cutPage } from './cut-page.ts';
export { allProblems, managementDocument, permissionText, problemsOf } from './describe-managed.ts';
export { managed, type Managed, type ManagedRefusal, type ManagedRequest, type Position } from './managed-operation.ts';
export {
  ALL_PERMISSIONS,
  ALL_ROLES,
  historyActor,
  NOBODY,
  PERMISSIONS,
  ROLES,
  withoutOperator,
  type Actor,
  type Permission,
  type Role,
} from './permissions.ts';
export { readMe } from './me.manage.ts';
export { manageFaults } from './problem-faults.ts';
export { runHere } from './run-here.ts';
export { bodyOf, queryOf } from './read-managed.ts';
export { recordedEvent, showRecorded } from './recorded-changes.ts';
export { NO_MERCHANT, NO_NETWORK, ROOM_PROBLEMS } from './room-problems.ts';
export * as schemas from './schemas.ts';
export { countsShown, showCounts, showSummary, summaryShown } from './summaries.ts';
export { openViews, serveManaged, type ManageGates, type SignedIn } from './serve-managed.ts';

/** The operations of this room. */
export const ownManaged: readonly Managed<OwnDeps>[] = [readMe];
