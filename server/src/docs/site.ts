import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { html, NO_HTML, type Html } from '../kit/html.ts';
import { findLanguage, type Language } from '../kit/language.ts';
import type { ApiDocument } from './api-document.ts';
import { renderMarkdown, type Heading, type Resolve } from './markdown.ts';
import { badge, pageName, renderNoticePage, renderOperation, routesOf, signedValues } from './operation-page.ts';
import type { Content, DocsPage } from './page.ts';
import type { MenuPart } from './shell.ts';
import { codes, inline } from './tables.ts';
import { DOCS_WORDS } from './words.ts';
import { renderWorkbench, WORKBENCH_PATH, WORKBENCH_TITLE } from './workbench.page.ts';

/** A refusal of the management API, with its page. */
type Problem = { readonly status: number; readonly title: string; readonly meaning: string };

/** What the pages are made of, beside the Markdown files of the repository. */
export type Sources = {
  readonly document: ApiDocument;
  readonly problems: ReadonlyMap<string, Problem>;
};

export type Site = {
  readonly pages: ReadonlyMap<string, DocsPage>;
  readonly menuOf: (language: Language) => readonly MenuPart[];
};

const DOCS = new URL('../../../docs/', import.meta.url);
const GUIDES = 'guides/';
/** The guide where a reader starts. It names all others, in their order. */
const START = 'start';

/** Pages that are one file, in English: path → file and title. */
const FILES = {
  '/docs/contract': ['contract.md', 'The contract'],
  '/docs/dialect': ['dialect.md', 'The dialect'],
  '/docs/glossary': ['glossary.md', 'Glossary'],
  '/docs/management': ['management.md', 'The management API'],
  '/docs/management/reference': ['reference/management-api.md', 'Management API, reference'],
} as const;

/** Makes all pages of the documents. None is rendered yet. */
export function openSite({ document, problems }: Sources, isSandbox: boolean): Site {
  const pages = new Map<string, DocsPage>();
  const add = (page: DocsPage): void => void pages.set(page.path, page);
  const resolveFrom =
    (file: string): Resolve =>
    (href) => {
      const [target = '', fragment] = href.split('#');
      const path = pathOf(posix.normalize(posix.join(dirname(file), target)));
      return pages.has(path) ? `${path}${fragment === undefined ? '' : `#${fragment}`}` : undefined;
    };
  const markdown = (file: string): Content => {
    const rendered = renderMarkdown(readFileSync(new URL(file, DOCS), 'utf8'), resolveFrom(file), file === 'contract.md');
    return { ...rendered, hasPrograms: rendered.body.markup.includes('class="program ') };
  };

  const guides = guideFiles();
  for (const { file, name, language } of guides)
    add({
      path: `/docs/guides/${name}.${language}`,
      family: { path: `/docs/guides/${name}`, languages: guides.flatMap((one) => (one.name === name ? [one.language] : [])) },
      language,
      group: name === START ? 'start' : 'guides',
      title: titleOf(file),
      content: once(() => markdown(file)),
    });
  const shared = { language: 'en' } as const;
  add({
    ...shared,
    path: '/docs/reference',
    group: 'rules',
    title: 'Reference',
    content: once(() => made(renderIndex(document), 'Reference')),
  });
  for (const [path, [file, title]] of Object.entries(FILES))
    add({ ...shared, path, group: 'rules', title, content: once(() => markdown(file)) });
  add({
    ...shared,
    path: '/docs/faults',
    group: 'rules',
    title: FAULTS_TITLE,
    content: once(() => made(renderFaults(document), FAULTS_TITLE)),
  });
  if (isSandbox)
    add({
      ...shared,
      path: WORKBENCH_PATH,
      group: 'rules',
      title: WORKBENCH_TITLE,
      content: once(() => made(renderWorkbench(document, new Map()), WORKBENCH_TITLE)),
    });
  for (const { path, title, group, badge: mark, body } of referencePages(document))
    add({ ...shared, path, group, title, badge: mark, content: once(() => made(body(), title)) });
  for (const [name, problem] of problems)
    add({
      ...shared,
      path: `/docs/problems/${name}`,
      group: 'problems',
      title: problem.title,
      content: once(() => made(renderProblem(name, problem), problem.title)),
    });
  return { pages, menuOf: (language) => menuOf([...pages.values()], document, language) };
}

const FAULTS_TITLE = 'Transport errors';

/** The path of the page of a file of the documents, whether or not it is served. */
function pathOf(file: string): string {
  const [, name, language = 'en'] = /^guides\/([a-z-]+)(?:\.(es|pt))?\.md$/.exec(file) ?? [];
  if (name !== undefined) return `/docs/guides/${name}.${language}`;
  const own = Object.entries(FILES).find(([, [one]]) => one === file)?.[0];
  return own ?? `/docs/${file.replace(/(\/README)?\.md$/, '')}`;
}

function guideFiles(): readonly { readonly file: string; readonly name: string; readonly language: Language }[] {
  const found = readdirSync(new URL(GUIDES, DOCS)).flatMap((base) => {
    const [, name, language = 'en'] = /^([a-z-]+)(?:\.(es|pt))?\.md$/.exec(base) ?? [];
    return name === undefined ? [] : [{ file: `${GUIDES}${base}`, name, language: findLanguage(language) ?? ('en' as const) }];
  });
  const order = [
    START,
    ...readFileSync(new URL(`${GUIDES}${START}.md`, DOCS), 'utf8')
      .matchAll(/\]\(([a-z-]+)\.md\)/g)
      .map(([, name]) => name),
  ];
  return found.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

