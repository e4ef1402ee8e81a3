import { Type, type Static } from 'typebox';
import { endOfDay, parseIsoDay, startOfDay } from '../calendar.ts';
import { currencyExponent, parseAmount } from '../money.ts';
import { refuse, type Refusal } from '../outcome.ts';
import type { Between, From } from './walks.ts';

// Parameters that several lists of the management API have: days, amounts, the payment.

const dayText = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: `${what} In the zone of \`merchant\`, else in UTC.`,
      examples: ['2026-11-21'],
    }),
  );
const amountText = (what: string) =>
  Type.Optional(Type.String({ maxLength: 20, description: `${what} Needs \`currency\`.`, examples: ['32000.00'] }));
export const sought = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description, examples: [example] }));

export const MONEY_PARAMETERS = {
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['COP'] })),
  amountFrom: amountText('This amount or more.'),
  amountTo: amountText('This amount or less.'),
};
export const PAYMENT_PARAMETERS = {
  paidFrom: dayText('Paid on this day or later.'),
  paidTo: dayText('Paid on this day or earlier.'),
  network: sought(30, 'Paid at this network.', 'efectivo'),
  transaction: sought(100, 'Paid by this transaction.', 'T-1001'),
};
export const CREATED_PARAMETERS = {
  createdFrom: dayText('Created on this day or later.'),
  createdTo: dayText('Created on this day or earlier.'),
};
export const WRITTEN_PARAMETERS = {
  writtenFrom: dayText('Written on this day or later.'),
  writtenTo: dayText('Written on this day or earlier.'),
};
export const UPDATED_PARAMETERS = {
  updatedFrom: dayText('Changed last on this day or later.'),
  updatedTo: dayText('Changed last on this day or earlier.'),
};

const MONEY = Type.Object(MONEY_PARAMETERS);

/** What is wrong with a parameter. */
export const PARAMETER_FAULTS = [
  'is not an ISO 4217 currency',
  'needs currency',
  'must be above zero, with no more decimals than the currency has',
  'is not a real date',
] as const;

class WrongParameter extends Error {
  override readonly name = 'WrongParameter';
  readonly parameter: string;

  constructor(parameter: string, detail: (typeof PARAMETER_FAULTS)[number]) {
    super(detail);
    this.parameter = parameter;
  }
}

/** Reads the range of amounts. Throws: WrongParameter for amounts without a currency, or with more decimals than it has. */
export function amountsBetween({ currency, amountFrom, amountTo }: Static<typeof MONEY>): Between<bigint> | undefined {
  if (currency !== undefined && currencyExponent(currency) === undefined)
    throw new WrongParameter('currency', 'is not an ISO 4217 currency');
  const read = (parameter: string, text: string | undefined): bigint | undefined => {
    if (text === undefined) return undefined;
    if (currency === undefined) throw new WrongParameter(parameter, 'needs currency');
    const minor = parseAmount(text, currency);
    if (minor === undefined) throw new WrongParameter(parameter, 'must be above zero, with no more decimals than the currency has');
    return minor;
  };
  const from = read('amountFrom', amountFrom);
  const to = read('amountTo', amountTo);
  return from === undefined && to === undefined ? undefined : { from, to };
}

function readDay(parameter: string, text: string | undefined): Temporal.PlainDate | undefined {
  const day = text === undefined ? undefined : parseIsoDay(text);
  if (text !== undefined && day === undefined) throw new WrongParameter(parameter, 'is not a real date');
  return day;
}

/**
 * Reads two days as the instants from the start of one to the end of the other. `zoneOf`: of the days, asked for only where there is one.
 * Throws: WrongParameter for a day that does not exist.
 */
export async function daysBetween(
  zoneOf: () => Promise<string>,
  name: string,
  from: string | undefined,
  to: string | undefined,
): Promise<From<Temporal.Instant> | undefined> {
  const first = readDay(`${name}From`, from);
  const last = readDay(`${name}To`, to);
  if (first === undefined && last === undefined) return undefined;
  const zone = await zoneOf();
  return { from: first && startOfDay(first, zone), before: last && endOfDay(last, zone) };
}

type Refused = Refusal<'fields_invalid'> & { readonly errors: readonly { readonly parameter: string; readonly detail: string }[] };

/** Runs what reads parameters. Shape: → its result, or the refusal of a parameter. */
export async function refusingParameters<T>(work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WrongParameter)) throw error;
    return { ...refuse('fields_invalid'), errors: [{ parameter: error.parameter, detail: error.message }] };
  }
}
