import { dayOf, endOfDay, formatCompactDay, parseCompactDay, startOfDay } from '../../kit/calendar.ts';
import { readFields, text, textOrNumber } from '../../kit/fields.ts';
import { isJsonObject, parseJson, type JsonObject } from '../../kit/json.ts';
import { mobileNumber } from '../../kit/phones/mobile-number.ts';
import { currencyExponent, hasNoMoreDecimals, parseWireAmount, parseWireCost } from '../../kit/money.ts';
import { readWrittenAmount, whatToWrite } from '../../kit/written/written-amount.ts';
import { CONTENT_FIELDS, KEY_FIELDS } from '../cashout-fields.wire.ts';
import { isDocumentOf } from '../end-users/documents.ts';
import { findState } from '../cashout.wire.ts';
import type { Cashout, ListedCashout } from '../cashout.ts';
import { LINE_RULES, MAX_SHOWN_NAME, readCsvRow, readHeader, type CsvFormat, type RowRefusal } from '../../kit/files/csv.ts';
import type { Line } from '../../kit/files/lines.ts';
import { readDayCell, readFlag } from '../../kit/files/spreadsheet-cell.ts';

/** A cashout that a file brings. */
export type ImportedCashout = ListedCashout & Pick<Cashout, 'updatedAt'> & { readonly line: number; readonly expiresAt: Temporal.Instant };

/** Whose cashouts a file brings. */
export type ImportingMerchant = {
  readonly merchantId: string;
  readonly timeZone: string;
  readonly region: string;
  readonly currencies: readonly string[];
  readonly letterDocuments: boolean;
  readonly strictAmounts: boolean;
};

/** The names of a listed item (contract §4.1). */
const FIELDS = {
  ...CONTENT_FIELDS,
  document: KEY_FIELDS.document,
  operation: KEY_FIELDS.operation,
  expire: textOrNumber({ required: true, max: 10, description: 'YYYYMMDD.', example: '20261231' }),
  update: textOrNumber({ required: true, max: 40, description: 'YYYYMMDD, or an instant with its offset.', example: '20261121' }),
  status: text({ required: true, max: 12, description: 'A name of contract §4.6.', example: '' }),
} as const;

const NAMES: ReadonlySet<string> = new Set(Object.keys(FIELDS));
const REQUIRED: readonly string[] = Object.entries(FIELDS)
  .filter(([, { required }]) => required)
  .map(([name]) => name);

/** Rules that a row can break, for the person who made the file. */
const RULES = {
  ...LINE_RULES,
  not_object: 'is not a JSON object; no name may stand in it twice',
  unknown: 'is not a column of an operation',
} as const;

const SHAPES: Readonly<Record<string, string>> = {
  amount: 'must be a plain decimal above zero, such as 45000, with no more decimals than its currency has',
  transactionCost: 'must be a plain decimal, such as 0, with no more decimals than its currency has',
  currency: 'must be an ISO 4217 code, such as COP',
  description: 'must be a text of at most 50 characters on one line',
  sms: 'must be true or false',
  document: 'must have 1 to 20 digits, and capital letters only where the merchant has such documents',
  cellphone: 'must have at most 20 digits, spaces or + ( ) . -',
  operation: 'must be 1 to 40 letters, digits, - or _',
  expire: 'must be a real day of the years 2000 to 2999, YYYYMMDD',
  update: 'must be a real day of the years 2000 to 2999, YYYYMMDD, or an instant with its offset, such as 2026-11-21T10:15:00-05:00',
  status: 'must be a name of a state, such as PENDIENTE',
};

const NOT_ALLOWED = 'is not a currency of the merchant';
const NO_MOBILE =
  "is no mobile number of the merchant's country, and has no + or 00 of another one: no SMS would reach it. Without SMS, say false in sms";
const TOO_MANY_DECIMALS = 'has more decimals than its currency, which this merchant’s setting of strict amounts refuses';
const IN_FUTURE = 'must not be in the future';

const OFFSET_INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$/;

/** How the lines of one file are read; made from its first line that is not blank. */
export type RowFormat = { readonly kind: 'ndjson' } | ({ readonly kind: 'csv' } & CsvFormat);

