import { Type, type TObject, type TSchema } from 'typebox';
import { isJsonNumber, type JsonObject, type JsonValue } from './json.ts';
import type { Language } from './language.ts';
import type { FieldRule } from './outcome.ts';

/** One field of a request: how it is read, and how the OpenAPI document shows it. */
export type Field<Value = unknown, Required extends boolean = boolean> = {
  readonly required: Required;
  readonly schema: TSchema;
  /** Reads a value that is neither absent nor null: what it means, or the rule that it breaks. */
  readonly read: (value: JsonValue) => Read<Value>;
  /** How a value must look, in a few words for people: `digits only`. */
  readonly form?: Texts | undefined;
  /** The refusal of a value with the wrong length or form; where absent, the one that all fields share. */
  readonly refusal?: string | undefined;
  /** That refusal is also the one of an absent value and of another JSON type. */
  readonly refusesAbsence?: boolean | undefined;
};

/** One text in each language. */
export type Texts = Readonly<Record<Language, string>>;

type Read<Value> = { readonly value: Value } | Broken;
type Broken = { readonly broken: 'type' | 'length' | 'shape'; readonly limit?: number };

/** The fields of a request, in the order in which their violations are reported. */
export type Declaration = Readonly<Record<string, Field>>;

type ValueOf<Any> = Any extends Field<infer Value> ? Value : never;

/** What was read where nothing was violated. Absent and null are undefined: "not given" (contract §2.10). */
export type FieldValues<Fields extends Declaration> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value, true> ? Value : ValueOf<Fields[Name]> | undefined;
};

/** The values of a request that broke a rule. A field that broke one is undefined too. */
export type PartialFieldValues<Fields extends Declaration> = {
  readonly [Name in keyof Fields]: ValueOf<Fields[Name]> | undefined;
};

export type Violation<Name extends string = string> = {
  readonly field: Name;
  readonly rule: Extract<FieldRule, 'required' | 'type' | 'length' | 'shape'>;
  readonly limit?: number;
};

export type FieldsRead<Fields extends Declaration> =
  | { readonly ok: true; readonly values: FieldValues<Fields> }
  | {
      readonly ok: false;
      readonly values: PartialFieldValues<Fields>;
      readonly violations: readonly Violation<keyof Fields & string>[];
    };

type FieldOptions<Required extends boolean> = Pick<Field, 'form' | 'refusal' | 'refusesAbsence'> & {
  readonly required: Required;
  readonly description: string;
  readonly example: string | number | boolean;
};

type TextOptions<Required extends boolean> = FieldOptions<Required> & {
  /** Longest length, in code points. */
  readonly max: number;
  /** Anchored at both ends: it is also the pattern of the JSON Schema. `''` counts as given, and must match too. */
  readonly pattern?: RegExp;
  /** What a pattern cannot say of a text that matches it: whether the day exists, whether the country is known. */
  readonly check?: (text: string) => boolean;
};

const DIGITS = /^[0-9]+$/;

/** For the texts that people read on one line: no control characters. */
export const noControlCharacters = /^\P{Cc}*$/u;

/** Declares a field that is a JSON text. */
export function text<const Required extends boolean>(options: TextOptions<Required>): Field<string, Required> {
  return {
    ...commonOf(options),
    schema: textSchema('string', options),
    read: (value) => (typeof value === 'string' ? readText(value, options) : { broken: 'type' }),
  };
}

/**
 * Declares a field that is a JSON text or number; its value is the text as sent (contract §2.5).
 * `digitsOnly`: a number has no exponent, so that `1E5` is never taken for a text with a letter in it.
 */
export function textOrNumber<const Required extends boolean>(
  options: TextOptions<Required> & { readonly digitsOnly?: boolean },
): Field<string, Required> {
  return {
    ...commonOf(options),
    schema: textSchema(['string', 'number'], options),
    read: (value) => {
      if (typeof value === 'string') return readText(value, options);
      if (!isJsonNumber(value)) return { broken: 'type' };
      return options.digitsOnly && !DIGITS.test(value.text) ? { broken: 'shape' } : readText(value.text, options);
    },
  };
}

/** Declares a field that is a boolean, for which `"true"`, `"false"`, `0` and `1` are tolerated (contract §3.1). */
export function flag<const Required extends boolean>(options: FieldOptions<Required>): Field<boolean, Required> {
  return {
    ...commonOf(options),
    schema: Type.Unsafe<boolean>({ enum: [true, false, 'true', 'false', 0, 1], ...shown(options) }),
    read: (value) => {
      const sent = isJsonNumber(value) ? NUMBER_FLAGS.get(value.text) : TEXT_FLAGS.get(value);
      return sent === undefined ? { broken: 'type' } : { value: sent };
    },
  };
}

