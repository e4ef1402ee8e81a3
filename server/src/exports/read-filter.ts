import { endOfDay, parseIsoDay, startOfDay } from '../kit/calendar.ts';
import { currencyExponent, parseAmount } from '../kit/money.ts';
import type { ExportedList, FilterName, FilterTexts, FilterValues } from './exported-list.ts';

/** A part of a filter that cannot be read, and what it takes. */
export type FilterFault = { readonly name: string; readonly rule: string };

/** Longest text of one name. */
export const MOST_FILTER_CHARACTERS = 500;

/** PostgreSQL keeps neither a zero byte nor a half of a character. */
const isStorable = (text: string): boolean =>
  text !== '' && text.length <= MOST_FILTER_CHARACTERS && !text.includes('\0') && text.isWellFormed();
const BIGGEST = 2n ** 63n - 1n;
const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T.*(?:Z|[+-][0-9]{2}:[0-9]{2})$/;
/** In UTC, an instant that every PostgreSQL can compare: of the years 1 to 9999. */
const COMPARABLE = /^(?!0000)[0-9]{4}-/;

/**
 * Reads the filter of a list.
 * Shape: name to text → name to value. `zone`: the time zone of days.
 * Refuses: a name that the list does not know, and a text that its name does not take. All of them at once.
 */
export function readFilter(list: ExportedList, texts: FilterTexts, zone: string): FilterValues | readonly FilterFault[] {
  const values: Record<string, FilterValues[string]> = {};
  const faults: FilterFault[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const known = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;
    if (known === undefined) {
      faults.push({ name, rule: `${list.name} have no such filter: ${Object.keys(list.filters).join(', ')}` });
      continue;
    }
    const value = isStorable(text) ? readValue(name, known, text, { zone, currency: texts['currency'] }) : undefined;
    if (value === undefined) faults.push({ name, rule: ruleOf(known) });
    else values[name] = value;
  }
  return faults.length > 0 ? faults : values;
}

/** True for what readFilter refuses. */
export const isFaults = (read: FilterValues | readonly FilterFault[]): read is readonly FilterFault[] => Array.isArray(read);

type Surroundings = { readonly zone: string; readonly currency: string | undefined };

function readValue(name: string, { kind, of = [] }: FilterName, text: string, { zone, currency }: Surroundings): FilterValues[string] {
  switch (kind) {
    case 'text':
      return text;
    case 'number':
      return /^[0-9]{1,19}$/.test(text) && BigInt(text) <= BIGGEST ? BigInt(text) : undefined;
    case 'choice':
      return of.find((one) => one === text);
    case 'choices': {
      const chosen = text.split(',');
      return chosen.every((one) => of.includes(one)) ? chosen : undefined;
    }
    case 'currency':
      return currencyExponent(text) === undefined ? undefined : text;
    case 'amount':
      return currency === undefined ? undefined : parseAmount(text, currency);
    case 'moment': {
      const moment = readMoment(text, zone, /^to$|To$/.test(name));
      return moment !== undefined && COMPARABLE.test(moment.toString()) ? moment : undefined;
    }
  }
}

/** A day that ends something ends with its last instant. */
function readMoment(text: string, zone: string, isEnd: boolean): Temporal.Instant | undefined {
  const day = parseIsoDay(text);
  if (day !== undefined) return (isEnd ? endOfDay : startOfDay)(day, zone);
  if (!INSTANT.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text);
  } catch {
    return undefined;
  }
}

function ruleOf({ kind, of = [] }: FilterName): string {
  switch (kind) {
    case 'text':
      return 'takes 1 to 500 characters';
    case 'number':
      return 'takes a whole number';
    case 'choice':
      return `takes one of ${of.join(', ')}`;
    case 'choices':
      return `takes some of ${of.join(', ')}, with commas between them`;
    case 'currency':
      return 'takes a code of ISO 4217 in capitals, such as COP';
    case 'amount':
      return 'takes an amount in the currency that the filter names';
    case 'moment':
      return 'takes a day, such as 2026-11-21, or an instant with its offset';
  }
}

/** Filters that many lists have. */
export const FROM: FilterName = { kind: 'moment', about: 'from this day or instant on' };
export const TO: FilterName = { kind: 'moment', about: 'to the end of this day, or before this instant' };
/** Payments, of rows that have some. One payment has all that is asked of payments. */
export const PAID: Readonly<Record<'paidFrom' | 'paidTo', FilterName>> = {
  paidFrom: { kind: 'moment', about: 'paid from this day or instant on' },
  paidTo: { kind: 'moment', about: 'paid to the end of this day, or before this instant' },
};
export const CURRENCY: FilterName = { kind: 'currency', about: 'in this currency' };
export const AMOUNT_FROM: FilterName = { kind: 'amount', about: 'of this amount or more; needs the currency' };
export const AMOUNT_TO: FilterName = { kind: 'amount', about: 'of this amount or less; needs the currency' };
