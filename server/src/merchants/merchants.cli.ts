import { Argument, Option, type Command } from 'commander';
import {
  carryOut,
  details,
  JSON_OPTION,
  localText,
  print,
  printJson,
  readFrom,
  table,
  UTC_OPTION,
  type Cell,
  type Connect,
  type Connection,
  type RefusalLines,
} from '../kit/command-line.ts';
import { LIMIT_OPTIONS, limitsOf, limitsText, type LimitOptions } from '../kit/limits/request-limits.cli.ts';
import { countriesByName, findCountry } from './countries.ts';
import type { CreateMerchantRefusal } from './create-merchant.ts';
import { refuseUndeliverable, type UndeliverableRefusal } from './deliverable.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { askCommand } from '../kit/remote/client-commands.ts';
import type { Refusal } from '../kit/outcome.ts';
import type { SecretRefusal } from './change-merchant.ts';
import { mayHaveCashouts } from './merchant.ts';
import { addSecrets, toWebhookSecret } from './merchant-secrets.cli.ts';
import { addOfFamily, openAmountText } from './family.cli.ts';
import { addOnOrOff, onOrOff } from './on-or-off.cli.ts';
import { addSet } from './set-merchant.cli.ts';
import type { ListedMerchant, ShownMerchant, ShownSecret } from './read-merchants.ts';

const changes = () => import('./change-merchant.ts');
const operations = () => import('./change-merchants.manage.ts');

const unknown = (id: string): readonly [string, 1] => [`There is no merchant ${id}.`, 1];

const REFUSALS: RefusalLines<
  | CreateMerchantRefusal
  | SecretRefusal
  | 'merchant_unknown'
  | 'not_found'
  | 'contact_invalid'
  | 'open_amounts_invalid'
  | 'return_url_invalid'
  | UndeliverableRefusal
> = {
  merchant_id_invalid: (id) => [`The id ${JSON.stringify(id)} is not 1 to 50 letters, digits, _, . or -, or it is a reserved word.`, 2],
  contact_invalid: () => ['--contact takes one e-mail address, or none.', 2],
  name_invalid: () => ['--name takes 1 to 100 characters on one line.', 2],
  country_unknown: () => [`--country takes the code of a country: ${countriesByName()}.`, 2],
  currency_not_of_country: () => ['--currencies takes currencies of the country, such as COP,USD for Colombia.', 2],
  notice_url_invalid: () => ['A notice URL is http or https, 500 characters at most, without a user, a password or a fragment.', 2],
  notice_url_not_https: () => ['In production, a notice URL must be https.', 2],
  notice_url_private: () => ['In production mode notices go to public addresses alone: this URL would never get one.', 2],
  open_amounts_invalid: () => ['An open amount is a currency of the merchant once, and two amounts in it, such as COP:1000-500000.', 2],
  return_url_invalid: () => [
    'A return URL is https, 500 characters at most, without a user, a password or a fragment. A sandbox takes http too.',
    2,
  ],
  merchant_exists: (id) => [`The merchant ${id} exists already.`, 1],
  merchant_unknown: unknown,
  not_found: unknown,
  days_out_of_range: () => [`--days takes 0 to ${MAX_ROTATION_DAYS}.`, 2],
  rotation_under_way: (id) => [
    `Two such secrets of ${id} are valid; "merchants show ${id}" says until when. Wait, or end both at once with --days 0.`,
    1,
  ],
  secret_used_before: (id) => [
    `${id} had this secret before: what was signed with it would be good again. Bring another one, or leave out the file and get a new one.`,
    1,
  ],
};

type CreateOptions = {
  id: string;
  country: string;
  name?: string;
  language?: Language;
  currencies?: string[];
  noticeUrl?: string;
  fixedHashFile?: string;
  noticeHashFile?: string;
  json?: true;
};
type JsonOption = { json?: true };

/** Adds `caudal merchants …` to the program. Secrets are printed only where they are made. */
export function merchantCommands(program: Command, connect: Connect): void {
  const merchants = program.command('merchants').description('create, list and change merchants; running servers follow within a second');
  addCreate(merchants, connect);
  addList(merchants, connect);
  addShow(merchants, connect);
  addSet(merchants, connect, REFUSALS);
  addSwitches(merchants, connect);
  addLimits(merchants, connect);
  addSetNoticeUrl(merchants, connect);
  addSecrets(merchants, connect, REFUSALS);
  addOnOrOff(merchants, connect, REFUSALS);
  addOfFamily(merchants, connect, REFUSALS);
}

