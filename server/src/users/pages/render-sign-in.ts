import { html, NO_HTML, type Html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { localizedInstant } from '../../kit/localized.ts';
import { qrCode } from '../../kit/qr-code.ts';
import type { Passkey } from '../credentials/passkey-rows.ts';
import { base32, otpauthUri } from '../credentials/one-time-code.ts';
import type { FoundSession } from '../sessions.ts';
import { CONSOLE_PATH, field, form, page, SIGN_IN_PATH } from './page-parts.ts';
import { passkeyForm, passkeyList, type PasskeyOptions } from './passkey-forms.ts';
import { SIGN_IN_WORDS, type SignInFault, type SignInWords } from './sign-in-words.ts';

const newPasswordField = ({ newPassword, newPasswordHint }: SignInWords): Html =>
  field({ name: 'password', label: newPassword, hint: newPasswordHint, type: 'password', autocomplete: 'new-password' });

/** The other ways to sign in: a passkey, and the provider of identities where there is one. */
export type OtherWays = {
  readonly passkey: PasskeyOptions;
  readonly openIdPath: string | undefined;
  /** Signs the owner of a sandbox in. */
  readonly sandboxPath?: string;
};

/** The form with address, password and code, and the other ways. */
export function signInPage(language: Language, { passkey, openIdPath, sandboxPath }: OtherWays, email = '', fault?: SignInFault): string {
  const words = SIGN_IN_WORDS[language];
  const fields = html`${field({ name: 'email', label: words.email, value: email, type: 'email', autocomplete: 'username' })}
  ${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' })}
  ${field({ name: 'code', label: words.code, hint: words.codeHint, autocomplete: 'one-time-code' })}`;
  return page(
    language,
    words.signIn,
    fault,
    html`${sandboxPath === undefined ? NO_HTML : html`<p><a class="button" href="${sandboxPath}">${words.asSandboxOwner}</a></p>`}
      ${openIdPath === undefined ? NO_HTML : html`<p><a class="button" href="${openIdPath}">${words.openId}</a></p>`}
      ${passkeyForm(language, 'passkey', words.usePasskey, passkey)} ${form('sign-in', words.signIn, fields)}
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
export function enrolPage(
  language: Language,
  {
    link,
    email,
    secret,
    passkey,
  }: { readonly link: string; readonly email: string; readonly secret: Buffer; readonly passkey: PasskeyOptions },
  fault?: SignInFault,
): string {
  const words = SIGN_IN_WORDS[language];
  const uri = otpauthUri(secret, email);
  const key = base32(secret).replaceAll(/.{4}(?=.)/g, '$& ');
  const fields = html`<input type="hidden" name="email" value="${email}" autocomplete="username" />
    ${newPasswordField(words)}
    <h2>${words.app}</h2>
    <p>${words.appHint}</p>
    ${qrCode(uri, words.app)}
    <p class="hint">${words.samePhone} <a href="${uri}">${words.openApp}</a></p>
    <p>${words.key}: <code>${key}</code></p>
    ${field({ name: 'code', label: words.firstCode, autocomplete: 'one-time-code' })}`;
  return page(
    language,
    words.enrol,
    fault,
    html`<p>${email}</p>
      ${passkeyForm(language, 'enrol-passkey', words.makePasskey, passkey, link)} ${form('enrol', words.save, fields, { link })}`,
  );
}

/** The recovery codes, which are shown once. Their file comes with the page: nothing is asked for again, and no script is needed. */
export function recoveryPage(language: Language, codes: readonly string[]): string {
  const words = SIGN_IN_WORDS[language];
  const text = `${codes.join('\n')}\n`;
  return page(
    language,
    words.recovery,
    undefined,
    html`<p>${words.recoveryHint}</p>
      <ol class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li> `)}
      </ol>
      <p class="keep">
        <button type="button" class="plain" data-copy="${text}" hidden>${words.copyCodes}</button>
        <a class="button" download="caudal-${words.codesFile}.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(text)}"
          >${words.downloadCodes}</a
        >
        <span role="status" hidden>${words.codesCopied}</span>
      </p>
      <p><a href="${CONSOLE_PATH}">${words.goOn}</a></p>`,
  );
}

/** The page of a link for a new password. */
export function passwordPage(language: Language, link: string, fault?: SignInFault): string {
  const words = SIGN_IN_WORDS[language];
  return page(language, words.choosePassword, fault, form('password', words.save, newPasswordField(words), { link }));
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
      ${form('use-link', words.signIn, NO_HTML, { link })}`,
  );
}

/**
 * The passkeys of a session's user. `options`: for a new one where the user has just proved who it is, else for that proof.
 * `sandboxPath`: where the owner of a sandbox proves it, who has nothing else.
 */
export type OwnPasskeys = { readonly held: readonly Passkey[]; readonly options: PasskeyOptions } & Omit<OtherWays, 'passkey'>;

/** Who is signed in, and the passkeys of the account. What proves again who that is comes first: for that people are sent here. */
export function sessionPage(language: Language, session: FoundSession, passkeys: OwnPasskeys, fault?: SignInFault): string {
  const words = SIGN_IN_WORDS[language];
  const { user, expiresAt, isFresh } = session;
  return page(
    language,
    words.you,
    fault,
    html`${isFresh ? NO_HTML : proofForms(language, passkeys)}
      <p><b>${user.name}</b></p>
      <p>${words.youAre}: ${user.email}</p>
      <p>${words.role}: ${words.roles[user.role]}</p>
      ${user.merchantId === null ? NO_HTML : html`<p>${words.merchant}: ${user.merchantId}</p>`}
      <p>${words.until}: ${localizedInstant(expiresAt, 'UTC', language)} UTC</p>
      <p><a class="button" href="${CONSOLE_PATH}">${words.toConsole}</a></p>
      ${form('sign-out', words.signOut, NO_HTML, { isPlain: true })}
      <h2>${words.passkeys}</h2>
      ${passkeyList(language, passkeys.held, isFresh)}
      ${isFresh ? passkeyForm(language, 'add-passkey', words.makePasskey, passkeys.options) : NO_HTML}`,
  );
}

/** What proves again who the user is. */
function proofForms(language: Language, { held, options, openIdPath, sandboxPath }: OwnPasskeys): Html {
  const words = SIGN_IN_WORDS[language];
  const code = field({ name: 'code', label: words.code, hint: words.codeHint, autocomplete: 'one-time-code' });
  return html`<h2>${words.proveAgain}</h2>
    <p>${words.proveAgainHint}</p>
    ${held.length === 0 ? NO_HTML : passkeyForm(language, 'prove-passkey', words.usePasskey, options)}
    ${openIdPath === undefined ? NO_HTML : html`<p><a class="button" href="${openIdPath}?again">${words.openId}</a></p>`}
    ${
      sandboxPath === undefined
        ? form('prove', words.goOn, code, { isPlain: true })
        : html`<p><a class="button" href="${sandboxPath}?again">${words.proveAsSandboxOwner}</a></p>`
    }`;
}

/** A page that only says what was wrong. */
export function faultPage(language: Language, fault: SignInFault): string {
  const words = SIGN_IN_WORDS[language];
  return page(language, words.signIn, fault, backLink(words));
}
