import { html, NO_HTML, type Html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { localizedInstant } from '../../kit/localized.ts';
import type { Passkey } from '../credentials/passkey-rows.ts';
import { form } from './page-parts.ts';
import { SIGN_IN_WORDS } from './sign-in-words.ts';

/** What a browser needs for the forms of passkeys. */
export type PasskeyOptions = object;

/** A form whose button asks the browser for a passkey. The script shows it where the browser can. */
export function passkeyForm(language: Language, act: string, button: string, options: PasskeyOptions, link?: string): Html {
  const words = SIGN_IN_WORDS[language];
  return form(
    act,
    button,
    html`<input type="hidden" name="passkey" />
      <p class="bad" role="alert" hidden>${words.passkeyFailed}</p>`,
    { link, passkey: JSON.stringify(options), isPlain: true },
  );
}

/** The passkeys of the user of a session, each with the button that removes it. */
export function passkeyList(language: Language, passkeys: readonly Passkey[], mayChange: boolean): Html {
  const words = SIGN_IN_WORDS[language];
  if (passkeys.length === 0) return html`<p>${words.noPasskeys}</p>`;
  return html`<ul class="passkeys">
    ${passkeys.map(
      ({ credentialId, createdAt }) =>
        html`<li>
          ${words.passkeySince} ${localizedInstant(createdAt, 'UTC', language)}
          ${mayChange ? form('remove-passkey', words.remove, html`<input type="hidden" name="passkey" value="${credentialId}" />`, { isPlain: true }) : NO_HTML}
        </li> `,
    )}
  </ul>`;
}
