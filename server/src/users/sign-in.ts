import type { Tx } from '../kit/db.ts';
import { networkOfAddress } from '../kit/limits/network-of-address.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { spendCode } from './credentials/credential-rows.ts';
import { selectPassword } from './credentials/credential-rows.ts';
import { openSession, type Browser } from './sessions.ts';
import { countTry, noteSuccess, refuseTry, type Try } from './sign-in-tries.ts';
import { alertMail } from './user-mail.ts';
import { emailKeyOf, type User } from './user.ts';
import type { UserRoom } from './user-room.ts';
import { selectUserByEmail } from './user-rows.ts';
import { ownAct } from './user-acts.ts';

/** What a person types. The code is one of an authenticator app, or a recovery code. */
export type Proof = { readonly email: string; readonly password: string; readonly code: string };

export type OpenedSession = { readonly user: User; readonly sessionId: string; readonly text: string };

/** From where somebody signs in. */
export type Visitor = Browser & { readonly requestId: string };

/**
 * Signs a user in with password and code, both in one request. Nothing says which of them was wrong, or that there is no such account.
 * Throws: TooManyRequests where too many tries came; Overloaded where too many passwords wait.
 * Effects: opens a session. The code is used up.
 */
export async function signIn(
  room: UserRoom,
  { email, password, code }: Proof,
  visitor: Visitor,
): Promise<OpenedSession | Refusal<'sign_in_refused'>> {
  const { db, clock, hasher } = room;
  const account = emailKeyOf(email) ?? '?';
  const tried: Try = { account, network: networkOfAddress(visitor.address) };
  const wait = await db.transaction((tx) => countTry(tx, tried, clock.now()));
  if (wait !== undefined) throw refuseTry(wait);
  const user = await selectUserByEmail(db, account);
  const kept = await selectPassword(db, user?.userId ?? '');
  const isRight = await hasher.matches(password, kept, tried.network);
  const proved = isRight && user?.state === 'active' ? user : undefined;
  const open = async (tx: Tx): Promise<OpenedSession> => {
    const now = clock.now();
    // The code of nobody is looked for too: a wrong password takes as long as a wrong code.
    const spent = await spendCode(tx, room.keys, proved?.userId ?? '', code, now);
    if (proved === undefined || spent === undefined) throw new NotProved();
    if (spent === 'recovery_code') room.messages.write(tx, [alertMail(proved, 'recovery_code_used', now)]);
    noteSuccess(tx, tried, now);
    return openFor(room, tx, proved, visitor, now);
  };
  return db.transaction(open).catch((error: unknown) => {
    if (error instanceof NotProved) return refuse('sign_in_refused');
    throw error;
  });
}

/** Undoes the transaction of a refused try. A commit that had locked a row would wait for the disk, and show it. */
class NotProved extends Error {}

/** Opens a session of a user whose proof was accepted, and records it. */
export function openFor(room: UserRoom, tx: Tx, user: User, visitor: Visitor, now: Temporal.Instant): OpenedSession {
  const { sessionId, text } = openSession(tx, user.userId, visitor, now);
  room.recordActs(tx, [ownAct(user, visitor, 'signIn', now)]);
  return { user, sessionId, text };
}
