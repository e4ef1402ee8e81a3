/** A mail server and the sender that it is used with. */
export type MailSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly isTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: { readonly name: string; readonly address: string };
};

/** Where SMS go: an SMPP server, or a gateway that takes JSON over HTTP. */
export type SmsSettings =
  | {
      readonly kind: 'smpp';
      readonly host: string;
      readonly port: number;
      readonly isTls: boolean;
      readonly user: string;
      readonly password: string;
      /** The sender that is shown: a number, a short code, or up to eleven characters of a name. Empty: the server's choice. */
      readonly source: string;
    }
  | { readonly kind: 'http'; readonly url: string; readonly token: string | undefined };

export const SMTP_URL_RULE = 'smtp://host:port (STARTTLS) or smtps://host:port (TLS), with user:password@ before the host where needed';
export const MAIL_FROM_RULE = 'an address, or Name <address>';
export const SMS_URL_RULE =
  'smpp://user:password@host:port?source=SENDER, smpps://… for TLS, or https://token@host/path (http:// only for this machine or in sandbox mode)';

const SMTP_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const SMPP_PORTS = { 'smpp:': 2775, 'smpps:': 3550 } as const;

/** Reads CAUDAL_SMTP_URL. Undefined: it is malformed. */
export function parseSmtpUrl(text: string): Omit<MailSettings, 'from'> | undefined {
  const url = parseUrl(text);
  if (url === undefined || !hasScheme(url, SMTP_PORTS) || hasMore(url) || url.search !== '') return undefined;
  const login = { user: unescape(url.username), password: unescape(url.password) };
  if (login.user === undefined || login.password === undefined) return undefined;
  if ((login.user === '') !== (login.password === '')) return undefined;
  return {
    host: bareHost(url),
    port: url.port === '' ? SMTP_PORTS[url.protocol] : Number(url.port),
    isTls: url.protocol === 'smtps:',
    login: login.user === '' ? undefined : { user: login.user, password: login.password },
  };
}

const FROM = /^(?:([^<>\p{Cc}]*?)\s*<([^<>]+)>|([^<>]+))$/u;
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/u;

/** Reads CAUDAL_MAIL_FROM. Undefined: it is not one address. */
export function parseMailFrom(text: string): MailSettings['from'] | undefined {
  const [, name = '', inBrackets, alone] = FROM.exec(text) ?? [];
  const address = inBrackets ?? alone ?? '';
  return ADDRESS.test(address) ? { name: name.trim().replace(/^"(.*)"$/, '$1'), address } : undefined;
}

const SMPP_SOURCE = /^(?:\+?[0-9]{3,15}|[A-Za-z0-9 ]{1,11})?$/;

/** Reads CAUDAL_SMS_URL. Undefined: it is malformed. A password is sent without TLS only in a sandbox, or inside this machine. */
export function parseSmsUrl(text: string, isSandbox: boolean): SmsSettings | undefined {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const user = unescape(url.username);
  const password = unescape(url.password);
  if (user === undefined || password === undefined) return undefined;
  if (hasScheme(url, SMPP_PORTS)) {
    const { source = '', ...unknown } = Object.fromEntries(url.searchParams);
    if (user === '' || hasMore(url) || Object.keys(unknown).length > 0 || !SMPP_SOURCE.test(source)) return undefined;
    const port = url.port === '' ? SMPP_PORTS[url.protocol] : Number(url.port);
    return { kind: 'smpp', host: bareHost(url), port, isTls: url.protocol === 'smpps:', user, password, source };
  }
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && (isSandbox || isLoopback(bareHost(url))));
  if (!isAllowed || password !== '') return undefined;
  url.username = '';
  url.hash = '';
  return { kind: 'http', url: url.href, token: user === '' ? undefined : user };
}

/** True for this machine: no network is used. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.[0-9]{1,3}){3}$/.test(host);
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url === null || url.hostname === '' ? undefined : url;
}

function hasScheme<Ports extends object>(url: URL, ports: Ports): url is URL & { protocol: keyof Ports & string } {
  return Object.hasOwn(ports, url.protocol);
}

/** A path or a fragment is likely a mistake: such an address does not use them. */
const hasMore = (url: URL): boolean => (url.pathname !== '' && url.pathname !== '/') || url.hash !== '';

const bareHost = (url: URL): string => decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');

function unescape(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
