import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { CommandRefused, instantText, parseDays, sentInstant, table, type Connect } from '../kit/command-line.ts';
import { askCommand, listCommand, needed, readBy } from '../kit/remote/client-commands.ts';
import { ALL_PERMISSIONS, ALL_ROLES, ROLES, type Permission, type Role } from '../manage/permissions.ts';
import { MAX_TOKEN_DAYS } from './token-days.ts';

const operations = () => import('./manage/tokens.manage.ts');

const LIST_LIMIT = 10_000;
const DEFAULT_DAYS = 90;

const TERMS_LINE = [`--name takes 1 to 100 characters on one line, and --days 1 to ${MAX_TOKEN_DAYS}.`, 2] as const;
/** They name options of these commands. */
const LINES = {
  token_invalid: TERMS_LINE,
  '/name': TERMS_LINE,
  '/days': TERMS_LINE,
  merchant_unknown: ['There is no merchant {merchant}.', 1],
} as const;

type CreateOptions = {
  readonly name: string;
  readonly permissions?: readonly Permission[];
  readonly role?: Role;
  readonly merchant?: string;
  readonly days: number;
};

/** Adds `caudal tokens …` to the program. */
export function tokenCommands(program: Command, connect: Connect): void {
  const tokens = program.command('tokens').description('access tokens, by which programs use the management API');
  askCommand(tokens, connect, {
    name: 'create',
    about: 'make an access token and print it, once',
    options: [
      needed('--name <name>', 'what the token is for'),
      readBy('--permissions <list>', `with commas, of: ${ALL_PERMISSIONS.join(', ')}`, parsePermissions),
      new Option('--role <role>', 'instead: all permissions that the role has now').choices(ALL_ROLES),
      new Option('--merchant <id>', 'limits the token to one merchant'),
      readBy('--days <days>', `how long it works, 1 to ${MAX_TOKEN_DAYS}`, parseDays, DEFAULT_DAYS),
    ],
    operation: async () => (await operations()).createToken,
    parts: (given: CreateOptions) => {
      const { name, merchant, days } = given;
      return { body: { name, permissions: permissionsOf(given), merchant, days } };
    },
    lines: LINES,
    // Only a repeated Idempotency-Key gets an answer without the token.
    text: ({ id, token = '', endsAt }) =>
      `Token ${id}, until ${instantText(Temporal.Instant.from(endsAt))}:\n\n  ${token}\n\nKeep it: it is not shown again.\n`,
  });
  addList(tokens, connect);
  askCommand(tokens, connect, {
    name: 'revoke',
    about: 'end an access token at once',
    args: [new Argument('<id>')],
    operation: async () => (await operations()).tokenEnd,
    parts: ({ id }: { readonly id: string }) => ({ path: { token: id } }),
    lines: { not_found: ['There is no active access token {id}.', 1] },
    json: (ended) => ({ ...ended, ended: true }),
    text: ({ id, name }) => `The access token ${id} (${name}) works no more.\n`,
  });
}

function addList(tokens: Command, connect: Connect): void {
  listCommand(tokens, connect, {
    name: 'list',
    about: 'list access tokens, the newest first',
    operation: async () => (await operations()).tokenList,
    limit: () => LIST_LIMIT,
    parts: (_given: object) => ({}),
    text: (listed) =>
      listed.length === 0
        ? 'No access tokens.\n'
        : table(
            ['TOKEN', 'NAME', 'MERCHANT', 'MADE BY', 'ENDS', 'LAST USED', 'PERMISSIONS'],
            listed.map(({ id, name, merchant, madeBy, endsAt, lastUsedAt, permissions }) => [
              id,
              name,
              merchant ?? 'all',
              madeBy ?? 'command line',
              sentInstant(endsAt),
              sentInstant(lastUsedAt) ?? 'never',
              permissions.join(','),
            ]),
          ),
  });
}

function parsePermissions(text: string): readonly Permission[] {
  return text.split(',').map((one) => {
    const permission = ALL_PERMISSIONS.find((known) => known === one.trim());
    if (permission === undefined) throw new InvalidArgumentError(`There is no permission ${JSON.stringify(one.trim())}.`);
    return permission;
  });
}

/** The permissions that the options name, one way or the other. */
function permissionsOf({ permissions, role, merchant }: CreateOptions): readonly Permission[] {
  if ((permissions === undefined) === (role === undefined)) throw new CommandRefused('Name either --permissions or --role.', 2);
  if (role === undefined) return permissions ?? [];
  if (ROLES[role].side === 'merchant' && merchant === undefined)
    throw new CommandRefused('This role is of one merchant: name it by --merchant.', 2);
  return [...ROLES[role].permissions];
}
