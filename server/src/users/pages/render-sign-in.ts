import { createHash } from 'node:crypto';
import { html, NO_HTML, trustedHtml, type Html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { localizedInstant } from '../../kit/localized.ts';
import { qrCode } from '../../kit/qr-code.ts';
import { base32, otpauthUri } from '../credentials/one-time-code.ts';
import type { FoundSession } from '../sessions.ts';
import { SIGN_IN_STYLE } from './sign-in-style.ts';
import { SIGN_IN_WORDS, type PageFault, type SignInWords } from './sign-in-words.ts';

/** The page of all that this folder shows. */
export const SIGN_IN_PATH = '/console/sign-in';

/** The page's own style and its forms, and nothing else. It has no script. `same-origin`: a form says from which page it comes. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(SIGN_IN_STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};
const STYLE_ELEMENT = trustedHtml(`<style>${SIGN_IN_STYLE}</style>`);

function page(language: Language, title: string, fault: PageFault | undefined, body: Html): string {
  const words = SIGN_IN_WORDS[language];
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Caudal</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
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

function field({ name, label, hint, value = '', type = 'text', autocomplete }: Field): Html {
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

/** A form that posts to this page. `act` says what it is for. */
const form = (act: string, button: string, fields: Html, link?: string): Html =>
  html`<form method="post" action="${SIGN_IN_PATH}">
    <input type="hidden" name="act" value="${act}" />
    ${link === undefined ? NO_HTML : html`<input type="hidden" name="link" value="${link}" />`} ${fields}
    <button class="${act === 'sign-out' ? 'plain' : ''}">${button}</button>
  </form>`;

const newPasswordField = ({ newPassword, newPasswordHint }: SignInWords): Html =>
  field({ name: 'password', label: newPassword, hint: newPasswordHint, type: 'password', autocomplete: 'new-password' });

/** The form with address, password and code. */
export function signInPage(language: Language, email = '', fault?: PageFault): string {
  const words = SIGN_IN_WORDS[language];
  const fields = html`${field({ name: 'email', label: words.email, value: email, type: 'email', autocomplete: 'username' })}
  ${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' })}
  ${field({ name: 'code', label: words.code, hint: words.codeHint, autocomplete: 'one-time-code' })}`;
  return page(
    language,
    words.signIn,
    fault,
    html`${form('sign-in', words.signIn, fields)}
      <p></p>
      <p><a href="${SIGN_IN_PATH}?forgot">${words.forgot}</a></p>`,
  );
}

/** The form that asks for a link, and what it answers. */
export function forgotPage(language: Language, isSent: boolean): string {
  const words = SIGN_IN_WORDS[language];
  const ask = form('forgot', words.sendLink, field({ name: 'email', label: words.email, type: 'email', autocomplete: 'username' }));
  return page(language, words.forgot, undefined, html`${isSent ? html`<p role="status">${words.sent}</p>` : ask} ${backLink(words)}`);
}

const backLink = ({ back }: SignInWords): Html =>
  html`<p></p>
    <p><a href="${SIGN_IN_PATH}">${back}</a></p>`;

/** The page of an invitation: password, authenticator app, first code. */
export function enrolPage(language: Language, link: string, email: string, secret: Buffer, fault?: PageFault): string {
  const words = SIGN_IN_WORDS[language];
  const key = base32(secret).replaceAll(/.{4}(?=.)/g, '$& ');
  const fields = html`<input type="hidden" name="email" value="${email}" autocomplete="username" />
    ${newPasswordField(words)}
    <h2>${words.app}</h2>
    <p>${words.appHint}</p>
    ${qrCode(otpauthUri(secret, email), words.app)}
    <p>${words.key}: <code>${key}</code></p>
    ${field({ name: 'code', label: words.firstCode, autocomplete: 'one-time-code' })}`;
  return page(
    language,
    words.enrol,
    fault,
    html`<p>${email}</p>
      ${form('enrol', words.save, fields, link)}`,
  );
}

/** The recovery codes, which are shown once. */
export function recoveryPage(language: Language, codes: readonly string[]): string {
  const words = SIGN_IN_WORDS[language];
  return page(
    language,
    words.recovery,
    undefined,
    html`<p>${words.recoveryHint}</p>
      <ol class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li> `)}
      </ol>
      <p><a href="${SIGN_IN_PATH}">${words.goOn}</a></p>`,
  );
}

/** The page of a link for a new password. */
export function passwordPage(language: Language, link: string, fault?: PageFault): string {
  const words = SIGN_IN_WORDS[language];
  return page(language, words.choosePassword, fault, form('password', words.save, newPasswordField(words), link));
}

/** After a new password was chosen. */
export function passwordChangedPage(language: Language): string {
  const words = SIGN_IN_WORDS[language];
  return page(
    language,
    words.choosePassword,
    undefined,
    html`<p role="status">${words.passwordChanged}</p>
      ${backLink(words)}`,
  );
}

/** The page of a sign-in link. It asks first: programs that look at links end none. */
export function welcomePage(language: Language, link: string): string {
  const words = SIGN_IN_WORDS[language];
  return page(
    language,
    words.welcome,
    undefined,
    html`<p>${words.welcomeHint}</p>
      ${form('use-link', words.signIn, NO_HTML, link)}`,
  );
}

/** Who is signed in. */
export function sessionPage(language: Language, { user, expiresAt }: FoundSession): string {
  const words = SIGN_IN_WORDS[language];
  return page(
    language,
    words.you,
    undefined,
    html`<p><b>${user.name}</b></p>
      <p>${words.youAre}: ${user.email}</p>
      <p>${words.role}: ${user.role}</p>
      ${user.merchantId === null ? NO_HTML : html`<p>${words.merchant}: ${user.merchantId}</p>`}
      <p>${words.until}: ${localizedInstant(expiresAt, 'UTC', language)}</p>
      ${form('sign-out', words.signOut, NO_HTML)}`,
  );
}

/** A page that only says what was wrong. */
export function faultPage(language: Language, fault: PageFault): string {
  const words = SIGN_IN_WORDS[language];
  return page(language, words.signIn, fault, backLink(words));
}
