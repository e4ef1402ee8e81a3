import type { Configuration } from 'openid-client';
import { Unavailable } from '../../kit/db.ts';
import { statement, type Tx } from '../../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { endLinks } from '../user-links.ts';
import { openFor, type OpenedSession, type Visitor } from '../sign-in.ts';
import { proveSessionAgain, type FoundSession } from '../sessions.ts';
import { ownAct } from '../user-acts.ts';
import { emailKeyOf, type User } from '../user.ts';
import { lockUser, selectUserByEmail, updateUser } from '../user-rows.ts';
import type { OpenIdSettings, UserRoom } from '../user-room.ts';

/** Where the provider sends people back. */
export const OPENID_PATH = '/console/sign-in/openid';

const TIMEOUT_SECONDS = 5;
/** A proof of the provider counts as fresh for that long. */
const FRESH_SECONDS = 300;

const FIND = statement('users.find_subject', 'select user_id as "userId" from user_subjects where issuer = $1 and subject = $2');
const FIND_OTHER = statement(
  'users.find_other_subject',
  'select 1 from user_subjects where issuer = $1 and user_id = $2 and subject <> $3',
);
const BIND = statement(
  'users.bind_subject',
  'insert into user_subjects (issuer, subject, user_id, created_at) values ($1, $2, $3, $4) on conflict (issuer, subject) do nothing',
);

/** What a browser keeps while it is at the provider. Who sets it for somebody else only signs that browser in as nobody. */
export type OpenIdStart = { readonly state: string; readonly nonce: string; readonly verifier: string };

type Claims = {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly auth_time?: unknown;
};

export type OpenId = {
  /** Begins: where the browser goes, and what it keeps. `again`: the provider asks the person again. */
  start(isAgain: boolean): Promise<{ readonly url: string; readonly kept: OpenIdStart }>;
  /** Signs in whom the provider names. */
  signIn(back: URL, kept: OpenIdStart, visitor: Visitor): Promise<OpenedSession | Refusal<OpenIdRefusal>>;
  /** Proves again who the user of a session is. */
  prove(
    back: URL,
    kept: OpenIdStart,
    session: FoundSession,
    visitor: Visitor,
  ): Promise<{ readonly isProved: true } | Refusal<OpenIdRefusal>>;
};

export type OpenIdRefusal = 'openid_refused' | 'openid_unknown' | 'openid_unverified';

const library = (): Promise<typeof import('openid-client')> => import('openid-client');

/** Loaded and asked with the first sign-in: a provider that is down stops nothing else. */
export function openOpenId(room: UserRoom, { issuer, clientId, clientSecret, trustsEmails }: OpenIdSettings): OpenId {
  let found: Configuration | undefined;
  const redirectUri = (): string => `${room.consoleUrl()}${OPENID_PATH}`;

  async function discover(): Promise<Configuration> {
    if (found !== undefined) return found;
    const { discovery, allowInsecureRequests } = await library();
    const url = new URL(issuer);
    // The settings allow http in a sandbox alone.
    const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
    found = await asUnavailable(discovery(url, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS }), issuer);
    return found;
  }

  /** The claims of the ID token that a code gives. Undefined: the provider or the browser gave something else. */
  async function claimsOf(back: URL, { state, nonce, verifier }: OpenIdStart): Promise<Claims | undefined> {
    const { authorizationCodeGrant, ResponseBodyError, AuthorizationResponseError } = await library();
    const config = await discover();
    const url = new URL(`${redirectUri()}${back.search}`);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    try {
      return (await authorizationCodeGrant(config, url, checks)).claims();
    } catch (error) {
      if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError || !isUnreachable(error)) return undefined;
      throw new Unavailable('the provider of identities does not answer', { cause: error });
    }
  }

  return {
    start: async (isAgain) => {
      const client = await library();
      const config = await discover();
      const kept = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(),
        scope: 'openid email',
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
        ...(isAgain ? { prompt: 'login', max_age: '0' } : {}),
      });
      return { url: url.href, kept };
    },
    signIn: async (back, kept, visitor) => {
      const claims = await claimsOf(back, kept);
      if (claims === undefined) return refuse('openid_refused');
      return room.db.transaction(async (tx) => {
        const now = room.clock.now();
        const user = await findUser(tx, { issuer, trustsEmails }, claims, now);
        if (isRefusal(user)) return user;
        const active = user.state === 'active' ? user : await updateUser(tx, { ...user, state: 'active' }, now);
        if (user.state === 'invited') endLinks(tx, user.userId);
        return openFor(room, tx, active, visitor, now);
      });
    },
    prove: async (back, kept, { sessionId, user }, visitor) => {
      const claims = await claimsOf(back, kept);
      if (claims === undefined) return refuse('openid_refused');
      return room.db.transaction(async (tx) => {
        const now = room.clock.now();
        const [bound] = await tx.query<{ userId: string }>(FIND, [issuer, claims.sub]);
        const isFresh = typeof claims.auth_time === 'number' && claims.auth_time >= now.epochMilliseconds / 1000 - FRESH_SECONDS;
        if (bound?.userId !== user.userId || !isFresh) return refuse('openid_refused');
        proveSessionAgain(tx, sessionId, now);
        room.recordActs(tx, [ownAct(user, visitor, 'proveAgain', now)]);
        return { isProved: true };
      });
    },
  };
}

