export { checkExport } from './check-export.ts';
export type { ExportedList, FilterTexts } from './exported-list.ts';
export { AMOUNT_FROM, AMOUNT_TO, CURRENCY, FROM, PAID, TO } from './read-filter.ts';
export { separatorOf, type FileFormat } from './formats.ts';
export { headingOf } from './spreadsheet-words.ts';
export { describeTrailer, trailerParts, type Trailer } from './trailer.ts';
