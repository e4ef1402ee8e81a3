import { Argument, Option, type Command } from 'commander';
import { details, localText, orNone, sentInstant, table, type Cell, type Connect } from '../kit/command-line.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { LIMIT_OPTIONS, limitsOf, limitsText, type LimitOptions } from '../kit/limits/request-limits.cli.ts';
import { askCommand, listCommand, needed, readBy, utcOption, type AnswerOf } from '../kit/remote/client-commands.ts';
import { findCountry } from './countries.ts';
import { addOfFamily, openAmountText } from './family.cli.ts';
import { mayHaveCashouts } from './merchant.ts';
import { addSecrets, toWebhookSecret } from './merchant-secrets.cli.ts';
import type { listMerchants, readMerchant } from './merchants.manage.ts';
import { ON_OFF_SETTINGS } from './on-off-settings.ts';
import { NEW_MERCHANT, ONE_MERCHANT, type OneMerchant } from './one-merchant.cli.ts';
import { addSet } from './set-merchant.cli.ts';

const reads = () => import('./merchants.manage.ts');
const changes = () => import('./change-merchants.manage.ts');

/** Adds `caudal merchants …` to the program. Secrets are printed only where they are made. */
export function merchantCommands(program: Command, connect: Connect): void {
  const merchants = program.command('merchants').description('create, list and change merchants; running servers follow within a second');
  addCreate(merchants, connect);
  addReads(merchants, connect);
  addSet(merchants, connect);
  addSwitches(merchants, connect);
  addLimits(merchants, connect);
  addSetNoticeUrl(merchants, connect);
  addSecrets(merchants, connect);
  addOnOrOff(merchants, connect);
  addOfFamily(merchants, connect);
}

type CreateOptions = OneMerchant & {
  readonly country: string;
  readonly name?: string;
  readonly language?: Language;
  readonly currencies?: readonly string[];
  readonly noticeUrl?: string;
  readonly fixedHashFile?: string;
  readonly noticeHashFile?: string;
  readonly cell?: string;
};

function addCreate(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...NEW_MERCHANT,
    name: 'create',
    about: 'create a merchant and print its two secrets, once',
    options: [
      needed('--id <id>', 'its id in requests: 1 to 50 letters, digits, _, . or -; 30 at most where it will have cashouts'),
      needed('--country <code>', 'three digits, such as 343 for Colombia'),
      new Option('--name <name>', 'shown to customers (default: the id)'),
      new Option('--language <language>', "of answers and messages (default: the country's)").choices(LANGUAGES),
      readBy('--currencies <codes>', "with commas (default: all of the country's)", (text) => text.split(',')),
      new Option('--notice-url <url>', 'where its notices go; https in production (default: nowhere)'),
      new Option('--fixed-hash-file <path>', 'a file with the fixed hash that it has at another service (default: one is made)'),
      new Option('--notice-hash-file <path>', 'the same for its notice hash'),
      new Option('--cell <name>', 'the cell that will hold it (default: the one with the fewest merchants)'),
    ],
    operation: async () => (await changes()).merchantCreation,
    parts: async ({ id, fixedHashFile, noticeHashFile, ...terms }: CreateOptions) => {
      const { readSecretAs } = await import('./secret-file.ts');
      const secrets = { ...readSecretAs('fixedHash', fixedHashFile), ...readSecretAs('noticeHash', noticeHashFile) };
      return { body: { merchant: id, ...terms, ...secrets } };
    },
    json: (created) => ({ ...created, webhookSecret: toWebhookSecret(created.noticeHash) }),
    text: createdText,
  });
}

