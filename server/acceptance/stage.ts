import { createHash, randomBytes } from 'node:crypto';
import type { ExampleRequest, Json, JsonRecord, Role } from './example.ts';

/** A merchant of the deployment under test. */
export type Actor = {
  readonly merchant: string;
  readonly fixedHash: string;
  /** After a rotation: the hash before. */
  readonly oldFixedHash?: string;
};
export type Actors = Readonly<Partial<Record<Role, Actor>>>;

/** A collection network of the deployment under test. */
export type NetworkActor = { readonly netname: string; readonly secret: string };

/** Who plays: merchants, and a network where the deployment has one. */
export type Cast = { readonly actors: Actors; readonly network?: NetworkActor | undefined };

/** A request with every placeholder filled in, ready to be sent. */
export type FilledRequest = {
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
/** What an example may name to get a value of its own: fresh, and the same wherever the example says it again. */
const FRESH = /^(order|operation|transaction|reference|document|unknown merchant)( [0-9]+)?(?: of ([0-9]+) (?:characters|digits))?$/;
/** What an earlier request of the example was answered, by the name of the member: ids of ours, one-time passwords. */
const ANSWERED = /^answered (\w+)$/;
/** What checksums cover: such a field that a request leaves out counts as an empty text. */
const SIGNED = new Set(['email', 'country', 'order', 'money', 'amount', 'operation', 'currency', 'document', 'start', 'end']);
const MERCHANT_WORDS: Readonly<Record<string, Role>> = { 'second merchant': 'second', 'disabled merchant': 'disabled' };

/** The example needs a merchant, or a network, that the deployment under test has not. */
export class MissingRole extends Error {
  constructor(role: Role | 'network') {
    super(`the deployment under test has nobody for the role ${role}`);
  }
}

/** The checksum did not begin with zero: the example is set up again with other ids until it does. */
export class NoLeadingZero extends Error {}

/** One playing of an example: its merchant, its fresh ids, its day. */
export class Stage {
  readonly #actors: Actors;
  readonly #network: NetworkActor | undefined;
  readonly #actor: Actor;
  readonly #zone: string;
  readonly #fresh = new Map<string, string>();
  readonly #answered = new Map<string, string>();
  readonly today: Temporal.PlainDate;

  constructor({ actors, network }: Cast, role: Role) {
    const actor = actors[role];
    if (actor === undefined) throw new MissingRole(role);
    this.#actors = actors;
    this.#network = network;
    this.#actor = actor;
    this.#zone = ZONES[role];
    this.today = this.day();
  }

  /** The calendar day at the merchant, now. */
  day(): Temporal.PlainDate {
    return Temporal.Now.plainDateISO(this.#zone);
  }

  /** Remembers what an earlier request was answered. */
  remember(answer: string): void {
    const { DATA, data } = (answer === '' ? {} : JSON.parse(answer)) as { readonly DATA?: JsonRecord; readonly data?: JsonRecord };
    for (const [name, value] of Object.entries(DATA ?? data ?? {})) if (typeof value === 'string') this.#answered.set(name, value);
  }

  /** Fills in a request; checksums last, because they cover the other values as they are sent. */
  fillRequest(request: ExampleRequest): FilledRequest {
    const withoutChecksums = (text: string): string => this.#fill(text, undefined);
    const sent: ExampleRequest = mapTexts(request, withoutChecksums) as unknown as ExampleRequest;
    const signed = mapTexts(sent, (text) => this.#fill(text, sent)) as unknown as ExampleRequest;
    const query = Object.entries(signed.query ?? {}).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    const text = signed.text ?? (signed.body === undefined ? undefined : JSON.stringify(signed.body));
    return {
      method: signed.method,
      path: query.length === 0 ? signed.path : `${signed.path}?${query.join('&')}`,
      headers: signed.headers ?? {},
      body: text === undefined ? undefined : Buffer.from(text, signed.encoding ?? 'utf8'),
    };
  }

  /** Fills in what is known of an expected text; what is left in braces is a matcher. */
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
    if (expression === 'merchant') return this.#actor.merchant;
    if (expression === 'network') return this.#network?.netname ?? this.#missing('network');
    // Before the stage is set nothing was answered: a request is filled then to see how its checksum begins, and is not sent.
    const answered = ANSWERED.exec(expression);
    if (answered !== null) return this.#answered.get(answered[1] as string) ?? '';
    const role = MERCHANT_WORDS[expression];
    if (role !== undefined) return this.#actors[role]?.merchant ?? this.#missing(role);
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
    const known = Object.values(this.#actors);
    const signer = known.find(({ merchant }) => values.includes(merchant) || sentValue('merchant', request) === merchant) ?? this.#actor;
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

  #secret(signer: Actor, options: string): string {
    if (options.includes("network's secret")) return this.#network?.secret ?? this.#missing('network');
    if (options.includes('another fixed hash')) return randomBytes(16).toString('hex');
    return options.includes('old fixed hash') ? (signer.oldFixedHash ?? this.#missing('rotated')) : signer.fixedHash;
  }

  /** A name of a checksum: a field or parameter of the request as it is sent, a text in quotes, or a placeholder. */
  #signedValue(name: string, request: ExampleRequest): string {
    const quoted = /^'(.*)'$/.exec(name);
    if (quoted !== null) return quoted[1] as string;
    const value = sentValue(name, request) ?? this.#value(name);
    if (value === undefined && !SIGNED.has(name)) throw new Error(`a checksum names ${name}, which the request has not`);
    return value ?? '';
  }
}

/** The text of a field or parameter as it is sent: numbers of a body given as text keep their digits. */
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

/** Unique among all playings of all runs, so that a deployment can be asked again and again. */
function makeId(kind: string, length: number | undefined): string {
  if (kind === 'reference' || kind === 'document') {
    const digits = BigInt(`0x${randomBytes(16).toString('hex')}`)
      .toString()
      .padStart(30, '7');
    return `1${digits.slice(-((length ?? 15) - 1))}`;
  }
  return `T${randomBytes(6).toString('hex')}`.padEnd(length ?? 0, 'x');
}
