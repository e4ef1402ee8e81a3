import type { Html } from '../kit/html.ts';
import type { Language } from '../kit/language.ts';
import type { Heading, Passage } from './markdown.ts';

/** Where a page is in the menu. */
type Group = 'start' | 'guides' | 'rules' | 'problems' | (string & {});

/** One page of the documents. Its content is made when somebody first asks for it, or searches. */
export type DocsPage = {
  readonly path: string;
  readonly language: Language;
  readonly group: Group;
  readonly title: string;
  /** In front of its title in the menu. */
  readonly badge?: Html;
  /** Of a page in several languages: the path without the language, and which there are. */
  readonly family?: { readonly path: string; readonly languages: readonly Language[] };
  readonly content: () => Content;
};

export type Content = {
  readonly body: Html;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
  /** True where its programs are in several languages. */
  readonly hasPrograms: boolean;
};
