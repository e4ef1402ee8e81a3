import { Option, type Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  details,
  instantText,
  JSON_OPTION,
  NAME_LINE,
  print,
  printJson,
  readFrom,
  table,
  type Cell,
  type Connect,
  type Connection,
  type RefusalLines,
} from '../kit/command-line.ts';
import type { Clock } from '../kit/clock.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { ALL_ROLES, type Role } from '../manage/permissions.ts';
import type { Messages } from '../messages/index.ts';
import type { ChangeRefusal, Invited, InviteRefusal, UserChange } from './change-user.ts';
import type { ListedSession } from './sessions.ts';
import type { User } from './user.ts';

const changes = () => import('./change-user.ts');
const sessionRows = () => import('./sessions.ts');
const userRows = () => import('./user-rows.ts');
const operations = () => import('./manage/users.manage.ts');
const isMerchant = async ({ db, clock }: Connection, merchantId: string): Promise<boolean> =>
  (await (await import('../merchants/index.ts')).showMerchant({ db }, merchantId, clock.now())) !== undefined;

/** How the commands write mail, and where its links lead. */
export type UserCommandDeps = {
  readonly openOutbox: (connection: Connection) => Promise<Messages>;
  readonly readConsoleUrl: () => Promise<string>;
  /** The machine's. A sandbox's own clock may have moved. */
  readonly clock: Clock;
};

