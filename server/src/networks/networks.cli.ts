import { Argument, type Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  details,
  instantText,
  localText,
  JSON_OPTION,
  parseDays,
  print,
  printJson,
  readFrom,
  sentInstant,
  table,
  type Cell,
  type Connect,
  type Connection,
  type RefusalLines,
} from '../kit/command-line.ts';
import { parseAddressList } from '../kit/limits/address-list.ts';
import { addLimitOptions, limitsOf, limitsText, type LimitOptions } from '../kit/limits/request-limits.cli.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { refuse } from '../kit/outcome.ts';
import type { RotationRefusal } from '../merchants/index.ts';
import type { CreatedNetwork, CreateNetworkRefusal } from './change-network.ts';
import type { ServedRefusal } from './serves.ts';
import type { ListedNetwork } from './network-rows.ts';

const changes = () => import('./change-network.ts');
const operations = () => import('./change-networks.manage.ts');
const countryTable = () => import('../merchants/index.ts');

const unknown = (netname: string): readonly [string, 1] => [`There is no network ${netname}.`, 1];

const REFUSALS: RefusalLines<CreateNetworkRefusal | ServedRefusal | RotationRefusal | 'network_unknown' | 'not_found'> = {
  netname_invalid: (netname) => [`The netname ${JSON.stringify(netname)} is not 1 to 30 small letters, digits, _ or -.`, 2],
  name_invalid: () => ['--name takes 1 to 100 characters on one line.', 2],
  country_unknown: () => ['--countries takes codes of known countries, with commas, such as 343,348 for Colombia and Peru; or all.', 2],
  currency_not_of_country: () => ['--currencies takes currencies of the countries, with commas, such as COP,PEN for Colombia and Peru.', 2],
  network_exists: (netname) => [`The network ${netname} exists already.`, 1],
  network_unknown: unknown,
  not_found: unknown,
  days_out_of_range: () => [`--days takes 0 to ${MAX_ROTATION_DAYS}.`, 2],
  rotation_under_way: (netname) => [
    `Two secrets of ${netname} are valid; "networks list" says until when. Wait, or end both at once with --days 0.`,
    1,
  ],
};

type JsonOption = { json?: true };
type ServedOptions = { countries: string; currencies?: string[] };

const COUNTRIES_OPTION = [
  '--countries <codes>',
  'three digits of each country whose merchants it serves, with commas, such as 343,348; all: every country',
] as const;
const CURRENCIES_OPTION = [
  '--currencies <codes>',
  'with commas (default: all of the countries)',
  (text: string): string[] => text.split(','),
] as const;

/** Adds `caudal networks …` to the program. Secrets are printed only where they are made. */
export function networkCommands(program: Command, connect: Connect): void {
  const networks = program
    .command('networks')
    .description('create, list and change collection networks; running servers follow within a second');
  addCreate(networks, connect);
  addList(networks, connect);
  addShow(networks, connect);
  addServes(networks, connect);
  addAddresses(networks, connect);
  addLimits(networks, connect);
  addSigning(networks, connect);
  addRotate(networks, connect);
  addSwitches(networks, connect);
}

function addCreate(networks: Command, connect: Connect): void {
  networks
    .command('create')
    .description('create a network, which signs its requests, and print its secret, once')
    .argument('<netname>', 'its name in requests: 1 to 30 small letters, digits, _ or -')
    .option(...COUNTRIES_OPTION)
    .option(...CURRENCIES_OPTION)
    .option('--name <name>', 'shown to people (default: the netname)')
    .option(...JSON_OPTION)
    .action(async (netname: string, { json, countries: codes, ...rest }: JsonOption & Partial<ServedOptions> & { name?: string }) => {
      const countries = codes === undefined ? undefined : await readCountries(codes);
      const created = await carryOut(connect, REFUSALS, netname, {
        here: async (connection) => (await changes()).createNetwork(connection, { netname, ...rest, ...(countries && { countries }) }),
        there: async (service) => service.call((await operations()).create, { body: { netname, ...rest, countries } }),
      });
      if (json) return printJson(created);
      print(`Network ${netname} is created.\n\n${secretText(created)}\n${WHAT_TO_SIGN}${codes === undefined ? whereText(netname) : ''}`);
    });
}

