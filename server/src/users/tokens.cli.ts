import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  instantText,
  JSON_OPTION,
  parseDays,
  print,
  printJson,
  readFrom,
  sentInstant,
  table,
  type Connect,
  type RefusalLines,
} from '../kit/command-line.ts';
import type { Clock } from '../kit/clock.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { ALL_PERMISSIONS, ALL_ROLES, ROLES, type Permission, type Role } from '../manage/permissions.ts';
import type { TokenRefusal } from './access-tokens.ts';
import { MAX_TOKEN_DAYS } from './token-days.ts';

const accessTokens = () => import('./access-tokens.ts');
const operations = () => import('./manage/tokens.manage.ts');

const REFUSALS: RefusalLines<TokenRefusal | 'not_found'> = {
  token_invalid: () => [`--name takes 1 to 100 characters on one line, and --days 1 to ${MAX_TOKEN_DAYS}.`, 2],
  permission_not_yours: () => ['The permission may not be given.', 1],
  merchant_not_yours: () => ['The merchant may not be given.', 1],
  not_found: (id) => [`There is no access token ${id} that works.`, 1],
};

const LIST_LIMIT = 10_000;
const DEFAULT_DAYS = 90;

type JsonOption = { readonly json?: true };
type CreateOptions = JsonOption & {
  readonly name: string;
  readonly permissions?: readonly Permission[];
  readonly role?: Role;
  readonly merchant?: string;
  readonly days: number;
};

/** Adds `caudal tokens …` to the program. The clock is the machine's. */
export function tokenCommands(program: Command, connect: Connect, clock: Clock): void {
  const tokens = program.command('tokens').description('access tokens, by which programs use the management API');
  tokens
    .command('create')
    .description('make an access token and print it, once')
    .requiredOption('--name <name>', 'what the token is for')
    .option('--permissions <list>', `with commas, of: ${ALL_PERMISSIONS.join(', ')}`, parsePermissions)
    .addOption(new Option('--role <role>', 'instead: all permissions that the role has now').choices(ALL_ROLES))
    .option('--merchant <id>', 'limits the token to one merchant')
    .option('--days <days>', `how long it works, 1 to ${MAX_TOKEN_DAYS}`, parseDays, DEFAULT_DAYS)
    .option(...JSON_OPTION)
    .action((options: CreateOptions) => create(connect, clock, options));
  tokens
    .command('list')
    .description('list access tokens, the newest first')
    .option(...JSON_OPTION)
    .action((options: JsonOption) => list(connect, options));
  tokens
    .command('revoke')
    .description('end an access token at once')
    .argument('<id>')
    .option(...JSON_OPTION)
    .action((id: string, options: JsonOption) => revoke(connect, clock, id, options));
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

async function create(connect: Connect, clock: Clock, options: CreateOptions): Promise<void> {
  const { name, merchant, days, json } = options;
  const permissions = permissionsOf(options);
  const lines = { ...REFUSALS, merchant_unknown: (): readonly [string, 1] => [`There is no merchant ${merchant}.`, 1] };
  const { id, token, endsAt } = await carryOut(connect, lines, name, {
    here: async ({ db, clock: ofService }) => {
      const [{ makeToken }, { showMerchant }] = await Promise.all([accessTokens(), import('../merchants/index.ts')]);
      if (merchant !== undefined && (await showMerchant({ db }, merchant, ofService.now())) === undefined)
        return refuse('merchant_unknown');
      const terms = { name, permissions, merchantId: merchant ?? null, days };
      const made = await db.transaction(async (tx) => makeToken(tx, 'operator', { userId: null }, terms, clock.now()));
      return isRefusal(made) ? made : { id: made.tokenId, token: made.token, endsAt: made.expiresAt };
    },
    there: async (service) => {
      const made = await service.call((await operations()).createToken, { body: { name, permissions, merchant, days } });
      // Only a repeated Idempotency-Key gets an answer without the token.
      return { ...made, token: made.token as string, endsAt: Temporal.Instant.from(made.endsAt) };
    },
  });
  if (json) printJson({ id, token, endsAt });
  else print(`Token ${id}, until ${instantText(endsAt)}:\n\n  ${token}\n\nKeep it: it is not shown again.\n`);
}

async function list(connect: Connect, { json }: JsonOption): Promise<void> {
  const tokens = await readFrom(connect, {
    here: async ({ db }) => {
      const found = await (await accessTokens()).listTokens(db, { limit: LIST_LIMIT });
      return found.map((listed) => {
        const { tokenId: id, merchantId: merchant, makerMerchantId: _, ...token } = listed;
        return { id, merchant, ...token };
      });
    },
    there: async (service) => {
      const { items } = await service.list((await operations()).listManagedTokens, LIST_LIMIT);
      return items.map(({ createdAt, endsAt, lastUsedAt, ...token }) => ({
        ...token,
        createdAt: Temporal.Instant.from(createdAt),
        expiresAt: Temporal.Instant.from(endsAt),
        lastUsedAt: sentInstant(lastUsedAt),
      }));
    },
  });
  if (json) return printJson(tokens);
  const heading = ['TOKEN', 'NAME', 'MERCHANT', 'MADE BY', 'ENDS', 'LAST USED', 'PERMISSIONS'];
  const rows = tokens.map(({ id, name, merchant, madeBy, expiresAt, lastUsedAt, permissions }) => [
    id,
    name,
    merchant ?? 'all',
    madeBy ?? 'command line',
    expiresAt,
    lastUsedAt ?? 'never',
    permissions.join(','),
  ]);
  print(rows.length === 0 ? 'No access tokens.\n' : table(heading, rows));
}

async function revoke(connect: Connect, clock: Clock, id: string, { json }: JsonOption): Promise<void> {
  const { name } = await carryOut(connect, REFUSALS, id, {
    here: async ({ db }) => {
      const { endToken } = await accessTokens();
      const ended = await db.transaction((tx) => endToken(tx, id, {}, clock.now()));
      return ended === undefined ? refuse('not_found') : { name: ended };
    },
    there: async (service) => service.call((await operations()).endManagedToken, { path: { token: id } }),
  });
  if (json) printJson({ id, name, ended: true });
  else print(`The access token ${id} (${name}) works no more.\n`);
}
