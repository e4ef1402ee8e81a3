import type { Job } from '../kit/jobs.ts';
import type { ManagementOperation } from '../manage/index.ts';
import { holdOperations } from './holds/holds.manage.ts';
import { releaseDueHolds } from './holds/release-holds.job.ts';
import { settlementOperations, type SettlementDeps } from './settlements.manage.ts';
import { calendarManagement } from './terms/calendars.manage.ts';
import { draftDue, type DraftDue } from './terms/draft-due.job.ts';
import { ruleManagement } from './terms/rules.manage.ts';
import { scheduleManagement, type TermsDeps } from './terms/schedules.manage.ts';

export { CALENDAR_CHECKS } from './terms/doctor-checks.ts';
export { bankFileManagement } from './bank-files/bank-files.manage.ts';
export { layoutFacts } from './bank-files/file-rows.ts';
export { readHoldsOfSettlement } from './holds/hold-rows.ts';
export type { HeldMoney } from './holds/hold.ts';
export type { Settlement } from './settlement-columns.ts';
export { NO_SETTLEMENT, settlementId } from './settlement-forms.ts';
export { SETTLEMENT_WORDS } from './settlement-words.ts';
export { readSettlement, readSettlementLines } from './settlement-rows.ts';
export type { SettlementLine } from './terms/deductions.ts';
export { settlementChecks } from './verify-settlements.ts';

/** The room's operations of the management API. */
export const settlementManagement: readonly ManagementOperation<SettlementDeps & TermsDeps>[] = [
  ...settlementOperations,
  ...holdOperations,
  ...scheduleManagement,
  ...ruleManagement,
  ...calendarManagement,
];

/** Opens the room in one cell: what it does by itself. */
export const openSettlements = (room: DraftDue): { readonly jobs: readonly Job[] } => ({
  jobs: [draftDue(room), releaseDueHolds(room)],
});