function addList(networks: Command, connect: Connect): void {
  networks
    .command('list')
    .description('list all networks: where they serve, what they sign, and until when an earlier secret is valid')
    .option(...JSON_OPTION)
    .action(async ({ json }: JsonOption) => {
      const listed = await readFrom(connect, {
        here: readNetworks,
        there: async (service) => (await import('./ask-networks.ts')).askNetworks(service),
      });
      if (json) return printJson(listed);
      const everywhere = (await countryTable()).ALL_COUNTRIES.length;
      const rows = listed.map((network) => toCells(network, everywhere));
      print(listed.length === 0 ? 'There is no network yet.\n' : table(HEADING, rows));
    });
}

function addShow(networks: Command, connect: Connect): void {
  networks
    .command('show')
    .description('show one network: where it serves, what it signs, and until when an earlier secret is valid')
    .argument('<netname>')
    .option(...JSON_OPTION)
    .action(async (netname: string, { json }: JsonOption) => {
      const shown = await carryOut(connect, REFUSALS, netname, {
        here: async (connection) => (await readNetworks(connection)).find((one) => one.netname === netname) ?? refuse('network_unknown'),
        there: async (service) => (await import('./ask-networks.ts')).askNetwork(service, netname),
      });
      if (json) return printJson(shown);
      const everywhere = (await countryTable()).ALL_COUNTRIES.length;
      print(details(toCells(shown, everywhere).map((cell, index) => [(HEADING[index] as string).toLowerCase(), cell])));
    });
}

const readNetworks = async (connection: Connection): Promise<readonly ListedNetwork[]> =>
  (await import('./network-rows.ts')).listNetworks(connection, connection.clock.now());

function addServes(networks: Command, connect: Connect): void {
  networks
    .command('serves')
    .description('say where a network serves; payers of other merchants are not sent to it, and it pays nothing for them')
    .argument('<netname>')
    .requiredOption(...COUNTRIES_OPTION)
    .option(...CURRENCIES_OPTION)
    .option(...JSON_OPTION)
    .action(async (netname: string, { json, countries: codes, ...rest }: JsonOption & ServedOptions) => {
      const decision = { ...rest, countries: await readCountries(codes) };
      const set = await carryOut(connect, REFUSALS, netname, {
        here: async (connection) => (await changes()).setServed(connection, netname, decision),
        there: async (service) => {
          const { countries, currencies } = await service.call((await operations()).setWhere, { path: { netname }, body: decision });
          return { countries: countries ?? [], currencies };
        },
      });
      const { countries, currencies } = set;
      if (json) return printJson({ netname, countries, currencies });
      const { ALL_COUNTRIES, findCountry } = await countryTable();
      const isEverywhere = countries.length === ALL_COUNTRIES.length;
      const where = isEverywhere ? 'every country' : countries.map((code) => findCountry(code)?.name).join(', ');
      print(`Network ${netname} serves ${where}, in ${currencies?.join(', ') ?? 'every currency there'}.\n`);
    });
}

function addAddresses(networks: Command, connect: Connect): void {
  networks
    .command('addresses')
    .description('say from which addresses the requests of a network come; others are refused like a wrong checksum')
    .argument('<netname>')
    .argument('<list>', 'addresses and networks with commas, such as 192.0.2.7,2001:db8::/32; any: from anywhere')
    .option(...JSON_OPTION)
    .action(async (netname: string, text: string, { json }: JsonOption) => {
      const addresses = text === 'any' ? null : parseAddressList(text);
      if (addresses === undefined)
        throw new CommandRefused('The list takes addresses and networks with commas, such as 192.0.2.7,2001:db8::/32; or any.', 2);
      await carryOut(connect, REFUSALS, netname, {
        here: async (connection) => (await changes()).setAddresses(connection, netname, addresses),
        there: async (service) => void (await service.call((await operations()).setFrom, { path: { netname }, body: { addresses } })),
      });
      if (json) printJson({ netname, addresses });
      else print(`Requests of network ${netname} come from ${addresses?.join(', ') ?? 'anywhere'}.\n`);
    });
}

function addLimits(networks: Command, connect: Connect): void {
  addLimitOptions(networks.command('limits'))
    .description('set how many requests of a network are served')
    .argument('<netname>')
    .action(async (netname: string, options: LimitOptions) => {
      const limits = limitsOf(options);
      await carryOut(connect, REFUSALS, netname, {
        here: async (connection) => (await changes()).setNetworkLimits(connection, netname, limits),
        there: async (service) => void (await service.call((await operations()).setLimits, { path: { netname }, body: { limits } })),
      });
      if (options.json) printJson({ netname, limits });
      else print(`Limits of network ${netname}: ${limitsText(limits)}.\n`);
    });
}

