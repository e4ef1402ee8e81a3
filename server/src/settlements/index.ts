export { changeSettlement, stepSettlement } from './change-settlement.ts';
export { previewSettlement, runSettlement } from './run-settlement.ts';
