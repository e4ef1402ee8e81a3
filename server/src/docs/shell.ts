import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, NO_HTML, type Html } from '../kit/html.ts';
import { PROGRAM_LANGUAGES } from './markdown.ts';
import type { Content, DocsPage } from './page.ts';
import { LANGUAGE_NAMES, DOCS_WORDS, type DocsWords } from './words.ts';

/** A file that every page needs. Its name has a hash of its content, so a browser keeps it. */
type Asset = { readonly path: string; readonly type: string; readonly text: string };

const readAsset = (end: string, type: string, ...names: readonly string[]): Asset => {
  const text = names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n');
  return { path: `/docs/docs.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${end}`, type, text };
};

const STYLE = readAsset('css', 'text/css; charset=utf-8', 'docs.css', 'docs-layout.css');
const SCRIPT = readAsset('js', 'text/javascript; charset=utf-8', 'docs.js');
export const ASSETS: readonly Asset[] = [STYLE, SCRIPT];

/** Own files only, and forms to this server only. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

/** A part of the menu. */
export type MenuPart = { readonly title: string; readonly pages: readonly DocsPage[] };

export type Shell = {
  readonly page: Pick<DocsPage, 'path' | 'title' | 'language' | 'family'>;
  readonly content: Content;
  readonly menu: readonly MenuPart[];
  readonly service: { readonly title: string; readonly version: string };
  /** What the search field holds. */
  readonly query?: string;
};

/** Renders a whole page: header, menu, contents of the page, and its body. It works without scripts. */
export function renderDocsPage({ page, content, menu, service, query = '' }: Shell): string {
  const words = DOCS_WORDS[page.language];
  return html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} – ${service.title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLE.path}" />
        <script src="${SCRIPT.path}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">${words.skip}</a>
        <header>
          <p class="name"><a href="/docs">${service.title}</a> <small>API ${service.version}</small></p>
          ${renderSearch(words, page.language, query)}
          <button type="button" class="menu-button" popovertarget="menu">${words.menu}</button>
        </header>
        <div class="page">
          <nav id="menu" popover aria-label="${words.menu}">${menu.map((part) => renderPart(part, page.path))}</nav>
          <main id="content">${renderLanguages(page, words)}${content.hasPrograms ? renderChooser(words) : NO_HTML}${content.body}</main>
          ${renderContents(content, words)}
        </div>
      </body>
    </html> `.markup;
}

const renderSearch = (words: DocsWords, language: string, query: string): Html =>
  html`<form class="search" role="search" action="/docs/search">
    <input
      type="search"
      name="q"
      value="${query}"
      maxlength="100"
      aria-label="${words.search}"
      placeholder="${words.search}"
      autocomplete="off"
    />
    <input type="hidden" name="language" value="${language}" />
    <button>${words.search}</button>
    <output class="hits" hidden></output>
  </form>`;

const renderPart = ({ title, pages }: MenuPart, current: string): Html =>
  html`${title === '' ? NO_HTML : html`<h2>${title}</h2>`}
    <ul>
      ${pages.map(
        (page) =>
          html`<li>
            <a href="${page.path}" ${page.path === current ? html`aria-current="page"` : NO_HTML}
              >${page.badge ?? NO_HTML}<span>${page.title}</span></a
            >
          </li>`,
      )}
    </ul>`;

function renderLanguages({ family, language }: Shell['page'], words: DocsWords): Html {
  if (family === undefined || family.languages.length === 1) return NO_HTML;
  const others = family.languages.filter((one) => one !== language);
  return html`<p class="languages">
    ${words.languages}${others.map((one) => html` <a href="${family.path}.${one}" hreflang="${one}" lang="${one}">${LANGUAGE_NAMES[one]}</a>`)}
  </p>`;
}

/** The style sheet shows the programs of the chosen language. */
const renderChooser = (words: DocsWords): Html =>
  html`<fieldset class="chooser">
    <legend>${words.shown}</legend>
    ${[...Object.entries(PROGRAM_LANGUAGES), ['all', words.all] as const].map(
      ([id, name]) =>
        html`<label><input type="radio" name="programs" value="${id}" ${id === 'sh' ? html`checked` : NO_HTML} /> ${name}</label> `,
    )}
  </fieldset>`;

function renderContents({ headings }: Content, words: DocsWords): Html {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  return shown.length < 2
    ? html`<div class="contents"></div>`
    : html`<nav class="contents" aria-label="${words.contents}">
        <h2>${words.contents}</h2>
        <ul>
          ${shown.map(({ id, depth, title }) => html`<li class="depth-${depth}"><a href="#${id}">${title}</a></li> `)}
        </ul>
      </nav>`;
}
