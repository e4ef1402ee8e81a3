import { Argument, type Command } from 'commander';
import {
  accept,
  columns,
  instantText,
  JSON_OPTION,
  parseDays,
  print,
  printJson,
  withConnection,
  type Connect,
  type RefusalLines,
} from '../kit/command-line.ts';
import { MAX_ROTATION_DAYS, type RotationRefusal } from '../merchants/index.ts';
import {
  createNetwork,
  disableNetwork,
  enableNetwork,
  rotateSecret,
  setNetworkSigning,
  type CreatedNetwork,
  type CreateNetworkRefusal,
} from './change-network.ts';
import { listNetworks, type ListedNetwork } from './network-rows.ts';

const REFUSALS: RefusalLines<CreateNetworkRefusal | RotationRefusal | 'network_unknown'> = {
  netname_invalid: (netname) => [`The netname ${JSON.stringify(netname)} is not 1 to 30 small letters, digits, _ or -.`, 2],
  name_invalid: () => ['--name takes 1 to 100 characters on one line.', 2],
  network_exists: (netname) => [`The network ${netname} exists already.`, 1],
  network_unknown: (netname) => [`There is no network ${netname}.`, 1],
  days_out_of_range: () => [`--days takes 0 to ${MAX_ROTATION_DAYS}.`, 2],
  rotation_under_way: (netname) => [
    `Two secrets of ${netname} are valid; "networks list" says until when. Wait, or end both at once with --days 0.`,
    1,
  ],
};

type JsonOption = { json?: true };

/** Adds `caudal networks …` to the program. Secrets are printed only where they are made. */
export function networkCommands(program: Command, connect: Connect): void {
  const networks = program
    .command('networks')
    .description('create, list and change collection networks; running servers follow within a second');
  addCreate(networks, connect);
  addList(networks, connect);
  addSigning(networks, connect);
  addRotate(networks, connect);
  addSwitches(networks, connect);
}

function addCreate(networks: Command, connect: Connect): void {
  networks
    .command('create')
    .description('create a network, which signs its requests, and print its secret, once')
    .argument('<netname>', 'its name in requests: 1 to 30 small letters, digits, _ or -')
    .option('--name <name>', 'shown to people (default: the netname)')
    .option(...JSON_OPTION)
    .action((netname: string, { name, json }: JsonOption & { name?: string }) =>
      withConnection(connect, async (connection) => {
        const created = accept(await createNetwork(connection, { netname, name }), REFUSALS, netname);
        if (json) printJson(created);
        else print(`Network ${netname} is created.\n\n${secretText(created)}\n${WHAT_TO_SIGN}`);
      }),
    );
}

function addList(networks: Command, connect: Connect): void {
  networks
    .command('list')
    .description('list all networks, and until when an earlier secret is valid')
    .option(...JSON_OPTION)
    .action(({ json }: JsonOption) =>
      withConnection(connect, async (connection) => {
        const listed = await listNetworks(connection, connection.clock.now());
        if (json) printJson(listed);
        else print(listed.length === 0 ? 'There is no network yet.\n' : columns([HEADING, ...listed.map(toCells)]));
      }),
    );
}

function addSigning(networks: Command, connect: Connect): void {
  networks
    .command('signing')
    .description('say which requests a network must sign: all (require), or with checksum those on orders')
    .argument('<netname>')
    .addArgument(new Argument('<setting>').choices(['require', 'checksum']))
    .action((netname: string, setting: 'require' | 'checksum') =>
      withConnection(connect, async (connection) => {
        accept(await setNetworkSigning(connection, netname, setting), REFUSALS, netname);
        print(`Network ${netname} must sign ${setting === 'require' ? 'every request' : REQUESTS_TO_SIGN}.\n`);
      }),
    );
}

function addRotate(networks: Command, connect: Connect): void {
  networks
    .command('rotate')
    .description('give a network a new secret and print it, once; the earlier one stays valid for some days')
    .argument('<netname>')
    .option('--days <days>', `0 to ${MAX_ROTATION_DAYS}; 0 ends every earlier secret at once`, parseDays, MAX_ROTATION_DAYS)
    .option(...JSON_OPTION)
    .action((netname: string, { days, json }: JsonOption & { days: number }) =>
      withConnection(connect, async (connection) => {
        const rotated = accept(await rotateSecret(connection, netname, days), REFUSALS, netname);
        if (json) return printJson(rotated);
        const { previousValidUntil } = rotated;
        const fate = previousValidUntil === null ? 'is not valid any more' : `stays valid until ${instantText(previousValidUntil)}`;
        print(`Network ${netname} has a new secret.\n\n${secretText(rotated)} The earlier one ${fate}.\n`);
      }),
    );
}

function addSwitches(networks: Command, connect: Connect): void {
  networks
    .command('disable')
    .description('answer a network like one that does not exist; what it paid and collected stays')
    .argument('<netname>')
    .action((netname: string) =>
      withConnection(connect, async (connection) => {
        accept(await disableNetwork(connection, netname), REFUSALS, netname);
        print(`Network ${netname} is disabled.\n`);
      }),
    );

  networks
    .command('enable')
    .description('serve a disabled network again')
    .argument('<netname>')
    .action((netname: string) =>
      withConnection(connect, async (connection) => {
        accept(await enableNetwork(connection, netname), REFUSALS, netname);
        print(`Network ${netname} is enabled.\n`);
      }),
    );
}

const REQUESTS_TO_SIGN = 'its requests on orders, and those whose transaction begins with a digit';

/** What a network's people need to know before their first request. */
const WHAT_TO_SIGN = `
Every request carries three headers beside its checksum:
  webhook-id         an id that is new in each request
  webhook-timestamp  the seconds since 1970
  webhook-signature  v1, and the base64 of HMAC-SHA256 over "ID.TIMESTAMP." and three lines: METHOD, path, body
The key of the HMAC are the characters of the secret. Libraries of Standard Webhooks take the signing secret.
`;

/** The secret in its two forms: for checksums, and for libraries that sign. */
const secretText = ({ secret, signingSecret }: CreatedNetwork): string =>
  `  secret          ${secret}\n  signing secret  ${signingSecret}\n\nKeep them: they are not shown again. Both are one secret in two forms.`;

const HEADING = ['NETWORK', 'NAME', 'CREATED', 'STATE', 'SIGNS', 'EARLIER SECRET'];

const SIGNS = {
  require: 'everything',
  checksum: 'orders',
  undecided: 'NOTHING: see "networks signing"',
} as const;

function toCells({ netname, name, signing, createdAt, disabledAt, earlierSecretValidUntil }: ListedNetwork): string[] {
  const earlier = earlierSecretValidUntil === null ? 'none' : `valid until ${instantText(earlierSecretValidUntil)}`;
  return [netname, name, instantText(createdAt), disabledAt === null ? 'enabled' : 'disabled', SIGNS[signing], earlier];
}
