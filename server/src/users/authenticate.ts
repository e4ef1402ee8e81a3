import type { HttpRequest } from '../kit/http.ts';
import { together } from './together.ts';
import type { Actor, SignedIn } from '../manage/index.ts';
import { findToken, lookAtTokens } from './access-tokens.ts';
import { findSession, lookAtSessions, type FoundSession } from './sessions.ts';
import type { UserRoom } from './user-room.ts';

/** Browsers take a cookie of this name only over TLS or from this machine, for this host alone. */
const COOKIE = '__Host-caudal';
const COOKIE_TERMS = 'Path=/; HttpOnly; Secure; SameSite=Lax';
const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i;
const HELD = /^[A-Za-z0-9_-]{43}$/;

/** Sets a cookie for this host alone. Without seconds it ends with the browser. */
export const setCookie = (name: string, value: string, seconds?: number): string =>
  `${name}=${value}; ${COOKIE_TERMS}${seconds === undefined ? '' : `; Max-Age=${seconds}`}`;

/** Takes a cookie from a browser. */
export const endCookie = (name: string): string => setCookie(name, '', 0);

/** Gives a browser its session. It ends with the browser, or before. */
export const sessionCookie = (text: string): string => setCookie(COOKIE, text);

/** Takes the session from a browser. */
export const endedCookie = endCookie(COOKIE);

/**
 * What a browser holds under a name. Undefined: nothing, or two of one name, of which another site may have set one.
 * Blanks alone are not part of a name. A browser takes other white space in front of `__Host-` from another host of the domain.
 */
export function cookieOf(wanted: string, cookies: string | undefined): string | undefined {
  const held = (cookies ?? '').split(';').flatMap((part) => {
    const [name = '', value = ''] = part.replace(/^[ \t]+|[ \t]+$/g, '').split('=', 2);
    return name === wanted ? [value] : [];
  });
  return held.length === 1 ? held[0] : undefined;
}

/** The session that a request names. Undefined: none. */
function heldIn(cookies: string | undefined): string | undefined {
  const held = cookieOf(COOKIE, cookies);
  return held !== undefined && HELD.test(held) ? held : undefined;
}

/** Finds the session of a request. */
export async function sessionOf(room: Pick<UserRoom, 'db' | 'clock'>, cookies: string | undefined): Promise<FoundSession | undefined> {
  const held = heldIn(cookies);
  return held === undefined ? undefined : findSession(room, held);
}

const tokenIn = (authorization: string): string => BEARER.exec(authorization)?.[1] ?? '';

/** Finds who sends a request: a program by its token, or a user by the session of the browser. A token has no need of a fresh proof. */
export async function authenticate(room: Pick<UserRoom, 'db' | 'clock'>, { headers }: HttpRequest): Promise<SignedIn | undefined> {
  if (headers.authorization !== undefined) {
    const actor = await findToken(room, tokenIn(headers.authorization));
    return actor && { actor, isByCookie: false, isFresh: true };
  }
  const session = await sessionOf(room, headers.cookie);
  return session && { actor: session.actor, isByCookie: true, isFresh: session.isFresh };
}

/** Looks again at who sent a request that is still being answered. Requests that are looked at together cost one round trip. */
export function openLooks(room: Pick<UserRoom, 'db' | 'clock'>): (request: HttpRequest) => Promise<Actor | undefined> {
  const token = together((texts: readonly string[]) => lookAtTokens(room, texts));
  const session = together((texts: readonly string[]) => lookAtSessions(room, texts));
  return async ({ headers }) => {
    if (headers.authorization !== undefined) return token(tokenIn(headers.authorization));
    const held = heldIn(headers.cookie);
    return held === undefined ? undefined : session(held);
  };
}
