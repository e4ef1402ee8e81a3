import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isDatabaseUrl, mayBeReadOnTheWay } from '../kit/db.ts';
import { parseAddressList } from '../kit/limits/address-list.ts';
import { parseMasterKey, type MasterKey } from '../kit/secrets.ts';
import type { LogLevel } from '../kit/log.ts';
import {
  MAIL_FROM_RULE,
  parseMailFrom,
  parseSmsUrl,
  parseSmtpUrl,
  SMS_URL_RULE,
  SMTP_URL_RULE,
  type MailSettings,
  type PerHour,
  type SmsSettings,
} from '../messages/index.ts';
import { parseCheckpointPlace, type CheckpointPlace } from '../audit/index.ts';
import { parseCellNames } from '../cells/index.ts';
import type { OpenIdSettings } from '../users/index.ts';
import type { Dialect } from '../requests/index.ts';
import { takeDialect } from './dialect-settings.ts';
import { nearestName } from './nearest-name.ts';
import { takeTraces, type TraceSettings } from './traces/trace-settings.ts';
import { settingsOf, wholeNumber, type Environment, type Settings } from './settings.ts';

export type Address = { readonly host: string; readonly port: number };

/** All settings of the service, read once. docs/operations.md lists every name, default and reason. */
export type Config = {
  readonly mode: 'sandbox' | 'production';
  readonly address: Address;
  /** A sandbox that other machines may reach. */
  readonly isSandboxPublic: boolean;
  /** Where Prometheus metrics are served. Undefined: nowhere. */
  readonly metricsAddress: Address | undefined;
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL in dataDir. */
  readonly databaseUrl: string | undefined;
  /** The owner of the tables, for migrations. Undefined: the user of databaseUrl owns them. */
  readonly migrationsUrl: string | undefined;
  readonly databaseConnections: number;
  /** Whether a database of another machine may be without TLS. */
  readonly mayBePlain: boolean;
  /** The names of the cells beside home that this process serves. Undefined: all of them. */
  readonly cells: readonly string[] | undefined;
  /** Newest first. Empty: they are in a file of dataDir (sandbox only). */
  readonly masterKeys: readonly MasterKey[];
  /** Used exactly as given, in front of `?token=` (contract §3.1). Undefined: this server's own /checkout. */
  readonly checkoutUrl: string | undefined;
  /** Where people find this server: links of mails lead there. Undefined: at the address that it listens on. */
  readonly consoleUrl: string | undefined;
  /** Who runs this service, as payers see it. Undefined: checkout pages name nobody. */
  readonly operatorName: string | undefined;
  /** Whether production has a page at `/`. A sandbox always has one. */
  readonly hasHome: boolean;
  /** The provider of identities that may sign users in. Undefined: none. */
  readonly openId: OpenIdSettings | undefined;
  /** What requests and answers look like where services of the family differ: docs/dialect.md. */
  readonly dialect: Dialect;
  /** How long a reference rests after its order before another merchant may take it; 0: not at all. */
  readonly referenceRestDays: number;
  /** Days for which a one-time password of fewer than six digits opens its cashout; 0: as long as any other. */
  readonly shortPasswordDays: number;
  /** Undefined: no mail is sent; a sandbox shows it in its inbox. */
  readonly mail: MailSettings | undefined;
  /** Undefined: no SMS is sent; a sandbox shows it in its inbox. */
  readonly sms: SmsSettings | undefined;
  /** Messages to one recipient within an hour, whatever the merchants. */
  readonly messagesPerHour: PerHour;
  /** Addresses and networks of proxies that name the address for which they ask. Empty: the address is that of the connection. */
  readonly trustedProxies: readonly string[];
  /** Processes that this start serves with. */
  readonly processes: number;
  /** Machines that serve on this database, each with as many processes. Limits of callers are divided among all. */
  readonly servers: number;
  /** Requests a second from one address that prove nobody. */
  readonly unprovedPerSecond: number;
  /** How many days data is kept. Undefined: with no end. */
  readonly keptDays: {
    /** After the end of their order. */
    readonly payers: number | undefined;
    /** After the end of their cashout. */
    readonly endUsers: number | undefined;
    readonly messages: number;
    readonly notices: number;
    readonly acts: number;
    /** After a page was served. */
    readonly pageViews: number;
  };
  /** Where checkpoints of the audit log are kept. Undefined: nowhere but where the command puts them. */
  readonly auditCheckpoints: CheckpointPlace | undefined;
  /** What all kept exports may take in the database, together. */
  readonly exportsMegabytes: number;
  readonly logLevel: LogLevel;
  /** Undefined: nothing is traced. */
  readonly traces: TraceSettings | undefined;
};

