import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import { hashOf, inOrderOf, newSecret } from './one-time-secret.ts';
import { newId } from './user-rows.ts';
import { actorOf, type User } from './user.ts';
import type { Actor } from '../manage/index.ts';

const IDLE_MINUTES = 30;
const LIFE_HOURS = 12;
/** A session that is used writes once a minute at most. */
const SEEN_EVERY_SECONDS = 60;
/** For how long a proof counts as fresh. */
const FRESH_MINUTES = 10;
const MAX_BROWSER_CHARACTERS = 200;

const INSERT = statement(
  'users.insert_session',
  `insert into user_sessions (session_id, hash, user_id, created_at, seen_at, expires_at, reauthenticated_at, address, browser)
   values ($1, $2, $3, $4, $4, $5, $4, $6, $7)`,
);
const SELECT = statement(
  'users.select_session',
  `select s.hash, s.session_id as "sessionId", s.seen_at as "seenAt", s.expires_at as "expiresAt", s.reauthenticated_at as "reauthenticatedAt",
     u.user_id as "userId", u.email, u.name, u.role, u.merchant_id as "merchantId", u.language
     from user_sessions s join users u on u.user_id = s.user_id
    where s.hash = any($1) and s.expires_at > $2 and s.seen_at > $3 and u.state = 'active'`,
);
/** Of requests at the same time one notes it. None waits: reads that share a connection would wait for each other. */
const SEE = statement(
  'users.see_session',
  `update user_sessions set seen_at = $2
    where session_id in (select session_id from user_sessions where session_id = $1 and seen_at < $3 for update skip locked)`,
);
const PROVE_AGAIN = statement('users.prove_session_again', 'update user_sessions set reauthenticated_at = $2 where session_id = $1');
const LIST = statement(
  'users.list_sessions',
  `select session_id as "sessionId", created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt", address, browser
     from user_sessions where user_id = $1 and expires_at > $2 and seen_at > $3 order by seen_at desc, session_id`,
);
const END = statement('users.end_session', 'delete from user_sessions where session_id = $1 and user_id = $2 returning 1');
const END_ALL = statement(
  'users.end_sessions',
  'delete from user_sessions where user_id = $1 and session_id is distinct from $2 returning 1',
);

/** A signed-in browser, and whose it is. */
export type FoundSession = {
  readonly sessionId: string;
  readonly user: Pick<User, 'userId' | 'email' | 'name' | 'role' | 'merchantId' | 'language'>;
  readonly actor: Actor;
  /** The user proved within the last minutes who it is. */
  readonly isFresh: boolean;
  readonly expiresAt: Temporal.Instant;
};

type SessionRow = FoundSession['user'] & {
  readonly hash: Buffer;
  readonly sessionId: string;
  readonly seenAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly reauthenticatedAt: Temporal.Instant;
};

/** From where a browser signs in. */
export type Browser = { readonly address: string; readonly browser: string };

/** Opens a session. Shape: → its id, and what the browser holds. */
export function openSession(
  tx: Pick<Tx, 'send'>,
  userId: string,
  { address, browser }: Browser,
  now: Temporal.Instant,
): { readonly sessionId: string; readonly text: string } {
  const { text, hash } = newSecret();
  const sessionId = newId();
  tx.send(INSERT, [sessionId, hash, userId, now, now.add({ hours: LIFE_HOURS }), address, browser.slice(0, MAX_BROWSER_CHARACTERS)]);
  return { sessionId, text };
}

/**
 * Finds the session that a browser holds. Role and state are those of this moment.
 * Effects: notes the use, at most once a minute.
 */
export async function findSession(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  text: string,
): Promise<FoundSession | undefined> {
  const now = clock.now();
  const [row] = await db.query<SessionRow>(SELECT, [[hashOf(text)], now, idleSince(now)]);
  if (row === undefined) return undefined;
  const { sessionId, seenAt, expiresAt, reauthenticatedAt, hash: _, ...user } = row;
  const seenBefore = now.subtract({ seconds: SEEN_EVERY_SECONDS });
  if (isBefore(seenAt, seenBefore)) await db.query(SEE, [sessionId, now, seenBefore]);
  return {
    sessionId,
    user,
    actor: actorOf(user),
    isFresh: isBefore(now.subtract({ minutes: FRESH_MINUTES }), reauthenticatedAt),
    expiresAt,
  };
}

/** Finds the actors of sessions, in their order. It is not a use of them: they may become idle. */
export async function lookAtSessions(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  texts: readonly string[],
): Promise<readonly (Actor | undefined)[]> {
  const now = clock.now();
  const hashes = texts.map(hashOf);
  return inOrderOf(hashes, await db.query<SessionRow>(SELECT, [hashes, now, idleSince(now)]), actorOf);
}

/** Notes that a user proved again who it is. */
export const proveSessionAgain = (tx: Pick<Tx, 'send'>, sessionId: string, now: Temporal.Instant): void =>
  tx.send(PROVE_AGAIN, [sessionId, now]);

export type ListedSession = {
  readonly sessionId: string;
  readonly createdAt: Temporal.Instant;
  readonly seenAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly address: string;
  readonly browser: string;
};

export const listSessions = (db: Pick<Db, 'query'>, userId: string, now: Temporal.Instant): Promise<ListedSession[]> =>
  db.query<ListedSession>(LIST, [userId, now, idleSince(now)]);

/** Ends one session of a user. False: the user has no such session. */
export const endSession = async (tx: Pick<Tx, 'query'>, userId: string, sessionId: string): Promise<boolean> =>
  (await tx.query(END, [sessionId, userId])).length > 0;

/** Ends the sessions of a user, except one where it is named. Shape: → how many. */
export const endSessions = async (tx: Pick<Tx, 'query'>, userId: string, except: string | null = null): Promise<number> =>
  (await tx.query(END_ALL, [userId, except])).length;

const idleSince = (now: Temporal.Instant): Temporal.Instant => now.subtract({ minutes: IDLE_MINUTES });
const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0;
