import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../../kit/clock.ts';
import {
  CommandRefused,
  details,
  JSON_OPTION,
  ofMerchant,
  print,
  printJson,
  withConnection,
  type Connect,
} from '../../kit/command-line.ts';
import type { Operation } from '../../requests/index.ts';
import type { CallerSecrets } from './sign-request.ts';

type Options = { readonly secretFile?: string; readonly server?: string; readonly json?: true };

/** What the command reads of its surroundings. */
export type SignWorld = { readonly readServer: () => Promise<string>; readonly readSecret: () => string | undefined };

/** Adds `caudal sign`. */
export function signCommand(program: Command, connect: Connect, { readServer, readSecret }: SignWorld): void {
  program
    .command('sign')
    .description('show the text that a request hashes, its checksum, and a curl command; nothing is sent')
    .argument('<operation>', 'an operation of merchants or networks, such as createOrder')
    .argument('[field=value...]', 'the fields of the request, as they are sent')
    .option('--secret-file <file>', "the fixed hash, or the network's secret (default: CAUDAL_SECRET, or else the database)")
    .option('--server <url>', 'where the curl command sends it')
    .option(...JSON_OPTION)
    .action(async (name: string, words: readonly string[], { secretFile, server, json }: Options) => {
      const [{ curlOf, fieldNames, signRequest }, operation] = await Promise.all([import('./sign-request.ts'), findOperation(name)]);
      const { nearestName } = await import('../nearest-name.ts');
      const given = readFields(words, fieldNames(operation), nearestName);
      const secret = secretFile === undefined ? readSecret() : readFileSecret(secretFile);
      const secrets = secret === undefined ? await readStored(connect, operation, given) : await secretsOf(operation, secret);
      const request = signRequest(operation, given, secrets, systemClock.now());
      const curl = curlOf(request, (server ?? (await readServer())).replace(/\/$/, ''));
      const ends = operation.caller === 'merchant' ? "the merchant's fixed hash" : "the network's secret";
      const text = request.covered.map(([, value]) => value).join('');
      if (json) return printJson({ operation: operation.name, ...request, text, curl });
      print(
        details([
          ['operation', `${operation.name}: ${operation.route}`],
          ['covers', [...request.covered.map(([one]) => one), ends].join(', ')],
          ['text', `${text}<${ends}>`],
          ['checksum', request.checksum],
        ]),
      );
      const absent = request.covered.filter(([one]) => given[one] === undefined).map(([one]) => one);
      if (absent.length > 0) print(`\nNot given, so covered as nothing: ${absent.join(', ')}.\n`);
      if (secrets.signingSecret !== undefined) print('\nThe signature holds for five minutes, and once.\n');
      print(`\n${curl}\n`);
    });
}

async function findOperation(name: string): Promise<Operation<never>> {
  const [{ orderOperations, shopPluginOperations }, { cashoutOperations }] = await Promise.all([
    import('../../orders/index.ts'),
    import('../../cashouts/index.ts'),
  ]);
  const all: readonly Operation<never>[] = [...orderOperations, ...shopPluginOperations, ...cashoutOperations].filter(
    ({ caller }) => caller !== 'anyone',
  );
  const found = all.find((operation) => operation.name === name);
  if (found !== undefined) return found;
  throw new CommandRefused(`There is no operation ${name}. There are: ${all.map((operation) => operation.name).join(', ')}.`, 2);
}

type FindNear = typeof import('../nearest-name.ts').nearestName;

function readFields(words: readonly string[], known: readonly string[], nearestName: FindNear): Readonly<Record<string, string>> {
  const pairs = words.map((word): [string, string] => {
    const at = word.indexOf('=');
    const name = word.slice(0, Math.max(at, 0));
    if (name === 'checksum') throw new CommandRefused('The checksum is made here: leave it out.', 2);
    if (!known.includes(name)) {
      const near = nearestName(name, known);
      throw new CommandRefused(
        `${JSON.stringify(word.slice(0, 40))} is no field with its value.${near === undefined ? '' : ` Did you mean ${near}=?`}`,
        2,
      );
    }
    return [name, word.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}

function readFileSecret(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) throw new CommandRefused(`${path} holds no secret on one line.`);
  return text;
}

/** A network signs with a secret that follows from its own. */
async function secretsOf({ caller }: Operation<never>, secret: string): Promise<CallerSecrets> {
  const { signingSecretOf } = await import('../../networks/index.ts');
  return { secret, signingSecret: caller === 'network' ? signingSecretOf(secret) : undefined };
}

/** Reads the newest secrets of the caller that the request names. */
async function readStored(connect: Connect, operation: Operation<never>, given: Readonly<Record<string, string>>): Promise<CallerSecrets> {
  const { caller } = operation;
  const member = caller === 'merchant' ? 'merchant' : 'netname';
  const id = given[member];
  if (id === undefined) throw new CommandRefused(`The secret is looked up by ${member}: name it, or give the secret by --secret-file.`, 2);
  return withConnection(connect, async (connection) => {
    const { db, keys } = connection;
    if (caller === 'merchant') {
      const { readStoredMerchant } = await import('../../merchants/index.ts');
      const merchant = await readStoredMerchant((await ofMerchant(connection, id)).db, keys, id);
      const [fixedHash] = merchant?.fixedHashes ?? [];
      if (merchant === undefined || fixedHash === undefined) throw new CommandRefused(`There is no merchant ${id}.`);
      const signs = merchant.signing !== 'off';
      return { secret: fixedHash.secret, signingSecret: signs ? merchant.signingSecrets[0]?.secret : undefined };
    }
    const { readNetworks } = await import('../../networks/index.ts');
    const network = (await readNetworks(db, keys)).get(id)?.network;
    if (network instanceof Error) throw network;
    const [newest] = network?.secrets ?? [];
    if (newest === undefined) throw new CommandRefused(`There is no network ${id}.`);
    return secretsOf(operation, newest.secret);
  });
}