/** The first heading of a file. */
const titleOf = (file: string): string => /^# (.+)$/m.exec(readFileSync(new URL(file, DOCS), 'utf8'))?.[1] ?? file;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The content of a page that is made of declarations: its headings, and its words for the search. */
function made(body: Html, title: string): Content {
  const headings = [...body.markup.matchAll(/<h([23]) id="([^"]+)">([^<]*)</g)].map(([, depth, id, text]): Heading => ({
    id: id as string,
    depth: Number(depth),
    title: wordsOf(text as string),
  }));
  const [first = '', ...sections] = body.markup.split(/(?=<h2 id=)/);
  const passages = sections.map((section) => {
    const [, id = '', words = ''] = /^<h2 id="([^"]+)">([^<]*)</.exec(section) ?? [];
    return { id, title: wordsOf(words), text: wordsOf(section.replace(/^<h2.*?<\/h2>/, '')) };
  });
  return {
    body,
    headings,
    passages: [{ id: '', title, text: wordsOf(first.replace(/<h1.*?<\/h1>/, '')) }, ...passages],
    hasPrograms: false,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const wordsOf = (markup: string): string =>
  markup
    .replace(/<pre[^]*?<\/pre>/g, ' ')
    .replace(/<(?!\/?(?:code|wbr|a|b)\b)[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string)
    .replace(/\s+/g, ' ');

type ReferencePage = {
  readonly path: string;
  readonly title: string;
  readonly group: string;
  readonly badge: Html;
  readonly body: () => Html;
};

/** A page for each operation and each notice, in the order of the document. */
const referencePages = (document: ApiDocument): readonly ReferencePage[] => [
  ...routesOf(document).map((route) => ({
    path: `/docs/reference/${pageName(route.operation.operationId)}`,
    title: route.operation.summary,
    group: route.operation.tags[0] ?? '',
    badge: badge(route.method),
    body: () => renderOperation(route, document),
  })),
  ...Object.values(document.webhooks).map(({ post }) => ({
    path: `/docs/reference/${pageName(post.operationId)}`,
    title: post.summary,
    group: 'Notices',
    badge: badge('POST'),
    body: () => renderNoticePage(post),
  })),
];

function menuOf(pages: readonly DocsPage[], { tags }: ApiDocument, language: Language): readonly MenuPart[] {
  const words = DOCS_WORDS[language];
  const part = (title: string, group: string): MenuPart => ({
    title,
    pages: pages.filter((page) => page.group === group && (page.family === undefined || page.language === language)),
  });
  return [part('', 'start'), part(words.guides, 'guides'), part(words.rules, 'rules'), ...tags.map(({ name }) => part(name, name))].filter(
    (one) => one.pages.length > 0,
  );
}

const link = (id: string, summary: string): Html => html`<a href="/docs/reference/${pageName(id)}">${summary}</a>`;

/** All operations on one page, with what the checksum of each covers. */
function renderIndex(document: ApiDocument): Html {
  const routes = routesOf(document);
  const notices = Object.values(document.webhooks).map(({ post }) => post);
  return html`<h1>Reference</h1>
    ${document.info.description.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}
    <p>
      For programs: the OpenAPI documents of <a href="/openapi.json">merchants</a> and of <a href="/openapi/networks.json">networks</a>, and
      <a href="/manage/v1/openapi.json">that of the management API</a>.
    </p>
    ${document.tags.map(
      ({ name, description }) =>
        html`<h2 id="${name.toLowerCase()}">${name}</h2>
          <p>${inline(description)}</p>
          <ul>
            ${routes
              .filter(({ operation }) => operation.tags.includes(name))
              .map(
                ({ method, path, operation }) =>
                  html`<li>
                    ${badge(method)} ${link(operation.operationId, operation.summary)}<br /><code>${path}</code
                    >${operation['x-checksum'].length === 0 ? NO_HTML : html`<br /><small>Checksum: ${signedValues(operation)}</small>`}
                  </li>`,
              )}
            ${notices.filter((notice) => notice.tags.includes(name)).map((notice) => html`<li>${badge('POST')} ${link(notice.operationId, notice.summary)}</li>`)}
          </ul>`,
    )}`;
}

function renderFaults({ components }: ApiDocument): Html {
  const described = new Set(Object.values(components.responses).map(({ description }) => description));
  return html`<h1>${FAULTS_TITLE}</h1>
    <p>These answers have their own HTTP status and the envelope of the operation. No answer ever redirects.</p>
    <ul>
      ${[...described].map((description) => html`<li>${inline(description)}</li>`)}
    </ul>
    <h2 id="headers">Headers of answers</h2>
    ${codes(
      'Header',
      Object.entries(components.headers).map(([name, { description }]) => [HEADER_NAMES[name] ?? name, description] as const),
    )}`;
}

/** The names that the document gives to headers, and the headers. */
const HEADER_NAMES: Readonly<Record<string, string>> = {
  Replayed: 'Idempotency-Replayed',
  RequestId: 'X-Request-Id',
  Version: 'ETag',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
};

const renderProblem = (name: string, { status, title, meaning }: Problem): Html =>
  html`<h1>${title}</h1>
    <p>HTTP ${status} · <code>${name}</code></p>
    <p>${inline(meaning)}</p>
    <p><a href="/docs/management">The management API</a></p>`;
