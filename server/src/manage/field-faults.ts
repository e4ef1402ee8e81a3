import { PARAMETER_FAULTS } from '../kit/lists/list-parameters.ts';

/**
 * What an operation says of one field, where its schema alone cannot judge. The console has words for each of these, in its languages.
 * What schemas say comes from their library.
 */
export const FIELD_FAULTS = [
  ...PARAMETER_FAULTS,
  'is missing',
  'is not known',
  'must be Unicode without NUL',
  'does not belong to this filter',
  'must be zero or more, with no more decimals than the currency has',
  'must be other than zero, with no more decimals than the currency has',
  'must be zero or more of a known currency, with no more decimals than it has',
  'must have no more decimals than the currency has',
  'must not be there twice',
  'must be 0 to 100',
  'must be addresses and networks',
  'must be an address: the merchant’s orders have one',
  'must have `now` or `advance`, one of both, as a real instant or duration',
  'must name the person: document, email, or both',
  'is not a document that this merchant may use',
  // Of a layout of bank files.
  'belongs to a layout of csv, which needs it',
  'is not a time zone',
  'must hold either a field or a text',
  'has a character that the encoding lacks',
  'starts as a formula does',
  'has the separator or a quote in it, and nothing is quoted',
  'cannot be the decimal sign: it separates columns, and nothing is quoted',
  'is longer than the width',
  'would change the value: digits stand before it at most, and there only zeros',
  'needs a width',
  'must have a code for savings and for checking',
  'is for a field alone',
  'must hold the settlement in one of its columns: the answer of the bank names it',
  'must hold the amount in one of its columns',
  'must hold the number of the account in one of its columns',
] as const;

/** The console knows the last one by its end. */
export type FieldFault = (typeof FIELD_FAULTS)[number] | `must not filter by ${string}: a view names no person`;
