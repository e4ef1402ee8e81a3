import { Type, type Static } from 'typebox';
import { schemas, type FieldFault } from '../../manage/index.ts';
import { ACCOUNT_TYPES } from '../terms/choices.ts';
import { ENCODINGS, isIn, startsFormula } from './bank-text.ts';
import { PAIN_001 } from './pain-001.ts';

// How a bank takes a file, and from which account it pays: a document that the operator writes, one for each account.

const { oneOf } = schemas;

const line = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\p{Cc}]+$', description, examples: [example] });

/** The values of a payment that a column can hold. */
export const LAYOUT_FIELDS = [
  'file',
  'row',
  'payOn',
  'settlement',
  'merchant',
  'amount',
  'amountMinor',
  'currency',
  'bankCode',
  'bankName',
  'accountType',
  'accountNumber',
  'holderName',
  'holderDocumentType',
  'holderDocument',
  'payerBankCode',
  'payerBankName',
  'payerAccountType',
  'payerAccountNumber',
  'payerName',
  'payerDocumentType',
  'payerDocument',
] as const;
export type LayoutField = (typeof LAYOUT_FIELDS)[number];

/** Those that are names: they are rewritten and cut. All others are values that must arrive as they are. */
export const NAME_FIELDS: ReadonlySet<LayoutField> = new Set(['bankName', 'holderName', 'payerBankName', 'payerName']);

const DAY_FORMS = ['YYYYMMDD', 'YYYY-MM-DD', 'DD/MM/YYYY', 'DDMMYYYY'] as const;

const column = Type.Object({
  name: line(60, 'The heading.', 'Cuenta'),
  field: Type.Optional(oneOf(LAYOUT_FIELDS, 'What it holds of each payment. `amountMinor` has no decimal sign.')),
  text: Type.Optional(
    Type.String({ maxLength: 60, pattern: '^[^\\p{Cc}]*$', description: 'The same in each row, in place of a field.', examples: ['220'] }),
  ),
  codes: Type.Optional(
    Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 40, pattern: '^[^\\p{Cc}]*$' }), {
      description: 'What the bank calls the values of the field: `{"savings": "S", "checking": "D"}`.',
    }),
  ),
  width: Type.Optional(Type.Integer({ minimum: 1, maximum: 255, description: 'A shorter value is padded to so many characters.' })),
  pad: Type.Optional(Type.String({ minLength: 1, maxLength: 1, pattern: '^[^\\p{Cc}]$', description: 'With what. A space where absent.' })),
  padAt: Type.Optional(oneOf(['start', 'end'], 'Where. At the end where absent.')),
});

const payer = Type.Object({
  bankCode: line(35, 'The code of the bank: of its clearing, or its BIC.', '007'),
  bankName: line(140, 'The name of the bank.', 'BANCOLOMBIA'),
  type: oneOf(ACCOUNT_TYPES, 'What kind of account it is.'),
  number: line(34, 'The number of the account.', '03012345678'),
  holderName: line(140, 'Whose account it is.', 'Pagos del Valle S. A. S.'),
  holderDocumentType: line(35, 'The kind of the document of its holder.', 'NIT'),
  holderDocument: line(35, 'Its number.', '900123456'),
});

const csv = Type.Object({
  encoding: oneOf(ENCODINGS, 'Of the file.'),
  lineEnd: oneOf(['lf', 'crlf'], 'After each line.'),
  separator: oneOf([',', ';', '\t', '|'], 'Between columns.'),
  quoting: oneOf(['always', 'needed', 'never'], 'Which values stand between quotes.'),
  header: Type.Boolean({ description: 'Whether the first line has the headings.' }),
  decimal: oneOf(['.', ','], 'Before the decimals of `amount`.'),
  days: oneOf(DAY_FORMS, 'How a day is written.'),
  columns: Type.Array(column, { minItems: 1, maxItems: 100 }),
});

