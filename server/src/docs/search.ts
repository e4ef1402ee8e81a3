import { setImmediate } from 'node:timers/promises';
import type { Language } from '../kit/language.ts';
import type { DocsPage } from './page.ts';

/** A part of a page, as the search holds it: plain words, and the same folded. */
type Entry = {
  readonly page: DocsPage;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly folded: { readonly title: string; readonly text: string; readonly page: string };
};

/** A place that the search found. */
export type FoundPlace = { readonly path: string; readonly page: string; readonly title: string; readonly excerpt: string };

const MOST_HITS = 30;
const EXCERPT = 160;
/** How often a word of a passage counts. No more are looked for: a query of single characters would find a million. */
const MOST_COUNTED = 4;

/** Without accents and capitals: a reader types neither. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Makes the index of all pages. It gives way to requests after each page: rendering all of them takes a while. */
export async function makeIndex(pages: readonly DocsPage[]): Promise<readonly Entry[]> {
  const index: Entry[] = [];
  for (const page of pages) {
    for (const { id, title, text } of page.content().passages)
      index.push({
        page,
        id,
        title,
        text: text.trim(),
        folded: { title: fold(title), text: fold(text), page: fold(page.title) },
      });
    await setImmediate();
  }
  return index;
}

/**
 * Finds the parts of pages that have all words of a query, the best first. Words in titles count most, then how often they occur.
 * Shape: pages of another language are left out; those without a translation are English.
 */
export function searchDocs(index: readonly Entry[], query: string, language: Language): readonly FoundPlace[] {
  const words = [...new Set(fold(query).split(/[^\p{L}\p{N}_-]+/u))].filter((word) => word !== '');
  if (words.length === 0) return [];
  return index
    .filter(({ page }) => page.language === language || page.family === undefined)
    .flatMap((entry) => {
      const own = words.map((word) => scoreOf(entry, word));
      // Words of the page's title find its first part. They do not find all parts.
      if (own.every((score) => score === 0)) return [];
      const score = own.reduce((product, one, at) => product * (one + (entry.folded.page.includes(words[at] as string) ? 2 : 0)), 1);
      return score === 0 ? [] : [{ entry, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_HITS)
    .map(({ entry: { page, id, title, text, folded } }) => ({
      path: id === '' ? page.path : `${page.path}#${id}`,
      page: page.title,
      title,
      excerpt: excerptOf(text, folded.text, words),
    }));
}

function scoreOf({ folded }: Entry, word: string): number {
  const inTitle = folded.title.includes(word) ? (new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u').test(folded.title) ? 20 : 8) : 0;
  return inTitle + folded.text.split(word, MOST_COUNTED + 1).length - 1;
}

function excerptOf(text: string, folded: string, words: readonly string[]): string {
  const found = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const from = found.length === 0 ? 0 : Math.max(0, Math.min(...found) - EXCERPT / 3);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const cut = text.slice(start, start + EXCERPT);
  return `${start === 0 ? '' : '… '}${cut}${start + EXCERPT < text.length ? ' …' : ''}`;
}