const createdText = (created: { readonly fixedHash: string; readonly noticeHash: string }, { id }: OneMerchant): string =>
  `Merchant ${id} is created.\n\n  fixed hash   ${created.fixedHash}\n  notice hash  ${created.noticeHash}\n` +
  `               ${toWebhookSecret(created.noticeHash)}, as libraries for Standard Webhooks take it\n\n` +
  'Keep both: they are not shown again.\n\n' +
  (mayHaveCashouts(id) ? '' : 'It can have no cashouts: their requests take an id of 30 characters at most.\n\n') +
  'A checksum covers some values of a request. It says neither what the request does nor when it was made.\n' +
  'Whoever sees one request can send it again, change what is not covered, or cancel an order that was only read.\n' +
  `To close this: ./caudal merchants signing ${id} require-writes\n` +
  `Until its clients sign: ./caudal merchants replay-guard ${id} on\n` +
  `To hear of updates that it did not send: ./caudal merchants update-notices ${id} on\n`;

function addReads(merchants: Command, connect: Connect): void {
  listCommand(merchants, connect, {
    name: 'list',
    about: 'list all merchants',
    operation: async () => (await reads()).listMerchants,
    limit: () => Number.POSITIVE_INFINITY,
    parts: (_given: object) => ({}),
    text: (listed) => (listed.length === 0 ? 'There is no merchant yet.\n' : table(HEADING, listed.map(toCells))),
  });
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'show',
    about: 'show one merchant, and until when its secrets are valid',
    options: [utcOption],
    operation: async () => (await reads()).readMerchant,
    parts: ({ id }: OneMerchant & { readonly utc?: true }) => ({ path: { merchant: id } }),
    text: (shown, { utc }) => {
      const zone = utc ? 'UTC' : shown.timeZone;
      return details(toLines(shown, zone), zone);
    },
  });
}

/** What an operator turns on and off: the command, what it does, how it is done, and what holds then. */
const SWITCHES = [
  ['disable', 'answer a merchant like an unknown one; its orders and cashouts stay', 'disableMerchant', 'disabled', { isDisabled: true }],
  ['enable', 'serve a disabled merchant again', 'enableMerchant', 'enabled', { isDisabled: false }],
  ['freeze', 'accept nothing new for a merchant and pay nothing out; its reads go on', 'freezeMerchant', 'frozen', { isFrozen: true }],
  ['thaw', 'end the freeze of a merchant', 'thawMerchant', 'not frozen', { isFrozen: false }],
] as const;

function addSwitches(merchants: Command, connect: Connect): void {
  for (const [name, about, change, text, state] of SWITCHES)
    askCommand(merchants, connect, {
      ...ONE_MERCHANT,
      name,
      about,
      operation: async () => (await changes()).merchantSwitches[change],
      parts: ({ id }: OneMerchant) => ({ path: { merchant: id } }),
      json: (_done, { id }) => ({ merchant: id, ...state }),
      text: (_done, { id }) => `Merchant ${id} is ${text}.\n`,
    });
}

function addLimits(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'limits',
    about: 'set how many requests of a merchant are served',
    options: LIMIT_OPTIONS,
    operation: async () => (await changes()).merchantLimits,
    parts: ({ id, ...options }: LimitOptions & OneMerchant) => ({ path: { merchant: id }, body: { limits: limitsOf(options) } }),
    json: ({ merchant, limits }) => ({ merchant, limits }),
    text: ({ merchant, limits }) => `Limits of ${merchant}: ${limitsText(limits)}.\n`,
  });
}

const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

const BEGINS = { off: ', as every merchant begins', dialect: '; one that was never set follows the dialect of the servers' } as const;

/** Adds the commands of settings that are on or off. */
function addOnOrOff(merchants: Command, connect: Connect): void {
  for (const [field, { word, command, begins }] of ON_OFF_SETTINGS)
    askCommand(merchants, connect, {
      ...ONE_MERCHANT,
      name: word,
      about: command.about,
      args: [...ONE_MERCHANT.args, new Argument('<mode>', `on, or off${BEGINS[begins]}`).choices(['on', 'off'])],
      operation: async () => (await import('./change-merchants.manage.ts')).settings[field],
      parts: ({ id, mode }: OneMerchant & { readonly mode: string }) => ({ path: { merchant: id }, body: { isOn: mode === 'on' } }),
      json: (_set, { id, mode }) => ({ merchant: id, [field]: mode === 'on' }),
      text: (_set, { id, mode }) => `${command.name} of ${id}: ${mode}.\n${mode === 'on' ? command.caution(id) : ''}`,
    });
}

