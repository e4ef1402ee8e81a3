export type { ExportedList } from './exported-list.ts';
export { exportManaged } from './exports.manage.ts';
export { makeExports } from './make-exports.job.ts';
export { AMOUNT_FROM, AMOUNT_TO, CURRENCY, FROM, TO } from './read-filter.ts';
