export type { ExportedList } from './exported-list.ts';
export { exportCommands } from './exports.cli.ts';
export { CURRENCY, FROM, TO } from './read-filter.ts';