/** All wrong settings at once, one per line. Each line names the variable and what it takes. */
export class ConfigFaults extends Error {
  override readonly name = 'ConfigFaults';
}

/** The tests read these themselves, and commands with --url read the token. */
const OTHER_READERS = /^CAUDAL_(?:(?:TEST|ACCEPTANCE)_.*|TOKEN)$/;

/**
 * Turns the environment into one frozen object.
 * Throws: ConfigFaults with every wrong setting, never only the first. It shows no values of secrets.
 */
export function readConfig(environment: Environment): Config {
  const settings = settingsOf(environment);
  const { faults, given, take, oneOf } = settings;
  const mode = oneOf('CAUDAL_MODE', 'sandbox', ['sandbox', 'production'] as const);
  const host = given('CAUDAL_HOST') ?? '127.0.0.1';
  const config: Config = {
    mode,
    isSandboxPublic: takeIsPublic(settings, mode, host),
    address: {
      host,
      port: take(
        given('CAUDAL_PORT') === undefined ? 'PORT' : 'CAUDAL_PORT',
        3000,
        'a port, 0 to 65535 (0: any free one)',
        wholeNumber(0, 65_535),
      ),
    },
    metricsAddress: takeMetricsAddress(settings, mode),
    ...takeDatabase(settings, mode),
    dataDir: resolve(given('CAUDAL_DATA_DIR') ?? 'data'),
    masterKeys: takeMasterKeys(settings, mode),
    checkoutUrl: given('CAUDAL_CHECKOUT_URL'),
    operatorName: take('CAUDAL_OPERATOR_NAME', undefined, '1 to 100 characters on one line', (text) =>
      /^[^\p{Cc}]{1,100}$/u.test(text) ? text : undefined,
    ),
    consoleUrl: take('CAUDAL_CONSOLE_URL', undefined, CONSOLE_URL_RULE, (text) => parseConsoleUrl(text, mode)),
    hasHome: oneOf('CAUDAL_HOME', 'yes', ['yes', 'no'] as const) === 'yes',
    openId: takeOpenId(settings, mode),
    dialect: takeDialect(settings),
    referenceRestDays: take('CAUDAL_REFERENCE_REST_DAYS', 90, 'a number of days, 0 to 3650 (0: not at all)', wholeNumber(0, 3650)),
    shortPasswordDays: take('CAUDAL_SHORT_PASSWORD_DAYS', 1, 'a number of days, 0 to 3650 (0: no end of their own)', wholeNumber(0, 3650)),
    mail: takeMail(settings),
    sms: take('CAUDAL_SMS_URL', undefined, SMS_URL_RULE, (text) => parseSmsUrl(text, mode === 'sandbox')),
    messagesPerHour: takePerHour(settings),
    ...takeLimits(settings),
    keptDays: takeKeptDays(settings),
    auditCheckpoints: take(
      'CAUDAL_AUDIT_CHECKPOINTS',
      undefined,
      'the path of a file, from the root, or an https URL without a password',
      parseCheckpointPlace,
    ),
    exportsMegabytes: take('CAUDAL_EXPORTS_MEGABYTES', 1024, 'a number of megabytes, 1 to 1000000', wholeNumber(1, 1_000_000)),
    logLevel: oneOf('CAUDAL_LOG_LEVEL', 'info', ['debug', 'info', 'warn', 'error', 'silent'] as const),
    traces: takeTraces(settings),
  };
  refuseUnknown(settings, environment);
  if (faults.length > 0) throw new ConfigFaults(faults.join('\n'));
  return Object.freeze(config);
}

const CONSOLE_URL_RULE = 'the address at which people find this server, such as https://caudal.example.com; https in production';

/** An origin: sessions are of a whole host, so the server is at the root of it. */
function parseConsoleUrl(text: string, mode: Config['mode']): string | undefined {
  const url = URL.parse(text);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && mode === 'sandbox'))) return undefined;
  return `${url.origin}/` === url.href ? url.origin : undefined;
}

