import { html, type Html } from '../kit/html.ts';
import type { HttpReply, HttpRequest, HttpServer } from '../kit/http.ts';
import { findLanguage, preferredLanguage, type Language } from '../kit/language.ts';
import { parseQuery } from '../kit/query-string.ts';
import type { Content, DocsPage } from './page.ts';
import { makeIndex, searchDocs, type FoundPlace } from './search.ts';
import { ASSETS, HEADERS, renderDocsPage, type Shell } from './shell.ts';
import { openSite, type Site, type Sources } from './site.ts';
import { DOCS_WORDS } from './words.ts';
import { readWorkbench, renderWorkbench, WORKBENCH_PATH, WORKBENCH_TITLE } from './workbench.page.ts';

export type { ApiDocument, ApiOperation, ApiParameter, ApiSchema, ApiWebhooks } from './api-document.ts';

const START = '/docs/guides/start';
const MOST_QUERY = 100;

/** Adds the documents for people, under `/docs`. They are made when somebody first asks for them. A sandbox has a workbench too. */
export function serveDocs(app: HttpServer, readSources: () => Sources, isSandbox: boolean): void {
  let docs: Docs | undefined;
  const open = (): Docs => (docs ??= openDocs(readSources(), isSandbox));
  for (const { path, type, text } of ASSETS)
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }).send(text),
    );
  app.get('/docs/search', { schema: { hide: true } }, (request, reply) => open().find(request, reply));
  if (isSandbox)
    for (const method of ['GET', 'POST'] as const)
      app.route({ method, url: WORKBENCH_PATH, schema: { hide: true }, handler: (request, reply) => open().work(request, reply) });
  const show = (request: HttpRequest, reply: HttpReply): HttpReply => open().show(request, reply);
  app.get('/docs', { schema: { hide: true } }, show);
  app.get('/docs/*', { schema: { hide: true } }, show);
}

type Docs = {
  show(request: HttpRequest, reply: HttpReply): HttpReply;
  find(request: HttpRequest, reply: HttpReply): Promise<HttpReply>;
  work(request: HttpRequest, reply: HttpReply): HttpReply;
};

const send = (reply: HttpReply, status: number, page: string): HttpReply =>
  reply.code(status).headers(HEADERS).header('vary', 'Accept-Language').send(page);

function openDocs(sources: Sources, isSandbox: boolean): Docs {
  const site = openSite(sources, isSandbox);
  const service = sources.document.info;
  const rendered = new Map<string, string>();
  const render = (page: Shell['page'], content: Content, query?: string): string =>
    renderDocsPage({ page, content, menu: site.menuOf(page.language), service, ...(query === undefined ? {} : { query }) });
  let index: ReturnType<typeof makeIndex> | undefined;
  return {
    show: (request, reply) => {
      const page = findPage(site, request);
      if (page === undefined) return send(reply, 404, render({ path: '', title: MISSING, language: 'en' }, lone(MISSING)));
      let text = rendered.get(page.path);
      if (text === undefined) rendered.set(page.path, (text = render(page, page.content())));
      return send(reply, 200, text);
    },
    work: (request, reply) =>
      send(
        reply,
        200,
        render(
          { path: WORKBENCH_PATH, title: WORKBENCH_TITLE, language: 'en' },
          contentOf(renderWorkbench(sources.document, readWorkbench(request))),
        ),
      ),
    find: async (request, reply) => {
      const parameters = parseQuery(request.url);
      const asked = parameters instanceof Map ? parameters : new Map<string, string>();
      const query = (asked.get('q') ?? '').slice(0, MOST_QUERY);
      const language = findLanguage(asked.get('language')) ?? preferredLanguage(request.headers['accept-language']);
      const hits = searchDocs(await (index ??= makeIndex([...site.pages.values()])), query, language);
      if (request.headers.accept === 'application/json')
        return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(hits));
      return send(reply, 200, render({ path: '', title: DOCS_WORDS[language].search, language }, renderHits(hits, query, language), query));
    },
  };
}

const MISSING = 'Page not found';

/** The page of a path, in the reader's language where it has several. */
function findPage({ pages }: Site, request: HttpRequest): DocsPage | undefined {
  const asked = request.url.replace(/[?#].*$/, '').replace(/(?<!\/)\/+$/, '');
  const path = asked === '/docs' ? START : asked;
  const { 'accept-language': accepted } = request.headers;
  return (
    pages.get(path) ?? (accepted === undefined ? undefined : pages.get(`${path}.${preferredLanguage(accepted)}`)) ?? pages.get(`${path}.en`)
  );
}

const contentOf = (body: Html): Content => ({ body, headings: [], passages: [], hasPrograms: false });
const lone = (title: string): Content => contentOf(html`<h1>${title}</h1>`);

function renderHits(hits: readonly FoundPlace[], query: string, language: Language): Content {
  const words = DOCS_WORDS[language];
  return contentOf(
    html`<h1>${words.search}</h1>
      <p>${query.trim() === '' ? words.ask : words.found(hits.length, query)}</p>
      <ul class="results">
        ${hits.map(
          ({ path, page, title, excerpt }) =>
            html`<li>
              <a href="${path}">${title}</a> <small>${page === title ? '' : page}</small>
              <p>${excerpt}</p>
            </li>`,
        )}
      </ul>`,
  );
}
