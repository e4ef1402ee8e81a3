import type { HttpRequest } from '../kit/http.ts';
import type { SignedIn } from '../manage/index.ts';
import { findToken } from './access-tokens.ts';
import { findSession, type FoundSession } from './sessions.ts';
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

/** What a browser holds under a name. Undefined: nothing, or two of one name, of which another site may have set one. */
export function cookieOf(wanted: string, cookies: string | undefined): string | undefined {
  const held = (cookies ?? '').split(';').flatMap((part) => {
    const [name = '', value = ''] = part.trim().split('=', 2);
    return name === wanted ? [value] : [];
  });
  return held.length === 1 ? held[0] : undefined;
}

/** Finds the session of a request. */
export async function sessionOf(
  room: Pick<UserRoom, 'db' | 'clock'>,
  cookies: string | undefined,
  isUse = true,
): Promise<FoundSession | undefined> {
  const held = cookieOf(COOKIE, cookies);
  return held === undefined || !HELD.test(held) ? undefined : findSession(room, held, isUse);
}

/**
 * Finds who sends a request: a program by its token, or a user by the session of the browser. A token has no need of a fresh proof.
 * A look that is no use of the session leaves it to become idle.
 */
export async function authenticate(
  room: Pick<UserRoom, 'db' | 'clock'>,
  { headers }: HttpRequest,
  isUse = true,
): Promise<SignedIn | undefined> {
  if (headers.authorization !== undefined) {
    const [, token = ''] = BEARER.exec(headers.authorization) ?? [];
    const actor = await findToken(room, token, isUse);
    return actor && { actor, isByCookie: false, isFresh: true };
  }
  const session = await sessionOf(room, headers.cookie, isUse);
  return session && { actor: session.actor, isByCookie: true, isFresh: session.isFresh };
}