/** Where people sign in elsewhere. All three settings go together. */
function takeOpenId({ faults, given, take, isYes }: Settings, mode: Config['mode']): OpenIdSettings | undefined {
  const names = ['CAUDAL_OIDC_ISSUER', 'CAUDAL_OIDC_CLIENT_ID', 'CAUDAL_OIDC_CLIENT_SECRET'] as const;
  const rule = 'the address of a provider of OpenID Connect, such as https://login.example.com; https in production';
  const issuer = take(names[0], undefined, rule, (text) => {
    const url = URL.parse(text);
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && mode === 'sandbox') ? text : undefined;
  });
  const [clientId, clientSecret] = [given(names[1]), given(names[2])];
  const missing = names.filter((name) => given(name) === undefined);
  if (missing.length > 0 && missing.length < names.length)
    for (const name of missing) faults.push(`${name}: required with the others of its name`);
  const trustsEmails = isYes('CAUDAL_OIDC_TRUST_EMAILS');
  return issuer === undefined || clientId === undefined || clientSecret === undefined
    ? undefined
    : { issuer, clientId, clientSecret, trustsEmails };
}

function takeIsPublic({ faults, isYes }: Settings, mode: Config['mode'], host: string): boolean {
  const isAllowed = isYes('CAUDAL_SANDBOX_PUBLIC');
  if (mode === 'production' || isLoopback(host)) return false;
  if (!isAllowed)
    faults.push(
      `CAUDAL_HOST: on ${host} other machines reach this sandbox, read its messages and pay in it: CAUDAL_SANDBOX_PUBLIC=yes permits that, and CAUDAL_MODE=production has no sandbox`,
    );
  return isAllowed;
}

function takeMasterKeys({ faults, given, take }: Settings, mode: Config['mode']): readonly MasterKey[] {
  if (mode === 'production' && given('CAUDAL_MASTER_KEY') === undefined)
    faults.push('CAUDAL_MASTER_KEY: required in production mode: 32 random bytes in hex or base64 (for example: openssl rand -hex 32)');
  return take<readonly MasterKey[]>('CAUDAL_MASTER_KEY', [], '32 bytes in hex or base64; several with commas, newest first', (text) => {
    const keys = text.split(',').map(parseMasterKey);
    return keys.every((key) => key !== undefined) ? keys : undefined;
  });
}

function takeMail({ faults, given, take }: Settings): MailSettings | undefined {
  const smtp = take('CAUDAL_SMTP_URL', undefined, SMTP_URL_RULE, parseSmtpUrl);
  const from = take('CAUDAL_MAIL_FROM', undefined, MAIL_FROM_RULE, parseMailFrom);
  if (given('CAUDAL_SMTP_URL') !== undefined && given('CAUDAL_MAIL_FROM') === undefined) {
    faults.push(`CAUDAL_MAIL_FROM: required with CAUDAL_SMTP_URL: ${MAIL_FROM_RULE}`);
  }
  return smtp && from && { ...smtp, from };
}

function takeMetricsAddress({ take }: Settings, mode: Config['mode']): Address | undefined {
  const fallback = mode === 'sandbox' ? { host: '127.0.0.1', port: 9464 } : 'off';
  const address = take<Address | 'off'>('CAUDAL_METRICS_ADDRESS', fallback, 'host:port, or off', (text) =>
    text === 'off' ? text : parseAddress(text),
  );
  return address === 'off' ? undefined : address;
}

/** A misspelled setting would be ignored, and its default would hold in silence. Every name that was asked for is known. */
function refuseUnknown({ faults, names }: Settings, environment: Environment): void {
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('CAUDAL_') || names.has(name) || OTHER_READERS.test(name)) continue;
    const meant = nearestName(name, [...names]);
    faults.push(`${name}: there is no such setting${meant === undefined ? '' : `, perhaps you mean ${meant}`}`);
  }
}

function takePerHour({ take }: Settings): PerHour {
  const most = (name: string, fallback: number): number | undefined => {
    const rule = 'a number, 1 to 1000, or off';
    const number = take<number | 'off'>(name, fallback, rule, (text) => (text === 'off' ? text : wholeNumber(1, 1000)(text)));
    return number === 'off' ? undefined : number;
  };
  return { mail: most('CAUDAL_MAILS_PER_HOUR', 20), sms: most('CAUDAL_SMS_PER_HOUR', 10) };
}

