import { Argument, Option, type Command } from 'commander';
import {
  CommandRefused,
  details,
  instantText,
  localText,
  NAME_LINE,
  parseDays,
  sentInstant,
  table,
  type Cell,
  type Connect,
} from '../kit/command-line.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { parseAddressList } from '../kit/limits/address-list.ts';
import { LIMIT_OPTIONS, limitsOf, limitsText, type LimitOptions } from '../kit/limits/request-limits.cli.ts';
import { askCommand, listCommand, needed, readBy, type AnswerOf } from '../kit/remote/client-commands.ts';
import type { networkCreation } from './change-networks.manage.ts';
import type { readNetwork } from './networks.manage.ts';

const reads = () => import('./networks.manage.ts');
const changes = () => import('./change-networks.manage.ts');
const countryTable = () => import('../merchants/index.ts');

const NETNAME = ['The netname "{netname}" is not 1 to 30 small letters, digits, _ or -.', 2] as const;
const COUNTRY = ['--countries takes codes of known countries, with commas, such as 343,348 for Colombia and Peru; or all.', 2] as const;
const CURRENCY = ['--currencies takes currencies of the countries, with commas, such as COP,PEN for Colombia and Peru.', 2] as const;
/** They name options of these commands. */
const LINES = {
  netname_invalid: NETNAME,
  '/netname': NETNAME,
  name_invalid: NAME_LINE,
  '/name': NAME_LINE,
  country_unknown: COUNTRY,
  '/countries': COUNTRY,
  currency_not_of_country: CURRENCY,
  '/currencies': CURRENCY,
} as const;

type OneNetwork = { readonly netname: string };
type ServedOptions = { readonly countries: string; readonly currencies?: readonly string[] };

const oneNetwork = new Argument('<netname>');
const COUNTRIES = [
  '--countries <codes>',
  'three digits of each country whose merchants it serves, with commas, such as 343,348; all: every country',
] as const;
const currenciesOption = readBy('--currencies <codes>', 'with commas (default: all of the countries)', (text) => text.split(','));

/** Adds `caudal networks …` to the program. Secrets are printed only where they are made. */
export function networkCommands(program: Command, connect: Connect): void {
  const networks = program
    .command('networks')
    .description('create, list and change collection networks; running servers follow within a second');
  addCreate(networks, connect);
  addReads(networks, connect);
  addServes(networks, connect);
  addAddresses(networks, connect);
  addLimits(networks, connect);
  addSigning(networks, connect);
  addRotate(networks, connect);
  addSwitches(networks, connect);
}

function addCreate(networks: Command, connect: Connect): void {
  askCommand(networks, connect, {
    name: 'create',
    about: 'create a network, which signs its requests, and print its secret, once',
    args: [new Argument('<netname>', 'its name in requests: 1 to 30 small letters, digits, _ or -')],
    options: [new Option(...COUNTRIES), currenciesOption, new Option('--name <name>', 'shown to people (default: the netname)')],
    operation: async () => (await changes()).networkCreation,
    parts: ({ netname, name, countries, currencies }: OneNetwork & Partial<ServedOptions> & { readonly name?: string }) => ({
      body: { netname, name, currencies, countries: countries === undefined ? undefined : countriesIn(countries) },
    }),
    lines: LINES,
    text: (created, { netname, countries }) =>
      `Network ${netname} is created.\n\n${secretText(created)}\n${WHAT_TO_SIGN}${countries === undefined ? whereText(netname) : ''}`,
  });
}

const everywhere = async (): Promise<number> => (await countryTable()).ALL_COUNTRIES.length;