const REFUSALS: RefusalLines<InviteRefusal | ChangeRefusal | 'user_disabled'> = {
  email_invalid: (id) => [`${JSON.stringify(id)} is no e-mail address.`, 2],
  name_invalid: () => NAME_LINE,
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

/** `merchant`: of the role. */
const linesFor = (merchant: string | null | undefined) => ({
  ...REFUSALS,
  merchant_unknown: (): readonly [string, 1] => [`There is no merchant ${merchant}.`, 1],
});

async function invite(connect: Connect, deps: UserCommandDeps, email: string, options: InviteOptions): Promise<void> {
  const { role, merchant, name = email, language, json } = options;
  const invitation = { email, name, role, language };
  const invited = await carryOut(connect, linesFor(merchant), email, {
    here: async (connection) => {
      if (merchant !== undefined && !(await isMerchant(connection, merchant))) return refuse('merchant_unknown');
      const room = await openWriting(connection, deps);
      const { inviteUser } = await changes();
      const made = await connection.db.transaction(async (tx) =>
        inviteUser(room, tx, 'operator', { ...invitation, merchantId: merchant ?? null }),
      );
      return isRefusal(made) ? made : withLink(made, room.consoleUrl());
    },
    there: async (service) => receivedLink(await service.call((await operations()).invite, { body: { ...invitation, merchant } })),
  });
  printLink(invited, json);
}

async function reset(connect: Connect, deps: UserCommandDeps, email: string, { json }: JsonOption): Promise<void> {
  const linked = await carryOut(connect, REFUSALS, email, {
    here: async (connection) => {
      const user = await findUser(connection, email);
      if (isRefusal(user)) return user;
      const room = await openWriting(connection, deps);
      const { resetUser } = await changes();
      const done = await connection.db.transaction((tx) => resetUser(room, tx, 'operator', user.userId));
      return isRefusal(done) ? done : withLink(done, room.consoleUrl());
    },
    there: async (service) => receivedLink(await service.call((await operations()).reset, { path: await askPath(service, email) })),
  });
  printLink(linked, json);
}

async function openWriting(connection: Connection, { openOutbox, readConsoleUrl, clock }: UserCommandDeps) {
  const [messages, url] = [await openOutbox(connection), await readConsoleUrl()];
  return { clock, messages, consoleUrl: () => url };
}

type Linked = { readonly user: ShownUser; readonly link: string | null; readonly linkEndsAt: Temporal.Instant };

const withLink = async ({ user, link }: Invited, consoleUrl: string): Promise<Linked> => ({
  user: shown(user),
  link: (await import('./user-mail.ts')).linkUrl(consoleUrl, link.text),
  linkEndsAt: link.expiresAt,
});

type SentUser = Omit<ShownUser, 'createdAt'> & { readonly createdAt: string };

const receivedLink = ({
  user,
  link,
  linkEndsAt,
}: {
  readonly user: SentUser;
  readonly link: string | null;
  readonly linkEndsAt: string;
}): Linked => ({
  user: received(user),
  link,
  linkEndsAt: Temporal.Instant.from(linkEndsAt),
});

function printLink({ user, link, linkEndsAt }: Linked, json: true | undefined): void {
  if (json) return printJson({ user, link, linkEndsAt });
  const until = instantText(linkEndsAt);
  print(
    link === null
      ? `A mail brings ${user.email} a link to choose password and authenticator app, once, until ${until}.\n`
      : `${user.email} chooses password and authenticator app here, once, until ${until}:\n\n  ${link}\n\nA mail with it is sent where CAUDAL_SMTP_URL is set.\n`,
  );
}

async function change(connect: Connect, deps: UserCommandDeps, email: string, changed: UserChange, json: true | undefined): Promise<void> {
  const { merchantId, ...rest } = changed;
  const user = await carryOut(connect, linesFor(merchantId), email, {
    here: async (connection) => {
      if (merchantId && !(await isMerchant(connection, merchantId))) return refuse('merchant_unknown');
      const found = await findUser(connection, email);
      if (isRefusal(found)) return found;
      const { changeUser } = await changes();
      const outcome = await connection.db.transaction((tx) => changeUser(deps, tx, 'operator', found.userId, changed));
      return isRefusal(outcome) ? outcome : shown(outcome.user);
    },
    there: async (service) => {
      const parts = { path: await askPath(service, email), body: { ...rest, merchant: merchantId }, ifMatch: '*' };
      return received(await service.call((await operations()).change, parts));
    },
  });
  if (json) printJson(user);
  else print(`${user.email} is ${user.state}, with the role ${roleText(user)}.\n`);
}

async function signOut(connect: Connect, email: string, { json }: JsonOption): Promise<void> {
  const { ended } = await carryOut(connect, REFUSALS, email, {
    here: async (connection) => {
      const user = await findUser(connection, email);
      return isRefusal(user) ? user : { ended: await (await sessionRows()).endSessions(connection.db, user.userId) };
    },
    there: async (service) => service.call((await operations()).signOut, { path: await askPath(service, email) }),
  });
  if (json) printJson({ ended });
  else print(`Ended ${ended} session${ended === 1 ? '' : 's'} of ${email}.\n`);
}

async function list(connect: Connect, { json }: JsonOption): Promise<void> {
  const users = await readFrom(connect, {
    here: async ({ db }) => (await (await userRows()).selectUsers(db, { limit: LIST_LIMIT })).map(shown),
    there: async (service) => (await service.list((await operations()).listUsers, LIST_LIMIT)).items.map(received),
  });
  if (json) return printJson(users);
  const heading = ['E-MAIL', 'NAME', 'ROLE', 'STATE', 'SINCE'];
  const rows = users.map((user) => [user.email, user.name, roleText(user), user.state, user.createdAt]);
  print(rows.length === 0 ? 'No users. Invite the first: caudal users invite --role owner EMAIL\n' : table(heading, rows));
}

type WholeUser = ShownUser & { readonly recoveryCodes: number | null; readonly sessions: readonly ShownSession[] | null };
type ShownSession = Pick<ListedSession, 'createdAt' | 'seenAt' | 'expiresAt' | 'address' | 'browser'> & { readonly id: string };

async function show(connect: Connect, { clock }: UserCommandDeps, email: string, { json }: JsonOption): Promise<void> {
  const user = await carryOut(connect, REFUSALS, email, {
    here: async (connection): Promise<WholeUser | Refusal<'user_unknown'>> => {
      const found = await findUser(connection, email);
      if (isRefusal(found)) return found;
      const { countRecoveryCodes } = await import('./credentials/credential-rows.ts');
      const sessions = await (await sessionRows()).listSessions(connection.db, found.userId, clock.now());
      const recoveryCodes = await countRecoveryCodes(connection.db, found.userId);
      return { ...shown(found), recoveryCodes, sessions: sessions.map(({ sessionId: id, ...session }) => ({ id, ...session })) };
    },
    there: async (service) => {
      const sent = await service.call((await operations()).readUser, { path: await askPath(service, email) });
      const sessions = sent.sessions?.map(({ createdAt, seenAt, endsAt, ...session }) => ({
        ...session,
        createdAt: Temporal.Instant.from(createdAt),
        seenAt: Temporal.Instant.from(seenAt),
        expiresAt: Temporal.Instant.from(endsAt),
      }));
      return { ...received(sent), recoveryCodes: sent.recoveryCodes, sessions: sessions ?? null };
    },
  });
  if (json) return printJson(user);
  const lines: [string, Cell][] = [
    ['e-mail', user.email],
    ['name', user.name],
    ['role', roleText(user)],
    ['state', user.state],
    ['language', user.language],
    ['created', user.createdAt],
    ...(user.recoveryCodes === null ? [] : ([['recovery codes left', user.recoveryCodes]] as [string, Cell][])),
    ...(user.sessions ?? []).map(({ seenAt, address, browser }): [string, Cell] => [
      'session',
      `seen ${instantText(seenAt)} from ${address} ${browser}`.trimEnd(),
    ]),
  ];
  print(details(lines));
}

async function findUser({ db }: Pick<Connection, 'db'>, email: string): Promise<User | Refusal<'user_unknown'>> {
  const [{ selectUserByEmail }, { emailKeyOf }] = await Promise.all([userRows(), import('./user.ts')]);
  return (await selectUserByEmail(db, emailKeyOf(email) ?? '')) ?? refuse('user_unknown');
}

/** The path of a user at a service, which names users by their ids. Throws: CommandRefused. */
async function askPath(service: Remote, email: string): Promise<{ readonly user: string }> {
  const { items } = await service.list((await operations()).listUsers, 1, { query: { email } });
  const [user] = items;
  if (user === undefined) throw new CommandRefused(...REFUSALS.user_unknown(email));
  return { user: user.id };
}

const roleText = ({ role, merchant }: ShownUser): string => (merchant === null ? role : `${role} of ${merchant}`);

const shown = ({ userId: id, email, name, role, merchantId: merchant, language, state, createdAt }: User) => ({
  id,
  email,
  name,
  role,
  merchant,
  language,
  state,
  createdAt,
});

type ShownUser = ReturnType<typeof shown>;

const received = ({ id, email, name, role, merchant, language, state, createdAt }: SentUser): ShownUser => ({
  id,
  email,
  name,
  role,
  merchant,
  language,
  state,
  createdAt: Temporal.Instant.from(createdAt),
});