const usable = (user: User | undefined): User | undefined => (user === undefined || user.state === 'disabled' ? undefined : user);

/**
 * True for an address that the provider has verified. Some send the text (Amazon Cognito), some nothing at all (Microsoft Entra): then the
 * operator says whether its addresses can be trusted. Whoever may choose an address freely there would sign in as its owner here.
 */
const isVerified = ({ email_verified: said }: Claims, trustsEmails: boolean): boolean =>
  said === true || said === 'true' || (trustsEmails && (said === undefined || said === null));

/** Finds the user of a subject. The first time it is the one with the address that the provider has verified. */
async function findUser(
  tx: Tx,
  { issuer, trustsEmails }: Pick<OpenIdSettings, 'issuer' | 'trustsEmails'>,
  claims: Claims,
  now: Temporal.Instant,
): Promise<User | Refusal<'openid_unknown' | 'openid_unverified'>> {
  const { sub, email } = claims;
  const [bound] = await tx.query<{ userId: string }>(FIND, [issuer, sub]);
  if (bound !== undefined) return usable((await lockUser(tx, bound.userId)).user) ?? refuse('openid_unknown');
  if (!isVerified(claims, trustsEmails)) return refuse('openid_unverified');
  const key = typeof email === 'string' ? emailKeyOf(email) : undefined;
  const named = key === undefined ? undefined : await selectUserByEmail(tx, key);
  const user = named && usable((await lockUser(tx, named.userId)).user);
  if (user === undefined) return refuse('openid_unknown');
  // The mailbox belongs to somebody else at the provider now.
  if ((await tx.query(FIND_OTHER, [issuer, user.userId, sub])).length > 0) return refuse('openid_unknown');
  tx.send(BIND, [issuer, sub, user.userId, now]);
  return user;
}

async function asUnavailable<Result>(work: Promise<Result>, issuer: string): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new Unavailable(faultOfDiscovery(error, issuer), { cause: error });
  }
}

/** A provider that calls itself otherwise is not asked: often only a slash at the end differs. The log says what to set. */
function faultOfDiscovery(error: unknown, issuer: string): string {
  const { cause } = error as { readonly cause?: { readonly body?: { readonly issuer?: unknown } } };
  const own = cause?.body?.issuer;
  return typeof own === 'string'
    ? `the provider of identities calls itself ${own}, and CAUDAL_OIDC_ISSUER is ${issuer}: set it to the first`
    : 'the provider of identities does not answer';
}

/** True where no whole answer came: no connection, no time left, or a server's own fault. */
function isUnreachable(error: unknown): boolean {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return error instanceof TypeError || name === 'TimeoutError' || code === 'OAUTH_TIMEOUT';
}
