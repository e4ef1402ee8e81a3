import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ExampleRequest, Json, JsonRecord, Role } from './example.ts';

/** A merchant of the deployment under test. */
export type MerchantAccount = {
  readonly merchant: string;
  readonly fixedHash: string;
  /** After a rotation: the hash before. */
  readonly oldFixedHash?: string;
};
export type MerchantAccounts = Readonly<Partial<Record<Role, MerchantAccount>>>;

/** A collection network of the deployment under test. */
export type NetworkAccount = { readonly netname: string; readonly secret: string };

/** The accounts of a deployment: merchants, and a network if it has one. */
export type Accounts = { readonly merchants: MerchantAccounts; readonly network?: NetworkAccount | undefined };

/** A request with every placeholder filled in, ready to be sent. */
type FilledRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
};

const ZONES: Readonly<Record<Role, string>> = {
  colombia: 'America/Bogota',
  second: 'America/Bogota',
  chile: 'America/Santiago',
  brazil: 'America/Sao_Paulo',
  disabled: 'America/Bogota',
  rotated: 'America/Bogota',
};

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;
const CHECKSUM =
  /^checksum of (.*?)((?:, (?:in upper case|without leading zeros|with the old fixed hash|with another fixed hash|with the network's secret))*)$/;
const DAY = /^today(?: ([+-]) ([0-9]+) days?)? as (DD\/MM\/YYYY|YYYYMMDD|YYYY-MM-DD|DDMMYYYY)$/;
/** Placeholders for new values. Each keeps its value throughout one example. */
const FRESH = /^(order|refund|operation|transaction|reference|document|unknown merchant)( [0-9]+)?(?: of ([0-9]+) (?:characters|digits))?$/;
/** A member of an earlier answer, by its name: ids of the service, one-time passwords. */
const ANSWERED = /^answered (\w+)$/;
/** The paths of the operations of networks. */
const OF_NETWORKS = /^\/(api\/v3\/(references|payments)|cashout\/v1\/(order|transactions?))\//;
/** Fields that checksums cover. One that a request leaves out counts as an empty text. */
const SIGNED = new Set('email country order money amount operation currency document start end type refund refunded_by'.split(' '));
const MERCHANT_WORDS: Readonly<Record<string, Role>> = { 'second merchant': 'second', 'disabled merchant': 'disabled' };

/** The deployment under test lacks the merchant or network that the example needs. */
export class MissingRole extends Error {
  constructor(role: Role | 'network') {
    super(`the deployment under test has no account for the role ${role}`);
  }
}

/** The checksum does not begin with zero. The example is prepared again with other ids until one does. */
export class NoLeadingZero extends Error {}

/** The values of one run of an example: its merchant, its new ids, its day. */
export class Placeholders {
  readonly #merchants: MerchantAccounts;
  readonly #network: NetworkAccount | undefined;
  readonly #merchant: MerchantAccount;
  readonly #zone: string;
  readonly #fresh = new Map<string, string>();
  readonly #answered = new Map<string, string>();
  readonly today: Temporal.PlainDate;

  constructor({ merchants, network }: Accounts, role: Role) {
    const merchant = merchants[role];
    if (merchant === undefined) throw new MissingRole(role);
    this.#merchants = merchants;
    this.#network = network;
    this.#merchant = merchant;
    this.#zone = ZONES[role];
    this.today = this.day();
  }

  /** The calendar day now in the merchant's zone. */
  day(): Temporal.PlainDate {
    return Temporal.Now.plainDateISO(this.#zone);
  }

  /** Remembers the answer of an earlier request. */
  remember(answer: string): void {
    const { DATA, data } = (answer === '' ? {} : JSON.parse(answer)) as { readonly DATA?: JsonRecord; readonly data?: JsonRecord };
    for (const [name, value] of Object.entries(DATA ?? data ?? {})) {
      // Our id of an order has the service prefix of the dialect in front.
      if (typeof value !== 'string') continue;
      this.#answered.set(name.replace(/^[A-Z]{2}(?=ordenID$)/, 'SV'), value);
      // What opens the checkout page, wherever the answer says that the page is.
      if (name === 'checkout') this.#answered.set('token', value.replace(/^.*[?]token=/, ''));
    }
  }

  /** Fills in a request. Checksums come last, because they cover the other values as sent. */
  fillRequest(request: ExampleRequest): FilledRequest {
    const withoutChecksums = (text: string): string => this.#fill(text, undefined);
    const sent: ExampleRequest = mapTexts(request, withoutChecksums) as unknown as ExampleRequest;
    const signed = mapTexts(sent, (text) => this.#fill(text, sent)) as unknown as ExampleRequest;
    const query = Object.entries(signed.query ?? {}).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    const text = signed.text ?? (signed.body === undefined ? undefined : JSON.stringify(signed.body));
    return {
      method: signed.method,
      path: query.length === 0 ? signed.path : `${signed.path}?${query.join('&')}`,
      headers: { ...this.#signature(signed.method, signed.path, text), ...signed.headers },
      body: text === undefined ? undefined : Buffer.from(text, signed.encoding ?? 'utf8'),
    };
  }

  /** Signs a request of a network: contract §7.5. The key are the characters of its secret. */
  #signature(method: string, path: string, text = ''): Readonly<Record<string, string>> {
    if (this.#network === undefined || !OF_NETWORKS.test(path)) return {};
    const [id, now] = [randomUUID(), new Date()];
    const key = Buffer.from(this.#network.secret).toString('base64');
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, now, `${method}\n${path}\n${text}`),
    };
  }

  /** Fills in the known values of an expected text. What stays in braces is a matcher. */
  fillExpected(text: string): string {
    return this.#fill(text, undefined);
  }

  #fill(text: string, signing: ExampleRequest | undefined): string {
    return text.replaceAll(PLACEHOLDER, (whole, expression: string) => {
      const checksum = CHECKSUM.exec(expression);
      if (checksum !== null) return signing === undefined ? whole : this.#checksum(checksum[1] as string, checksum[2] as string, signing);
      return this.#value(expression) ?? whole;
    });
  }

  #value(expression: string): string | undefined {
    if (expression === 'merchant') return this.#merchant.merchant;
    if (expression === 'network') return this.#network?.netname ?? this.#missing('network');
    // While ids are drawn nothing was answered yet. That request only shows how its checksum begins; it is not sent.
    const answered = ANSWERED.exec(expression);
    if (answered !== null) return this.#answered.get(answered[1] as string) ?? '';
    const role = MERCHANT_WORDS[expression];
    if (role !== undefined) return this.#merchants[role]?.merchant ?? this.#missing(role);
    const times = /^([0-9]+) × (.+)$/u.exec(expression);
    if (times !== null) return (times[2] as string).repeat(Number(times[1]));
    const day = DAY.exec(expression);
    if (day !== null) return formatDay(this.today.add({ days: Number(`${day[1] ?? '+'}${day[2] ?? '0'}`) }), day[3] as string);
    const fresh = FRESH.exec(expression);
    if (fresh === null) return undefined;
    const made = this.#fresh.get(expression) ?? makeId(fresh[1] as string, fresh[3] === undefined ? undefined : Number(fresh[3]));
    this.#fresh.set(expression, made);
    return made;
  }

  #missing(role: Role | 'network'): never {
    throw new MissingRole(role);
  }

  #checksum(names: string, options: string, request: ExampleRequest): string {
    const values = names.split(', ').map((name) => this.#signedValue(name, request));
    const known = Object.values(this.#merchants);
    const signer = known.find(({ merchant }) => values.includes(merchant) || sentValue('merchant', request) === merchant) ?? this.#merchant;
    const secret = this.#secret(signer, options);
    const checksum = createHash('sha512')
      .update(`${values.join('')}${secret}`)
      .digest('hex');
    if (options.includes('without leading zeros')) {
      if (!checksum.startsWith('0')) throw new NoLeadingZero();
      return checksum.replace(/^0+/, '');
    }
    return options.includes('upper case') ? checksum.toUpperCase() : checksum;
  }

  #secret(signer: MerchantAccount, options: string): string {
    if (options.includes("network's secret")) return this.#network?.secret ?? this.#missing('network');
    if (options.includes('another fixed hash')) return randomBytes(16).toString('hex');
    return options.includes('old fixed hash') ? (signer.oldFixedHash ?? this.#missing('rotated')) : signer.fixedHash;
  }

  /** The value of a name in a checksum: a sent field or parameter, a text in quotes, or a placeholder. */
  #signedValue(name: string, request: ExampleRequest): string {
    const quoted = /^'(.*)'$/.exec(name);
    if (quoted !== null) return quoted[1] as string;
    const value = sentValue(name, request) ?? this.#value(name);
    if (value === undefined && !SIGNED.has(name)) throw new Error(`a checksum names ${name}, which is not in the request`);
    return value ?? '';
  }
}

/** The text of a field or parameter as sent. Numbers in a body that is given as text keep their digits. */
function sentValue(name: string, { query, body, text }: ExampleRequest): string | undefined {
  if (query?.[name] !== undefined) return query[name];
  if (text !== undefined) {
    const found = new RegExp(`"${name}"\\s*:\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([-+0-9.eE]+))`).exec(text);
    return found?.[1] === undefined ? found?.[2] : (JSON.parse(`"${found[1]}"`) as string);
  }
  const value = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonRecord)[name] : undefined;
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item as Json, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]));
}

function formatDay(day: Temporal.PlainDate, form: string): string {
  const [year, month, date] = day.toString().split('-') as [string, string, string];
  return form.replace('YYYY', year).replace('MM', month).replace('DD', date);
}

/** Makes an id that is unique among all runs, so that the suite can run repeatedly against one deployment. */
function makeId(kind: string, length: number | undefined): string {
  if (kind === 'reference' || kind === 'document') {
    const digits = BigInt(`0x${randomBytes(16).toString('hex')}`)
      .toString()
      .padStart(30, '7');
    return `1${digits.slice(-((length ?? 15) - 1))}`;
  }
  return `T${randomBytes(6).toString('hex')}`.padEnd(length ?? 0, 'x');
}
