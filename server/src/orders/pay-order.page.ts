import type { Clock } from '../kit/clock.ts';
import { currencyExponent } from '../kit/currencies.ts';
import type { Db } from '../kit/db.ts';
import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { parseQuery } from '../kit/query-string.ts';
import type { Language, MerchantDirectory } from '../merchants/index.ts';
import { verifyCheckoutToken } from './checkout-token.ts';
import { readOrderForCheckout } from './query-order.ts';
import { stateAt, type Order, type OrderState } from './order.ts';

type Door = { readonly db: Db; readonly clock: Clock; readonly merchants: MerchantDirectory; readonly tokenKey: Buffer };

/** Nothing is loaded, framed or sent elsewhere; the one inline style is allowed, scripts are not. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const WORDS = {
  es: {
    title: 'Orden de pago',
    reference: 'Referencia de pago',
    payTo: 'Comercio',
    validThrough: 'Válida hasta el',
    notFound: 'Este enlace de pago no es válido',
    notFoundHint: 'Pida al comercio un enlace nuevo.',
    states: { pending: 'Pendiente de pago', approved: 'Pagada', expired: 'Vencida', cancelled: 'Cancelada', voided: 'Anulada' },
  },
  en: {
    title: 'Payment order',
    reference: 'Payment reference',
    payTo: 'Merchant',
    validThrough: 'Valid through',
    notFound: 'This payment link is not valid',
    notFoundHint: 'Ask the merchant for a new link.',
    states: { pending: 'Waiting for payment', approved: 'Paid', expired: 'Expired', cancelled: 'Cancelled', voided: 'Voided' },
  },
  pt: {
    title: 'Ordem de pagamento',
    reference: 'Referência de pagamento',
    payTo: 'Comerciante',
    validThrough: 'Válida até',
    notFound: 'Este link de pagamento não é válido',
    notFoundHint: 'Peça um novo link ao comerciante.',
    states: { pending: 'Aguardando pagamento', approved: 'Paga', expired: 'Vencida', cancelled: 'Cancelada', voided: 'Anulada' },
  },
} as const satisfies Record<Language, { readonly states: Readonly<Record<OrderState, string>> } & Record<string, unknown>>;

/**
 * GET /checkout?token=…: a plain page that shows the stored order, not the token's copy of anything, and nothing about the payer.
 * Source: contract §5.
 */
export async function answerCheckout({ db, clock, merchants, tokenKey }: Door, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  void reply.headers(HEADERS);
  const query = parseQuery(request.raw.url ?? '');
  const token = query instanceof Map ? query.get('token') : undefined;
  const serviceOrderId = token === undefined ? undefined : verifyCheckoutToken(tokenKey, token);
  const order = serviceOrderId === undefined ? undefined : await readOrderForCheckout(db, serviceOrderId);
  const merchant = order === undefined ? undefined : await merchants.find(order.merchantId);
  if (order === undefined || merchant === undefined) return reply.code(404).send(notFoundPage('es'));
  const { name, language, country } = merchant;
  const locale = `${order.language ?? language}-${REGIONS[country.timeZone] ?? 'CO'}`;
  return reply.send(orderPage(order, stateAt(order, clock.now()), name, order.language ?? language, locale));
}

/** How the payer's country groups digits and writes days; most of Latin America agrees with Colombia. */
const REGIONS: Readonly<Record<string, string>> = {
  'America/Mexico_City': 'MX',
  'America/Lima': 'PE',
  'America/Sao_Paulo': 'BR',
  'America/Guatemala': 'GT',
  'America/El_Salvador': 'SV',
  'America/Panama': 'PA',
  'America/Santo_Domingo': 'DO',
  'America/Tegucigalpa': 'HN',
  'America/Managua': 'NI',
  'America/Santiago': 'CL',
  'America/Guayaquil': 'EC',
  'America/Costa_Rica': 'CR',
};

function orderPage(order: Order, state: OrderState, merchantName: string, language: Language, locale: string): string {
  const words = WORDS[language];
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.UTC(order.expiresOn.year, order.expiresOn.month - 1, order.expiresOn.day),
  );
  const validity = order.expiresAt === null || state !== 'pending' ? '' : `<p class="quiet">${words.validThrough} ${escapeHtml(day)}</p>`;
  const description = order.description === null ? '' : `<p>${escapeHtml(order.description)}</p>`;
  return page(
    language,
    words.title,
    `<p class="state ${state}">${words.states[state]}</p>
<h1>${escapeHtml(payerAmount(order, locale))}</h1>
${description}
<dl><dt>${words.reference}</dt><dd class="reference">${groupDigits(order.reference)}</dd>
<dt>${words.payTo}</dt><dd>${escapeHtml(merchantName)}</dd></dl>
${validity}`,
  );
}

const notFoundPage = (language: Language): string =>
  page(language, WORDS[language].title, `<h1>${WORDS[language].notFound}</h1>\n<p>${WORDS[language].notFoundHint}</p>`);

/** As the payer's country writes money. Formatted from the exact decimal text: Intl takes those without a float. */
function payerAmount({ amountMinor, currency }: Order, locale: string): string {
  const exponent = currencyExponent(currency) ?? 0;
  const digits = amountMinor.toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const decimals = digits.slice(digits.length - exponent);
  const isWhole = /^0*$/.test(decimals);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: isWhole ? 0 : exponent,
    maximumFractionDigits: exponent,
  });
  return format.format(`${whole}.${decimals === '' ? '0' : decimals}` as Intl.StringNumericLiteral);
}

/** Groups of three are easier to read aloud and to type. */
const groupDigits = (reference: string): string => (reference.match(/.{1,3}/g) ?? []).map((group) => `<span>${group}</span>`).join('');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] as string);

const page = (language: Language, title: string, body: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: light-dark(#f4f5f7, #14161a); color: light-dark(#1b1f24, #eceef1); }
main { box-sizing: border-box; width: min(100% - 2rem, 28rem); margin: 1rem; padding: 2rem; border-radius: 1rem; background: light-dark(#fff, #1f2329); overflow-wrap: anywhere; }
h1 { margin: .5rem 0; font-size: 2rem; line-height: 1.2; }
dt { color: light-dark(#57606a, #9aa4b0); }
dd { margin: 0 0 1rem; font-size: 1.125rem; }
.reference { font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.reference span + span { margin-left: .35em; }
.state { display: inline-block; margin: 0; padding: .125rem .75rem; border-radius: 1rem; background: light-dark(#e4e7eb, #343a42); }
.pending { background: light-dark(#fff1cc, #4a3a06); }
.approved { background: light-dark(#d7f5dd, #0f4220); }
.quiet { color: light-dark(#57606a, #9aa4b0); }
</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;
