import { html, NO_HTML, trustedHtml, type Html } from '../kit/html.ts';
import { localizedDay, localizedInstant, localizedMoney } from '../kit/localized.ts';
import { oneLine } from '../kit/one-line.ts';
import { localeOf } from '../merchants/index.ts';
import { MAIL_WORDS } from './mail-words.ts';
import { isToUser, type OrderMail, type RenderedMessage, type UserMail } from './message.ts';
import { USER_MAIL_WORDS } from './user-mail-words.ts';

/** What both forms of a mail show, as plain texts. */
type MailText = {
  readonly subject: string;
  readonly heading: string;
  readonly opening: string;
  readonly reference: { readonly label: string; readonly digits: string } | undefined;
  readonly rows: readonly (readonly [label: string, value: string])[];
  readonly link: { readonly label: string; readonly url: string } | undefined;
  readonly closing: readonly string[];
};

/** Writes a mail, as text and as HTML, in the language of its order or of its user, from the service of this name. */
export function renderMail(mail: OrderMail | UserMail, service: string): RenderedMessage {
  const text = isToUser(mail) ? textToUser(mail, service) : textOf(mail);
  return {
    to: mail.to,
    text: plainForm(text),
    mail: { subject: text.subject, html: htmlForm(text, mail.language).markup, language: mail.language },
  };
}

function textOf(mail: OrderMail): MailText {
  const labels = MAIL_WORDS[mail.language];
  const words = labels[mail.kind];
  const locale = localeOf(mail.language, mail.country);
  const amount = mail.amountMinor === 0n ? labels.openAmount : oneLine(localizedMoney(mail, locale));
  const merchant = oneLine(mail.merchantName);
  const isPaid = mail.kind === 'order_paid';
  return {
    subject: words.subject(merchant, amount),
    heading: words.heading,
    opening: words.opening(merchant, amount),
    reference: { label: labels.reference, digits: mail.reference },
    rows: [
      [labels.amount, amount],
      ...(mail.description === null ? [] : [[labels.description, oneLine(mail.description)] as const]),
      [labels.orderNumber, oneLine(mail.orderId)],
      ...(isPaid ? [[labels.paidAt, oneLine(localizedInstant(mail.at, mail.country.timeZone, locale))] as const] : []),
      ...(isPaid || mail.expiresOn === null ? [] : [[labels.validThrough, localizedDay(mail.expiresOn, locale)] as const]),
    ],
    link: mail.checkoutUrl === null ? undefined : { label: labels.openCheckout, url: mail.checkoutUrl },
    closing: [words.closing, labels.automatic],
  };
}

function textToUser(mail: UserMail, service: string): MailText {
  const words = USER_MAIL_WORDS[mail.language];
  const isLink = mail.kind === 'user_link';
  const { heading, opening, closing } = isLink ? words[mail.purpose] : words[mail.event];
  return {
    subject: `${service}: ${heading}`,
    heading: `${service}: ${heading}`,
    opening: isLink && mail.purpose === 'enrol' ? `${words.invited(service, mail.invitedBy)} ${opening}` : opening,
    reference: undefined,
    rows: isLink
      ? [[words.validThrough, `${localizedInstant(mail.endsAt, 'UTC', mail.language)} UTC`]]
      : [[words.at, `${localizedInstant(mail.at, 'UTC', mail.language)} UTC`]],
    link: isLink ? { label: words.open, url: mail.url } : undefined,
    closing: [closing, MAIL_WORDS[mail.language].automatic],
  };
}

function plainForm({ heading, opening, reference, rows, link, closing }: MailText): string {
  return [
    heading,
    '',
    opening,
    '',
    ...(reference === undefined ? [] : [`${reference.label}: ${reference.digits}`]),
    ...rows.map(([label, value]) => `${label}: ${value}`),
    ...(link === undefined ? [] : ['', `${link.label}:`, link.url]),
    '',
    ...closing,
    '',
  ].join('\n');
}

/** Mail programs support few style sheets, so all styles are inline. Nothing is loaded from a server. */
const FONT = trustedHtml('font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif');

function htmlForm({ subject, heading, opening, reference, rows, link, closing }: MailText, language: string): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px 16px;${FONT};font-size:16px;line-height:1.5">
        <div style="max-width:32rem;margin:0 auto;overflow-wrap:anywhere">
          <h1 style="margin:0 0 8px;font-size:24px;line-height:1.25">${heading}</h1>
          <p style="margin:0 0 24px">${opening}</p>
          ${reference === undefined ? NO_HTML : referenceLines(reference)}
          <dl style="margin:0 0 24px">
            ${rows.map(
              ([label, value]) =>
                html`<dt style="opacity:.75">${label}</dt>
                  <dd style="margin:0 0 12px">${value}</dd> `,
            )}
          </dl>
          ${link === undefined ? NO_HTML : linkButton(link)}
          ${closing.map((line) => html`<p style="margin:0 0 8px;font-size:14px;opacity:.75">${line}</p> `)}
        </div>
      </body>
    </html> `;
}

const referenceLines = ({ label, digits }: NonNullable<MailText['reference']>): Html =>
  html`<p style="margin:0">${label}</p>
    <p style="margin:0 0 24px;font-size:30px;line-height:1.3;font-weight:700">${digitGroups(digits)}</p>`;

/** Groups of three are easier to read aloud and to type. The gap is a margin, so that a copy has only the digits. */
function digitGroups(digits: string): readonly Html[] {
  const groups = digits.match(/.{1,3}/g) ?? [];
  return groups.map((group, index) => html`<span style="${index === 0 ? '' : 'margin-left:.3em'}">${group}</span>`);
}

function linkButton({ label, url }: { readonly label: string; readonly url: string }): Html {
  const style =
    'display:inline-block;padding:12px 24px;border-radius:8px;background:#0b57d0;color:#ffffff;font-weight:600;text-decoration:none';
  return html`<p style="margin:0 0 24px"><a href="${url}" style="${style}">${label}</a></p>`;
}
