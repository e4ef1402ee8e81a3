import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, trustedHtml, type Html } from '../kit/html.ts';
import { sendJson, type HttpServer } from '../kit/http.ts';
import { allProblems, managementDocument, type Managed } from '../manage/index.ts';
import { boundSchemas } from './bound-schemas.ts';
import { DOCS_STYLE } from './docs-style.ts';

/** Adds the OpenAPI document of the management API, and the page of each problem. Nobody has to be signed in to read them. */
export function serveManageDocs(app: HttpServer, operations: readonly Managed<never>[]): void {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  let document: string | undefined;
  app.get('/manage/v1/openapi.json', (_request, reply) =>
    sendJson(reply, (document ??= JSON.stringify(boundSchemas(managementDocument(operations, version)), null, 2))),
  );
  const problems = allProblems(operations);
  const styleHash = createHash('sha256').update(DOCS_STYLE).digest('base64');
  app.get('/docs/problems/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    const problem = problems.get(name);
    const [title, text] = problem === undefined ? ['There is no such problem', ''] : [problem.title, problem.meaning];
    return reply
      .code(problem === undefined ? 404 : 200)
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'referrer-policy': 'no-referrer',
      })
      .send(
        renderProblemPage(
          title,
          problem === undefined
            ? html``
            : html`<p>HTTP ${problem.status} · <code>${name}</code></p>
                <p>${inline(text)}</p>`,
        ),
      );
  });
}

/** Text with `code` in it. */
const inline = (text: string): Html => ({
  markup: text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`).markup)
    .join(''),
});

const renderProblemPage = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          ${trustedHtml(DOCS_STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
          <p><a href="/docs">The API</a></p>
        </main>
      </body>
    </html> `.markup;