function addSetNoticeUrl(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'set-notice-url',
    about: 'set where the notices of a merchant go, those that wait included',
    args: [...ONE_MERCHANT.args, new Argument('<url>', 'https in production; none: notices are not sent')],
    operation: async () => (await changes()).redirect,
    parts: ({ id, url }: OneMerchant & { readonly url: string }) => ({
      path: { merchant: id },
      body: { noticeUrl: orNone(url) },
    }),
    json: ({ merchant, noticeUrl }) => ({ merchant, noticeUrl }),
    text: ({ merchant, noticeUrl }) => `Notices of ${merchant} go to ${noticeUrl ?? 'nowhere'}.\n`,
  });
}

const HEADING = [
  'MERCHANT',
  'NAME',
  'COUNTRY',
  'LANGUAGE',
  'CURRENCIES',
  'SIGNING',
  'REPLAY GUARD',
  'NOTICES OF UPDATES',
  'LIMITS',
  'STATE',
];

function toCells({
  merchant,
  name,
  country,
  language,
  currencies,
  signing,
  guardsReplays,
  reportsUpdates,
  limits,
  disabledAt,
  frozenAt,
}: AnswerOf<typeof listMerchants>): Cell[] {
  return [
    merchant,
    name,
    toCountry(country),
    language,
    currencies.join(','),
    signing,
    onOrOff(guardsReplays),
    onOrOff(reportsUpdates),
    limitsText(limits),
    stateText(disabledAt, frozenAt),
  ];
}

function toLines(
  {
    merchant,
    name,
    country,
    language,
    currencies,
    contact,
    noticeUrl,
    createdAt,
    disabledAt,
    frozenAt,
    limits,
    signing,
    openAmounts,
    noticeChecksum,
    returnUrl,
    fixedHashes,
    noticeHashes,
    signingSecrets,
    ...settings
  }: AnswerOf<typeof readMerchant>,
  zone: string,
): [string, Cell][] {
  const at = (instant: string): string => localText(Temporal.Instant.from(instant), zone);
  return [
    ['merchant', merchant],
    ['name', name],
    ['country', toCountry(country)],
    ['language', language],
    ['currencies', currencies.join(',')],
    ['contact', contact ?? 'none'],
    ['notice URL', noticeUrl ?? 'none'],
    ['created', sentInstant(createdAt)],
    ['state', disabledAt === null ? 'enabled' : `disabled since ${at(disabledAt)}`],
    ...(frozenAt === null ? [] : [['frozen', `since ${at(frozenAt)}`] as [string, Cell]]),
    ['limits', limitsText(limits)],
    ['signing', signing],
    ...ON_OFF_SETTINGS.map(([field, { command }]): [string, Cell] => {
      const isOn = settings[field];
      return [command.name.toLowerCase(), isOn === null ? 'as the dialect has it' : onOrOff(isOn)];
    }),
    ['open amounts', openAmounts.map(openAmountText).join('; ') || 'none'],
    ['checksum in notices', noticeChecksum],
    ['return URL', returnUrl ?? 'none'],
    ...fixedHashes.map((hash): [string, Cell] => ['fixed hash', secretText(hash, at)]),
    ...noticeHashes.map((hash): [string, Cell] => ['notice hash', secretText(hash, at)]),
    ...signingSecrets.map((secret): [string, Cell] => ['signing secret', secretText(secret, at)]),
  ];
}

const stateText = (disabledAt: string | null, frozenAt: string | null): string =>
  [disabledAt === null ? 'enabled' : 'disabled', ...(frozenAt === null ? [] : ['frozen'])].join(', ');

const toCountry = (code: string): string => `${code} ${findCountry(code)?.name ?? ''}`.trimEnd();

type Secret = AnswerOf<typeof readMerchant>['fixedHashes'][number];
const secretText = ({ createdAt: since, validUntil }: Secret, at: (instant: string) => string): string =>
  `of ${at(since)}, valid ${validUntil === null ? 'without end' : `until ${at(validUntil)}`}`;
