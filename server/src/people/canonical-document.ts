import { plainDocument } from '../kit/written/written-document.ts';
import { textWays } from './ways-to-write.ts';

/** Most characters of a document on the wire (contract §4.3). */
const MOST_CHARACTERS = 20;
const MARKS = '[[:space:].,/_-]';

/**
 * The one form of a document's number: without the marks that people write between digits and without zeros before them, ASCII letters
 * capital. Whatever counts, limits or looks for a person compares this form. What was sent is kept as it is: the wire shows it again.
 */
export const canonicalDocument = (document: string): string => plainDocument(document).replace(/^0+(?=.)/, '');

/** The same in SQL, whatever the locale of the database. */
export const canonicalDocumentSql = (text: string): string =>
  `regexp_replace(upper(regexp_replace(${text}, '${MARKS}', '', 'g') collate "C"), '^0+(?=.)', '')`;

/**
 * A condition in SQL for all ways to write a document without marks, which an index on the column answers.
 * Shape: the column, and what gives the canonical form.
 */
export const isSameDocument = (column: string, canonical: string): string =>
  `${column} in (select repeat('0', zeros) || ${canonical} from generate_series(0, greatest(0, ${MOST_CHARACTERS} - length(${canonical}))) as zeros)`;

/** All ways to write a canonical document, as waysToWrite has them for a mailbox. */
export const documentWays = (canonical: string): string => `0*${Array.from(canonical, textWays).join('[-\\s.,/_]*')}`;