function addReads(networks: Command, connect: Connect): void {
  listCommand(networks, connect, {
    name: 'list',
    about: 'list all networks: where they serve, what they sign, and until when an earlier secret is valid',
    operation: async () => (await reads()).networkList,
    limit: () => Number.POSITIVE_INFINITY,
    parts: (_given: object) => ({}),
    text: async (listed) => {
      if (listed.length === 0) return 'There is no network yet.\n';
      const all = await everywhere();
      return table(
        HEADING,
        listed.map((network) => toCells(network, all)),
      );
    },
  });
  askCommand(networks, connect, {
    name: 'show',
    about: 'show one network: where it serves, what it signs, and until when an earlier secret is valid',
    args: [oneNetwork],
    operation: async () => (await reads()).readNetwork,
    parts: ({ netname }: OneNetwork) => ({ path: { netname } }),
    text: async (shown) => {
      const cells = toCells(shown, await everywhere());
      return details(cells.map((cell, index) => [(HEADING[index] as string).toLowerCase(), cell]));
    },
  });
}

function addServes(networks: Command, connect: Connect): void {
  askCommand(networks, connect, {
    name: 'serves',
    about: 'say where a network serves; payers of other merchants are not sent to it, and it pays nothing for them',
    args: [oneNetwork],
    options: [needed(...COUNTRIES), currenciesOption],
    operation: async () => (await changes()).setWhere,
    parts: ({ netname, countries, currencies }: OneNetwork & ServedOptions) => ({
      path: { netname },
      body: { countries: countriesIn(countries), currencies },
    }),
    lines: LINES,
    json: ({ netname, countries, currencies }) => ({ netname, countries, currencies }),
    text: async ({ netname, countries, currencies }) => {
      const { ALL_COUNTRIES, findCountry } = await countryTable();
      const where =
        countries.length === ALL_COUNTRIES.length ? 'every country' : countries.map((code) => findCountry(code)?.name).join(', ');
      return `Network ${netname} serves ${where}, in ${currencies?.join(', ') ?? 'every currency there'}.\n`;
    },
  });
}

function addAddresses(networks: Command, connect: Connect): void {
  askCommand(networks, connect, {
    name: 'addresses',
    about: 'say from which addresses the requests of a network come; others are refused like a wrong checksum',
    args: [oneNetwork, new Argument('<list>', 'addresses and networks with commas, such as 192.0.2.7,2001:db8::/32; any: from anywhere')],
    operation: async () => (await changes()).setFrom,
    parts: ({ netname, list }: OneNetwork & { readonly list: string }) => {
      const addresses = list === 'any' ? null : parseAddressList(list);
      if (addresses === undefined)
        throw new CommandRefused('The list takes addresses and networks with commas, such as 192.0.2.7,2001:db8::/32; or any.', 2);
      return { path: { netname }, body: { addresses } };
    },
    json: ({ netname, addresses }) => ({ netname, addresses }),
    text: ({ netname, addresses }) => `Requests of network ${netname} come from ${addresses?.join(', ') ?? 'anywhere'}.\n`,
  });
}

function addLimits(networks: Command, connect: Connect): void {
  askCommand(networks, connect, {
    name: 'limits',
    about: 'set how many requests of a network are served',
    args: [oneNetwork],
    options: LIMIT_OPTIONS,
    operation: async () => (await changes()).networkLimits,
    parts: ({ netname, ...options }: OneNetwork & LimitOptions) => ({ path: { netname }, body: { limits: limitsOf(options) } }),
    json: ({ netname, limits }) => ({ netname, limits }),
    text: ({ netname, limits }) => `Limits of network ${netname}: ${limitsText(limits)}.\n`,
  });
}

function addSigning(networks: Command, connect: Connect): void {
  askCommand(networks, connect, {
    name: 'signing',
    about: 'say which requests a network must sign: all (require), or with checksum those on orders',
    args: [oneNetwork, new Argument('<setting>').choices(['require', 'checksum'])],
    operation: async () => (await changes()).networkSigning,
    parts: ({ netname, setting: signing }: OneNetwork & { readonly setting: string }) => ({ path: { netname }, body: { signing } }),
    json: ({ netname, signing }) => ({ netname, signing }),
    text: ({ netname, signing }) => `Network ${netname} must sign ${signing === 'require' ? 'every request' : REQUESTS_TO_SIGN}.\n`,
  });
}

