export type { ExportedList } from './exported-list.ts';
export { AMOUNT_FROM, AMOUNT_TO, CURRENCY, FROM, PAID, TO } from './read-filter.ts';
