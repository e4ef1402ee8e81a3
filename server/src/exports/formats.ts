import type { Language } from '../kit/language.ts';

/**
 * The forms of an export. `csv` and `ndjson` hold the stored values, for programs. The others are for spreadsheets: no value runs as a
 * formula there, and ids stay as they are. `csv-safe` has the names and values of programs; `csv-es`, `csv-en` and `csv-pt` are in a
 * language, with its separators and in the zone of the merchant.
 */
export const FORMATS = ['csv-safe', 'csv', 'ndjson', 'csv-es', 'csv-en', 'csv-pt'] as const;
export type Format = (typeof FORMATS)[number];

/** The language of a format that has one. */
export function languageOf(format: Format): Language | undefined {
  return format === 'csv-es' ? 'es' : format === 'csv-en' ? 'en' : format === 'csv-pt' ? 'pt' : undefined;
}

/** Where a comma separates decimals, spreadsheets separate cells by a semicolon. */
export const separatorOf = (format: Format): ',' | ';' => (format === 'csv-es' || format === 'csv-pt' ? ';' : ',');