/**
 * Finds the format of a file by its first line. NDJSON starts with a brace; anything else is the header of a CSV.
 * Refuses: as readHeader.
 */
export function readFormat(first: Line, named?: string): RowFormat | RowRefusal {
  if ('text' in first && !first.text.includes('\0') && first.text.trimStart().startsWith('{')) return { kind: 'ndjson' };
  const header = readHeader(first, named, { names: NAMES, required: REQUIRED, unknown: RULES.unknown });
  return 'rule' in header ? header : { kind: 'csv', ...header };
}

/**
 * Makes the reader of a file's rows.
 * Shape: a line → a cashout; undefined for a blank line, for one of empty cells, and for the header.
 * Refuses: what registering refuses of the same fields; an `expire` or `update` that is not a day; an `update` after `now`; an unknown status;
 * an unknown name. A CSV may come from a spreadsheet, so its cells are read as people write them in any language; what two languages
 * read differently is refused, with what to write instead. An `update` of eight digits is the first instant of that day in the merchant's zone. So it is never in the future, and
 * reading the file again gives the same. An empty cell or member counts as not given.
 * Source: contract §4.1, §4.3.
 */
export function createRowReader(
  format: RowFormat,
  merchant: ImportingMerchant,
  now: Temporal.Instant,
): (line: Line) => ImportedCashout | RowRefusal | undefined {
  const toLastDay = remember((text): LastDay | undefined => {
    const on = storableDay(text);
    return on && { on, endsAt: endOfDay(on, merchant.timeZone) };
  });
  const toStart = remember((text): Update | undefined => {
    const day = storableDay(text);
    return day && { at: startOfDay(day, merchant.timeZone), on: day };
  });
  return (line) => {
    if (!('text' in line)) return { line: line.line, rule: RULES[line.broken] };
    if (line.text === '' || line.text.trim() === '') return undefined;
    if (format.kind === 'csv' && line.line === format.headerLine) return undefined;
    const members = format.kind === 'csv' ? cellsOf(format, line.text) : membersOf(line.text);
    if (members === 'empty') return undefined;
    if (members === undefined || 'rule' in members) return { line: line.line, ...(members ?? { rule: RULES.not_object }) };
    return readRow(members, line.line, { merchant, now, toLastDay, toStart, isWritten: format.kind === 'csv' });
  };
}

type Update = { readonly at: Temporal.Instant; readonly on: Temporal.PlainDate };
type LastDay = { readonly on: Temporal.PlainDate; readonly endsAt: Temporal.Instant };
type Reading = {
  readonly merchant: ImportingMerchant;
  readonly now: Temporal.Instant;
  readonly toLastDay: (text: string) => LastDay | undefined;
  readonly toStart: (text: string) => Update | undefined;
  /** Its values are those of a CSV, which a person or a spreadsheet may have written. */
  readonly isWritten: boolean;
};