export const LAYOUT = Type.Object({
  format: oneOf(['csv', PAIN_001], 'What the bank takes.'),
  timeZone: line(60, 'The zone of the bank’s days.', 'America/Bogota'),
  payer,
  csv: Type.Optional(csv),
});
export type Layout = Static<typeof LAYOUT>;
export type CsvLayout = Static<typeof csv>;
export type LayoutColumn = Static<typeof column>;

/** What is wrong in a layout, beside what its schema says. */
export type LayoutFault = { readonly pointer: string; readonly detail: LayoutFaultText };
type LayoutFaultText = FieldFault | `a trial with made-up payments fails: ${string}`;

/** Finds what is wrong in a layout that its schema takes. */
export function faultsOfLayout({ format, timeZone, csv: described }: Layout): readonly LayoutFault[] {
  const faults: LayoutFault[] = [];
  const fault = (pointer: string, detail: LayoutFaultText): void => void faults.push({ pointer, detail });
  if (!isTimeZone(timeZone)) fault('/timeZone', 'is not a time zone');
  if ((format === 'csv') !== (described !== undefined)) fault('/csv', 'belongs to a layout of csv, which needs it');
  if (described === undefined) return faults;
  const { columns, decimal, separator, quoting } = described;
  const fields = new Set(columns.map(({ field }) => field));
  if (quoting === 'never' && decimal === separator && fields.has('amount'))
    fault('/csv/decimal', 'cannot be the decimal sign: it separates columns, and nothing is quoted');
  columns.forEach((one, index) => {
    for (const [member, detail] of faultsOfColumn(one, described)) fault(`/csv/columns/${index}${member}`, detail);
    if (columns.findIndex(({ name }) => name === one.name) !== index) fault(`/csv/columns/${index}/name`, 'must not be there twice');
  });
  if (!fields.has('settlement')) fault('/csv/columns', 'must hold the settlement in one of its columns: the answer of the bank names it');
  if (!fields.has('amount') && !fields.has('amountMinor')) fault('/csv/columns', 'must hold the amount in one of its columns');
  if (!fields.has('accountNumber')) fault('/csv/columns', 'must hold the number of the account in one of its columns');
  return faults;
}

type ColumnFault = readonly [member: string, detail: LayoutFaultText];

function faultsOfColumn(one: LayoutColumn, layout: CsvLayout): readonly ColumnFault[] {
  const { name, field, text, codes, width, pad, padAt } = one;
  const faults: ColumnFault[] = [];
  if ((field === undefined) === (text === undefined)) faults.push(['', 'must hold either a field or a text']);
  if (codes !== undefined && field === undefined) faults.push(['/codes', 'is for a field alone']);
  if (codes !== undefined && /accountType$/i.test(field ?? '') && ['savings', 'checking'].some((type) => codes[type] === undefined))
    faults.push(['/codes', 'must have a code for savings and for checking']);
  if (width === undefined && (pad ?? padAt) !== undefined) faults.push(['', 'needs a width']);
  // Padding must not make another value: 12 and 0 at the end are 120.
  if (/\d/.test(pad ?? '') && (padAt !== 'start' || pad !== '0'))
    faults.push(['/pad', 'would change the value: digits stand before it at most, and there only zeros']);
  const ofCodes = Object.values(codes ?? {}).map((code) => ['/codes', code] as const);
  const constants = [['/name', name], ['/text', text ?? ''], ['/pad', pad ?? ''], ...ofCodes] as const;
  for (const [member, constant] of constants)
    faults.push(...faultsOfConstant(constant, layout).map((detail): ColumnFault => [member, detail]));
  for (const [member, constant] of constants)
    if (member !== '/name' && width !== undefined && constant.length > width) faults.push([member, 'is longer than the width']);
  return faults;
}

function faultsOfConstant(text: string, { encoding, quoting, separator }: CsvLayout): readonly LayoutFaultText[] {
  return [
    ...(isIn(text, encoding) ? [] : (['has a character that the encoding lacks'] as const)),
    ...(startsFormula(text) && text.trim() !== '' ? (['starts as a formula does'] as const) : []),
    ...(quoting === 'never' && (text.includes(separator) || text.includes('"'))
      ? (['has the separator or a quote in it, and nothing is quoted'] as const)
      : []),
  ];
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