const commonOf = <const Required extends boolean>({ required, form, refusal, refusesAbsence }: FieldOptions<Required>) => ({
  required,
  form,
  refusal,
  refusesAbsence,
});

const NUMBER_FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
]);
const TEXT_FLAGS: ReadonlyMap<JsonValue, boolean> = new Map<JsonValue, boolean>([
  [false, false],
  [true, true],
  ['false', false],
  ['true', true],
]);

/**
 * Reads the fields of a request; those that are not declared are ignored.
 * Shape: a JSON object or the parameters of a query → a value for each field, undefined where it is not given. They are added to `values`.
 * Refuses: per field, in the order of the declaration, the first rule broken of required, type, length, shape. A text with a lone surrogate
 * or NUL breaks the shape: PostgreSQL cannot store it as it is.
 * Source: contract §2.2, §2.10.
 */
export function readFields<Fields extends Declaration>(
  declaration: Fields,
  record: Pick<JsonObject, 'get'>,
  values: Record<string, unknown> = {},
): FieldsRead<Fields> {
  const violations: Violation<keyof Fields & string>[] = [];
  for (const name in declaration) {
    const field = declaration[name] as Field;
    const sent = record.get(name) ?? undefined;
    if (sent !== undefined) {
      const read = field.read(sent);
      if ('broken' in read) violations.push(violation(name, read));
      else values[name] = read.value;
    } else if (field.required) violations.push({ field: name, rule: 'required' });
  }
  // The compiler cannot follow the loop. Each name of the declaration has the value that its field reads, or undefined.
  return violations.length === 0
    ? { ok: true, values: values as FieldValues<Fields> }
    : { ok: false, values: values as PartialFieldValues<Fields>, violations };
}

/** Where fields are. A query has no null. Where either a query or a body has them, neither needs them. */
type Place = 'query' | 'body' | 'either query' | 'either body';

/**
 * Returns the JSON Schema of a request for the OpenAPI document. `toSchema(…).properties` has a query's parameters.
 * It shows what a client should send. In a body null means "not given". It does not say that unknown fields are ignored.
 */
export function toSchema(declaration: Declaration, place: Place = 'query'): TObject {
  const isEither = place.startsWith('either');
  return Type.Object(
    Object.fromEntries(
      Object.entries(declaration).map(([name, { required, schema }]) => {
        if (required && !isEither) return [name, schema];
        return [name, Type.Optional(place.endsWith('body') ? orNull(schema) : schema)];
      }),
    ),
  );
}

function orNull(schema: TSchema): TSchema {
  const { type, enum: values } = schema as { readonly type?: string | readonly string[]; readonly enum?: readonly unknown[] };
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
  };
}

function violation<Name extends string>(field: Name, { broken, limit }: Broken): Violation<Name> {
  return limit === undefined ? { field, rule: broken } : { field, rule: broken, limit };
}

function readText(sent: string, { max, pattern, check }: TextOptions<boolean>): Read<string> {
  if (isLonger(sent, max)) return { broken: 'length', limit: max };
  if (!sent.isWellFormed() || sent.includes('\0')) return { broken: 'shape' };
  if (pattern !== undefined && !pattern.test(sent)) return { broken: 'shape' };
  if (check !== undefined && !check(sent)) return { broken: 'shape' };
  return { value: sent };
}

/** Counts code points only where the UTF-16 length, never the smaller of the two, leaves it open. */
function isLonger(sent: string, max: number): boolean {
  if (sent.length <= max) return false;
  return sent.length > 2 * max || Array.from(sent).length > max;
}

function textSchema(type: string | string[], options: TextOptions<boolean>): TSchema {
  const { max, pattern } = options;
  return Type.Unsafe<string>({
    type,
    maxLength: max,
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
    ...shown(options),
  });
}

function shown({ description, example }: FieldOptions<boolean>): object {
  return { description, examples: [example] };
}

/** Characters that nobody sees would make two addresses look like one. */
const EMAIL = /^[^\s@\p{Cc}\p{Cf}]{1,64}@[^\s@.\p{Cc}\p{Cf}]+(?:\.[^\s@.\p{Cc}\p{Cf}]+)*$/u;
const MAX_EMAIL_CHARACTERS = 254;

/** True for an e-mail address that people read without doubt. */
export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_CHARACTERS && EMAIL.test(text);