function addRotate(networks: Command, connect: Connect): void {
  askCommand(networks, connect, {
    name: 'rotate',
    about: 'give a network a new secret and print it, once; the earlier one stays valid for some days',
    args: [oneNetwork],
    options: [readBy('--days <days>', `0 to ${MAX_ROTATION_DAYS}; 0 ends every earlier secret at once`, parseDays, MAX_ROTATION_DAYS)],
    operation: async () => (await changes()).rotate,
    parts: ({ netname, days }: OneNetwork & { readonly days: number }) => ({ path: { netname }, body: { days } }),
    lines: {
      '/days': [`--days takes 0 to ${MAX_ROTATION_DAYS}.`, 2],
      rotation_under_way: [
        'Two secrets of {netname} are valid; "networks list" says until when. Wait, or end both at once with --days 0.',
        1,
      ],
    },
    text: ({ previousValidUntil, ...rotated }, { netname }) => {
      const until = sentInstant(previousValidUntil);
      const fate = until === null ? 'is not valid any more' : `stays valid until ${instantText(until)}`;
      return `Network ${netname} has a new secret.\n\n${secretText(rotated)} The earlier one ${fate}.\n`;
    },
  });
}

/** The command, what it does, how it is done, and what holds then. */
const SWITCHES = [
  ['disable', 'answer a network like one that does not exist; what it paid and collected stays', 'disableNetwork', true],
  ['enable', 'serve a disabled network again', 'enableNetwork', false],
] as const;

function addSwitches(networks: Command, connect: Connect): void {
  for (const [name, about, change, isDisabled] of SWITCHES)
    askCommand(networks, connect, {
      name,
      about,
      args: [oneNetwork],
      operation: async () => (await changes()).networkSwitches[change],
      parts: ({ netname }: OneNetwork) => ({ path: { netname } }),
      json: ({ netname }) => ({ netname, isDisabled }),
      text: ({ netname }) => `Network ${netname} is ${name}d.\n`,
    });
}

const REQUESTS_TO_SIGN = 'its requests on orders, and those whose transaction begins with a digit';

/** What a network's people need to know before their first request. */
const WHAT_TO_SIGN = `
Every request carries three headers beside its checksum:
  webhook-id         an id that is new in each request
  webhook-timestamp  the seconds since 1970
  webhook-signature  v1, and the base64 of HMAC-SHA256 over "ID.TIMESTAMP." and three lines: METHOD, path, body
The characters of the secret are the key of the HMAC. Libraries of Standard Webhooks take the signing secret.
`;

const whereText = (netname: string): string => `\nIt serves every country. "networks serves ${netname}" says where it serves.\n`;

/** The secret in its two forms: for checksums, and for libraries that sign. */
const secretText = ({ secret = '', signingSecret = '' }: Partial<AnswerOf<typeof networkCreation>>): string =>
  `  secret          ${secret}\n  signing secret  ${signingSecret}\n\nKeep them: they are not shown again. Both are one secret in two forms.`;

const HEADING = ['NETWORK', 'NAME', 'CREATED', 'STATE', 'COUNTRIES', 'CURRENCIES', 'ADDRESSES', 'LIMITS', 'SIGNS', 'EARLIER SECRET'];

const SIGNS = {
  require: 'everything',
  checksum: 'orders',
} as const;

type Listed = AnswerOf<typeof readNetwork>;

/** `everywhere`: how many countries there are. */
function toCells({ netname, name, signing, createdAt, disabledAt, earlierSecretValidUntil, ...rest }: Listed, everywhere: number): Cell[] {
  return [
    netname,
    name,
    sentInstant(createdAt),
    disabledAt === null ? 'enabled' : 'disabled',
    countriesText(rest, everywhere),
    rest.currencies?.join(',') ?? 'all',
    rest.addresses?.join(',') ?? 'any',
    limitsText(rest.limits),
    SIGNS[signing],
    earlierSecretValidUntil === null ? 'none' : `valid until ${localText(Temporal.Instant.from(earlierSecretValidUntil), 'UTC')}`,
  ];
}

const countriesText = ({ countries }: Pick<Listed, 'countries'>, everywhere: number): string =>
  countries.length === everywhere ? 'all' : countries.join(',');

/** Null: every country. */
const countriesIn = (codes: string): readonly string[] | null => (codes === 'all' ? null : codes.split(','));
