// How people write numbers, in one place for commands, files, the checkout page and the console. It imports nothing, because
// `npm run generate` copies it to the console. No number passes through a float.

/** How a language separates thousands and decimals. */
export type Separators = { readonly thousands: string; readonly point: string };

/** The two habits of the world: `1.234,50` and `1,234.50`. */
export const HABITS: readonly Separators[] = [
  { thousands: '.', point: ',' },
  { thousands: ',', point: '.' },
];

/** A space separates thousands in every language; also one that does not break. */
const SPACES = [' ', '\u00A0', '\u202F'];
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * Reads a number as one language writes it: `1.234,5` → `1234.5`.
 * Shape: → a plain decimal without zeros in front. Thousands are separated everywhere or nowhere, in groups of three.
 * Undefined: the language has no such number. It reads `50.00` neither as 50 nor as 5000 where the point separates thousands.
 */
export function readNumber(text: string, habit: Separators): string | undefined {
  const found = patternOf(habit).exec(text.trim());
  if (found === null) return undefined;
  const [, whole = '', decimals] = found;
  const digits = whole.replaceAll(/[^0-9]/g, '').replace(/^0+(?=[0-9])/, '');
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}

/** An import reads millions of texts: each pattern is made once. */
const patterns = new Map<string, RegExp>();

function patternOf({ thousands, point }: Separators): RegExp {
  const known = patterns.get(thousands + point);
  if (known !== undefined) return known;
  const groups = [thousands, ...SPACES].map((one) => `[1-9][0-9]{0,2}(?:${escaped(one)}[0-9]{3})+`).join('|');
  const made = new RegExp(`^([0-9]+|${groups})(?:${escaped(point)}([0-9]+))?$`);
  patterns.set(thousands + point, made);
  return made;
}

/** Takes the sign of its currency from an amount: `$ 50.000`, `50.000 COP`. */
export function withoutSign(text: string, signs: readonly string[]): string {
  const trimmed = text.trim();
  const [longest] = signs
    .filter((one) => trimmed.startsWith(one) || trimmed.endsWith(one))
    .toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return trimmed;
  return (trimmed.startsWith(longest) ? trimmed.slice(longest.length) : trimmed.slice(0, -longest.length)).trim();
}

/** What was meant by a text that is not taken: everything that it says in some language and that fits, as plain
 * decimals. Where nobody knows the language they are those that every language reads alike. */
export type UnreadableNumber = { readonly fault: 'ambiguous' | 'decimals' | 'form'; readonly meant: readonly string[] };
export type ReadText = { readonly plain: string } | UnreadableNumber;

/**
 * Reads a number of at most some decimals.
 * Shape: `habit` is that of the reader's language; undefined where nobody knows it → a plain decimal with all these decimals where
 * `isMoney`, else without zeros at its end.
 * Refuses: `ambiguous`, where two languages read it differently, or only another language than the reader's reads it; `decimals`, where
 * it has more, even if they are zeros: who writes `50.000` in a currency of two decimals means fifty thousand. Where nobody knows the
 * language, what fits on either side is offered in place of more. `form`: no number.
 */
export function readText(text: string, decimals: number, habit?: Separators, isMoney = true): ReadText {
  const habits = habit === undefined ? HABITS : [habit];
  const read = distinct(habits.map((one) => readNumber(text, one)));
  const [plain] = read;
  const fit = (one: string): string | undefined => fitted(one, decimals, isMoney);
  const isExact = plain !== undefined && read.length === 1 && (plain.split('.')[1]?.length ?? 0) <= decimals;
  if (isExact) return { plain: fit(plain) as string };
  const fitting = distinct([...habits, ...HABITS].map((one) => readNumber(text, one)).map((one) => (one === undefined ? one : fit(one))));
  const meant = habit === undefined ? fitting.map(inAnyLanguage) : fitting;
  if (plain !== undefined && read.length === 1) {
    const beside = habit === undefined && meant.length === 0;
    return { fault: 'decimals', meant: beside ? neighbours(plain, decimals).map((one) => inAnyLanguage(fit(one) as string)) : meant };
  }
  return { fault: read.length > 1 || meant.length > 0 ? 'ambiguous' : 'form', meant };
}

/** Zeros beyond the decimals are dropped, and others are not: undefined. */
function fitted(plain: string, decimals: number, isMoney: boolean): string | undefined {
  const [whole = '', given = ''] = plain.split('.');
  const kept = given.slice(0, decimals);
  if (/[1-9]/.test(given.slice(decimals))) return undefined;
  const shown = isMoney ? kept.padEnd(decimals, '0') : kept.replace(/0+$/, '');
  return shown === '' ? whole : `${whole}.${shown}`;
}

/** The numbers of so many decimals on either side of one that has more. */
function neighbours(plain: string, decimals: number): readonly string[] {
  const [whole = '', given = ''] = plain.split('.');
  const below = BigInt(whole + given.slice(0, decimals));
  return [below, below + 1n].map((scaled) => {
    const digits = scaled.toString().padStart(decimals + 1, '0');
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  });
}

/** A plain decimal that no language reads otherwise. `1.500` looks like thousands: it is `1.5`. No thousands begin with zero, so `1.234` is `01.234`. */
function inAnyLanguage(plain: string): string {
  if (!/^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(plain)) return plain;
  return plain.endsWith('0') ? plain.replace(/\.?0+$/, '') : `0${plain}`;
}

const distinct = (texts: readonly (string | undefined)[]): readonly string[] => [...new Set(texts.filter((one) => one !== undefined))];

/** Writes a plain decimal as a language does: `1234.50` → `1.234,50`. */
export function writeNumber(plain: string, { thousands, point }: Separators): string {
  const [whole = '', decimals] = plain.split('.');
  const grouped = whole.replaceAll(/\B(?=(?:[0-9]{3})+$)/g, thousands);
  return decimals === undefined ? grouped : `${grouped}${point}${decimals}`;
}
