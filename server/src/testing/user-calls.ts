import { tokenCommands } from '../users/tokens.cli.ts';
import { userCommands } from '../users/users.cli.ts';
import { codeAt, stepOf } from '../users/credentials/one-time-code.ts';
import { commandActor } from '../manage/run-here.ts';
import type { Permission, Role } from '../manage/index.ts';
import { makeToken } from '../users/access-tokens.ts';
import { runCommand } from './captured.ts';
import type { TestCaudal } from './test-caudal.ts';

/** The page on which people sign in. */
const SIGN_IN_PAGE = '/console/sign-in';
export const PASSWORD = 'nine blue herons at dusk';
const FROM = '198.51.100.7';

/** An answer of the sign-in page. */
export type PageAnswer = {
  readonly status: number;
  readonly page: string;
  readonly cookie: string | undefined;
  readonly retryAfter: string | undefined;
};

type Service = Pick<TestCaudal, 'app' | 'db' | 'clock'>;

/** Sends a form of the sign-in page, as a browser does. */
export async function sendForm(
  { app }: Pick<Service, 'app'>,
  form: Readonly<Record<string, string>>,
  {
    cookie,
    address = FROM,
    origin = 'http://localhost',
  }: { readonly cookie?: string | undefined; readonly address?: string; readonly origin?: string } = {},
): Promise<PageAnswer> {
  const reply = await app.inject({
    method: 'POST',
    url: SIGN_IN_PAGE,
    remoteAddress: address,
    headers: { host: 'localhost', origin, 'accept-language': 'en', ...(cookie === undefined ? {} : { cookie }) },
    payload: new URLSearchParams(form).toString(),
  });
  const set = [reply.headers['set-cookie']].flat()[0];
  return { status: reply.statusCode, page: reply.body, cookie: set?.split(';')[0], retryAfter: reply.headers['retry-after']?.toString() };
}

/** Loads the sign-in page. `url`: that of a link. */
export async function loadPage(
  { app }: Pick<Service, 'app'>,
  { url = SIGN_IN_PAGE, cookie }: { readonly url?: string; readonly cookie?: string | undefined } = {},
): Promise<PageAnswer> {
  const path = url.slice(Math.max(0, url.indexOf('/console')));
  const reply = await app.inject({
    method: 'GET',
    url: path,
    remoteAddress: FROM,
    headers: { host: 'localhost', 'accept-language': 'en', ...(cookie === undefined ? {} : { cookie }) },
  });
  return { status: reply.statusCode, page: reply.body, cookie: undefined, retryAfter: undefined };
}

/** The text of a one-time link. */
export const linkOf = (url: string): string => /link=([\w-]+)/.exec(url)?.[1] ?? '';

const BITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The secret that a page of an invitation shows, as an authenticator app keeps it. */
export function secretOn(page: string): Buffer {
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1]?.replaceAll(' ', '') ?? '';
  const bits = Array.from(key, (sign) => BITS.indexOf(sign).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** A user who has enrolled. */
export type TestUser = {
  readonly email: string;
  readonly secret: Buffer;
  readonly cookie: string;
  readonly recoveryCodes: readonly string[];
  code(): string;
};

/** Runs `caudal users …` or `caudal tokens …`. */
export const runUsers = (service: TestCaudal, ...words: string[]): Promise<void> =>
  runCommand(
    service,
    (program, connect) => {
      userCommands(program, connect);
      tokenCommands(program, connect);
    },
    ...words,
  );

/** Invites a user at the command line and accepts the invitation in the browser. `printed` gives what a command printed. */
export async function enrolUser(
  service: TestCaudal,
  printed: (work: () => Promise<unknown>) => Promise<string>,
  email: string,
  role: Role = 'owner',
  merchantId?: string,
): Promise<TestUser> {
  const bound = merchantId === undefined ? [] : ['--merchant', merchantId];
  const text = await printed(() => runUsers(service, 'users', 'invite', email, '--role', role, ...bound, '--json'));
  const { link: url } = JSON.parse(text) as { link: string };
  const secret = secretOn((await loadPage(service, { url })).page);
  const code = (): string => codeAt(secret, stepOf(service.clock.now()));
  const { page, cookie } = await sendForm(service, { act: 'enrol', link: linkOf(url), password: PASSWORD, code: code() });
  const recoveryCodes = [...page.matchAll(/<code>([A-Z2-7-]+)<\/code>/g)].map(([, one]) => one as string);
  return { email, secret, cookie: cookie ?? '', recoveryCodes, code };
}

/** Makes an access token, for requests of the management API. Shape: → the value of `Authorization`. */
export async function tokenOf(
  service: Pick<TestCaudal, 'db' | 'clock'>,
  permissions: readonly Permission[],
  merchantId: string | null = null,
): Promise<string> {
  const made = await service.db.transaction(async (tx) =>
    makeToken(tx, commandActor('test'), { userId: null }, { name: 'test', permissions, merchantId, days: 30 }, service.clock.now()),
  );
  if (!('token' in made)) throw new Error(`the test token was refused: ${made.refusal}`);
  return `Bearer ${made.token}`;
}
