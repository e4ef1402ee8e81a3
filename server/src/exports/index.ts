export type { ExportedList } from './exported-list.ts';
export { AMOUNT_FROM, AMOUNT_TO, CURRENCY, FROM, TO } from './read-filter.ts';
