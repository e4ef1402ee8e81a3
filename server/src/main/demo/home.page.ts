import { createHash } from 'node:crypto';
import { html, trustedHtml, type Html } from '../../kit/html.ts';
import type { HttpRequest, HttpServer } from '../../kit/http.ts';
import { preferredLanguage, type Language } from '../../kit/language.ts';
import { isFromHere, PAGE_STYLE } from '../../sandbox/index.ts';
import { SANDBOX_CONSOLE_PATH } from '../../users/index.ts';
import { HOME_WORDS, type DemoAct, type DemoSecret } from './home-words.ts';

/** What the home of a sandbox shows of its demo merchant. */
export type DemoHome = {
  readonly merchantId: string;
  /** Name and value. */
  readonly secrets: readonly (readonly [name: DemoSecret, secret: string])[];
  /** What a command does, and the command. */
  readonly commands: readonly (readonly [does: DemoAct, command: string])[];
  /** Of an open order. Undefined: all of them ended. */
  readonly checkout: string | undefined;
};

type Home = {
  readonly operatorName: string | undefined;
  /** Undefined: production, or a sandbox that everybody reaches. Its demo merchant may not exist yet. */
  readonly readDemo?: () => Promise<DemoHome | undefined>;
  /** Where its owner comes into the console. Undefined as above. */
  readonly ownerPath?: (request: HttpRequest) => Promise<string>;
  readonly isSandbox: boolean;
};

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Adds the page at `/`: what this server is, and where to go. A sandbox shows how to begin.
 * It speaks the language of the browser. It is for browsers, which ask for HTML by name. To a program the root stays no operation (contract §2.6).
 */
export function serveHome(app: HttpServer, { operatorName, readDemo, ownerPath, isSandbox }: Home): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) return reply.callNotFound();
    const demo = await readDemo?.();
    const language = preferredLanguage(request.headers['accept-language']);
    const links = isSandbox ? sandboxLinks(demo, ownerPath !== undefined && isFromHere(request)) : PRODUCTION_LINKS;
    const body = html`${demo === undefined ? [] : [renderDemo(demo, language)]}${renderLinks(links, language)}`;
    return reply
      .headers(HEADERS)
      .header('vary', 'accept, accept-language')
      .send(page(operatorName ?? 'Caudal', HOME_WORDS[language][isSandbox ? 'sandbox' : 'production'], language, body));
  });
  if (ownerPath === undefined) return;
  // The link that it leads to signs nobody in before somebody presses its button: a page elsewhere that opens this gains nothing.
  app.get(SANDBOX_CONSOLE_PATH, { schema: { hide: true } }, async (request, reply) =>
    reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(isFromHere(request) ? await ownerPath(request) : CONSOLE_PATH, 303),
  );
}

function page(name: string, what: string, language: Language, body: Html): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name}</title>
        <link rel="icon" href="data:," />
        ${trustedHtml(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>${name}</h1>
          <p class="quiet">${what}</p>
        </header>
        <main>${body}</main>
      </body>
    </html> `.markup;
}

type Link = readonly [path: string, to: keyof (typeof HOME_WORDS)['en']['links']];

const CONSOLE_PATH = '/console';
const consoleAt = (path: string): Link => [path, 'console'];
const DOCS: Link = ['/docs', 'docs'];
const PRODUCTION_LINKS: readonly Link[] = [consoleAt(CONSOLE_PATH), DOCS];

const sandboxLinks = (demo: DemoHome | undefined, isOwner: boolean): readonly Link[] => [
  ...(demo?.checkout === undefined ? [] : [[demo.checkout, 'checkout'] as const]),
  ['/sandbox/inbox', 'inbox'],
  consoleAt(isOwner ? SANDBOX_CONSOLE_PATH : CONSOLE_PATH),
  DOCS,
];

const renderLinks = (links: readonly Link[], language: Language): Html =>
  html`<ul class="links">
    ${links.map(([path, to]) => {
      const [name, what] = HOME_WORDS[language].links[to];
      return html`<li>
        <a href="${path}"><b>${name}</b> ${what}</a>
      </li>`;
    })}
  </ul>`;

function renderDemo({ merchantId, secrets, commands }: DemoHome, language: Language): Html {
  const words = HOME_WORDS[language];
  return html`<section>
      <h2>${words.merchant(merchantId)}</h2>
      <dl>
        ${secrets.map(
          ([name, secret]) =>
            html`<dt>${words.secrets[name]}</dt>
              <dd><code>${secret}</code></dd>`,
        )}
      </dl>
      <p class="quiet">${words.proofs}</p>
    </section>
    <section>
      <h2>${words.first}</h2>
      ${commands.map(
        ([does, command]) =>
          html`<p>${words.acts[does]}</p>
            <pre tabindex="0">${command}</pre> `,
      )}
    </section>`;
}
