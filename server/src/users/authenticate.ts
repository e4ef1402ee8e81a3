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

/** Gives a browser its session. It ends with the browser, or before. */
export const sessionCookie = (text: string): string => `${COOKIE}=${text}; ${COOKIE_TERMS}`;

/** Takes the session from a browser. */
export const endedCookie = `${COOKIE}=; ${COOKIE_TERMS}; Max-Age=0`;

/** What a browser holds. Undefined: nothing, or two of one name, of which another site may have set one. */
function heldSession(cookies: string | undefined): string | undefined {
  const held = (cookies ?? '').split(';').flatMap((part) => {
    const [name = '', value = ''] = part.trim().split('=', 2);
    return name === COOKIE ? [value] : [];
  });
  return held.length === 1 && HELD.test(held[0] as string) ? held[0] : undefined;
}

/** Finds the session of a request. */
export async function sessionOf(room: Pick<UserRoom, 'db' | 'clock'>, cookies: string | undefined): Promise<FoundSession | undefined> {
  const held = heldSession(cookies);
  return held === undefined ? undefined : findSession(room, held);
}

/** Finds who sends a request: a program by its token, or a user by the session of the browser. A token has no need of a fresh proof. */
export async function authenticate(room: Pick<UserRoom, 'db' | 'clock'>, { headers }: HttpRequest): Promise<SignedIn | undefined> {
  if (headers.authorization !== undefined) {
    const [, token = ''] = BEARER.exec(headers.authorization) ?? [];
    const actor = await findToken(room, token);
    return actor && { actor, isByCookie: false, isFresh: true };
  }
  const session = await sessionOf(room, headers.cookie);
  return session && { actor: session.actor, isByCookie: true, isFresh: session.isFresh };
}
