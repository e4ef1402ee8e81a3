import { Option, type Command } from 'commander';
import {
  accept,
  CommandRefused,
  details,
  instantText,
  JSON_OPTION,
  print,
  printJson,
  table,
  withConnection,
  type Cell,
  type Connect,
  type Connection,
  type RefusalLines,
} from '../kit/command-line.ts';
import type { Clock } from '../kit/clock.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { ALL_ROLES, type Role } from '../manage/permissions.ts';
import type { Messages } from '../messages/index.ts';
import type { ChangeRefusal, Invited, InviteRefusal, UserChange } from './change-user.ts';
import type { User } from './user.ts';

const changes = () => import('./change-user.ts');
const sessionRows = () => import('./sessions.ts');
const userRows = () => import('./user-rows.ts');
const requireMerchant = async (connection: Connection, merchantId: string): Promise<unknown> =>
  (await import('../merchants/index.ts')).requireMerchant(connection, merchantId);

/** How the commands write mail, and where its links lead. */
export type UserCommandDeps = {
  readonly openOutbox: (connection: Connection) => Promise<Messages>;
  readonly readConsoleUrl: () => Promise<string>;
  /** The machine's. A sandbox's own clock may have moved. */
  readonly clock: Clock;
};

const REFUSALS: RefusalLines<InviteRefusal | ChangeRefusal | 'user_disabled'> = {
  email_invalid: (id) => [`${JSON.stringify(id)} is no e-mail address.`, 2],
  name_invalid: () => ['--name takes 1 to 100 characters on one line.', 2],
  user_exists: (id) => [`There is a user ${id} already.`, 1],
  user_unknown: (id) => [`There is no user ${id}.`, 1],
  user_disabled: (id) => [`The user ${id} is disabled: enable it first.`, 1],
  role_needs_merchant: () => ['This role is of one merchant: name it by --merchant.', 2],
  role_takes_no_merchant: () => ['This role sees every merchant: leave --merchant out.', 2],
  role_not_yours: () => ['This role may not be given.', 1],
  last_owner: (id) => [`${id} is the last owner: make another one first.`, 1],
  not_enrolled: (id) => [`The user ${id} has not accepted the invitation yet.`, 1],
  version_mismatch: (id) => [`The user ${id} has changed meanwhile: try again.`, 1],
};

type JsonOption = { readonly json?: true };
type RoleOptions = JsonOption & { readonly role: Role; readonly merchant?: string };
type InviteOptions = RoleOptions & { readonly name?: string; readonly language: Language };

const LIST_LIMIT = 10_000;

/** Adds `caudal users …` to the program. */
export function userCommands(program: Command, connect: Connect, deps: UserCommandDeps): void {
  const users = program.command('users').description('people who sign in: invite, list, change, disable and reset them');
  withRole(users.command('invite').description('invite a person, and print the link that lets them in').argument('<email>'))
    .option('--name <name>', 'the name of the person (default: the address)')
    .addOption(new Option('--language <language>', 'of pages and mails').choices(LANGUAGES).default('en'))
    .action((email: string, options: InviteOptions) => invite(connect, deps, email, options));
  users
    .command('list')
    .description('list all users')
    .option(...JSON_OPTION)
    .action((options: JsonOption) => list(connect, options));
  users
    .command('show')
    .description('show a user and the sessions')
    .argument('<email>')
    .option(...JSON_OPTION)
    .action((email: string, options: JsonOption) => show(connect, deps, email, options));
  withRole(users.command('set-role').description('give a user another role; the sessions end').argument('<email>')).action(
    (email: string, { role, merchant, json }: RoleOptions) => change(connect, deps, email, { role, merchantId: merchant ?? null }, json),
  );
  for (const [name, state, description] of [
    ['disable', 'disabled', 'let a user in no more; the sessions end, and access tokens of the user stop'],
    ['enable', 'active', 'let a disabled user in again'],
  ] as const)
    users
      .command(name)
      .description(description)
      .argument('<email>')
      .option(...JSON_OPTION)
      .action((email: string, { json }: JsonOption) => change(connect, deps, email, { state }, json));
  users
    .command('reset')
    .description('take password, authenticator app and recovery codes from a user, and print a link to enrol again')
    .argument('<email>')
    .option(...JSON_OPTION)
    .action((email: string, options: JsonOption) => reset(connect, deps, email, options));
  users
    .command('sign-out')
    .description('end all sessions of a user')
    .argument('<email>')
    .option(...JSON_OPTION)
    .action((email: string, options: JsonOption) => signOut(connect, email, options));
}

const withRole = (command: Command): Command =>
  command
    .addOption(new Option('--role <role>', 'what the user may do').choices(ALL_ROLES).makeOptionMandatory())
    .option('--merchant <id>', 'the merchant of an administrator, clerk or viewer')
    .option(...JSON_OPTION);

