/** A language that answers, messages and pages are written in. */
export type Language = 'es' | 'en' | 'pt';
export const LANGUAGES: readonly Language[] = ['es', 'en', 'pt'];

/** Finds the first of these values that names a language. Shape: anything a caller sent → a language, or undefined. */
export const findLanguage = (...names: readonly unknown[]): Language | undefined =>
  names.find((name): name is Language => LANGUAGES.includes(name as Language));

const DEFAULT_LANGUAGE: Language = 'es';
const RANGE = /^\s*([a-z]{1,8})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?$/i;

/**
 * Chooses the supported language that a browser prefers, else Spanish.
 * Shape: any text as Accept-Language header → a supported language.
 */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let preferred: Language = DEFAULT_LANGUAGE;
  let best = 0;
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [, primary = '', quality = '1'] = RANGE.exec(range) ?? [];
    const language = findLanguage(primary.toLowerCase());
    if (language === undefined || Number(quality) <= best) continue;
    preferred = language;
    best = Number(quality);
  }
  return preferred;
}