function addCreate(merchants: Command, connect: Connect): void {
  merchants
    .command('create')
    .description('create a merchant and print its two secrets, once')
    .requiredOption('--id <id>', 'its id in requests: 1 to 50 letters, digits, _, . or -; 30 at most where it will have cashouts')
    .requiredOption('--country <code>', 'three digits, such as 343 for Colombia')
    .option('--name <name>', 'shown to customers (default: the id)')
    .addOption(new Option('--language <language>', "of answers and messages (default: the country's)").choices(LANGUAGES))
    .option('--currencies <codes>', "with commas (default: all of the country's)", (text) => text.split(','))
    .option('--notice-url <url>', 'where its notices go; https in production (default: nowhere)')
    .option('--fixed-hash-file <path>', 'a file with the fixed hash that it has at another service (default: one is made)')
    .option('--notice-hash-file <path>', 'the same for its notice hash')
    .option(...JSON_OPTION)
    .action(async ({ id, json, fixedHashFile, noticeHashFile, ...terms }: CreateOptions) => {
      const { readSecretAs } = await import('./secret-file.ts');
      const rest = { ...terms, ...readSecretAs('fixedHash', fixedHashFile), ...readSecretAs('noticeHash', noticeHashFile) };
      const created = await carryOut(connect, REFUSALS, id, {
        here: async (connection) =>
          refusalOfUrl(connection, rest.noticeUrl) ??
          (await import('./create-merchant.ts')).createMerchant(connection, { merchantId: id, ...rest }),
        there: async (service) => service.call((await operations()).create, { body: { merchant: id, ...rest } }),
      });
      if (json) return printJson({ ...created, webhookSecret: toWebhookSecret(created.noticeHash) });
      print(
        `Merchant ${id} is created.\n\n  fixed hash   ${created.fixedHash}\n  notice hash  ${created.noticeHash}\n` +
          `               ${toWebhookSecret(created.noticeHash)}, as libraries for Standard Webhooks take it\n\n` +
          'Keep both: they are not shown again.\n\n' +
          (mayHaveCashouts(id) ? '' : 'It can have no cashouts: their requests take an id of 30 characters at most.\n\n') +
          'A checksum covers some values of a request. It says neither what the request does nor when it was made.\n' +
          'Whoever sees one request can send it again, change what is not covered, or cancel an order that was only read.\n' +
          `To close this: ./caudal merchants signing ${id} require-writes\n` +
          `Until its clients sign: ./caudal merchants replay-guard ${id} on\n` +
          `To hear of updates that it did not send: ./caudal merchants update-notices ${id} on\n`,
      );
    });
}

function addList(merchants: Command, connect: Connect): void {
  merchants
    .command('list')
    .description('list all merchants')
    .option(...JSON_OPTION)
    .action(async ({ json }: JsonOption) => {
      const listed = await readFrom(connect, {
        here: async (connection) => (await import('./read-merchants.ts')).listMerchants(connection),
        there: async (service) => (await import('./ask-merchants.ts')).askMerchants(service),
      });
      if (json) return printJson(listed);
      print(listed.length === 0 ? 'There is no merchant yet.\n' : table(HEADING, listed.map(toCells)));
    });
}

function addShow(merchants: Command, connect: Connect): void {
  merchants
    .command('show')
    .description('show one merchant, and until when its secrets are valid')
    .argument('<id>')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: string, { utc, json }: JsonOption & { utc?: true }) => {
      const shown = await readFrom(connect, {
        here: async (connection) => (await import('./read-merchants.ts')).requireMerchant(connection, id),
        there: async (service) => (await import('./ask-merchants.ts')).askMerchant(service, id),
      });
      if (json) return printJson(shown);
      const zone = utc ? 'UTC' : (findCountry(shown.country)?.timeZone ?? 'UTC');
      print(details(toLines(shown, zone), zone));
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
  for (const [name, description, change, text, state] of SWITCHES)
    merchants
      .command(name)
      .description(description)
      .argument('<id>')
      .option(...JSON_OPTION)
      .action(async (id: string, { json }: JsonOption) => {
        await carryOut(connect, REFUSALS, id, {
          here: async (connection) => (await changes())[change](connection, id),
          there: async (service) => void (await service.call((await operations()).switches[change], { path: { merchant: id } })),
        });
        if (json) printJson({ merchant: id, ...state });
        else print(`Merchant ${id} is ${text}.\n`);
      });
}

