/** The rules of a field or of a form: a JSON schema of an operation's declaration. */
export type Rule = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Rule[];
  readonly items?: Rule;
  readonly properties?: Readonly<Record<string, Rule>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: Readonly<Record<string, Rule>>;
};

/** The rules of an operation: of its path, its query and its body. */
export type Rules = { readonly path?: Rule; readonly query?: Rule; readonly body?: Rule };

/** Which rule a value breaks. The words of the design say it to people. */
export type Broken =
  | { readonly rule: 'missing' | 'form' | 'email' | 'whole-number' | 'day' | 'instant' | 'choice' }
  | {
      readonly rule: 'characters';
      readonly letters: 'letters' | 'small' | 'capital' | undefined;
      readonly hasDigits: boolean;
      readonly marks: string;
    }
  | { readonly rule: 'too-long' | 'too-short' | 'too-small' | 'too-large'; readonly bound: number };

const PATTERNS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/,
};

/** The rule of a member. `/amount/currency` is a member of a member. */
export function ruleAt(rule: Rule | undefined, pointer: string): Rule | undefined {
  const [, first, ...rest] = pointer.startsWith('/') ? pointer.split('/') : ['', pointer];
  const own = rule?.anyOf?.find(({ properties }) => properties !== undefined) ?? rule;
  const found = own?.properties?.[first ?? ''];
  return rest.length === 0 ? found : ruleAt(found, `/${rest.join('/')}`);
}

/** The rule of a value that is there: of a value or null, the one of the value. */
export const ruleOfValue = (rule: Rule): Rule => rule.anyOf?.find(({ type }) => type !== 'null') ?? rule;

/** The values that a rule allows, where it names them. Of a list: those of its items. */
export function choicesOf(rule: Rule | undefined): readonly string[] | undefined {
  const own = rule && ruleOfValue(rule);
  const named = (own?.items ?? own)?.enum?.filter((one) => typeof one === 'string');
  return named !== undefined && named.length > 0 ? named : undefined;
}

const DAY_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

/** Whether a rule takes a day of a calendar. */
export const isDayRule = ({ format, pattern }: Rule): boolean => format === 'date' || pattern === DAY_PATTERN;

/** Marks a number that cannot be read in the language of the page, and one that differs much and is not confirmed. No text has them. */
export const UNCLEAR = '\u{E000}';
export const UNCONFIRMED = '\u{E001}';
const isMarked = (text: string): boolean => text.startsWith(UNCLEAR) || text.startsWith(UNCONFIRMED);

/** Checks what was typed by a rule. Shape: a text; empty counts as absent → the first rule that it breaks. */
export function checkText(declared: Rule | undefined, text: string, isRequired = false): Broken | undefined {
  if (text === '') return isRequired ? { rule: 'missing' } : undefined;
  if (isMarked(text)) return { rule: 'form' };
  if (declared === undefined) return undefined;
  const rule = ruleOfValue(declared);
  const choices = choicesOf(rule);
  if (rule.type === 'array') return text.split(',').every((one) => choices?.includes(one) ?? true) ? undefined : { rule: 'choice' };
  if (choices !== undefined) return choices.includes(text) ? undefined : { rule: 'choice' };
  if (rule.type === 'integer') return checkInteger(rule, text);
  const { minLength = 0, maxLength = Infinity, pattern, format = '' } = rule;
  const characters = Array.from(text).length;
  if (characters > maxLength) return { rule: 'too-long', bound: maxLength };
  if (characters < minLength) return { rule: 'too-short', bound: minLength };
  if (isDayRule(rule) && PATTERNS['date']?.test(text) === false) return { rule: 'day' };
  if (PATTERNS[format]?.test(text) === false) return { rule: 'instant' };
  return pattern === undefined || new RegExp(pattern, 'u').test(text) ? undefined : breakPattern(pattern, text);
}

/** Ranges and marks, and how many of them: `^[A-Za-z0-9_.-]{1,50}$`. */
const OF_CHARACTERS = /^\^\[((?:A-Z|a-z|0-9)+)([-_.:,/ ]*)\](?:[*+]|\{\d+(,?)(\d*)\})\$$/;

/** Says which characters a pattern takes, or how many, where it says just that. */
function breakPattern(pattern: string, text: string): Broken {
  const [, ranges, marks = '', comma, most] = OF_CHARACTERS.exec(pattern) ?? [];
  if (ranges === undefined) return { rule: pattern.includes(']+@[') ? 'email' : 'form' };
  const all = new RegExp(`^[${ranges}${marks}]+$`).test(text);
  if (all) return comma === ',' && most !== '' ? { rule: 'too-long', bound: Number(most) } : { rule: 'form' };
  const [hasCapital, hasSmall] = [ranges.includes('A-Z'), ranges.includes('a-z')];
  const letters = hasCapital && hasSmall ? 'letters' : hasCapital ? 'capital' : hasSmall ? 'small' : undefined;
  return { rule: 'characters', letters, hasDigits: ranges.includes('0-9'), marks: Array.from(marks).join(' ').trim() };
}

function checkInteger({ minimum = -Infinity, maximum = Infinity }: Rule, text: string): Broken | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return { rule: 'whole-number' };
  if (Number(text) < minimum) return { rule: 'too-small', bound: minimum };
  return Number(text) > maximum ? { rule: 'too-large', bound: maximum } : undefined;
}
