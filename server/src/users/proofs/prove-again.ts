import { networkOfAddress } from '../../kit/limits/network-of-address.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { selectPassword, spendCode } from '../credentials/credential-rows.ts';
import { proveSessionAgain, type FoundSession } from '../sessions.ts';
import type { Visitor } from '../sign-in.ts';
import { countTry, noteSuccess, refuseTry, type Try } from '../sign-in-tries.ts';
import { emailKeyOf } from '../user.ts';
import { ownAct } from '../user-acts.ts';
import type { UserRoom } from '../user-room.ts';

/**
 * Proves again who the user of a session is, by a code or the password. Tries count with those of signing in.
 * Throws: TooManyRequests where too many tries came; Overloaded where too many passwords wait.
 */
export async function proveAgain(
  { db, clock, keys, hasher, recordActs }: UserRoom,
  { sessionId, user }: FoundSession,
  { code, password }: { readonly code?: string | undefined; readonly password?: string | undefined },
  { address, requestId }: Pick<Visitor, 'address' | 'requestId'>,
): Promise<{ readonly isProved: true } | Refusal<'sign_in_refused'>> {
  const { userId, email } = user;
  const tried: Try = { account: emailKeyOf(email) ?? '', network: networkOfAddress(address) };
  const wait = await db.transaction((tx) => countTry(tx, tried, clock.now()));
  if (wait !== undefined) throw refuseTry(wait);
  const isPasswordRight = password !== undefined && (await hasher.matches(password, await selectPassword(db, userId), `user:${userId}`));
  return db.transaction(async (tx) => {
    const now = clock.now();
    const isProved = isPasswordRight || (code !== undefined && (await spendCode(tx, keys, userId, code, now)) !== undefined);
    if (!isProved) return refuse('sign_in_refused');
    noteSuccess(tx, tried, now);
    proveSessionAgain(tx, sessionId, now);
    recordActs(tx, [ownAct(user, { address, requestId }, 'proveAgain', now)]);
    return { isProved: true };
  });
}
