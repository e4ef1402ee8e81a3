import type { ManagementOperation } from './management-operation.ts';
import { readMe, type OwnDeps } from './me.manage.ts';

export { openPosition, sealPosition } from './cursors.ts';
export { cutPage } from './cut-page.ts';
export { allProblems, managementDocument, permissionText, problemsOf } from './describe-management.ts';
export {
  managementOperation,
  type ManagementOperation,
  type ManagementRefusal,
  type ManagementRequest,
  type PagePosition,
} from './management-operation.ts';
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
export type { FieldFault } from './field-faults.ts';
export { manageFaults } from './problem-faults.ts';
export { cellsOf, runHere } from './run-here.ts';
export { bodyOf, queryOf } from './read-management.ts';
export { recordedEvent, showRecorded } from './recorded-changes.ts';
export { NO_MERCHANT, NO_NETWORK, ROOM_PROBLEMS } from './room-problems.ts';
export * as schemas from './schemas.ts';
export { countsShown, showCounts, showSummary, summaryShown } from './summaries.ts';
export { askCells, isCell, mergeFound, mergeFoundPages, type CellsOf, type KnownCells } from './run-in-cells.ts';
export { openViews, serveManagement, type ManageGates, type SignedIn } from './serve-management.ts';

/** The operations of this room. */
export const ownManagement: readonly ManagementOperation<OwnDeps>[] = [readMe];