async function invite(connect: Connect, deps: UserCommandDeps, email: string, options: InviteOptions): Promise<void> {
  const { role, merchant, name = email, language, json } = options;
  await withConnection(connect, async (connection) => {
    if (merchant !== undefined) await requireMerchant(connection, merchant);
    const room = await openWriting(connection, deps);
    const invitation = { email, name, role, merchantId: merchant ?? null, language };
    const invited = await connection.db.transaction(async (tx) => (await changes()).inviteUser(room, tx, 'operator', invitation));
    await printLink(room.consoleUrl(), accept(invited, REFUSALS, email), json);
  });
}

async function reset(connect: Connect, deps: UserCommandDeps, email: string, { json }: JsonOption): Promise<void> {
  await withConnection(connect, async (connection) => {
    const user = await requireUser(connection, email);
    const room = await openWriting(connection, deps);
    const { resetUser } = await changes();
    const invited = await connection.db.transaction((tx) => resetUser(room, tx, 'operator', user.userId));
    await printLink(room.consoleUrl(), accept(invited, REFUSALS, email), json);
  });
}

async function openWriting(connection: Connection, { openOutbox, readConsoleUrl, clock }: UserCommandDeps) {
  const [messages, url] = [await openOutbox(connection), await readConsoleUrl()];
  return { clock, messages, consoleUrl: () => url };
}

async function printLink(consoleUrl: string, { user, link }: Invited, json: true | undefined): Promise<void> {
  const url = (await import('./user-mail.ts')).linkUrl(consoleUrl, link.text);
  if (json) return printJson({ user: shown(user), link: url, linkEndsAt: link.expiresAt });
  print(
    `${user.email} chooses password and authenticator app here, once, until ${instantText(link.expiresAt)}:\n\n  ${url}\n\nA mail with it is sent where CAUDAL_SMTP_URL is set.\n`,
  );
}

async function change(connect: Connect, deps: UserCommandDeps, email: string, changed: UserChange, json: true | undefined): Promise<void> {
  await withConnection(connect, async (connection) => {
    if (changed.merchantId) await requireMerchant(connection, changed.merchantId);
    const { userId } = await requireUser(connection, email);
    const { changeUser } = await changes();
    const outcome = await connection.db.transaction((tx) => changeUser(deps, tx, 'operator', userId, changed));
    const { user } = accept(outcome, REFUSALS, email);
    if (json) printJson(shown(user));
    else print(`${user.email} is ${user.state}, with the role ${roleText(user)}.\n`);
  });
}

async function signOut(connect: Connect, email: string, { json }: JsonOption): Promise<void> {
  await withConnection(connect, async (connection) => {
    const { userId } = await requireUser(connection, email);
    const ended = await (await sessionRows()).endSessions(connection.db, userId);
    if (json) printJson({ ended });
    else print(`Ended ${ended} session${ended === 1 ? '' : 's'} of ${email}.\n`);
  });
}

async function list(connect: Connect, { json }: JsonOption): Promise<void> {
  await withConnection(connect, async ({ db }) => {
    const users = await (await userRows()).selectUsers(db, { limit: LIST_LIMIT });
    if (json) return printJson(users.map(shown));
    const heading = ['E-MAIL', 'NAME', 'ROLE', 'STATE', 'SINCE'];
    const rows = users.map((user) => [user.email, user.name, roleText(user), user.state, user.createdAt]);
    print(rows.length === 0 ? 'No users. Invite the first: caudal users invite --role owner EMAIL\n' : table(heading, rows));
  });
}

async function show(connect: Connect, { clock }: UserCommandDeps, email: string, { json }: JsonOption): Promise<void> {
  await withConnection(connect, async (connection) => {
    const user = await requireUser(connection, email);
    const { countRecoveryCodes } = await import('./credentials/credential-rows.ts');
    const sessions = await (await sessionRows()).listSessions(connection.db, user.userId, clock.now());
    const recoveryCodes = await countRecoveryCodes(connection.db, user.userId);
    if (json)
      return printJson({ ...shown(user), recoveryCodes, sessions: sessions.map(({ sessionId: id, ...session }) => ({ id, ...session })) });
    const lines: [string, Cell][] = [
      ['e-mail', user.email],
      ['name', user.name],
      ['role', roleText(user)],
      ['state', user.state],
      ['language', user.language],
      ['created', user.createdAt],
      ['recovery codes left', recoveryCodes],
      ...sessions.map(({ seenAt, address, browser }): [string, Cell] => [
        'session',
        `seen ${instantText(seenAt)} from ${address} ${browser}`.trimEnd(),
      ]),
    ];
    print(details(lines));
  });
}

async function requireUser({ db }: Pick<Connection, 'db'>, email: string): Promise<User> {
  const [{ selectUserByEmail }, { emailKeyOf }] = await Promise.all([userRows(), import('./user.ts')]);
  const user = await selectUserByEmail(db, emailKeyOf(email) ?? '');
  if (user === undefined) throw new CommandRefused(...REFUSALS.user_unknown(email));
  return user;
}

const roleText = ({ role, merchantId }: User): string => (merchantId === null ? role : `${role} of ${merchantId}`);

const shown = ({ userId: id, email, name, role, merchantId: merchant, language, state, createdAt }: User): object => ({
  id,
  email,
  name,
  role,
  merchant,
  language,
  state,
  createdAt,
});
