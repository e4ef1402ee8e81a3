import { createHash } from 'node:crypto';
import { html, NO_HTML, trustedHtml, type Html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { SIGN_IN_STYLE } from './sign-in-style.ts';
import { SIGN_IN_WORDS, type SignInFault } from './sign-in-words.ts';

/** Where people who have signed in go. */
export const CONSOLE_PATH = '/console';

/** The page of all that this folder shows. */
export const SIGN_IN_PATH = `${CONSOLE_PATH}/sign-in`;

/** The script of passkeys. */
export const SCRIPT_PATH = `${SIGN_IN_PATH}/passkeys.js`;

/** The page's own style, forms and script, and nothing else. `same-origin`: a form says from which page it comes. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; img-src data:; script-src 'self'; style-src 'sha256-${createHash('sha256').update(SIGN_IN_STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};
const STYLE_ELEMENT = trustedHtml(`<style>${SIGN_IN_STYLE}</style>`);

export function page(language: Language, title: string, fault: SignInFault | undefined, body: Html): string {
  const words = SIGN_IN_WORDS[language];
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Caudal</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
        <script type="module" src="${SCRIPT_PATH}"></script>
      </head>
      <body>
        <header>Caudal</header>
        <main>
          <h1>${title}</h1>
          ${fault === undefined ? NO_HTML : html`<p class="bad" role="alert">${words[fault]}</p>`} ${body}
        </main>
      </body>
    </html>`.markup;
}

type Field = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly type?: string;
  readonly autocomplete: string;
};

export function field({ name, label, hint, value = '', type = 'text', autocomplete }: Field): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      autocapitalize="none"
      spellcheck="false"
      required
    />
    ${hint === undefined ? NO_HTML : html`<p class="hint">${hint}</p>`}
  </div>`;
}

/**
 * `passkey`: what the script asks the browser for, before it sends the form. The form is hidden where there is no script.
 * `isPlain`: its button is not the one that most people look for.
 */
type FormOptions = { readonly link?: string | undefined; readonly passkey?: string | undefined; readonly isPlain?: true };

/** A form that posts to this page. `act` says what it is for. */
export const form = (act: string, button: string, fields: Html, { link, passkey, isPlain }: FormOptions = {}): Html =>
  html`<form method="post" action="${SIGN_IN_PATH}" ${passkey === undefined ? NO_HTML : html`data-passkey="${passkey}" hidden`}>
    <input type="hidden" name="act" value="${act}" />
    ${link === undefined ? NO_HTML : html`<input type="hidden" name="link" value="${link}" />`} ${fields}
    <button class="${isPlain ? 'plain' : ''}">${button}</button>
  </form>`;
