/** The marks that people write between the digits of a document. */
export const DOCUMENT_MARKS = '\\s.,/_-';
const MARKS = new RegExp(`[${DOCUMENT_MARKS}]`, 'g');

/** The number of an identity document without the marks that people write, ASCII letters capital: `12.345.670-k` → `12345670K`. */
export const plainDocument = (written: string): string =>
  written.replaceAll(MARKS, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
