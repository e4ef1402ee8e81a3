import type { Merchant } from '../../merchants/index.ts';
import { DOCUMENT_MARKS, plainDocument } from '../../kit/written/written-document.ts';

// Documents of end users: digits, and capital letters where a merchant has such (contract §4.3).

const DIGITS = /^[0-9]+$/;
/** Characters on the wire. */
const LONGEST = 20;
/** One that some merchant may have: capital letters beside digits. */
export const DOCUMENT = /^(?=[A-Z]*[0-9])[0-9A-Z]+$/;
/** As a teller may type one that has letters: `12.345.670-k`. Digits alone have nothing between them. */
export const TYPED_DOCUMENT = new RegExp(
  `^(?:[0-9]+|(?=[A-Za-z${DOCUMENT_MARKS}]*[0-9])(?=[0-9${DOCUMENT_MARKS}]*[A-Za-z])[0-9A-Za-z${DOCUMENT_MARKS}]+)$`,
);

export const isAllDigits = (document: string): boolean => DIGITS.test(document);

/**
 * True where a merchant's cashouts may have this document. A digit and a currency within it are refused, as in `1COP2`:
 * the text of a registration's checksum could be cut there, into another amount and another document.
 */
export const isDocumentOf = (document: string, merchant: Pick<Merchant, 'letterDocuments' | 'currencies'> | undefined): boolean =>
  isAllDigits(document) ||
  (merchant?.letterDocuments === true &&
    DOCUMENT.test(document) &&
    !merchant.currencies.some((currency) => new RegExp(`[0-9]${currency}`).test(document)));

/** The document as it is stored, of what somebody typed. Anything else, such as the pseudonym of an erased person, stays as it is. */
export function storedDocument(typed: string): string {
  const plain = plainDocument(typed);
  return DOCUMENT.test(plain) && plain.length <= LONGEST ? plain : typed;
}
