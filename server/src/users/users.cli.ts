import { Argument, Option, type Command } from 'commander';
import {
  CommandRefused,
  details,
  instantText,
  NAME_LINE,
  sentInstant,
  table,
  type Asks,
  type Cell,
  type Connect,
} from '../kit/command-line.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { askCommand, listCommand, needed, type AnswerOf } from '../kit/remote/client-commands.ts';
import { ALL_ROLES, type Role } from '../manage/permissions.ts';
import type { invite, listUsers, readUser } from './manage/users.manage.ts';

const operations = () => import('./manage/users.manage.ts');

type OneUser = { readonly email: string };
type RoleOptions = { readonly role: Role; readonly merchant?: string };
type InviteOptions = OneUser & RoleOptions & { readonly name?: string; readonly language: Language };
type ShownUser = AnswerOf<typeof listUsers>;

const NO_EMAIL = ['"{email}" is not an e-mail address.', 2] as const;
/** They name options of these commands. */
const LINES = {
  email_invalid: NO_EMAIL,
  '/email': NO_EMAIL,
  name_invalid: NAME_LINE,
  '/name': NAME_LINE,
  role_needs_merchant: ['This role is of one merchant: name it by --merchant.', 2],
  role_takes_no_merchant: ['This role sees every merchant: leave --merchant out.', 2],
  merchant_unknown: ['There is no merchant {merchant}.', 1],
} as const;

const LIST_LIMIT = 10_000;

const oneUser = new Argument('<email>');
const roleOption = needed('--role <role>', 'what the user may do').choices(ALL_ROLES);
const merchantOption = new Option('--merchant <id>', 'the merchant of an administrator, clerk or viewer');

/** What commands that change one user share. */
const ofUser = { args: [oneUser], path: userPath, lines: LINES } as const;

/** The path of a user: people name one by the address, the API by the id. Throws: CommandRefused. */
async function userPath(service: Asks, { email }: OneUser): Promise<{ readonly user: string }> {
  const { items } = await service.list((await operations()).listUsers, 1, { query: { email } });
  const [user] = items;
  if (user === undefined) throw new CommandRefused(`There is no user ${email}.`, 1);
  return { user: user.id };
}

/** Adds `caudal users …` to the program. */
export function userCommands(program: Command, connect: Connect): void {
  const users = program.command('users').description('people who sign in: invite, list, change, disable and reset them');
  addInvite(users, connect);
  addReads(users, connect);
  addChanges(users, connect);
  askCommand(users, connect, {
    ...ofUser,
    name: 'reset',
    about: 'take password, authenticator app and recovery codes from a user, and print a link to enrol again',
    operation: async () => (await operations()).reset,
    parts: (_given: OneUser) => ({}),
    text: linkText,
  });
  askCommand(users, connect, {
    ...ofUser,
    name: 'sign-out',
    about: 'end all sessions of a user',
    operation: async () => (await operations()).signOut,
    parts: (_given: OneUser) => ({}),
    text: ({ ended }, { email }) => `Ended ${ended} session${ended === 1 ? '' : 's'} of ${email}.\n`,
  });
}

function addInvite(users: Command, connect: Connect): void {
  askCommand(users, connect, {
    name: 'invite',
    about: 'invite a person, and print the link that lets them in',
    args: [oneUser],
    options: [
      roleOption,
      merchantOption,
      new Option('--name <name>', 'the name of the person (default: the address)'),
      new Option('--language <language>', 'of pages and mails').choices(LANGUAGES).default('en'),
    ],
    operation: async () => (await operations()).invite,
    parts: ({ email, name = email, role, merchant, language }: InviteOptions) => ({ body: { email, name, role, merchant, language } }),
    lines: LINES,
    text: linkText,
  });
}

function linkText({ user, link, linkEndsAt }: AnswerOf<typeof invite>): string {
  const until = instantText(Temporal.Instant.from(linkEndsAt));
  return link === null
    ? `A mail brings ${user.email} a link to choose password and authenticator app, once, until ${until}.\n`
    : `${user.email} chooses password and authenticator app here, once, until ${until}:\n\n  ${link}\n\nA mail with it is sent where CAUDAL_SMTP_URL is set.\n`;
}

function addChanges(users: Command, connect: Connect): void {
  const shared = {
    ...ofUser,
    operation: async () => (await operations()).change,
    text: (user: ShownUser) => `${user.email} is ${user.state}, with the role ${roleText(user)}.\n`,
  };
  askCommand(users, connect, {
    ...shared,
    name: 'set-role',
    about: 'give a user another role; the sessions end',
    options: [roleOption, merchantOption],
    parts: ({ role, merchant = null }: OneUser & { readonly role: Role; readonly merchant?: string | null }) => ({
      body: { role, merchant },
      ifMatch: '*',
    }),
  });
  for (const [name, state, about] of [
    ['disable', 'disabled', 'let a user in no more; the sessions end, and access tokens of the user stop'],
    ['enable', 'active', 'let a disabled user in again'],
  ] as const)
    askCommand(users, connect, { ...shared, name, about, parts: (_given: OneUser) => ({ body: { state }, ifMatch: '*' }) });
}

function addReads(users: Command, connect: Connect): void {
  listCommand(users, connect, {
    name: 'list',
    about: 'list all users',
    operation: async () => (await operations()).listUsers,
    limit: () => LIST_LIMIT,
    parts: (_given: object) => ({}),
    text: (listed) =>
      listed.length === 0
        ? 'No users. Invite the first: caudal users invite --role owner EMAIL\n'
        : table(
            ['E-MAIL', 'NAME', 'ROLE', 'STATE', 'SINCE'],
            listed.map((user) => [user.email, user.name, roleText(user), user.state, sentInstant(user.createdAt)]),
          ),
  });
  askCommand(users, connect, {
    ...ofUser,
    name: 'show',
    about: 'show a user and the sessions',
    operation: async () => (await operations()).readUser,
    parts: (_given: OneUser) => ({}),
    text: wholeText,
  });
}

function wholeText(user: AnswerOf<typeof readUser>): string {
  const lines: [string, Cell][] = [
    ['e-mail', user.email],
    ['name', user.name],
    ['role', roleText(user)],
    ['state', user.state],
    ['language', user.language],
    ['created', sentInstant(user.createdAt)],
    ...(user.recoveryCodes === null ? [] : ([['recovery codes left', user.recoveryCodes]] as [string, Cell][])),
    ...(user.sessions ?? []).map(({ seenAt, address, browser }): [string, Cell] => [
      'session',
      `seen ${instantText(Temporal.Instant.from(seenAt))} from ${address} ${browser}`.trimEnd(),
    ]),
  ];
  return details(lines);
}

const roleText = ({ role, merchant }: Pick<ShownUser, 'role' | 'merchant'>): string =>
  merchant === null ? role : `${role} of ${merchant}`;
