import { Type, type TEnum, type TObject, type TProperties, type TSchema, type TString } from 'typebox';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { MAX_LIMIT } from '../kit/limits/request-limits.ts';
import { currencyExponent, formatAllDecimals, parseAmount } from '../kit/money.ts';
import { refuse } from '../kit/outcome.ts';
import type { FieldFault } from './field-faults.ts';
import type { ManagementRefusal } from './management-operation.ts';

// The forms of values of the management API, for declarations and for answers.

const text = (maxLength: number, description: string, example: string, pattern?: string): TString =>
  Type.String({ maxLength, description, examples: [example], ...(pattern === undefined ? {} : { pattern }) });

export const merchantId = text(50, 'The merchant’s id.', 'demo', '^[A-Za-z0-9_.-]{1,50}$');
export const currency = text(3, 'ISO 4217.', 'COP', '^[A-Z]{3}$');
export const day = Type.String({
  format: 'date',
  pattern: '^2[0-9]{3}',
  description: 'A day of the merchant’s time zone.',
  examples: ['2026-11-21'],
});
export const instant = Type.String({
  format: 'date-time',
  pattern: '^2[0-9]{3}-.{14,24}Z$',
  description: 'RFC 3339, UTC.',
  examples: ['2026-11-21T15:00:00Z'],
});
export const amountText = text(22, 'A plain decimal.', '32000.00', '^-?[0-9]{1,16}([.][0-9]{1,4})?$');
export const amount = Type.Object({ amount: amountText, currency }, { description: 'Text with all decimals of its currency.' });
/** Money of a request, above zero. */
export const sentAmount = Type.Object(
  { amount: text(20, 'A plain decimal.', '32000.00', '^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$'), currency },
  { description: 'Above zero, in a currency of the merchant, with no more decimals than it has: not even zeros.' },
);
/**
 * One line that is more than spaces. Patterns are tried on texts of any length that a body holds, also where `maxLength` refuses them: no two
 * parts of one may take the same character, or it tries all ways to share them out.
 */
export const ONE_LINE = '^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$';
export const reason = text(500, 'Why, for the audit log.', 'The payer asked for it.', ONE_LINE);
/** The same in words for a command. */
export const REASON_TAKES = '1 to 500 characters on one line';

export const oneOf = <const Names extends readonly string[]>(names: Names, description: string): TEnum<[...Names]> =>
  Type.Enum([...names], { description }) as unknown as TEnum<[...Names]>;

/** A value or null. */
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** An object of an answer: every member is there. */
export const answerObject = <Members extends TProperties>(members: Members): TObject<Members> => Type.Object(members);

/** How many requests of a caller are served. */
const limit = Type.Integer({ minimum: 1, maximum: MAX_LIMIT, examples: [1_000] });
export const limits = orNull(Type.Object({ perSecond: limit, burst: limit, concurrent: limit }, { description: 'Null: the defaults.' }));

/** How long an earlier secret stays valid. */
export const rotationDays = Type.Integer({
  minimum: 0,
  maximum: MAX_ROTATION_DAYS,
  description: 'How long the earlier one stays valid. 0: it ends at once. 7 where absent.',
  examples: [MAX_ROTATION_DAYS],
});

/** Shows money: `{ "amount": "32000.00", "currency": "COP" }`. */
export const showAmount = (minor: bigint, code: string): { readonly amount: string; readonly currency: string } => ({
  amount: formatAllDecimals(minor, code),
  currency: code,
});

/** Shows an instant, or null. */
export const showInstant = (at: Temporal.Instant | null): string | null => at?.toString() ?? null;

/** Reads an instant that fits its schema; undefined where it is absent, or not an instant. */
export const readInstant = (text: string | undefined): Temporal.Instant | undefined =>
  text === undefined ? undefined : Temporal.Instant.from(text);

/** Refuses a value that its schema alone cannot judge. */
export const wrong = (pointer: string, detail: FieldFault): ManagementRefusal<'fields_invalid'> => ({
  ...refuse('fields_invalid'),
  errors: [{ pointer, detail }],
});

/** Reads money of a body by what its currency allows. Shape: minor units; `bound` says in words what `parse` takes. */
export function readMoney(
  pointer: string,
  { amount: sent, currency: code }: { readonly amount: string; readonly currency: string },
  parse: (text: string, currency: string) => bigint | undefined = parseAmount,
  bound: 'above zero' | 'zero or more' | 'other than zero' = 'above zero',
): bigint | ManagementRefusal<'fields_invalid'> {
  if (currencyExponent(code) === undefined) return wrong(`${pointer}/currency`, 'is not an ISO 4217 currency');
  return parse(sent, code) ?? wrong(`${pointer}/amount`, `must be ${bound}, with no more decimals than the currency has`);
}
