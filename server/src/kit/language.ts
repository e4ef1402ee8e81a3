/** A language that answers, messages and pages are written in. */
export type Language = 'es' | 'en' | 'pt';
export const LANGUAGES: readonly Language[] = ['es', 'en', 'pt'];

/** Finds the first of these values that names a language. Shape: anything a caller sent → a language, or undefined. */
export const findLanguage = (...names: readonly unknown[]): Language | undefined =>
  names.find((name): name is Language => LANGUAGES.includes(name as Language));