function addLimits(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    name: 'limits',
    about: 'set how many requests of a merchant are served',
    args: [new Argument('<id>')],
    options: LIMIT_OPTIONS,
    operation: async () => (await operations()).setLimits,
    parts: ({ id, ...options }: LimitOptions & { readonly id: string }) => ({
      path: { merchant: id },
      body: { limits: limitsOf(options) },
    }),
    lines: { not_found: ['There is no merchant {id}.', 1] },
    json: ({ limits }, { id }) => ({ merchant: id, limits }),
    text: ({ limits }, { id }) => `Limits of ${id}: ${limitsText(limits)}.\n`,
  });
}

function addSetNoticeUrl(merchants: Command, connect: Connect): void {
  merchants
    .command('set-notice-url')
    .description('set where the notices of a merchant go, those that wait included')
    .argument('<id>')
    .argument('<url>', 'https in production; none: notices are not sent')
    .option(...JSON_OPTION)
    .action(async (id: string, url: string, { json }: JsonOption) => {
      const noticeUrl = url === 'none' ? null : url;
      await carryOut(connect, REFUSALS, id, {
        here: async (connection) =>
          refusalOfUrl(connection, noticeUrl) ?? (await import('./notice-endpoints.ts')).setNoticeUrl(connection, id, noticeUrl),
        there: async (service) => void (await service.call((await operations()).redirect, { path: { merchant: id }, body: { noticeUrl } })),
      });
      if (json) printJson({ merchant: id, noticeUrl });
      else print(`Notices of ${id} go to ${noticeUrl ?? 'nowhere'}.\n`);
    });
}

/** The refusal of what production never delivers to. */
const refusalOfUrl = ({ isSandbox }: Connection, noticeUrl: string | null | undefined): Refusal<UndeliverableRefusal> | undefined =>
  isSandbox ? undefined : refuseUndeliverable(noticeUrl);

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
}: ListedMerchant): Cell[] {
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
    guardsReplays,
    strictAmounts,
    letterDocuments,
    reportsUpdates,
    emptyEmails,
    openAmounts,
    noticeChecksum,
    returnUrl,
    fixedHashes,
    noticeHashes,
    signingSecrets,
  }: ShownMerchant,
  zone: string,
): [string, Cell][] {
  const at = (instant: Temporal.Instant): string => localText(instant, zone);
  return [
    ['merchant', merchant],
    ['name', name],
    ['country', toCountry(country)],
    ['language', language],
    ['currencies', currencies.join(',')],
    ['contact', contact ?? 'none'],
    ['notice URL', noticeUrl ?? 'none'],
    ['created', createdAt],
    ['state', disabledAt === null ? 'enabled' : `disabled since ${at(disabledAt)}`],
    ...(frozenAt === null ? [] : [['frozen', `since ${at(frozenAt)}`] as [string, Cell]]),
    ['limits', limitsText(limits)],
    ['signing', signing],
    ['replay guard', onOrOff(guardsReplays)],
    ['strict amounts', onOrOff(strictAmounts)],
    ['letters in documents', onOrOff(letterDocuments)],
    ['notices of updates', onOrOff(reportsUpdates)],
    ['orders without e-mail', emptyEmails === null ? 'as the dialect has it' : onOrOff(emptyEmails)],
    ['open amounts', openAmounts.map(openAmountText).join('; ') || 'none'],
    ['checksum in notices', noticeChecksum],
    ['return URL', returnUrl ?? 'none'],
    ...fixedHashes.map((hash): [string, Cell] => ['fixed hash', secretText(hash, at)]),
    ...noticeHashes.map((hash): [string, Cell] => ['notice hash', secretText(hash, at)]),
    ...signingSecrets.map((secret): [string, Cell] => ['signing secret', secretText(secret, at)]),
  ];
}

const stateText = (disabledAt: Temporal.Instant | null, frozenAt: Temporal.Instant | null): string =>
  [disabledAt === null ? 'enabled' : 'disabled', ...(frozenAt === null ? [] : ['frozen'])].join(', ');

const toCountry = (code: string): string => `${code} ${findCountry(code)?.name ?? ''}`.trimEnd();

const secretText = ({ createdAt: since, validUntil }: ShownSecret, at: (instant: Temporal.Instant) => string): string =>
  `of ${at(since)}, valid ${validUntil === null ? 'without end' : `until ${at(validUntil)}`}`;
