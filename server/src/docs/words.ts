import type { Language } from '../kit/language.ts';

/** The words around the pages, in the language of the page. */
export type DocsWords = {
  readonly skip: string;
  readonly menu: string;
  readonly contents: string;
  readonly search: string;
  readonly found: (count: number, query: string) => string;
  readonly ask: string;
  readonly guides: string;
  readonly rules: string;
  readonly shown: string;
  readonly all: string;
  readonly languages: string;
};

export const DOCS_WORDS: Readonly<Record<Language, DocsWords>> = {
  en: {
    skip: 'Skip to the content',
    menu: 'Menu',
    contents: 'On this page',
    search: 'Search',
    found: (count, query) => (count === 0 ? `Nothing was found for “${query}”.` : `${count} places for “${query}”, the best first.`),
    ask: 'Type a word, a code such as 0025, or a field.',
    guides: 'Guides',
    rules: 'Rules and words',
    shown: 'Show the programs in',
    all: 'all',
    languages: 'This page in',
  },
  es: {
    skip: 'Ir al contenido',
    menu: 'Menú',
    contents: 'En esta página',
    search: 'Buscar',
    found: (count, query) => (count === 0 ? `No se encontró nada para «${query}».` : `${count} lugares para «${query}», el mejor primero.`),
    ask: 'Escriba una palabra, un código como 0025 o un campo.',
    guides: 'Guías',
    rules: 'Reglas y palabras (en inglés)',
    shown: 'Mostrar los programas en',
    all: 'todos',
    languages: 'Esta página en',
  },
  pt: {
    skip: 'Ir para o conteúdo',
    menu: 'Menu',
    contents: 'Nesta página',
    search: 'Buscar',
    found: (count, query) =>
      count === 0 ? `Nada foi encontrado para “${query}”.` : `${count} lugares para “${query}”, o melhor primeiro.`,
    ask: 'Digite uma palavra, um código como 0025 ou um campo.',
    guides: 'Guias',
    rules: 'Regras e palavras (em inglês)',
    shown: 'Mostrar os programas em',
    all: 'todos',
    languages: 'Esta página em',
  },
};

/** The name of each language in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { es: 'Español', en: 'English', pt: 'Português' };
