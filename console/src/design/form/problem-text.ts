import type { Problem } from '../../api/problem.ts';
import { textOf, type Language } from '../../shell/language.ts';
import { DESIGN } from '../words.ts';
import { PROBLEMS } from './problem-words.ts';

/** What few pages need. Undefined: it did not come, and texts of the API are shown as they are. */
export type RareWords = typeof import('./rare-words.ts') | undefined;

const textIn = (texts: Readonly<Record<string, string>> | undefined, name: string): string | undefined => texts && textOf(texts, name);

/** Whether a problem can be said with the words that every page has. */
export const isCommon = ({ problem, errors }: Problem): boolean => Object.hasOwn(PROBLEMS.es, problem) && errors.length === 0;

/** The text of a problem, and of its detail where the service names one. */
export function problemText(language: Language, { problem, title, detail = '' }: Problem, rare: RareWords): string {
  const text = textIn(PROBLEMS[language], problem) ?? textIn(rare?.RARE_PROBLEMS[language], problem);
  const said = text === undefined ? detail : textIn(rare?.FAULTS[language].details, detail);
  return said === undefined || said === '' ? (text ?? title) : `${text ?? title}: ${said}`;
}

type Rule = (words: (typeof DESIGN)['en']['broken'], rules: NonNullable<RareWords>['FAULTS']['en']['rules'], bound: number) => string;

/** What schemas and filters say. The first that fits counts. */
const RULES: readonly (readonly [RegExp, Rule])[] = [
  [/^must not have more than (\d+) characters$/, ({ tooLong }, _, bound) => tooLong(bound)],
  [/^must not have fewer than (\d+) characters$/, ({ tooShort }, _, bound) => tooShort(bound)],
  [/^must be <= (-?\d+)$/, ({ tooLarge }, _, bound) => tooLarge(bound)],
  [/^must be >= (-?\d+)$/, ({ tooSmall }, _, bound) => tooSmall(bound)],
  [/^must not have more than \d+ (?:items|properties)$/, (_, { more }) => more],
  [/^must not have fewer than \d+ (?:items|properties)$/, (_, { fewer }) => fewer],
  [/^must be equal to one of the allowed values$/, ({ choice }) => choice],
  [/^must be integer$/, ({ wholeNumber }) => wholeNumber],
  [/^must (?:match|be|not be) /, ({ form }) => form],
  [/^must not filter by .+: a view names no person$/, (_, { view }) => view],
  [/^takes /, (_, { filter }) => filter],
  [/ have no such filter: /, (_, { unknownFilter }) => unknownFilter],
];

/** What a problem says of one field. A text of a later release stays as it is. */
export function faultText(language: Language, detail: string, rare: RareWords): string {
  if (rare === undefined) return detail;
  const { sentences, short, rules } = rare.FAULTS[language];
  const own = textIn(sentences, detail) ?? textIn(short, detail);
  if (own !== undefined) return own;
  for (const [pattern, say] of RULES) {
    const found = pattern.exec(detail);
    if (found !== null) return say(DESIGN[language].broken, rules, Number(found[1]));
  }
  return detail;
}

/** Whether what is said of a field makes no sense without the name of the field. */
export const needsName = (detail: string, rare: RareWords): boolean => textIn(rare?.FAULTS.es.sentences, detail) === undefined;