function takeKeptDays({ take }: Settings): Config['keptDays'] {
  /** Ten years are a common term for books of account. */
  const ofPersons = (name: string): number | undefined => {
    const rule = 'a number of days, 90 to 36500, or off';
    const days = take<number | 'off'>(name, 3650, rule, (text) => (text === 'off' ? text : wholeNumber(90, 36_500)(text)));
    return days === 'off' ? undefined : days;
  };
  return {
    payers: ofPersons('CAUDAL_KEEP_PAYERS_DAYS'),
    endUsers: ofPersons('CAUDAL_KEEP_END_USERS_DAYS'),
    messages: take('CAUDAL_KEEP_MESSAGES_DAYS', 30, 'a number of days, 4 to 3650', wholeNumber(4, 3650)),
    notices: take('CAUDAL_KEEP_NOTICES_DAYS', 90, 'a number of days, 8 to 3650', wholeNumber(8, 3650)),
    acts: take('CAUDAL_KEEP_ACTS_DAYS', 2557, 'a number of days, 366 to 36500', wholeNumber(366, 36_500)),
    pageViews: take('CAUDAL_KEEP_PAGE_VIEWS_DAYS', 400, 'a number of days, 30 to 3650', wholeNumber(30, 3650)),
  };
}

const DATABASE_URL_RULE =
  'postgres://user:password@host:port/database, or several host:port with commas; in user and password percent-encode @ as %40, : as %3A, ' +
  '/ as %2F, # as %23 and ? as %3F; of target_session_attrs only read-write and primary';

const TLS_RULE =
  'TLS to another machine in production, with its certificate checked: postgres://…?sslmode=verify-full. Otherwise others on the way read ' +
  'passwords and payments: ' +
  'CAUDAL_DATABASE_PLAINTEXT=yes permits that';

/** A forgotten address must not make an empty database that nobody sees. */
function takeDatabase(
  { faults, given, take, isYes }: Settings,
  mode: Config['mode'],
): Pick<Config, 'databaseUrl' | 'migrationsUrl' | 'mayBePlain' | 'databaseConnections' | 'cells'> {
  const isEmbedded = isYes('CAUDAL_EMBEDDED');
  const isGiven = given('DATABASE_URL') !== undefined;
  if (isEmbedded && isGiven) faults.push('CAUDAL_EMBEDDED: yes and DATABASE_URL exclude each other');
  if (mode === 'production' && !isEmbedded && !isGiven)
    faults.push('DATABASE_URL: required in production mode; or CAUDAL_EMBEDDED=yes for the embedded database of CAUDAL_DATA_DIR');
  if (given('CAUDAL_MIGRATIONS_DATABASE_URL') !== undefined && !isGiven)
    faults.push('CAUDAL_MIGRATIONS_DATABASE_URL: takes effect only with DATABASE_URL');
  const mayBePlain = take('CAUDAL_DATABASE_PLAINTEXT', mode === 'sandbox', 'yes', (text) => text === 'yes' || undefined);
  const takeUrl = (name: string): string | undefined => {
    const url = take(name, undefined, DATABASE_URL_RULE, (text) => (isDatabaseUrl(text) ? text : undefined));
    return url === undefined || mayBePlain ? url : take(name, undefined, TLS_RULE, (text) => (mayBeReadOnTheWay(text) ? undefined : text));
  };
  return {
    databaseUrl: takeUrl('DATABASE_URL'),
    migrationsUrl: takeUrl('CAUDAL_MIGRATIONS_DATABASE_URL'),
    mayBePlain,
    databaseConnections: take('CAUDAL_DATABASE_CONNECTIONS', 10, 'a number, 1 to 1000', wholeNumber(1, 1000)),
    cells: take<readonly string[] | undefined>('CAUDAL_CELLS', undefined, 'names of cells with commas between them', parseCellNames),
  };
}

const takeLimits = ({ take }: Settings): Pick<Config, 'trustedProxies' | 'processes' | 'servers' | 'unprovedPerSecond'> => ({
  trustedProxies: take<readonly string[]>(
    'CAUDAL_TRUSTED_PROXIES',
    [],
    'addresses or networks with commas, such as 10.0.0.0/8',
    parseAddressList,
  ),
  processes: take('CAUDAL_PROCESSES', 1, 'a number, 1 to 256, or auto: one for each processor', (text) =>
    text === 'auto' ? availableParallelism() : wholeNumber(1, 256)(text),
  ),
  servers: take('CAUDAL_SERVERS', 1, 'a number, 1 to 1000', wholeNumber(1, 1000)),
  unprovedPerSecond: take('CAUDAL_UNPROVED_PER_SECOND', 100, 'a number, 1 to 1000000', wholeNumber(1, 1_000_000)),
});

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function parseAddress(text: string): Address | undefined {
  const [, host, port] = /^(.+):([0-9]{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
