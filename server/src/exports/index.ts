export type { ExportedList, FilterTexts } from './exported-list.ts';
export { AMOUNT_FROM, AMOUNT_TO, CURRENCY, FROM, PAID, TO } from './read-filter.ts';
export type { Trailer } from './trailer.ts';

/** Loads what other rooms need for files that prove themselves. The help of the lists' commands does without it. */
export const loadProvedFiles = () => import('./proved-files.ts');
