import { createContext, use } from 'react';

/** Spanish is the language of most users, so it is the first. */
export const LANGUAGES = ['es', 'en', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { es: 'Español', en: 'English', pt: 'Português' };

const KEPT_AS = 'caudal.language';
const isLanguage = (text: string | null | undefined): text is Language => LANGUAGES.includes(text as Language);

/** The language that the user chose, else the browser's, else Spanish. */
export function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((one) => one.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'es';
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT_AS, language);
}

export const LanguageContext = createContext<{ readonly language: Language; readonly choose: (language: Language) => void }>({
  language: 'es',
  choose: () => undefined,
});

export const useLanguage = (): Language => use(LanguageContext).language;

type Text = string | ((...values: never[]) => string);
/** Names of texts, each a text or a function that makes one. They may be in groups. */
export type Texts = { readonly [name: string]: Text | Texts };

/** The same names with texts of another language. */
type Same<Own> = {
  readonly [Name in keyof Own]: Own[Name] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : Own[Name] extends string
      ? string
      : Same<Own[Name]>;
};

export type Words<Own> = { readonly es: Own; readonly en: Same<Own>; readonly pt: Same<Own> };

/** Declares the texts of an area in the three languages. A name that one of them lacks does not compile. */
export const defineWords = <Own extends Texts>(words: Words<Own>): Words<Own> => words;

/** The texts in the language of the user. */
export const useWords = <Own>(words: Words<Own>): Same<Own> => words[useLanguage()] as Same<Own>;

/** The text of a name that came from the API. Undefined: there is none. */
export const textOf = (texts: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** The same. A name without a text is shown as it is. */
export const wordFor = (texts: Readonly<Record<string, unknown>>, name: string): string => textOf(texts, name) ?? name.replaceAll('_', ' ');
