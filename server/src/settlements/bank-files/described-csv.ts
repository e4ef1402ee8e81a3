import { formatCompactDay, formatDayFirst, formatIsoDay } from '../../kit/calendar.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { encodableName, encodeText, isIn, startsFormula } from './bank-text.ts';
import { NAME_FIELDS, type CsvLayout, type LayoutColumn, type LayoutField } from './layout.ts';
import type { BankOrder, BankPayment, UnfitFault, UnfitValue } from './bank-payment.ts';

const LINE_ENDS = { lf: '\n', crlf: '\r\n' } as const;
const QUOTE = '"';

const DAYS: Readonly<Record<CsvLayout['days'], (day: Temporal.PlainDate) => string>> = {
  YYYYMMDD: formatCompactDay,
  'YYYY-MM-DD': formatIsoDay,
  'DD/MM/YYYY': formatDayFirst,
  DDMMYYYY: (day) => formatDayFirst(day).replaceAll('/', ''),
};

/**
 * Writes a file as a layout describes it.
 * Refuses: every value that the file cannot hold as it is. Names are rewritten in its encoding and cut to the width, without a start that
 * a spreadsheet would run as a formula.
 */
export function renderDescribedCsv(layout: CsvLayout, order: BankOrder): Buffer | readonly UnfitValue[] {
  const { columns, separator, lineEnd, encoding, header } = layout;
  const unfit: UnfitValue[] = [];
  const lines = order.payments.map((payment, index) => {
    const values = valuesOf(layout, order, payment, index + 1);
    return columns.map((column) => {
      const cell = cellOf(column, values, layout);
      if ('text' in cell) return quoted(cell.text, layout);
      unfit.push({ settlementId: payment.settlementId, field: column.field ?? column.name, fault: cell.fault });
      return '';
    });
  });
  if (unfit.length > 0) return unfit;
  const head = header ? [columns.map(({ name }) => quoted(name, layout))] : [];
  return encodeText([...head, ...lines].map((cells) => cells.join(separator) + LINE_ENDS[lineEnd]).join(''), encoding);
}

function valuesOf(layout: CsvLayout, order: BankOrder, payment: BankPayment, row: number): Readonly<Record<LayoutField, string>> {
  const { fileId, payOn, payer } = order;
  const { settlementId, merchantId, amountMinor, currency, account } = payment;
  return {
    file: fileId,
    row: String(row),
    payOn: DAYS[layout.days](payOn),
    settlement: settlementId,
    merchant: merchantId,
    amount: formatAllDecimals(amountMinor, currency).replace('.', layout.decimal),
    amountMinor: amountMinor.toString(),
    currency,
    bankCode: account.bankCode,
    bankName: account.bankName,
    accountType: account.type,
    accountNumber: account.number,
    holderName: account.holderName,
    holderDocumentType: account.holderDocumentType,
    holderDocument: account.holderDocument,
    payerBankCode: payer.bankCode,
    payerBankName: payer.bankName,
    payerAccountType: payer.type,
    payerAccountNumber: payer.number,
    payerName: payer.holderName,
    payerDocumentType: payer.holderDocumentType,
    payerDocument: payer.holderDocument,
  };
}

function cellOf(
  { field, text = '', codes, width, pad = ' ', padAt = 'end' }: LayoutColumn,
  values: Readonly<Record<LayoutField, string>>,
  layout: CsvLayout,
): { readonly text: string } | { readonly fault: UnfitFault } {
  const stored = field === undefined ? text : values[field];
  const value = codes === undefined ? stored : codeOf(codes, stored);
  if (value === undefined) return { fault: 'has_no_code' };
  const isName = field !== undefined && codes === undefined && NAME_FIELDS.has(field);
  const written = isName ? nameIn(value, width, layout) : value;
  const fault = faultOf(written, { isConstant: field === undefined || codes !== undefined, width, layout });
  if (fault !== undefined) return { fault };
  if (width === undefined) return { text: written };
  const padding = pad.repeat(Math.max(0, width - charactersOf(written)));
  return { text: padAt === 'start' ? padding + written : written + padding };
}

/** A merchant may be called `constructor`, which every object has. */
const codeOf = (codes: Readonly<Record<string, string>>, value: string): string | undefined =>
  Object.hasOwn(codes, value) ? codes[value] : undefined;

const charactersOf = (text: string): number => Array.from(text).length;

function nameIn(value: string, width: number | undefined, { encoding, quoting, separator }: CsvLayout): string {
  // Letters of full width are rewritten to separators and quotes.
  const encodable = encodableName(value, encoding);
  const name = quoting === 'never' ? encodableName(encodable.replaceAll(separator, ' ').replaceAll(QUOTE, ' '), encoding) : encodable;
  // A cut must not leave half of a character.
  return width === undefined ? name : Array.from(name).slice(0, width).join('').trimEnd();
}

function faultOf(
  text: string,
  { isConstant, width, layout }: { readonly isConstant: boolean; readonly width: number | undefined; readonly layout: CsvLayout },
): UnfitFault | undefined {
  const { encoding, quoting, separator } = layout;
  if (isConstant) return undefined;
  if (text === '') return 'empty';
  if (width !== undefined && charactersOf(text) > width) return 'too_long';
  if (/\p{Cc}/u.test(text) || !isIn(text, encoding)) return 'has_other_characters';
  if (startsFormula(text)) return 'is_formula';
  return quoting === 'never' && (text.includes(separator) || text.includes(QUOTE)) ? 'has_separator' : undefined;
}

function quoted(text: string, { quoting, separator }: CsvLayout): string {
  const needs = text.includes(separator) || text.includes(QUOTE) || text.startsWith(' ') || text.endsWith(' ');
  if (quoting === 'never' || (quoting === 'needed' && !needs)) return text;
  return `${QUOTE}${text.replaceAll(QUOTE, '""')}${QUOTE}`;
}
