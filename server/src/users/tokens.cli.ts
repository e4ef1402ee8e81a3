import { InvalidArgumentError, type Command } from 'commander';
import {
  accept,
  CommandRefused,
  instantText,
  JSON_OPTION,
  parseDays,
  print,
  printJson,
  table,
  withConnection,
  type Connect,
  type RefusalLines,
} from '../kit/command-line.ts';
import type { Clock } from '../kit/clock.ts';
import { ALL_PERMISSIONS, type Permission } from '../manage/permissions.ts';
import type { TokenRefusal } from './access-tokens.ts';
import { MAX_TOKEN_DAYS } from './token-days.ts';

const accessTokens = () => import('./access-tokens.ts');

const REFUSALS: RefusalLines<TokenRefusal> = {
  token_invalid: () => [`--name takes 1 to 100 characters on one line, and --days 1 to ${MAX_TOKEN_DAYS}.`, 2],
  permission_not_yours: () => ['The permission may not be given.', 1],
  merchant_not_yours: () => ['The merchant may not be given.', 1],
};

const LIST_LIMIT = 10_000;
const DEFAULT_DAYS = 90;

type JsonOption = { readonly json?: true };
type CreateOptions = JsonOption & {
  readonly name: string;
  readonly permissions: readonly Permission[];
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
    .requiredOption('--permissions <list>', `with commas, of: ${ALL_PERMISSIONS.join(', ')}`, parsePermissions)
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

async function create(connect: Connect, clock: Clock, { name, permissions, merchant, days, json }: CreateOptions): Promise<void> {
  await withConnection(connect, async (connection) => {
    const [{ makeToken }, { requireMerchant }] = await Promise.all([accessTokens(), import('../merchants/index.ts')]);
    if (merchant !== undefined) await requireMerchant(connection, merchant);
    const made = await connection.db.transaction(async (tx) =>
      makeToken(tx, 'operator', { userId: null }, { name, permissions, merchantId: merchant ?? null, days }, clock.now()),
    );
    const { tokenId: id, token, expiresAt } = accept(made, REFUSALS, name);
    if (json) printJson({ id, token, endsAt: expiresAt });
    else print(`Token ${id}, until ${instantText(expiresAt)}:\n\n  ${token}\n\nKeep it: it is not shown again.\n`);
  });
}

async function list(connect: Connect, { json }: JsonOption): Promise<void> {
  await withConnection(connect, async ({ db }) => {
    const tokens = await (await accessTokens()).listTokens(db, { limit: LIST_LIMIT });
    if (json) return printJson(tokens.map(({ tokenId: id, merchantId: merchant, ...token }) => ({ id, merchant, ...token })));
    const heading = ['TOKEN', 'NAME', 'MERCHANT', 'MADE BY', 'ENDS', 'LAST USED', 'PERMISSIONS'];
    const rows = tokens.map(({ tokenId, name, merchantId, madeBy, expiresAt, lastUsedAt, permissions }) => [
      tokenId,
      name,
      merchantId ?? 'all',
      madeBy ?? 'command line',
      expiresAt,
      lastUsedAt ?? 'never',
      permissions.join(','),
    ]);
    print(rows.length === 0 ? 'No access tokens.\n' : table(heading, rows));
  });
}

async function revoke(connect: Connect, clock: Clock, id: string, { json }: JsonOption): Promise<void> {
  await withConnection(connect, async ({ db }) => {
    const { endToken } = await accessTokens();
    const name = await db.transaction((tx) => endToken(tx, id, {}, clock.now()));
    if (name === undefined) throw new CommandRefused(`There is no access token ${id} that works.`);
    if (json) printJson({ id, name, ended: true });
    else print(`The access token ${id} (${name}) works no more.\n`);
  });
}
