import type { Language } from '../kit/language.ts';

/**
 * The forms of an export. `csv` and `ndjson` hold the stored values, for programs. The others are for spreadsheets: no value runs as a
 * formula there, and ids stay as they are. `csv-safe` has the names and values of programs; `csv-es`, `csv-en` and `csv-pt` are in a
 * language, with its separators and in the zone of the merchant.
 */
export const FORMATS = ['csv-safe', 'csv', 'ndjson', 'csv-es', 'csv-en', 'csv-pt'] as const;
export type Format = (typeof FORMATS)[number];

/** The forms of a file that proves itself: those of exports, and the statement for people to read and file. */
export type FileFormat = Format | `pdf-${Language}`;

/** Whether a text names the form of such a file. */
export const isFileFormat = (text: unknown): text is FileFormat =>
  typeof text === 'string' && (FORMATS.some((one) => one === text) || /^pdf-(?:es|en|pt)$/.test(text));

/** Whether people read it as pages. */
export const isPaged = (format: FileFormat): format is `pdf-${Language}` => format.startsWith('pdf-');

/** The language of a format that has one. */
export function languageOf(format: FileFormat): Language | undefined {
  return format === 'csv-es' ? 'es' : format === 'csv-en' ? 'en' : format === 'csv-pt' ? 'pt' : undefined;
}

/** Where a comma separates decimals, spreadsheets separate cells by a semicolon. */
export const separatorOf = (format: FileFormat): ',' | ';' => (format === 'csv-es' || format === 'csv-pt' ? ';' : ',');
