import { Argument, type Command } from 'commander';
import {
  CommandRefused,
  instantText,
  JSON_OPTION,
  parseDays,
  print,
  printJson,
  table,
  withConnection,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import type { ListedKey } from '../../kit/keys/service-keys.ts';
import type { Config } from '../config.ts';
import { overlapOf, SERVICE_KEYS, type ServiceKeyName } from './service-keys.ts';

type JsonOption = { readonly json?: true };

/** Adds `caudal service-keys …` to the program. It prints ids and times, never keys. */
export function serviceKeyCommands(program: Command, connect: Connect, readSettings: () => Promise<Pick<Config, 'keptDays'>>): void {
  const keys = program.command('service-keys').description("the service's own keys: for links, cursors, one-time passwords, what it seals");

  keys
    .command('list')
    .description('list every valid key, and until when it is valid')
    .option(...JSON_OPTION)
    .action(({ json }: JsonOption) =>
      withConnection(connect, async (connection) => {
        const { listServiceKeys } = await import('../../kit/keys/service-keys.ts');
        const listed = await listServiceKeys(connection);
        if (json) printJson(listed);
        else print(listed.length === 0 ? 'No server has made a key yet.\n' : table(HEADING, listed.map(toCells)));
      }),
    );

  keys
    .command('rotate')
    .description('make a new key while servers run; the earlier one stays valid for some days')
    .addArgument(new Argument('<name>').choices(SERVICE_KEYS))
    .option('--days <days>', 'of the earlier key: for checkout-token, list-cursor and one-time-password; 0 ends it at once', parseDays)
    .option(...JSON_OPTION)
    .action(async (name: ServiceKeyName, { days: chosen, json }: JsonOption & { readonly days?: number }) => {
      const { days, isChosen } = overlapOf(name, await readSettings());
      if (chosen !== undefined && !isChosen)
        throw new CommandRefused(`${name} takes no --days: the earlier key opens what it sealed as long as that is kept.`, 2);
      await withConnection(connect, async (connection) => {
        const { rotateServiceKey } = await import('../../kit/keys/service-keys.ts');
        const rotated = await rotateServiceKey(connection, { name, days: chosen ?? days });
        if (json) return printJson(rotated);
        const { startsAt, earlierValidUntil } = rotated;
        print(
          `${name} has a new key, in use from ${instantText(startsAt)}. The earlier one is valid until ${instantText(earlierValidUntil)}.\n`,
        );
      });
    });
}

const HEADING = ['KEY', 'NUMBER', 'CREATED', 'IN USE FROM', 'VALID UNTIL'];

function toCells({ key, generation, createdAt, startsAt, expiresAt }: ListedKey): Cell[] {
  return [key, generation, createdAt, startsAt ?? createdAt, expiresAt ?? 'without end'];
}
