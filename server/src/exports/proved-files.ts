// What other rooms need for files that prove themselves.
export { checkExport } from './check-export.ts';
export { separatorOf } from './formats.ts';
export { headingOf } from './spreadsheet-words.ts';
export { describeTrailer, trailerParts } from './trailer.ts';