function readRow(
  members: JsonObject,
  line: number,
  { merchant, now, toLastDay, toStart, isWritten }: Reading,
): ImportedCashout | RowRefusal {
  const refusal = (field: string, rule = SHAPES[field] as string): RowRefusal => ({ line, field, rule });
  const read = readFields(FIELDS, members);
  if (!read.ok) {
    const [{ field, rule }] = read.violations as [(typeof read.violations)[number]];
    return refusal(field, rule === 'required' ? RULES.required : SHAPES[field]);
  }
  const { values } = read;
  const { currency } = values;
  if (currencyExponent(currency) === undefined) return refusal('currency');
  if (!merchant.currencies.includes(currency)) return refusal('currency', NOT_ALLOWED);
  if (!isDocumentOf(values.document, merchant)) return refusal('document');
  const { amount, transactionCost = '0' } = values;
  const instead = (field: string, hint: string): RowRefusal => refusal(field, hint === '' ? SHAPES[field] : `${SHAPES[field]}: ${hint}`);
  const amountMinor = isWritten ? readWrittenAmount(amount, currency) : parseWireAmount(amount, currency);
  if (typeof amountMinor !== 'bigint') return instead('amount', amountMinor === undefined ? '' : whatToWrite(amountMinor, amount));
  const transactionCostMinor = isWritten
    ? readWrittenAmount(transactionCost, currency, 'or zero')
    : parseWireCost(transactionCost, currency);
  if (typeof transactionCostMinor !== 'bigint')
    return instead('transactionCost', transactionCostMinor === undefined ? '' : whatToWrite(transactionCostMinor, transactionCost));
  // In a text that a program writes so, 50.000 may mean fifty thousand. What a person writes so is refused above.
  if (merchant.strictAmounts && !isWritten)
    for (const [field, sent] of Object.entries({ amount, transactionCost }))
      if (!hasNoMoreDecimals(sent, currency)) return refusal(field, TOO_MANY_DECIMALS);
  const lastDay = toLastDay(values.expire);
  if (lastDay === undefined) return refusal('expire');
  const update = values.update.length === 8 ? toStart(values.update) : readInstant(values.update, merchant.timeZone);
  if (update === undefined) return refusal('update');
  if (Temporal.Instant.compare(update.at, now) > 0) return refusal('update', IN_FUTURE);
  const state = findState(values.status);
  if (state === undefined) return refusal('status');
  const { sms = false, cellphone = '' } = values;
  // What is over is history: it keeps the number that it had.
  if (state === 'pending' && sms && mobileNumber(cellphone, merchant.region) === undefined) return refusal('cellphone', NO_MOBILE);
  return {
    line,
    operationId: values.operation,
    state,
    amountMinor,
    transactionCostMinor,
    currency,
    description: values.description ?? '',
    document: values.document,
    sms,
    cellphone,
    expiresOn: lastDay.on,
    expiresAt: lastDay.endsAt,
    updatedAt: update.at,
    updatedOn: update.on,
  };
}

/** Days that files of a few years hold, and the database too: it writes the years before 1 and after 9999 in another way. */
const isStorable = ({ year }: Temporal.PlainDate): boolean => year >= 2000 && year <= 2999;

function storableDay(text: string): Temporal.PlainDate | undefined {
  const day = parseCompactDay(text);
  return day !== undefined && isStorable(day) ? day : undefined;
}

/** Cuts to the database's microseconds, so that a row that is read again equals the stored one. */
function readInstant(text: string, timeZone: string): Update | undefined {
  if (!OFFSET_INSTANT.test(text)) return undefined;
  try {
    const at = Temporal.Instant.from(text).round({ smallestUnit: 'microsecond', roundingMode: 'floor' });
    const on = dayOf(at, timeZone);
    return isStorable(on) ? { at, on } : undefined;
  } catch {
    return undefined; // An hour of 25, a month of 13.
  }
}

const COMPACT_DAY = /^[0-9]{8}$/;
const isTwoDays = (read: ReturnType<typeof readDayCell>): read is readonly string[] => Array.isArray(read);

function cellsOf(format: CsvFormat, text: string): JsonObject | { field?: string; rule: string } | 'empty' {
  const cells = readCsvRow(format, text);
  if (cells === 'empty' || 'rule' in cells) return cells;
  const members = new Map(cells);
  const sms = members.get('sms');
  if (sms !== undefined) members.set('sms', String(readFlag(sms) ?? sms));
  for (const field of ['expire', 'update']) {
    const cell = members.get(field) ?? '';
    const day = COMPACT_DAY.test(cell) ? undefined : readDayCell(cell);
    if (isTwoDays(day)) return { field, rule: `${SHAPES[field]}: “${cell}” can be read in two ways: write ${day.join(' or ')}` };
    if (day instanceof Temporal.PlainDate) members.set(field, formatCompactDay(day));
  }
  return members;
}

function membersOf(text: string): JsonObject | { field?: string; rule: string } {
  const read = parseJson(text);
  if (!read.ok || !isJsonObject(read.value)) return { rule: RULES.not_object };
  const members = new Map(read.value);
  for (const [name, value] of members) {
    if (!NAMES.has(name)) return { field: name.slice(0, MAX_SHOWN_NAME), rule: RULES.unknown };
    if (value === '') members.delete(name);
  }
  return members;
}

/** The days of a file are few. A wrong file must not fill the memory with others. */
const MAX_REMEMBERED = 10_000;

function remember<T>(read: (text: string) => T | undefined): (text: string) => T | undefined {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = read(text);
    if (made !== undefined && known.size < MAX_REMEMBERED) known.set(text, made);
    return made;
  };
}