function addSigning(networks: Command, connect: Connect): void {
  networks
    .command('signing')
    .description('say which requests a network must sign: all (require), or with checksum those on orders')
    .argument('<netname>')
    .addArgument(new Argument('<setting>').choices(['require', 'checksum']))
    .option(...JSON_OPTION)
    .action(async (netname: string, signing: 'require' | 'checksum', { json }: JsonOption) => {
      await carryOut(connect, REFUSALS, netname, {
        here: async (connection) => (await changes()).setNetworkSigning(connection, netname, signing),
        there: async (service) => void (await service.call((await operations()).sign, { path: { netname }, body: { signing } })),
      });
      if (json) printJson({ netname, signing });
      else print(`Network ${netname} must sign ${signing === 'require' ? 'every request' : REQUESTS_TO_SIGN}.\n`);
    });
}

function addRotate(networks: Command, connect: Connect): void {
  networks
    .command('rotate')
    .description('give a network a new secret and print it, once; the earlier one stays valid for some days')
    .argument('<netname>')
    .option('--days <days>', `0 to ${MAX_ROTATION_DAYS}; 0 ends every earlier secret at once`, parseDays, MAX_ROTATION_DAYS)
    .option(...JSON_OPTION)
    .action(async (netname: string, { days, json }: JsonOption & { days: number }) => {
      const rotated = await carryOut(connect, REFUSALS, netname, {
        here: async (connection) => (await changes()).rotateSecret(connection, netname, days),
        there: async (service) => {
          const answer = await service.call((await operations()).rotate, { path: { netname }, body: { days } });
          // Only a repeated Idempotency-Key gets an answer without the secret.
          return { ...(answer as Required<typeof answer>), previousValidUntil: sentInstant(answer.previousValidUntil) };
        },
      });
      if (json) return printJson(rotated);
      const { previousValidUntil } = rotated;
      const fate = previousValidUntil === null ? 'is not valid any more' : `stays valid until ${instantText(previousValidUntil)}`;
      print(`Network ${netname} has a new secret.\n\n${secretText(rotated)} The earlier one ${fate}.\n`);
    });
}

/** The command, what it does, how it is done, and what holds then. */
const SWITCHES = [
  ['disable', 'answer a network like one that does not exist; what it paid and collected stays', 'disableNetwork', true],
  ['enable', 'serve a disabled network again', 'enableNetwork', false],
] as const;

function addSwitches(networks: Command, connect: Connect): void {
  for (const [name, description, change, isDisabled] of SWITCHES)
    networks
      .command(name)
      .description(description)
      .argument('<netname>')
      .option(...JSON_OPTION)
      .action(async (netname: string, { json }: JsonOption) => {
        await carryOut(connect, REFUSALS, netname, {
          here: async (connection) => (await changes())[change](connection, netname),
          there: async (service) => void (await service.call((await operations()).switches[change], { path: { netname } })),
        });
        if (json) printJson({ netname, isDisabled });
        else print(`Network ${netname} is ${name}d.\n`);
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
const secretText = ({ secret, signingSecret }: CreatedNetwork): string =>
  `  secret          ${secret}\n  signing secret  ${signingSecret}\n\nKeep them: they are not shown again. Both are one secret in two forms.`;

const HEADING = ['NETWORK', 'NAME', 'CREATED', 'STATE', 'COUNTRIES', 'CURRENCIES', 'ADDRESSES', 'LIMITS', 'SIGNS', 'EARLIER SECRET'];

const SIGNS = {
  require: 'everything',
  checksum: 'orders',
  undecided: 'NOTHING: see "networks signing"',
} as const;

/** `everywhere`: how many countries there are. */
function toCells(
  { netname, name, signing, createdAt, disabledAt, earlierSecretValidUntil, ...rest }: ListedNetwork,
  everywhere: number,
): Cell[] {
  return [
    netname,
    name,
    createdAt,
    disabledAt === null ? 'enabled' : 'disabled',
    countriesText(rest, everywhere),
    rest.currencies?.join(',') ?? 'all',
    rest.addresses?.join(',') ?? 'any',
    limitsText(rest.limits),
    SIGNS[signing],
    earlierSecretValidUntil === null ? 'none' : `valid until ${localText(earlierSecretValidUntil, 'UTC')}`,
  ];
}

const countriesText = ({ countries }: Pick<ListedNetwork, 'countries'>, everywhere: number): string =>
  countries === null ? 'ALL: see "networks serves"' : countries.length === everywhere ? 'all' : countries.join(',');

const readCountries = async (codes: string): Promise<readonly string[]> =>
  codes === 'all' ? (await countryTable()).ALL_COUNTRIES : codes.split(',');
